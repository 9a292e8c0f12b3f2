"""Files of networks: how one is written, and how many variables it declares."""

import re
from pathlib import Path

from himation.errors import UserError
from himation.files.texts import read_bytes

FORMATS = {".bif": "BIFReader", ".xmlbif": "XMLBIFReader", ".net": "NETReader", ".xdsl": "XDSLReader"}
_VARIABLE = re.compile(rb"^[ \t]*(?:variable\s|<variable\b|node\s|<cpt\s)", re.IGNORECASE | re.MULTILINE)


def format_of(path) -> str:
    """The ending that says how the file is written, without the .gz of a packed one."""
    ending = Path(Path(path).name.lower().removesuffix(".gz")).suffix
    if ending not in FORMATS:
        raise UserError(f"{path}: a network is a file {', '.join(FORMATS)}, or one of them packed (.bif.gz)")
    return ending


def count_variables(path) -> int:
    """How many variables a file of a network declares, without reading the network."""
    return len(_VARIABLE.findall(read_bytes(Path(path))))
