"""The first screen of an audit: one sentence about scores, six rows with one number each, and what to do first."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from assay.base.marks import NAME, OWN
from assay.checks.findings import CANNOT_TELL, FINDINGS, MIN_STAKE, NO_ACTION, SEVERITIES, Finding, NotChecked, Severity
from assay.checks.measured import Measurements
from assay.checks.signal import describe_missing_signal
from assay.checks.topics import TOPICS, KeyNumber, Topic, find_topic
from assay.views.results import Result
from assay.wording.sentences import choose_verb, count_noun

RowStatus = Literal["ok", "warning", "problem", "unclear", "not checked"]
MAX_ACTIONS = 3
COPIES = ("A101", "A102")
FEW_ITEMS = 30  # below which a sound check says little
NOT_REQUESTED, DOES_NOT_APPLY = "Not requested.", "Does not apply to the task"
NO_ITEMS = "This needs the items of a benchmark with their gold labels."
MAX_CLAIM = 170  # characters of a claim in the headline
STATUSES: dict[Severity, RowStatus] = {"error": "problem", "warning": "warning", "note": "ok"}
ADVICE: dict[Severity, str] = {
    "error": "Do not trust scores before this is fixed.",
    "warning": "Trust scores with care.",
}


@dataclass(frozen=True)
class OverviewRow(Result):
    """The state of one topic of an audit.

    `number` and `unit` read as one phrase, such as "3.2%" "of test items are also in training"; `reason` is what there
    is to say instead. `code` is the finding to read first, None if there is none; `section` is the check that the
    number comes from.
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
        return f"{self.number} {self.unit}" if self.number else self.reason


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

    `stake` is the share of a score that may be wrong because of the most serious finding, nan if that is not known.
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
    failed: Sequence[str] = (),
) -> Overview:
    """Build the first screen from what was measured and the findings.

    `passed` holds the codes of rules that found nothing, `not_checked` the reasons why others could not be checked,
    `failed` the names of the sections that ended with an unexpected error.
    """
    checked = {*passed, *(finding.code for finding in findings)}
    rows = tuple(_make_row(topic, measured, findings, checked, not_checked or {}) for topic in TOPICS.values())
    serious = [finding for finding in rank_by_effect(findings) if finding.severity != "note"]
    headline = describe_serious(serious, measured) if serious else describe_sound(measured, rows, len(checked))
    if failed:
        sections = f"{count_noun(len(failed), 'section')} failed with an error of assay ({', '.join(failed)})"
        headline = f"This audit is incomplete: {sections}. {headline}"
    return Overview(headline, find_stake(serious), rows, choose_actions(findings))


def _make_row(
    topic: Topic,
    measured: Measurements,
    findings: Sequence[Finding],
    checked: Collection[str],
    reasons: Mapping[str, str],
) -> OverviewRow:
    own = rank_by_effect([finding for finding in findings if find_topic(finding.code) is topic])
    answer = topic.find_number(measured, own)
    number = answer if isinstance(answer, KeyNumber) else None
    status = _judge_row(topic, answer, own, checked)
    reason = ""
    if status == "not checked":
        reason, number = _explain(topic, answer, reasons, measured), None
    elif own and status != "ok" and (number is None or not explains(number, own[0], status)):
        reason, number = shorten_claim(rank_by_effect(own)[0]), None  # the number is not what the status comes from
    elif number is None:
        n_checked = len({code for code in checked if find_topic(code) is topic})
        reason = f"{count_noun(n_checked, 'check')} of this question found no serious problem."
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


def _judge_row(
    topic: Topic, answer: KeyNumber | NotChecked | None, own: Sequence[Finding], checked: Collection[str]
) -> RowStatus:
    """Return the status of the worst finding; without a serious one, ok only if a deciding rule was checked."""
    if own and own[0].severity != "note":
        return STATUSES[own[0].severity]
    if isinstance(answer, NotChecked) or not set(topic.deciding) & set(checked):
        return "not checked"
    is_open = isinstance(answer, KeyNumber) and answer.is_open
    return "unclear" if is_open or any(map(is_undecided, own)) else "ok"


def is_undecided(finding: Finding) -> bool:
    """Return True for a note on something that may be serious: a deciding rule cannot tell, or scores may be wrong."""
    decides = finding.code in FINDINGS and FINDINGS[finding.code].decides
    cannot_tell = decides and finding.claim.startswith(CANNOT_TELL)
    return finding.severity == "note" and (cannot_tell or finding.stake >= MIN_STAKE)


def explains(number: KeyNumber, finding: Finding, status: RowStatus) -> bool:
    """Return True if the status of a row comes from its number."""
    if status == "unclear" and number.is_open:
        return True
    return number.value != 0 and (not number.codes or finding.code in number.codes)


def _explain(
    topic: Topic, answer: KeyNumber | NotChecked | None, reasons: Mapping[str, str], measured: Measurements
) -> str:
    """Return what a row lacks: best the reason of a rule whose check was made."""
    if isinstance(answer, NotChecked):
        return answer.reason
    known = sorted(
        (code for code in topic.deciding if reasons.get(code)),
        key=lambda code: (
            FINDINGS[code].section not in measured.results,
            reasons[code].startswith(DOES_NOT_APPLY),  # chosen only if no check of the topic applies
            reasons[code] == NOT_REQUESTED,
        ),
    )
    if not measured.data.rows and (not known or FINDINGS[known[0]].section not in measured.results):
        return NO_ITEMS
    return reasons[known[0]] if known else "Nothing was measured."


def rank_by_effect(findings: Sequence[Finding]) -> list[Finding]:
    """Sort by severity, then by the effect on scores; findings without a known effect come last in their severity.

    Copies count with all copies of their part, so that the part with most of them comes first, as in its row.
    """
    copies: defaultdict[str, float] = defaultdict(float)
    for finding in findings:
        if finding.code in COPIES and finding.severity != "note":
            copies[finding.subject] += _read_effect(finding.stake)

    def sort_key(finding: Finding) -> tuple[int, float, float, str]:
        own = _read_effect(finding.stake)
        effect = max(copies[finding.subject], own) if finding.code in COPIES else own
        return SEVERITIES.index(finding.severity), -effect, -own, finding.code

    return sorted(findings, key=sort_key)


def _read_effect(stake: float) -> float:
    return 0.0 if math.isnan(stake) else stake


def find_stake(serious: Sequence[Finding]) -> float:
    """Return the share of a score that may be wrong because of the first finding, nan if that is not known.

    Exact and near copies of training items are different items, so their shares add up within one part.
    """
    if not serious or math.isnan(serious[0].stake):
        return math.nan
    first = serious[0]
    same = [row for row in serious if row.code in COPIES and row.subject == first.subject and row is not first]
    return min(first.stake + sum(row.stake for row in same) if first.code in COPIES else first.stake, 1.0)


def describe_serious(serious: Sequence[Finding], measured: Measurements) -> str:
    """Say in one sentence what the most serious finding means for scores, and how far they can be trusted.

    A finding that a few other items would have made less serious says so.
    """
    first = serious[0]
    topic = find_topic(first.code)
    own = [finding for finding in serious if find_topic(finding.code) is topic]
    number = None if topic is None else topic.find_number(measured, own)
    effect = ""
    if isinstance(number, KeyNumber) and not math.isnan(first.stake) and explains(number, first, "warning"):
        effect = f"{number.effect}." if number.effect else ""
    limits = [finding.limit for finding in serious if finding.severity == first.severity]
    close = f" This is close to the threshold of {first.limit}." if all(limits) else ""
    return f"{effect or describe_worst(serious)} {ADVICE[first.severity]}{close}"


def describe_sound(measured: Measurements, rows: Sequence[OverviewRow], n_checked: int) -> str:
    """Say how many checks found no serious problem, and what keeps this from meaning much."""
    if not n_checked:
        return "Nothing could be checked."
    n_items = measured.data.rows
    few = f"{n_items} {choose_verb(n_items, 'item is', 'items are')} too few to show most problems"
    doubt = few if 0 < n_items < FEW_ITEMS else describe_missing_signal(measured)
    unclear = [row.title.lower() for row in rows if row.status == "unclear"]
    rest = f" Unclear: {', '.join(unclear)}." if unclear else ""
    return f"No serious problem was found in {count_noun(n_checked, 'check')}{', but ' + doubt if doubt else ''}.{rest}"


def describe_worst(findings: Sequence[Finding]) -> str:
    """Return the claim of the most serious finding, and how many others of its rule have this severity."""
    worst = rank_by_effect(findings)[0]
    n_equal = sum((row.code, row.severity) == (worst.code, worst.severity) for row in findings)
    equal = f" This is one of {n_equal} such findings." if n_equal > 1 and worst.code else ""
    return f"{shorten_claim(worst)}{equal}"


def shorten_claim(finding: Finding) -> str:
    """Return the claim of a finding; of a long one only its beginning, or the name of its rule."""
    if len(finding.claim) <= MAX_CLAIM:
        return finding.claim
    begin = min((finding.claim.split(mark)[0] for mark in ("; ", ": ", ", such as ")), key=len)
    return f"{begin if len(begin) <= MAX_CLAIM else finding.title or 'There is a problem'}."


def choose_actions(findings: Sequence[Finding]) -> tuple[FirstAction, ...]:
    """Return what to do first: the actions of errors, warnings, and notes with an effect, by effect.

    There is one per rule, and an action that several rules call for is said once.
    """
    first: dict[str, Finding] = {}
    for finding in rank_by_effect(findings):
        matters = finding.severity != "note" or finding.stake >= MIN_STAKE
        is_said = any(finding.action == other.action for other in first.values())
        if matters and not is_said and not finding.action.startswith(NO_ACTION):
            first.setdefault(finding.code, finding)
    return tuple(
        FirstAction(row.action, row.claim, row.code, row.severity, row.stake)
        for row in list(first.values())[:MAX_ACTIONS]
    )
