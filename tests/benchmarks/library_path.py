"""Importing this puts scripts/ on the path, so that the benchmarks run as plain commands."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
