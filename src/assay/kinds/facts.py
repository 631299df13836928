"""Facts of a kind of task about a dataset: figures, distributions, defects and the answers of trivial baselines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from assay.base.marks import NAME, OWN, TEXT
from assay.views.results import Result
from assay.views.values import MAX_IDS, ItemCount

# What a baseline uses in place of the task: the answers alone, their position, length or style, or shared words.
Shortcut = Literal[
    "answers alone", "position", "length", "style", "overlap", "frequent words", "single words", "constant", "model"
]
UNSEEN_ENTITIES = "unseen entities in "  # the beginning of names of figures, before a part


@dataclass(frozen=True)
class Figure(Result):
    """A number about the items, such as options per question; shares are shown in percent."""

    name: str = field(metadata=OWN)
    value: float
    is_share: bool = False


@dataclass(frozen=True)
class Skew(Result):
    """The value that is most frequent compared with chance: its share, what chance gives, and how far counts are off.

    `distance` is the total variation distance from chance, `p` the p-value of Pearson's test.
    """

    value: str = field(metadata=NAME)
    share: float
    expected_share: float
    distance: float
    p: float
    n: int

    @property
    def gain(self) -> float:
        """The gain over chance of a constant answer with this value."""
        return self.share - self.expected_share


@dataclass(frozen=True)
class Distribution(Result):
    """How often each value occurs, in the order to show them; `expected` is what chance would give, if known."""

    name: str = field(metadata=OWN)
    counts: dict[str, int] = field(metadata=NAME)
    expected: dict[str, float] = field(default_factory=dict, metadata=NAME)

    def measure_skew(self) -> Skew | None:
        """Compare the counts with chance; None if chance is not known or nothing was counted.

        >>> skew = Distribution("position", {"A": 30, "B": 10}, {"A": 20.0, "B": 20.0}).measure_skew()
        >>> skew.value, skew.gain, skew.distance, round(skew.p, 4)
        ('A', 0.25, 0.25, 0.0016)
        """
        from scipy.stats import chi2

        rows = [(value, count, self.expected[value]) for value, count in self.counts.items() if value in self.expected]
        total = sum(count for _, count, _ in rows)
        if not total:
            return None
        possible = [(count, expected) for _, count, expected in rows if expected > 0]
        statistic = sum((count - expected) ** 2 / expected for count, expected in possible)
        n_expected = sum(expected for _, expected in possible)
        value, count, expected = max(rows, key=lambda row: row[1] - row[2])
        return Skew(
            value,
            count / total,
            expected / total,
            sum(abs(count - expected) for count, expected in possible) / 2 / max(n_expected, 1),
            float(chi2.sf(statistic, max(len(possible) - 1, 1))),
            total,
        )


@dataclass(frozen=True)
class Defect(Result):
    """Items with something wrong that can be counted without reading them; the ids of the first thousand."""

    name: str = field(metadata=OWN)
    description: str = field(metadata=OWN)
    action: str = field(metadata=OWN)
    items: ItemCount
    serious: bool = True


@dataclass(frozen=True)
class KindProfile(Result):
    """The profile of a dataset by its kind of task."""

    figures: tuple[Figure, ...] = ()
    distributions: tuple[Distribution, ...] = ()
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True)
class CommonAnswer(Result):
    """The label or answer that is right for most items: for `count` of `n`, of `n_answers` different ones."""

    answer: str = field(metadata=TEXT)
    count: int
    n: int
    n_answers: int


@dataclass(frozen=True)
class BaselineAnswers:
    """The answers of a trivial baseline to some items, None if it gives none; `based_on` says what it learned from."""

    name: str
    shortcut: Shortcut
    answers: Sequence[str | None] = field(repr=False)
    based_on: str = "the items themselves"


def count_defect(
    name: str, description: str, action: str, marks: Sequence[bool], ids: Sequence[str], *, serious: bool = True
) -> list[Defect]:
    """Return a defect if it occurs.

    >>> count_defect("empty", "have no text.", "Remove them.", [True, False], ["a", "b"])[0].items.ids
    ('a',)
    """
    rows = [row for row, mark in enumerate(marks) if mark]
    items = ItemCount(len(rows), len(marks), tuple(ids[row] for row in rows[:MAX_IDS]))
    return [Defect(name, description, action, items, serious)] if rows else []


def count_values(values: Sequence[object]) -> dict[str, int]:
    """Count values in sorted order, numbers by size.

    >>> count_values([10, 2, 2])
    {'2': 2, '10': 1}
    """
    counts: dict[str, int] = {}
    for value in sorted(values, key=lambda value: (not isinstance(value, (int, float)), value)):
        counts[str(value)] = counts.get(str(value), 0) + 1
    return counts


def find_common_answer(sets: Sequence[Sequence[str]]) -> CommonAnswer | None:
    """Return the answer that is in most sets, the first by name of several.

    >>> find_common_answer([["a", "b"], ["b"], ["c"]])
    CommonAnswer(answer='b', count=2, n=3, n_answers=3)
    """
    counts = count_values([answer for answers in sets for answer in set(answers)])
    if not counts:
        return None
    answer = min(counts, key=lambda name: (-counts[name], name))
    return CommonAnswer(answer, counts[answer], len(sets), len(counts))
