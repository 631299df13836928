"""Parts of an input that an analysis does not use: files, rows, systems, columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from assay.base.marks import NAME, OWN
from assay.views.results import Result
from assay.wording.sentences import count_noun


@dataclass(frozen=True)
class LeftOut(Result):
    """Files, rows, systems, columns or tasks that are not used, how many, and why."""

    what: str = field(metadata=OWN)
    n: int
    reason: str = field(metadata=NAME)


def count_left_out(entries: Iterable[LeftOut]) -> str:
    """Write how much was left out, each kind once.

    >>> count_left_out([LeftOut("files", 1, "empty"), LeftOut("rows", 20, "no label"), LeftOut("files", 1, "damaged")])
    '2 files, 20 rows'
    """
    totals: dict[str, int] = {}
    for entry in entries:
        totals[entry.what] = totals.get(entry.what, 0) + entry.n
    return ", ".join(count_noun(n, what.removesuffix("s")) for what, n in totals.items())
