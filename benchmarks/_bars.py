"""Lines that end with whether a claim was held or missed, which `python -m benchmarks` counts."""

from __future__ import annotations

import math

LOW_COVERAGE = 0.93  # of 95% intervals


def print_bar(line: str, *, is_held: bool) -> None:
    """Print a line and whether its claim was held."""
    print(f"{line}  {'held' if is_held else 'missed'}", flush=True)


def is_covered(share: float, n_simulations: int) -> bool:
    """Return True if 95% intervals contain the truth often enough, but for two standard errors of the simulation."""
    return share >= LOW_COVERAGE - 2 * math.sqrt(0.95 * 0.05 / n_simulations)


def is_rare(share: float, level: float, n_simulations: int) -> bool:
    """Return True if false alarms keep their level, but for two standard errors of the simulation."""
    return share <= level + 2 * math.sqrt(level * (1 - level) / n_simulations)
