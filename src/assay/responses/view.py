"""Tables and sentences of an audit of responses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from assay.responses.reading.states import STATES
from assay.views.blocks import Block, Column, Fact, Sentence, Table, Value, make_table
from assay.wording.numbers import format_percent
from assay.wording.sentences import count_noun

if TYPE_CHECKING:
    from assay.responses.results import ResponseAudit, SystemLosses

MAX_ROWS = 60
ALPHA = 0.05
METHOD = (
    "As graded: by the harness. As read: if every response were read correctly. Complete only: as read, on complete "
    "responses. 95% intervals over items."
)
LOST_METHOD = (
    " Recovered: an answer is stated and none was extracted. Contradicted: the extracted answer is not the stated one. "
    "Invented: an answer was extracted and none is stated."
)


def show_responses(audit: ResponseAudit) -> Iterator[Block]:
    """Yield everything, the systems first and the verdict last."""
    yield Fact("Responses", audit.n_responses, f"Of {len(audit.systems)} systems to {audit.n_items:,} items.")
    yield from show_systems(audit)
    yield from show_ranks(audit)
    yield from show_agents(audit)
    yield Sentence(write_verdict(audit), is_verdict=True)


def show_systems(audit: ResponseAudit) -> Iterator[Table]:
    """Yield scores and states of every system."""
    columns: dict[str | Column, Callable[[Any], Value]] = {
        "system": lambda row: row.system,
        "responses": lambda row: row.n,
        Column("as graded", "percent"): lambda row: row.graded,
        Column("as read", "percent"): lambda row: row.read,
        Column("complete only", "percent"): lambda row: row.complete_only,
    }
    how = METHOD
    if audit.has_extraction:
        columns |= {
            "recovered": lambda row: row.recovered,
            "contradicted": lambda row: row.contradicted,
            "invented": lambda row: row.invented,
        }
        how += LOST_METHOD
    yield from make_table(
        f"Scores of systems ({count_noun(audit.n_items, 'item')})",
        sorted(audit.systems, key=lambda row: (-_to_number(row.read.value), row.system)),
        columns,
        how,
        is_main=True,
        max_rows=MAX_ROWS,
    )
    used = [state for state in STATES if any(row.states.get(state) for row in audit.systems)]
    states: dict[str | Column, Callable[[Any], Value]] = {"system": lambda row: row.system}
    states |= {state: _count_state(state) for state in used}
    yield from make_table("States of responses", audit.systems, states, "Counted.", max_rows=MAX_ROWS)


def _count_state(state: str) -> Callable[[SystemLosses], int]:
    return lambda row: row.states.get(state, 0)


def show_ranks(audit: ResponseAudit) -> Iterator[Table]:
    """Yield the systems whose rank changes, and the pairs that swap."""
    yield from make_table(
        "Ranks that change",
        [row for row in audit.ranks if row.graded_rank != row.read_rank],
        {
            "system": lambda row: row.system,
            "rank as graded": lambda row: row.graded_rank,
            "rank as read": lambda row: row.read_rank,
            Column("gain by reading", "percent"): lambda row: row.gain,
            Column("p", "p"): lambda row: row.p,
        },
        "p: exact McNemar test of the items whose score changes.",
        max_rows=MAX_ROWS,
    )
    yield from make_table(
        "Pairs of systems that change their order",
        audit.swaps,
        {
            "first": lambda row: row.first,
            "second": lambda row: row.second,
            Column("difference as graded", "percent"): lambda row: row.graded_difference,
            Column("p as graded", "p"): lambda row: row.graded_p,
            Column("difference as read", "percent"): lambda row: row.read_difference,
            Column("p as read", "p"): lambda row: row.read_p,
        },
        "First minus second on their common items; exact McNemar tests.",
        max_rows=MAX_ROWS,
    )


def show_agents(audit: ResponseAudit) -> Iterator[Table]:
    """Yield the trials of agents and the tasks to look at."""
    yield from make_table(
        "Trials of agents",
        audit.agents,
        {
            "system": lambda row: row.system,
            "trials": lambda row: row.trials,
            Column("score", "percent"): lambda row: row.score,
            Column("pass^k", "percent"): lambda row: row.pass_all[-1] if row.pass_all else None,
            "k": lambda row: len(row.pass_all) or None,
            Column("messages", "rounded:1"): lambda row: row.messages,
            Column("tool calls", "rounded:1"): lambda row: row.tool_calls,
            "tool errors": lambda row: row.tool_errors,
            "repeated calls": lambda row: row.repeated_calls,
            "transfers": lambda row: row.transfers,
            "limits": lambda row: row.limits,
            "errors": lambda row: row.errors,
        },
        "Messages and calls are means per trial, the others counts. pass^k: all of k trials succeed.",
    )
    yield from make_table(
        "Candidate tasks",
        audit.candidates,
        {
            "id": lambda row: row.id,
            "reason": lambda row: row.reason,
            "successes": lambda row: row.successes,
            "trials": lambda row: row.trials,
        },
        "Tasks for a person to look at; a hard task looks the same as a broken one.",
        max_rows=MAX_ROWS,
    )


def write_verdict(audit: ResponseAudit) -> str:
    """Say how many responses are not complete, and what reading changes."""
    n = audit.n_responses
    incomplete = n - sum(row.states.get("complete", 0) for row in audit.systems)
    sentences = [f"{format_percent(incomplete / n)} of {count_noun(n, 'response')} are not complete."]
    gains = [row for row in audit.ranks if row.gain.value != 0]
    if gains:
        largest = max(gains, key=lambda row: abs(row.gain.value))
        word = "gains" if largest.gain.value > 0 else "loses"
        points = f"{abs(100 * largest.gain.value):.1f} points"
        sentences.append(f"Read correctly, {largest.system} {word} {points}, the most of all systems.")
    changed = [row for row in audit.ranks if row.graded_rank != row.read_rank]
    certain = [swap for swap in audit.swaps if swap.read_p < ALPHA]
    if len(audit.ranks) > 1:
        of = f"{len(changed)} of {len(audit.ranks)} ranks"
        sentences.append(
            f"{of} change; {count_noun(len(certain), 'pair')} of systems that change their order differ beyond chance."
            if changed
            else "No rank changes."
        )
    return " ".join(sentences)


def _to_number(value: float) -> float:
    return value if value == value else -1.0
