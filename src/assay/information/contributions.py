"""How much each shortcut adds to what all of them tell."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import factorial

Names = tuple[str, ...]


def compute_shapley_values(gains: Mapping[Names, float], names: Names) -> dict[str, float]:
    """Return each name's mean gain over all orders in which names can be added; they sum to the gain of all names.

    >>> compute_shapley_values({(): 0.0, ("P",): 1.0, ("S",): 2.0, ("P", "S"): 4.0}, ("P", "S"))
    {'P': 1.5, 'S': 2.5}
    """
    n = len(names)
    values = {}
    for name in names:
        others = [other for other in names if other != name]
        values[name] = sum(
            factorial(size) * factorial(n - size - 1) / factorial(n)
            * (gains[_in_order((*chosen, name), names)] - gains[_in_order(chosen, names)])
            for size in range(n)
            for chosen in combinations(others, size)
        )  # fmt: skip
    return values


def _in_order(chosen: Names, names: Names) -> Names:
    return tuple(name for name in names if name in chosen)
