"""Defaults of the settings of the sampler; apart from it, so that who only names them starts fast."""

CHAINS = 16
SWEEPS = 400
NODES = 100  # variables of a chain
