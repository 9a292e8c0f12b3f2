"""Himation's library: arrays in, values out; no paths, no printing."""

__version__ = "0.1.0"
