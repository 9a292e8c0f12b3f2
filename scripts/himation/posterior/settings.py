"""Settings of the sampler and their defaults; apart from it, so that who only names them starts fast."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Chains, the sweeps of each, of which the first half is not used, and the variables that it holds."""

    chains: int = 24
    sweeps: int = 400
    nodes: int = 100
