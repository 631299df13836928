"""Results of an audit of responses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from assay.base.marks import NAME, OWN
from assay.data.left_out import LeftOut
from assay.responses.grading import GradedResponse
from assay.views.blocks import Block
from assay.views.results import Result
from assay.views.values import Interval

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class SystemLosses(Result):
    """One system: its score as graded, as read and on complete responses, and how many responses are in each state.

    `recovered` commit to an answer and none was extracted, `contradicted` commit to another answer than the extracted
    one, `invented` commit to none although one was extracted; the `_right` counts say how many of these are right.
    """

    system: str = field(metadata=NAME)
    n: int
    graded: Interval
    read: Interval
    complete_only: Interval
    states: dict[str, int] = field(metadata=OWN)
    recovered: int
    contradicted: int
    invented: int
    recovered_right: int
    invented_right: int
    unsure: int


@dataclass(frozen=True)
class RankChange(Result):
    """The rank of a system as graded and as read, and what reading adds to its score, with McNemar's p-value."""

    system: str = field(metadata=NAME)
    graded_rank: int
    read_rank: int
    gain: Interval
    p: float


@dataclass(frozen=True)
class RankSwap(Result):
    """Two systems whose order as read is not their order as graded, with paired tests on their common items."""

    first: str = field(metadata=NAME)
    second: str = field(metadata=NAME)
    n_items: int
    graded_difference: float
    read_difference: float
    graded_p: float
    read_p: float


@dataclass(frozen=True)
class SubjectLosses(Result):
    """One system on one subject."""

    system: str = field(metadata=NAME)
    subject: str = field(metadata=NAME)
    n: int
    graded: Interval
    read: Interval
    incomplete: int


@dataclass(frozen=True)
class TrialRow(Result):
    """One trial of an agent."""

    system: str = field(metadata=NAME)
    id: str = field(metadata=NAME)
    repeat: int
    score: float
    messages: int
    steps: int
    tool_calls: int
    tool_errors: int
    repeated_calls: int
    is_transfer: bool
    tokens: float
    cost: float
    stop: str | None = field(metadata=OWN)


@dataclass(frozen=True)
class AgentRuns(Result):
    """The trials of one agent: means per trial, counts, and pass^k, the chance that k trials of a task all succeed."""

    system: str = field(metadata=NAME)
    trials: int
    score: Interval
    messages: float
    steps: float
    tool_calls: float
    tool_errors: int
    repeated_calls: int
    transfers: int
    limits: int
    errors: int
    tokens: float
    cost: float
    pass_all: tuple[Interval, ...]


@dataclass(frozen=True)
class CandidateTask(Result):
    """A task that may be broken: nobody solves it, it is solved only sometimes, or by doing nothing.

    These are candidates for a look by a person; the reason is what was counted, not a verdict.
    """

    id: str = field(metadata=NAME)
    reason: str = field(metadata=OWN)
    successes: int
    trials: int


@dataclass(frozen=True)
class ResponseAudit(Result):
    """Where points are lost: states of responses, scores as graded and as read, ranks, subjects, and trials of agents."""

    _table: ClassVar[str] = "systems"

    systems: tuple[SystemLosses, ...]
    ranks: tuple[RankChange, ...]
    swaps: tuple[RankSwap, ...]
    subjects: tuple[SubjectLosses, ...]
    agents: tuple[AgentRuns, ...]
    candidates: tuple[CandidateTask, ...]
    uniform: tuple[str, ...] = field(metadata=NAME)
    n_items: int
    n_responses: int
    form: str = field(metadata=OWN)
    has_extraction: bool
    trials: tuple[TrialRow, ...] = ()
    responses: tuple[GradedResponse, ...] = field(default=(), metadata={"json": False}, repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
    left_out: tuple[LeftOut, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield the systems, the ranks that change, the agents and the verdict."""
        from assay.responses.view import show_responses

        yield from show_responses(self)

    def withhold_text(self) -> ResponseAudit:
        """Return the audit without any text of responses; answers stay if they are options or yes and no."""
        has_labels = self.form in ("options", "yes-no")
        return replace(self, responses=tuple(row.withhold_text(has_labels=has_labels) for row in self.responses))

    def list_responses(self) -> pl.DataFrame:
        """Return one row per response: its state, what was extracted and read, and whether each is right."""
        from assay.responses.listing import list_responses

        return list_responses(self.responses)
