"""The result of a measurement of task-specific information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assay.base.marks import NAME, OWN
from assay.information.baselines import ShortcutBaseline
from assay.information.cues.search import Cue
from assay.views.blocks import Block
from assay.views.results import Result
from assay.views.values import Interval
from assay.wording.numbers import format_interval


@dataclass(frozen=True)
class ControlModel(Result):
    """The information beyond a set of shortcuts: tsi = loss of the control − loss of the full model, in nats."""

    shortcuts: str = field(metadata=NAME)
    tsi: Interval
    nll: float
    accuracy: float
    model: str = field(metadata=OWN)
    n_items: int


@dataclass(frozen=True)
class FullModel(Result):
    """The best full model, stacked with the control and calibrated on development items."""

    model: str = field(metadata=OWN)
    nll: float
    accuracy: float
    temperature: float
    calibration_error: float


@dataclass(frozen=True)
class ShortcutModel(Result):
    """How far the cheapest cues get on held-out items: their information in nats, and the items shortcuts solve."""

    information: float
    accuracy: float
    solved_share: Interval


@dataclass(frozen=True)
class SystemOnItems(Result):
    """Accuracy of a system on the items that shortcuts solve and on the others, with Wilson's intervals."""

    system: str = field(metadata=NAME)
    accuracy_unsolved: Interval
    accuracy_solved: float
    n_unsolved: int
    n_solved: int


@dataclass(frozen=True)
class Information(Result):
    """Task-specific information of a dataset, with what it rests on.

    The difference of losses estimates I(Y; X_t | X_s); it is I(Y; X_t) only if X_s and X_t are independent, also
    given Y. Intervals are percentile bootstraps over held-out items (over groups if there are any) for fixed
    models. `items` is a frame with one row per held-out item.
    """

    _table: ClassVar[str] = "control"

    entropy: float
    full: FullModel
    control: list[ControlModel]
    contributions: dict[str, float] | None = field(metadata=NAME)
    baselines: list[ShortcutBaseline]
    cues: list[Cue]
    shortcut_model: ShortcutModel
    n_items: int
    n_labels: int
    cross_fitted: bool
    notes: list[str] = field(metadata=OWN)
    systems: list[SystemOnItems] = field(default_factory=list)
    items: Any = field(default=None, repr=False, compare=False, metadata={"json": False, **NAME})

    @property
    def tsi(self) -> Interval:
        """The information beyond all shortcuts together."""
        return self.control[-1].tsi

    def __repr__(self) -> str:
        last = self.control[-1]
        beyond = f"tsi={format_interval(last.tsi, 'rounded:3')} beyond {last.shortcuts}"
        full = f"full={self.full.model} (loss {self.full.nll:.3f}, accuracy {self.full.accuracy:.3f})"
        return f"Information({beyond}, entropy={self.entropy:.3f}, {full}, n_items={self.n_items:,})"

    def blocks(self) -> Iterator[Block]:
        """Yield the information beyond shortcuts, baselines, cues and systems, and the verdict."""
        from assay.information.view import show_information

        yield from show_information(self)
