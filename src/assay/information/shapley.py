"""How much each shortcut adds, fairly shared."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import factorial


def shapley(values: Mapping[tuple[str, ...], float], names: tuple[str, ...]) -> dict[str, float]:
    """Return each name's mean gain over all orders in which names can be added; the gains sum to the whole set's.

    >>> shapley({(): 0.0, ("P",): 1.0, ("S",): 2.0, ("P", "S"): 4.0}, ("P", "S"))
    {'P': 1.5, 'S': 2.5}
    """
    n = len(names)
    found = {}
    for name in names:
        others = [other for other in names if other != name]
        found[name] = sum(
            factorial(size) * factorial(n - size - 1) / factorial(n)
            * (values[ordered((*chosen, name), names)] - values[ordered(chosen, names)])
            for size in range(n)
            for chosen in combinations(others, size)
        )  # fmt: skip
    return found


def ordered(chosen: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Write a set in the order of all names."""
    return tuple(name for name in names if name in chosen)
