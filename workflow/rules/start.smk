# Takes: config.yaml, and the files that --configfile names.
# Gives: PROJECT, the library on Python's path, and stop, which ends a run with one line.
# Does: refuses a folder in which nothing can be written, and a file that is no configuration, with its line.

import os
import sys
from pathlib import Path

PROJECT = Path(workflow.current_basedir.get_path_or_uri(secret_free=False)).parent.parent
sys.path.insert(0, str(PROJECT / "scripts"))

from himation.files.starting import refuse_unreadable, refuse_unusable_folder, set_environment, stop

set_environment()
refuse_unusable_folder()
refuse_unreadable([PROJECT / "config.yaml", *workflow.overwrite_configfiles])
