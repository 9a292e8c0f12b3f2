"""The table of UCI Adult, from which CINA can be drawn."""

import os

import numpy as np

from himation.errors import UserError


def read_adult(path) -> dict[str, np.ndarray]:
    """Its columns by name."""
    import pandas as pd

    if not os.path.isfile(path):
        raise UserError(f"{path}: no such file")
    try:
        frame = pd.read_csv(path, skipinitialspace=True, keep_default_na=False)
    except (OSError, ValueError, EOFError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UserError(f"{path}: can't be read as the table of UCI Adult, a CSV with a header ({reason})") from None
    return {str(name): frame[name].to_numpy() for name in frame}
