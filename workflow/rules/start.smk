# Takes: config.yaml, and the files that --configfile names.
# Gives: PROJECT, the library on Python's path, BEGAN, stop, which ends a run with one line, and what is said after a run.
# Does: refuses a folder in which nothing can be written, and a file that is no configuration, with its line.

import logging
import os
import sys
import time
from pathlib import Path

PROJECT = Path(workflow.current_basedir.get_path_or_uri(secret_free=False)).parent.parent
sys.path.insert(0, str(PROJECT / "scripts"))

from himation.command.terminal import show_progress
from himation.files.endings import failures, last_lines
from himation.files.starting import named_folder, refuse_unreadable, refuse_unusable_folder, set_environment, stop

BEGAN = time.time()

set_environment()
if workflow.is_main_process and not workflow.output_settings.verbose:
    show_progress(logging.getLogger("snakemake.logging"), workflow.output_settings.dryrun)
refuse_unreadable([PROJECT / "config.yaml", *workflow.overwrite_configfiles])
