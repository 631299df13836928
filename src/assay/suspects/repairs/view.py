"""Tables and sentences of a repair: how many items changed and why, and the effect on systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.views.blocks import Block, Column, Sentence, make_table
from assay.wording.sentences import choose_verb, count_noun

if TYPE_CHECKING:
    from assay.suspects.repairs.results import Repair


def show_repair(result: Repair) -> Iterator[Block]:
    """Yield the changes by reason, and the systems before and after."""
    counts = Counter((change.action, change.reason) for change in result.changes)
    yield from make_table(
        "Changes",
        counts.most_common(),
        {"action": lambda row: row[0][0], "reason": lambda row: row[0][1], "items": lambda row: row[1]},
        is_main=True,
    )
    n_moved = len(result.moved)
    yield from make_table(
        f"Systems before and after; {n_moved} {choose_verb(n_moved, 'changes', 'change')} rank",
        result.systems,
        {
            "system": lambda row: row.system,
            Column("before", "rounded:4"): lambda row: row.before,
            Column("after", "rounded:4"): lambda row: row.after,
            "rank before": lambda row: row.rank_before,
            "rank after": lambda row: row.rank_after,
        },
    )
    dropped = f"{result.n_dropped:,} of {count_noun(result.n_before, 'item')} dropped"
    yield Sentence(f"{dropped}, {result.n_relabelled:,} relabelled.", is_verdict=True)
