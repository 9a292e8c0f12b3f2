"""Know what will be allocated before it is, and afterwards what was used."""

import os
import sys

from himation.errors import UserError

_GIGABYTE = 1e9


def available() -> float:
    """Bytes of memory that a process can still take, by the kernel's estimate; unlimited where it gives none."""
    return _kernel_says("MemAvailable:")


def total() -> float:
    """Bytes of memory that the computer has; unlimited where the kernel does not say."""
    return _kernel_says("MemTotal:")


def _kernel_says(what: str) -> float:
    try:
        with open("/proc/meminfo") as lines:
            for line in lines:
                if line.startswith(what):
                    return float(line.split()[1]) * 1024
    except OSError:
        pass
    return float("inf")


def require(needed: float, what: str, advice: str = "use a computer with more memory or fewer columns") -> None:
    """Refuse what can't fit, with the figures."""
    free = available()
    if needed > free:
        raise UserError(f"{what} needs {needed / _GIGABYTE:.1f} GB and {free / _GIGABYTE:.1f} GB are free: {advice}")


def peaks() -> tuple[float, float]:
    """Most memory, in bytes, that this process and the largest of its finished children have had so far."""
    try:
        import resource
    except ImportError:
        return 0.0, 0.0
    unit = 1 if sys.platform == "darwin" else 1024
    own, children = (
        unit * resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    try:
        with open("/proc/self/status") as lines:  # the figure above may be that of the shell before
            own = next((1024 * float(line.split()[1]) for line in lines if line.startswith("VmHWM:")), own)
    except OSError:
        pass
    return float(own), float(children)


def computing() -> float:
    """Seconds of computing by this process and its finished children so far."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system
