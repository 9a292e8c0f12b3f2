"""Settings of the sampler and their defaults; apart from it, so that who only names them starts fast."""

from dataclasses import dataclass

LIKELY = 0.5  # from this chance on a variable of the test table is called set or shifted


@dataclass(frozen=True)
class Settings:
    """Chains, the sweeps of each, of which the first half is not used, the variables that it holds; and the share of
    variables that are manipulated in a test table, before it is seen."""

    chains: int = 24
    sweeps: int = 400
    nodes: int = 100
    manipulated_share: float = 0.5
