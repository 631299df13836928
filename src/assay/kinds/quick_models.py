"""Quick models of a kind of task: each learns from some rows and answers others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.kinds.facts import Shortcut

if TYPE_CHECKING:
    from assay.base.arrays import Array

    Learn = Callable[[Array, Array], Sequence[str | None]]


@dataclass(frozen=True, eq=False)
class QuickModel:
    """A model that `answer`s rows after learning from others; `sees` is the part of an item it sees.

    `shortcut` is "model" for the model that sees the whole item, "constant" for the answer that sees nothing of it.
    """

    name: str
    shortcut: Shortcut
    sees: str
    answer: Learn = field(repr=False)
    """`answer(rows to learn from, rows to answer)` returns one answer per row of the second kind."""
