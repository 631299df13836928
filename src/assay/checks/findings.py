"""Findings, and the rules that raise them."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, cast

from assay.base.marks import NAME, OWN, WORD
from assay.base.registry import Registry
from assay.checks.base import CHECKS
from assay.checks.measured import Measurements
from assay.statistics import Interval, newcombe_difference, wilson
from assay.views.results import Result
from assay.views.values import ItemCount
from assay.wording.numbers import format_percent
from assay.wording.sentences import count_noun, set_minus_signs

MIN_STAKE, LARGE_STAKE = 0.01, 0.05  # of a score
NO_ACTION = "Nothing needs to be done"  # how the action of a finding begins that calls for none
CANNOT_TELL = "Cannot tell"  # how the claim of a finding begins that decides nothing
NEAR_CONFIDENCE = 0.68  # of the interval of a share: a threshold inside it is close
NEAR_MARGIN = 1 / 3  # of half an interval: an end that is no further beyond a threshold is close to it
Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True)
class Finding(Result):
    """One conclusion: how serious it is, a sentence with its number, and what to do.

    Text from the data is in double quotes in `claim` and `action`. `subject` says what the finding is about if one
    rule can raise several. The rule fills in code, title and section.
    """

    severity: Severity
    claim: str = field(metadata=NAME)
    action: str = field(metadata=NAME)
    value: float
    low: float
    high: float
    n: int | None = None
    subject: str = field(default="", metadata=NAME)
    items: tuple[str, ...] = field(default=(), metadata=NAME)
    evidence: dict[str, str] = field(default_factory=dict, metadata=NAME)
    stake: float = math.nan  # the share of a score that may be wrong because of this
    code: str = field(default="", metadata=OWN)
    title: str = field(default="", metadata=OWN)
    section: str = field(default="", metadata=OWN)
    words: tuple[str, ...] = field(default=(), metadata=WORD)  # all words that a finding about words names
    limit: str = field(default="", metadata=OWN)  # the threshold that the value is close to, and for what it is one
    places: tuple[str, ...] = field(default=(), metadata=OWN)  # of each word, such as "a" for the first text of a pair


def make_finding(
    severity: Severity,
    claim: str,
    action: str,
    estimate: Interval,
    *,
    n: int | None = None,
    subject: str = "",
    items: tuple[str, ...] = (),
    evidence: dict[str, str] | None = None,
    stake: float = math.nan,
    words: tuple[str, ...] = (),
    limit: str = "",
    places: tuple[str, ...] = (),
) -> Finding:
    """Return a finding about an estimate."""
    ends = (estimate.value, estimate.low, estimate.high)
    known = evidence or {}
    return Finding(
        severity, claim, action, *ends, n, subject, items, known, stake, words=words, limit=limit, places=places
    )


def report_items(
    items: ItemCount, claim: str, action: str, *, most: Severity = "error", subject: str = "", stake: float = math.nan
) -> Finding:
    """Return a finding about items that were counted, with a severity that follows from their share."""
    return make_finding(
        judge_stake(items.share, most),
        claim,
        action,
        count_share(items),
        n=items.n,
        subject=subject,
        items=items.ids,
        stake=stake,
        limit=find_near_limit(items, most),
    )


def find_near_limit(items: ItemCount, most: Severity = "error") -> str:
    """Name the threshold of a severity that the share of items is close to, as other items could be beyond it.

    >>> find_near_limit(ItemCount(9, 1000)), find_near_limit(ItemCount(30, 1000)), find_near_limit(ItemCount(52, 1000))
    ('1.0% for a warning', '', '5.0% for an error')
    """
    if not items.n:
        return ""
    share = wilson(items.count, items.n, NEAR_CONFIDENCE)
    limits = {"a warning": MIN_STAKE, "an error": LARGE_STAKE}
    limits = dict(list(limits.items())[: ("note", "warning", "error").index(most)])
    near = [name for name, limit in limits.items() if share.low <= limit <= share.high]
    return f"{format_percent(limits[near[-1]])} for {near[-1]}" if near else ""


def name_limit(value: float, limit: float, margin: float, name: str) -> str:
    """Name a threshold for a warning that a value is close to.

    >>> name_limit(0.11, 0.1, 0.02, "10%"), name_limit(0.2, 0.1, 0.02, "10%")
    ('10% for a warning', '')
    """
    return f"{name} for a warning" if abs(value - limit) <= margin else ""


def is_barely_above(estimate: Interval, threshold: float) -> bool:
    """Return True if the lower end of an interval is above a threshold by little of the interval's width.

    >>> is_barely_above(Interval(0.06, 0.021, 0.1), 0.02), is_barely_above(Interval(0.06, 0.05, 0.07), 0.02)
    (True, False)
    """
    return 0 < estimate.low - threshold <= NEAR_MARGIN * (estimate.value - estimate.low)


def judge_stake(stake: float, most: Severity = "error") -> Severity:
    """Choose the severity by the share of a score that may be wrong: from 1% a warning, from 5% an error.

    >>> judge_stake(0.002), judge_stake(0.03), judge_stake(0.2), judge_stake(0.2, "warning")
    ('note', 'warning', 'error', 'warning')
    """
    if stake < MIN_STAKE or most == "note":
        return "note"
    return "error" if stake >= LARGE_STAKE and most == "error" else "warning"


def count_share(items: ItemCount) -> Interval:
    """Return the share of items that were counted, so that it has no interval."""
    return exact_number(items.share)


def describe_count(items: ItemCount, noun: str = "item") -> str:
    """Say how many items of all there are.

    >>> describe_count(ItemCount(3, 250)), describe_count(ItemCount(1, 20))
    ('3 items of 250 (1.2%)', '1 item of 20 (5.0%)')
    """
    return f"{count_noun(items.count, noun)} of {items.n:,} ({format_percent(items.share)})"


def exact_number(value: float) -> Interval:
    """Return a number that was counted, not estimated, so that it has no interval."""
    return Interval(float(value), math.nan, math.nan, method="counted")


@dataclass(frozen=True)
class NotChecked(Result):
    """Why a rule could not be checked although its section was measured."""

    reason: str = field(metadata=NAME)


Outcome = Finding | NotChecked
RuleFunction = Callable[..., Iterable[Outcome]]


@dataclass(frozen=True)
class Rule:
    """A kind of finding: its code, a title, the check whose result it reads, and the function that judges it.

    `topic` is the row of the first screen it belongs to; `decides` tells whether that row counts as checked if this rule
    was.
    """

    code: str
    title: str
    section: str
    topic: str
    decides: bool
    judge: RuleFunction = field(repr=False)

    def run(self, measured: Measurements) -> list[Outcome]:
        """Apply the rule, and return its findings or the reason why it could not be checked."""
        result = measured.results.get(self.section)
        if result is None:
            return [NotChecked(f"The section {self.section} was not measured.")]
        arguments = (result, measured)[: len(inspect.signature(self.judge).parameters)]
        return [self._complete(outcome) for outcome in self.judge(*arguments)]

    def _complete(self, outcome: Outcome) -> Outcome:
        if isinstance(outcome, NotChecked):
            return outcome
        claim, action = set_minus_signs(outcome.claim), set_minus_signs(outcome.action)
        return dataclasses.replace(
            outcome, claim=claim, action=action, code=self.code, title=self.title, section=self.section
        )


FINDINGS: Registry[Rule] = Registry("finding", plugins=True, order=lambda rule: rule.code)


def rule(
    code: str, title: str, *, section: str, topic: str | None = None, decides: bool = False
) -> Callable[[RuleFunction], RuleFunction]:
    """Register a function as a rule on the result of a check.

    The function takes the result and, if it has a second parameter, everything the audit measured. It yields findings,
    yields `NotChecked` if the result does not allow a conclusion, or yields nothing, which means that the benchmark
    passed. `topic` is the row of the first screen, by default that of the check.
    """
    if section not in CHECKS:
        raise ValueError(f"The rule {code} reads the section '{section}', which does not exist.")

    def register(judge: RuleFunction) -> RuleFunction:
        FINDINGS.put(code, Rule(code, title, section, topic or CHECKS[section].topic, decides, judge))
        return judge

    return register


def sort_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Sort by severity, then rules by their largest known effect on scores, then by code.

    Findings of one rule keep their order.
    """
    rows = list(findings)
    effects: dict[tuple[str, str], float] = {}
    for finding in rows:
        key = (finding.severity, finding.code)
        effects[key] = max(effects.get(key, 0.0), 0.0 if math.isnan(finding.stake) else finding.stake)
    order = {key: (SEVERITIES.index(cast("Severity", key[0])), -effect, key[1]) for key, effect in effects.items()}
    return sorted(rows, key=lambda finding: order[finding.severity, finding.code])


def subtract_shares(first: tuple[float, int], second: tuple[float, int], confidence: float = 0.95) -> Interval:
    """Return the difference of two shares, each with its number of items (Newcombe).

    >>> drop = subtract_shares((0.8, 100), (0.6, 100))
    >>> round(drop.value, 2), round(drop.low, 3), round(drop.high, 3)
    (0.2, 0.073, 0.319)
    """
    (p, n), (q, m) = first, second
    return newcombe_difference(p * n, n, q * m, m, confidence)
