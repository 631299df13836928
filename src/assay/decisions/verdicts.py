"""From an interval to a verdict, and from a verdict to the answer of a gate."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assay.base.errors import UsageError, unknown_name
from assay.wording.numbers import Estimate

REQUIREMENTS = ("better", "not-worse")


class Verdict(StrEnum):
    """The verdict of an interval on the candidate."""

    BETTER = "better"
    NOT_WORSE = "not-worse"
    WORSE = "worse"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Requirement:
    """The answer of a gate: established, refuted or undecided, with the exit status 0, 1 or 3."""

    require: str
    status: str

    @property
    def exit_code(self) -> int:
        """Return the exit status of the command."""
        return {"established": 0, "refuted": 1, "undecided": 3}[self.status]


def choose_verdict(difference: Estimate, margin: float) -> Verdict:
    """Return the first verdict that the interval supports: better, not-worse, worse, undecided.

    A small loss can be both real (the interval is below 0) and within the margin (it is above −margin). The margin is
    the loss that the user accepts, so this is not-worse.

    >>> from assay.statistics import Interval
    >>> [choose_verdict(Interval(0, *ends), 1).value for ends in ((0.2, 3), (-0.5, 2), (-0.8, -0.1), (-4, -0.5), (-2, 1))]
    ['better', 'not-worse', 'not-worse', 'worse', 'undecided']
    """
    if difference.low > 0:
        return Verdict.BETTER
    if difference.low > -margin:
        return Verdict.NOT_WORSE
    return Verdict.WORSE if difference.high < 0 else Verdict.UNDECIDED


def check_requirement(verdict: str, difference: Estimate, require: str) -> Requirement:
    """Return whether a requirement is established, refuted or undecided.

    not-worse is established by the verdicts better and not-worse, and refuted by worse. better is established by
    better, and refuted if the interval is below 0.

    >>> from assay.statistics import Interval
    >>> check_requirement("worse", Interval(-3, -5, -1), "not-worse").exit_code
    1
    """
    if require not in REQUIREMENTS:
        raise unknown_name("requirement", require, REQUIREMENTS)
    met = (Verdict.BETTER,) if require == "better" else (Verdict.BETTER, Verdict.NOT_WORSE)
    if verdict in met:
        return Requirement(require, "established")
    is_refuted = verdict == Verdict.WORSE or (require == "better" and difference.high < 0)
    return Requirement(require, "refuted" if is_refuted else "undecided")


def check_settings(margin: float, alpha: float) -> None:
    """Refuse a margin or an alpha that makes no sense."""
    if not margin >= 0:
        raise UsageError(f"is {margin:g}.", option="margin", hint="It is a loss in points, 0 or more.")
    if not 0 < alpha < 0.5:
        raise UsageError(f"is {alpha:g}.", option="alpha", hint="Use a value between 0 and 0.5, such as 0.05.")
