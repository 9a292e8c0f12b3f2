"""Know what will be allocated before it is."""

from himation.errors import UserError

_GIGABYTE = 1e9


def available() -> float:
    """Bytes of memory that a process can still take, by the kernel's estimate; unlimited where it gives none."""
    try:
        with open("/proc/meminfo") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return float(line.split()[1]) * 1024
    except OSError:
        pass
    return float("inf")


def require(needed: float, what: str, advice: str = "use a machine with more memory or fewer columns") -> None:
    """Refuse what can't fit, with the figures."""
    free = available()
    if needed > free:
        raise UserError(f"{what} needs {needed / _GIGABYTE:.1f} GB and {free / _GIGABYTE:.1f} GB are free: {advice}")
