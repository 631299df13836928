"""The verdict: two or three plain sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.audits.findings import FINDINGS, Finding
from assay.audits.result import Section
from assay.base.wording import count_noun

JUDGING_SECTIONS = ("splits", "information", "discrimination")


def write_verdict(findings: Sequence[Finding], sections: dict[str, Section]) -> str:
    """Say how serious the findings are, which is the most serious, what else matters, and what was not checked."""
    counts = Counter(finding.severity for finding in findings)
    sentences = [judge(counts["error"], counts["warning"], blind=is_blind(sections))]
    serious = [finding for finding in findings if finding.severity != "note"]
    if serious:
        sentences.append(f"{'Most serious' if counts['error'] else 'First'}: {serious[0].claim}")
        others = sorted({finding.code for finding in serious} - {serious[0].code})
        sentences += [f"Then: {'; '.join(map(name_rule, others))}."] if others else []
    missing = [name for name, section in sections.items() if section.status != "done" and name != "forecast"]
    if missing:
        sentences.append(f"Not checked: {', '.join(missing)}.")
    return " ".join(sentences)


def is_blind(sections: dict[str, Section]) -> bool:
    """Tell whether everything that judges scores was requested in vain, as where there are no labels."""
    statuses = [sections[name].status for name in JUDGING_SECTIONS if name in sections]
    return bool(statuses) and "done" not in statuses


def name_rule(code: str) -> str:
    """Name a kind of finding inside a sentence.

    >>> name_rule("A102")
    'near copies across parts'
    """
    title = FINDINGS[code].title
    return title[0].lower() + title[1:]


def judge(n_errors: int, n_warnings: int, *, blind: bool = False) -> str:
    """Say in one sentence how far the benchmark can be trusted.

    >>> judge(0, 0)
    'No serious problem was found: scores on this benchmark mean what they say, as far as this audit can tell.'
    """
    if n_errors:
        more = f" and {count_noun(n_warnings, 'warning')}" if n_warnings else ""
        return f"Do not trust scores on this benchmark before it is fixed: {count_noun(n_errors, 'error')}{more}."
    if n_warnings:
        return f"Trust scores on this benchmark with care: {count_noun(n_warnings, 'warning')}, no error."
    if blind:
        return "No serious problem was found, but nothing could be said about scores on this benchmark either."
    return "No serious problem was found: scores on this benchmark mean what they say, as far as this audit can tell."
