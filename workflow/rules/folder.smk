# Takes: `folder` of the configuration.
# Gives: START, where relative paths of the configuration begin; the working folder.
# Does: goes to the folder that the configuration names, and refuses one in which nothing can be written.

START = Path.cwd()
if config.get("folder") and not workflow.overwrite_workdir:

    workdir: named_folder(config["folder"])


refuse_unusable_folder()
