"""Items of a part that are bound to training: what the findings about them have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from assay.base.wording import count_noun, format_share
from assay.statistics import Interval, wilson

GRAVE = 0.01  # share of a part from which its score is no longer about new items


class Crossing(NamedTuple):
    """The items of one part: the row that counts them, their share, how a claim begins, and the evidence."""

    row: dict[str, Any]
    share: Interval
    those: str
    evidence: dict[str, Any]

    @property
    def grave(self) -> bool:
        """Tell whether they are 1 % of the part or more."""
        return self.share.value >= GRAVE


def crossings(rows: Iterable[dict[str, Any]]) -> Iterator[Crossing]:
    """Yield the parts that have such items.

    >>> row = {"count": 1, "n": 20, "part": "test", "ids": ["x"]}
    >>> [found.those for found in crossings([row, {**row, "count": 0}])]
    ['1 item of test (5.0 % [0.89 %, 24 %])']
    """
    for row in rows:
        if row["count"]:
            share = wilson(row["count"], row["n"])
            those = f"{count_noun(row['count'], 'item')} of {row['part']} ({format_share(share)})"
            yield Crossing(row, share, those, {name: row[name] for name in ("ids", "n", "count", "part")})
