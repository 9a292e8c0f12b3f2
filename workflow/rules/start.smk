# Takes: config.yaml, and the files that --configfile names.
# Gives: the library on Python's path, and stop, which ends a run with one line.
# Does: refuses a folder in which nothing can be written, and a file that is no configuration, with its line.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(workflow.basedir, "scripts")))

from himation.files.starting import refuse_unreadable, refuse_unusable_folder, stop

refuse_unusable_folder()
refuse_unreadable([Path(workflow.basedir, "config.yaml"), *workflow.overwrite_configfiles])
