"""The rows of the first screen: a question about the benchmark, its one number, and what it means for scores."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from assay.base.registry import Registry
from assay.checks.findings import FINDINGS, Finding, NotChecked
from assay.checks.measured import Measurements


@dataclass(frozen=True)
class KeyNumber:
    """A number for people, and what it counts; `value` is a share or a number of systems.

    `codes` are the rules that judge this very number, empty if all rules of its topic do. `effect` says what the number
    means for a score, without a full stop. `is_open` says that it may be nothing, and may be much.
    """

    value: float
    number: str
    unit: str
    section: str
    codes: tuple[str, ...] = ()
    effect: str = ""
    is_open: bool = False


NumberFunction = Callable[..., KeyNumber | NotChecked | None]


@dataclass(frozen=True)
class Topic:
    """A row of the first screen."""

    name: str
    order: int
    title: str
    question: str
    why: str
    section: str
    count: NumberFunction = field(repr=False)

    def find_number(self, measured: Measurements, findings: Sequence[Finding]) -> KeyNumber | NotChecked | None:
        """Return the number of the row; a function with a second parameter also gets the findings, the worst first."""
        arguments = (measured, findings)[: len(inspect.signature(self.count).parameters)]
        return self.count(*arguments)

    @property
    def deciding(self) -> tuple[str, ...]:
        """Return rules; at least one of them must be checked to answer the question."""
        return tuple(code for code, rule in FINDINGS.items() if rule.decides and rule.topic == self.name)


TOPICS: Registry[Topic] = Registry("topic", order=lambda topic: topic.order)


def topic(
    name: str, *, order: int, title: str, question: str, why: str, section: str
) -> Callable[[NumberFunction], NumberFunction]:
    """Register a function that returns the one number of a topic, or None if nothing was measured.

    It takes what was measured and, if it has a second parameter, the findings of the topic, the most serious first. It
    returns `NotChecked` with what would be needed if what was measured does not answer the question.
    """

    def register(count: NumberFunction) -> NumberFunction:
        TOPICS.put(name, Topic(name, order, title, question, why, section, count))
        return count

    return register


def find_topic(code: str) -> Topic | None:
    """Return the topic of a rule, or None if the rule is not installed."""
    return TOPICS[FINDINGS[code].topic] if code in FINDINGS else None
