"""Changes over the versions of a dataset: the six questions, and the places of systems on a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.base.marks import make_text_visible

if TYPE_CHECKING:
    from assay.audits import Audit
    from assay.checks.discrimination.results import DiscriminationEvidence
    from assay.discrimination import SystemRank

Point = tuple[float, float]  # of a small chart, 100 wide and 30 high
MAX_SYSTEMS = 100
WIDTH, TOP, BOTTOM = 100.0, 2.0, 28.0


@dataclass(frozen=True)
class TopicHistory:
    """A row of the first screen in every version: number, status and version, and the points of a small chart."""

    title: str
    unit: str
    cells: Sequence[tuple[int, str, str]]
    points: list[Point]


@dataclass(frozen=True)
class SystemHistory:
    """A system in every version, None if it is not in it: its score and place, and the points of a small chart.

    `change` is how many places it is further up than in the version before, None if it was not in it; `is_clear` if
    the ranks that it may have in the two versions do not overlap.
    """

    system: str
    cells: list[SystemRank | None]
    change: int | None
    is_clear: bool
    points: list[Point]


@dataclass(frozen=True)
class BoardHistory:
    """The systems of a leaderboard over its versions, by their last places, and what is new in the last one."""

    numbers: list[int]
    systems: list[SystemHistory]
    n_systems: int
    first: list[str]  # the first system of each version
    new: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def trace_topics(audits: Sequence[tuple[int, Audit]]) -> list[TopicHistory]:
    """Return the rows of the first screens of numbered versions, from the oldest to the newest.

    A chart begins at 0 and is drawn only if the number means the same in all versions.
    """
    if len(audits) < 2:
        return []
    history = []
    for row in audits[-1][1].overview.rows:
        found = [
            (number, other) for number, audit in audits for other in audit.overview.rows if other.topic == row.topic
        ]
        values = [other.value for _, other in found]
        same = len({other.unit for _, other in found}) == 1 and all(map(math.isfinite, values)) and bool(row.number)
        most = max(map(abs, values), default=0.0) or 1.0
        points = place_points([1 - abs(value) / most for value in values]) if same else []
        cells = [(number, make_text_visible(other).number, other.status) for number, other in found]
        history.append(TopicHistory(row.title, make_text_visible(row).unit, cells, points))
    return history


def trace_board(audits: Sequence[tuple[int, Audit]]) -> BoardHistory | None:
    """Return the places of the systems in numbered versions, from the oldest to the newest.

    None if fewer than two versions rank systems by scores or predictions on one benchmark.
    """
    found = [(number, rank_systems(audit)) for number, audit in audits]
    ranked = [(number, systems) for number, systems in found if systems]
    if len(ranked) < 2:
        return None
    numbers, tables = [number for number, _ in ranked], [systems for _, systems in ranked]
    before, last = tables[-2], tables[-1]
    names = sorted(last, key=lambda name: (last[name].rank, name))
    most = max(row.rank for table in tables for row in table.values())
    return BoardHistory(
        numbers,
        [trace_system(name, [table.get(name) for table in tables], most) for name in names[:MAX_SYSTEMS]],
        len(last),
        [min(table, key=lambda name: (table[name].rank, name)) for table in tables],
        [name for name in names if name not in before],
        sorted(name for name in before if name not in last),
    )


def rank_systems(audit: Audit) -> dict[str, SystemRank]:
    """Return the ranked systems of an audit by name; empty without systems of the user, or with several benchmarks."""
    evidence: DiscriminationEvidence | None = audit.evidence.results.get("discrimination")
    if evidence is None or evidence.basis == "quick models" or len({row.benchmark for row in evidence.systems}) != 1:
        return {}
    return {row.system: make_text_visible(row) for row in evidence.systems}


def trace_system(name: str, cells: list[SystemRank | None], most: int) -> SystemHistory:
    """Return one system over the versions; the best place is at the top of its chart."""
    before, last = cells[-2:]
    change, is_clear = None, False
    if before is not None and last is not None:
        change = before.rank - last.rank
        (old_low, old_high), (low, high) = ((row.rank_low, row.rank_high) for row in (before, last))
        if old_low is not None and old_high is not None and low is not None and high is not None:
            is_clear = low > old_high or high < old_low
    shares = [None if row is None else (row.rank - 1) / max(most - 1, 1) for row in cells]
    return SystemHistory(name, cells, change, is_clear, place_points(shares))


def place_points(shares: Sequence[float | None]) -> list[Point]:
    """Return the points of a small chart, from the left to the right; 0 is its top, 1 its bottom, None has no point.

    >>> place_points([0.0, None, 1.0])
    [(0.0, 2.0), (100.0, 28.0)]
    """
    step = WIDTH / max(len(shares) - 1, 1)
    return [(step * n, TOP + (BOTTOM - TOP) * share) for n, share in enumerate(shares) if share is not None]
