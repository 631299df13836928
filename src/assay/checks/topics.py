"""The rows of the first screen: a question about the benchmark, its one number, and what its effect means for scores."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from assay.base.registry import Registry
from assay.checks.findings import FINDINGS, Finding
from assay.checks.measured import Measurements


@dataclass(frozen=True)
class KeyNumber:
    """A number for people, and what it counts; `value` is a share or a number of systems.

    `codes` are the rules that judge this very number, empty if all rules of its topic do.
    """

    value: float
    number: str
    unit: str
    section: str
    codes: tuple[str, ...] = ()


NumberFunction = Callable[..., KeyNumber | None]


@dataclass(frozen=True)
class Topic:
    """A row of the first screen. `effect` says what its findings mean for a score; the number of points is put in."""

    name: str
    order: int
    title: str
    question: str
    why: str
    effect: str
    section: str
    count: NumberFunction = field(repr=False)

    def find_number(self, measured: Measurements, findings: Sequence[Finding]) -> KeyNumber | None:
        """Return the number of the row; a function with a second parameter also gets the findings, the worst first."""
        arguments = (measured, findings)[: len(inspect.signature(self.count).parameters)]
        return self.count(*arguments)

    @property
    def deciding(self) -> tuple[str, ...]:
        """Return the rules of which at least one must be checked to answer the question."""
        return tuple(code for code, rule in FINDINGS.items() if rule.decides and rule.topic == self.name)


TOPICS: Registry[Topic] = Registry("topic", order=lambda topic: topic.order)


def topic(
    name: str, *, order: int, title: str, question: str, why: str, effect: str, section: str
) -> Callable[[NumberFunction], NumberFunction]:
    """Register a function that returns the one number of a topic, or None if nothing was measured.

    It takes what was measured and, if it has a second parameter, the findings of the topic, the most serious first.
    """

    def register(count: NumberFunction) -> NumberFunction:
        TOPICS.put(name, Topic(name, order, title, question, why, effect, section, count))
        return count

    return register


def find_topic(code: str) -> Topic | None:
    """Return the topic of a rule, or None if the rule is not installed."""
    return TOPICS[FINDINGS[code].topic] if code in FINDINGS else None
