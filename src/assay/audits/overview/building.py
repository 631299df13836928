"""The first screen of an audit: one sentence about scores, six rows with one number each, and what to do first."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from assay.base.marks import NAME, OWN
from assay.base.wording import choose_verb, count_noun
from assay.checks.findings import MIN_STAKE, NO_ACTION, SEVERITIES, Finding, Severity
from assay.checks.measured import Measurements
from assay.checks.topics import TOPICS, KeyNumber, Topic, find_topic
from assay.views.results import Result

RowStatus = Literal["ok", "warning", "problem", "not checked"]
MAX_ACTIONS = 3
COPIES = "copies "
FEW_ITEMS = 30  # below which a sound check says little
NO_ITEMS = "No items were given, only scores, votes or verdicts."
MAX_CLAIM = 170  # characters of a claim in the headline
STATUSES: dict[Severity, RowStatus] = {"error": "problem", "warning": "warning", "note": "ok"}


@dataclass(frozen=True)
class OverviewRow(Result):
    """What an audit says about one topic.

    `number` and `unit` read as one phrase, such as "3.2%" "of test items are also in training". `code` is the finding
    to read first, None if there is none; `section` is the check that the number comes from.
    """

    topic: str = field(metadata=OWN)
    title: str = field(metadata=OWN)
    status: RowStatus
    value: float
    number: str = field(metadata=OWN)
    unit: str = field(metadata=NAME)
    reason: str = field(metadata=NAME)
    code: str | None = field(metadata=OWN)
    section: str = field(metadata=OWN)
    n_findings: int

    @property
    def text(self) -> str:
        """Return the number with its unit, or what there is to say instead."""
        if self.number or self.reason:
            return f"{self.number} {self.unit}" if self.number else self.reason
        if self.status != "ok":
            return "see the findings"
        return "nothing serious" if self.n_findings else "nothing against it"


@dataclass(frozen=True)
class FirstAction(Result):
    """Something to do, the finding that calls for it, and its effect as a share of a score (nan if unknown)."""

    action: str = field(metadata=NAME)
    claim: str = field(metadata=NAME)
    code: str = field(metadata=OWN)
    severity: Severity
    effect: float


@dataclass(frozen=True)
class Overview(Result):
    """The first screen: a sentence, six rows in a fixed order, and at most three actions in order of effect.

    `stake` is the largest share of a score that may be wrong, nan if no finding has a known effect on scores.
    """

    headline: str = field(metadata=NAME)
    stake: float
    rows: tuple[OverviewRow, ...]
    actions: tuple[FirstAction, ...]

    def find_row(self, topic: str) -> OverviewRow:
        """Return the row of a topic."""
        return next(row for row in self.rows if row.topic == topic)


def build_overview(
    measured: Measurements,
    findings: Sequence[Finding],
    passed: Collection[str] = (),
    not_checked: Mapping[str, str] | None = None,
) -> Overview:
    """Build the first screen from what was measured and the findings.

    `passed` holds the codes of rules that found nothing, `not_checked` the reasons why others could not be checked.
    """
    checked = {*passed, *(finding.code for finding in findings)}
    rows = tuple(_make_row(topic, measured, findings, checked, not_checked or {}) for topic in TOPICS.values())
    stake, topic = find_largest_effect(findings)
    headline = write_headline(findings, len(checked), stake, topic, measured.data.rows)
    return Overview(headline, stake, rows, choose_actions(findings))


def _make_row(
    topic: Topic,
    measured: Measurements,
    findings: Sequence[Finding],
    checked: Collection[str],
    reasons: Mapping[str, str],
) -> OverviewRow:
    own = rank_by_effect([finding for finding in findings if find_topic(finding.code) is topic])
    number = topic.find_number(measured, own)
    status: RowStatus = "ok"
    if own and own[0].severity != "note":
        status = STATUSES[own[0].severity]
    elif number is None and not set(topic.deciding) & set(checked):
        status = "not checked"
    reason = ""
    if status == "not checked":
        reason = _explain(topic, reasons) if measured.data.rows else NO_ITEMS
    elif own and status != "ok" and (number is None or number.value == 0 or not _explains(number, own[0])):
        reason = describe_worst(own)  # the number is not what the status comes from
        number = None
    if number is None:
        number = KeyNumber(math.nan, "", "", topic.section)
    return OverviewRow(
        topic=topic.name,
        title=topic.title,
        status=status,
        value=number.value,
        number=number.number,
        unit=number.unit,
        reason=reason,
        code=own[0].code if own else None,
        section=number.section,
        n_findings=len(own),
    )


def _explains(number: KeyNumber, finding: Finding) -> bool:
    return not number.codes or finding.code in number.codes


def _explain(topic: Topic, reasons: Mapping[str, str]) -> str:
    return next((reasons[code] for code in topic.deciding if reasons.get(code)), "Nothing was measured.")


def rank_by_effect(findings: Sequence[Finding]) -> list[Finding]:
    """Sort by severity, then by the effect on scores; findings without a known effect come last in their severity."""
    return sorted(
        findings, key=lambda finding: (SEVERITIES.index(finding.severity), -_read_effect(finding.stake), finding.code)
    )


def _read_effect(stake: float) -> float:
    return 0.0 if math.isnan(stake) else stake


def find_largest_effect(findings: Sequence[Finding], *, notes: bool = False) -> tuple[float, str | None]:
    """Return the largest share of a score that may be wrong, and why; of errors and warnings, or of notes.

    Exact and near copies of training items are different items, so their shares add up within one part; other effects
    may overlap, and the largest counts.
    """
    effects: dict[tuple[str, str], float] = {}
    for finding in findings:
        if (finding.severity == "note") is not notes or math.isnan(finding.stake):
            continue
        topic = find_topic(finding.code)
        name = "" if topic is None else topic.name
        cause = COPIES if finding.code in ("A101", "A102") else finding.code
        key = (name, cause + finding.subject)
        effects[key] = effects.get(key, 0.0) + finding.stake
    if not effects or max(effects.values()) < MIN_STAKE:
        return math.nan, None
    (name, _), stake = max(effects.items(), key=lambda pair: pair[1])
    return min(stake, 1.0), name or None


def write_headline(findings: Sequence[Finding], n_checked: int, stake: float, topic: str | None, n_items: int) -> str:
    """Say in one sentence how far scores can be trusted, and by how much they may be wrong.

    >>> write_headline([], 12, math.nan, None, 500), write_headline([], 0, math.nan, None, 500)
    ('No serious problem was found in 12 checks.', 'Nothing could be checked.')
    >>> write_headline([], 12, math.nan, None, 5)
    'No serious problem was found in 12 checks, but 5 items are too few to show most problems.'
    """
    severities = {finding.severity for finding in findings}
    effect = "" if topic is None else TOPICS[topic].effect.format(points=write_points(stake)) + "."
    if "error" in severities:
        return f"{effect or describe_worst(findings)} Do not trust scores before this is fixed."
    if "warning" in severities:
        return f"{effect or describe_worst(findings)} Trust scores with care."
    if not n_checked:
        return "Nothing could be checked."
    stake, topic = find_largest_effect(findings, notes=True)
    effect = "" if topic is None else TOPICS[topic].effect.format(points=write_points(stake))
    rest = f" Uncertain: {effect[0].lower()}{effect[1:]}." if effect else ""
    few = f", but {n_items} {choose_verb(n_items, 'item is', 'items are')} too few to show most problems"
    doubt = few if 0 < n_items < FEW_ITEMS else ""
    return f"No serious problem was found in {count_noun(n_checked, 'check')}{doubt}.{rest}"


def describe_worst(findings: Sequence[Finding]) -> str:
    """Return the claim of the most serious finding, or the name of its rule if the claim is long."""
    worst = rank_by_effect(findings)[0]
    return worst.claim if len(worst.claim) <= MAX_CLAIM else f"{worst.title or 'There is a problem'}."


def write_points(share: float) -> str:
    """Write a share of a score in points.

    >>> write_points(0.073), write_points(0.012), write_points(0.01)
    ('7 points', '1.2 points', '1.0 points')
    """
    points = 100 * share
    return f"{points:.0f} points" if points >= 2 else f"{points:.1f} points"


def choose_actions(findings: Sequence[Finding]) -> tuple[FirstAction, ...]:
    """Return what to do first: the actions of errors, warnings, and notes with an effect, one per rule, by effect."""
    first: dict[str, Finding] = {}
    for finding in rank_by_effect(findings):
        matters = finding.severity != "note" or finding.stake >= MIN_STAKE
        if matters and not finding.action.startswith(NO_ACTION):
            first.setdefault(finding.code, finding)
    return tuple(
        FirstAction(row.action, row.claim, row.code, row.severity, row.stake)
        for row in list(first.values())[:MAX_ACTIONS]
    )
