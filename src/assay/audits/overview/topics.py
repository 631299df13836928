"""The six questions of the first screen, and which rule belongs to which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TopicName = Literal["leakage", "shortcuts", "labels", "split", "ranking", "difficulty"]


@dataclass(frozen=True)
class Topic:
    """A question about a benchmark: its rules, and those of which at least one must be checked to answer it."""

    name: TopicName
    title: str
    question: str
    why: str
    codes: tuple[str, ...]
    deciding: tuple[str, ...]
    section: str


_ALL = (
    Topic(
        "leakage",
        "Leakage",
        "Are test items also in training?",
        "A system can repeat what it has already read, so a score on these items says little about new ones.",
        ("A101", "A102", "A103", "A109", "A110", "A414", "A417"),
        ("A101", "A102", "A801"),
        "profile",
    ),
    Topic(
        "shortcuts",
        "Shortcuts",
        "Can a system score well without the task?",
        "A system can learn the shortcut instead of the task, and fails where the shortcut is missing.",
        ("A302", "A401", "A402", "A403", "A404", "A406", "A407", "A410", "A411", "A412", "A415", "A416"),
        ("A401", "A402", "A403", "A406", "A410", "A411", "A412", "A415", "A416"),
        "information",
    ),
    Topic(
        "labels",
        "Labels",
        "Are the gold labels right and the items sound?",
        "A right answer is counted as wrong, and a wrong one as right, so that scores and ranks are off.",
        ("A104", "A105", "A106", "A107", "A108", "A206", "A405", "A413", "A504", "A505", "A509"),
        ("A108", "A509", "A413"),
        "information",
    ),
    Topic(
        "split",
        "Split",
        "Does the test part ask for more than the training part taught?",
        "Scores on this split say what happens on data of the same source, not on data that differs.",
        ("A201", "A202", "A203", "A204", "A205"),
        ("A201", "A202"),
        "splits",
    ),
    Topic(
        "ranking",
        "Ranking",
        "Can it tell systems apart?",
        "A difference between two systems can be chance, and the order changes with other items.",
        ("A501", "A502", "A506", "A507", "A508", "A510", "A511", "A601", "A602"),
        ("A501", "A502", "A507", "A721", "A722", "A701"),
        "discrimination",
    ),
    Topic(
        "difficulty",
        "Difficulty",
        "Are the items hard enough, and hard in the right way?",
        "Items that every system gets right, or that words give away, do not measure progress.",
        ("A301", "A503"),
        ("A301", "A503"),
        "difficulty",
    ),
)
TOPICS: dict[TopicName, Topic] = {topic.name: topic for topic in _ALL}
_BY_CODE: dict[str, TopicName] = {code: topic.name for topic in _ALL for code in topic.codes}
# Rules that no topic names, such as those of plugins, go by the first digit of their code.
_BY_FAMILY: dict[str, TopicName] = {
    "A1": "labels",
    "A2": "split",
    "A3": "difficulty",
    "A4": "shortcuts",
    "A5": "ranking",
    "A6": "ranking",
    "A7": "ranking",
    "A8": "leakage",
}


def find_topic(code: str) -> Topic:
    """Return the topic of a rule.

    >>> find_topic("A102").name, find_topic("A722").name
    ('leakage', 'ranking')
    """
    return TOPICS[_BY_CODE.get(code) or _BY_FAMILY.get(code[:2], "labels")]
