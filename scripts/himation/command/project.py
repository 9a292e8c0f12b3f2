"""Where the workflow is: beside the library in a clone, or where a wheel has put it."""

import sys
from pathlib import Path

import himation
from himation.errors import UserError


def project_folder() -> Path:
    """The folder with Snakefile, workflow/ and the scripts of the rules."""
    import site

    places = [Path(himation.__file__).resolve().parents[2]]
    places += [Path(base, "share/himation") for base in (sys.prefix, site.USER_BASE) if base]
    for place in places:
        if (place / "Snakefile").is_file() and (place / "scripts").is_dir():
            return place
    raise UserError(
        f"the workflow's rules are not installed (looked in {', '.join(map(str, places))}); install it again"
    )
