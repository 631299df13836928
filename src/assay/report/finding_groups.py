"""Findings as the page shows them: by rule, in order of effect, with examples and what they mean."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

import numpy as np
import polars as pl

from assay.audits import Audit, Finding
from assay.audits.flagged import lists_all_items
from assay.base.arrays import Array
from assay.base.errors import join_names
from assay.checks import CHECKS, find_topic
from assay.report.explanations import Explanation, explain_rule
from assay.report.items import ItemIndex
from assay.system.json import JsonObject
from assay.wording.characters import make_visible
from assay.wording.numbers import format_interval, format_percent, write_rounded
from assay.wording.sentences import quote as quote_name

_LIST_BREAK = re.compile(r"\n(?:- )?")

MAX_FINDINGS = 120
MAX_EXAMPLES = 3
MAX_TEXT = 400
MAX_ANSWERS = 4
COPY_RULES = ("A101", "A102", "A103", "A104", "A109", "A110", "A414")
WITHIN_PART = "A103"
SUSPECT_RULES = ("A108", "A504", "A509")


@dataclass(frozen=True)
class AnswerCount:
    """An answer and how many systems gave it; None stands for all other answers."""

    answer: str | None
    n: int


@dataclass(frozen=True)
class Example:
    """An item that a finding is about, with what the finding compares it to."""

    id: str
    link: str
    text: str
    label: str
    original_id: str = ""
    original_text: str = ""
    answers: tuple[AnswerCount, ...] = ()
    suggested: str = ""


@dataclass(frozen=True)
class FindingView:
    """A finding with an anchor of its own, its number in words, its items and some examples."""

    finding: Finding
    anchor: str
    number: str | None
    n_items: int
    lists_all: bool
    link: str
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class FindingGroup:
    """All findings of one rule, and what the rule means."""

    code: str
    title: str
    severity: str
    topic: str
    section: str
    section_title: str
    explanation: Explanation
    views: tuple[FindingView, ...]

    @property
    def subjects(self) -> str:
        """The subjects of the findings, such as parts or words, in double quotes."""
        return join_names([quote_name(view.finding.subject, 60) for view in self.views if view.finding.subject], 3)


def group_findings(findings: Sequence[Finding], index: ItemIndex, rows: dict[str, Array]) -> list[FindingGroup]:
    """Group findings by severity and rule, in their order; `rows` has the items of each anchor."""
    groups: dict[tuple[str, str], list[FindingView]] = {}
    for finding, anchor in zip(findings, name_anchors(findings), strict=True):
        view = view_finding(finding, anchor, index, rows[anchor])
        groups.setdefault((finding.severity, finding.code), []).append(view)
    return [make_group(severity, code, views) for (severity, code), views in groups.items()]


def view_findings(findings: Sequence[Finding]) -> list[FindingView]:
    """Return the first findings with anchors and numbers, without their items."""
    shown = findings[:MAX_FINDINGS]
    pairs = zip(shown, name_anchors(shown), strict=True)
    return [FindingView(row, anchor, write_number(row), 0, True, "", ()) for row, anchor in pairs]


def make_group(severity: str, code: str, views: Sequence[FindingView]) -> FindingGroup:
    """Return the findings of one rule with what it means."""
    first = views[0].finding
    view = CHECKS[first.section] if first.section in CHECKS else None  # noqa: SIM401, a registry raises
    topic = find_topic(code)
    return FindingGroup(
        code=code,
        title=first.title,
        severity=severity,
        topic="" if topic is None else topic.title,
        section=first.section if view is not None else "",
        section_title="" if view is None else view.title,
        explanation=explain_rule(code),
        views=tuple(views),
    )


def name_anchors(findings: Sequence[Finding]) -> list[str]:
    """Return an anchor for every finding: its code, numbered from the second of a rule on."""
    used: Counter[str] = Counter()
    anchors = []
    for finding in findings:
        code = "".join(character for character in finding.code if character.isascii() and character.isalnum())[:12]
        used[code] += 1
        anchors.append(code if used[code] == 1 else f"{code}-{used[code]}")
    return anchors


def find_flagged(audit: Audit, index: ItemIndex) -> dict[str, Array]:
    """Return the rows of the items of the first findings, by anchor."""
    findings = audit.findings[:MAX_FINDINGS]
    return {
        anchor: index.find_rows(finding) if len(index.items) else np.zeros(0, np.int64)
        for finding, anchor in zip(findings, name_anchors(findings), strict=True)
    }


def view_finding(finding: Finding, anchor: str, index: ItemIndex, rows: Array) -> FindingView:
    """Return a finding with its number, its items and examples."""
    return FindingView(
        finding=finding,
        anchor=anchor,
        number=write_number(finding),
        n_items=len(rows),
        lists_all=lists_all_items(finding) and len(index.items) == index.n_all,
        link=link_items(finding=anchor),
        examples=choose_examples(finding, index, rows[:MAX_EXAMPLES], anchor),
    )


def link_items(**filters: str) -> str:
    """Return the part of an address that names the items which some filters leave.

    >>> link_items(finding="A101"), link_items(label="a b")
    ('finding=A101', 'label=a%20b')
    """
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in filters.items())


def choose_examples(finding: Finding, index: ItemIndex, rows: Array, anchor: str) -> tuple[Example, ...]:
    """Return some items of a finding, with texts if the audit may show them."""
    if index.texts is None or not len(rows):
        return ()
    details, items = index.read_details(rows), index.items[rows]
    examples = []
    for item, detail in zip(items.to_dicts(), details.to_dicts(), strict=True):
        if detail["text"] is None:
            continue
        original = find_original(finding, index, item) if finding.code in COPY_RULES and item["copy_of"] else None
        name = make_visible(item["id"], 200)
        examples.append(
            Example(
                id=name,
                link=link_items(finding=anchor, item=name),
                text=make_visible(write_line(detail["text"]), MAX_TEXT),
                label=make_visible(detail["gold"] or "", 80),
                original_id="" if original is None else make_visible(index.items["id"][original], 80),
                original_text=""
                if original is None
                else make_visible(write_line(index.texts[original] or ""), MAX_TEXT),
                answers=count_answers(detail["answers"]) if finding.code in SUSPECT_RULES else (),
                suggested=make_visible(item["suggested"] or "", 80) if finding.code in SUSPECT_RULES else "",
            )
        )
    return tuple(examples)


def find_original(finding: Finding, index: ItemIndex, item: JsonObject) -> int | None:
    """Return the row of the item that another one repeats: for copies within a part, of the same part."""
    original = index.places.get(item["copy_of"])
    if original is None or finding.code != WITHIN_PART or index.items["part"][original] == item["part"]:
        return original
    twins = (pl.col("part") == item["part"]) & (pl.col("copy_of") == item["copy_of"]) & (pl.col("id") != item["id"])
    rows = index.items.select(twins.arg_true()).to_series()
    return int(rows[0]) if len(rows) else None


def write_line(text: str) -> str:
    r"""Write a text on one line, with a slash between its lines and list items.

    >>> write_line("Which one?\n- this\n- that")
    'Which one? / this / that'
    """
    return _LIST_BREAK.sub(" / ", text)


def count_answers(answers: Sequence[str | None] | None) -> tuple[AnswerCount, ...]:
    """Count the answers of the systems, the most frequent first; the others together, without an answer.

    >>> [(row.answer, row.n) for row in count_answers(["no", "yes", "no", None])]
    [('no', 2), ('yes', 1)]
    """
    counts = Counter(answer for answer in answers or () if answer is not None)
    first = [AnswerCount(make_visible(answer, 60), n) for answer, n in counts.most_common(MAX_ANSWERS)]
    rest = sum(counts.values()) - sum(row.n for row in first)
    return (*first, *([AnswerCount(None, rest)] if rest else []))


def names_value(finding: Finding) -> bool:
    """Return whether the claim has the value of a finding, and its interval: as a share, in points, or as it is.

    >>> from assay.checks.findings import exact_number, make_finding
    >>> names_value(make_finding("note", "1 item of 20 (5.0%) is bad.", "Remove it.", exact_number(0.05)))
    True
    """
    value = finding.value
    if math.isfinite(finding.low) and "[" not in finding.claim:
        return False
    forms = {format_percent(value).removesuffix("%"), write_rounded(100 * value, 1), write_rounded(100 * value)}
    forms |= {f"{value:,.0f}"} if float(value).is_integer() else {write_rounded(value, 2), write_rounded(value, 3)}
    return any(re.search(rf"(?<![\w.,]){re.escape(form)}(?![\w]|[.,]\d)", finding.claim) for form in forms)


def write_number(finding: Finding) -> str | None:
    """Write the value of a finding with its interval, or next to what chance gives; None if it has none."""
    if not math.isfinite(finding.value) or names_value(finding):
        return None
    if not math.isfinite(finding.low) or not math.isfinite(finding.high):
        number = f"{finding.value:,.0f}" if float(finding.value).is_integer() else f"{finding.value:.2g}"
        return number.replace("-", "\N{MINUS SIGN}")
    text = format_interval(finding, "percent" if finding.code in SUSPECT_RULES else "number")
    if finding.low <= finding.value <= finding.high:
        return text
    number, _, interval = text.partition(" [")
    return f"{number} [by chance {interval.replace(', ', ' to ')}"
