"""The verdict: two or three plain sentences."""

from __future__ import annotations

from assay.audits.finding import Finding
from assay.audits.findings import FINDINGS
from assay.audits.section import Section
from assay.base.wording import count_noun


def verdict(findings: list[Finding], sections: dict[str, Section]) -> str:
    """Say how grave the findings are, what is gravest, what else is grave, and what could not be looked at."""
    counts = {kind: sum(one.severity == kind for one in findings) for kind in ("error", "warning")}
    told = [judgement(counts, blind=blind(sections))]
    grave = [one for one in findings if one.severity != "note"]
    if grave:
        told.append(f"{'Gravest' if counts['error'] else 'First'}: {grave[0].claim}")
        others = sorted({one.code for one in grave} - {grave[0].code})
        told += [f"Then: {'; '.join(titles(others))}."] if others else []
    missing = [name for name, section in sections.items() if section.status != "done" and name != "forecast"]
    if missing:
        told.append(f"Not looked at: {', '.join(missing)}.")
    return " ".join(told)


def blind(sections: dict[str, Section]) -> bool:
    """Tell whether all that judges scores was asked for in vain, as where there are no labels."""
    judging = [sections[name].status for name in ("splits", "information", "discrimination") if name in sections]
    return bool(judging) and "done" not in judging


def titles(codes: list[str]) -> list[str]:
    """Name kinds of findings in the middle of a sentence.

    >>> titles(["A102", "A401"])
    ['near copies across parts', 'token shortcut']
    """
    named = (FINDINGS[code].title for code in codes)
    return [title[0].lower() + title[1:] for title in named]


def judgement(counts: dict[str, int], *, blind: bool = False) -> str:
    """Say in one sentence how far the benchmark can be trusted.

    >>> judgement({"error": 0, "warning": 0})
    'Nothing grave was found: scores on this benchmark mean what they say, as far as this audit can see.'
    """
    if counts["error"]:
        more = f" and {count_noun(counts['warning'], 'warning')}" if counts["warning"] else ""
        return (
            f"Do not trust scores on this benchmark before it is mended: {count_noun(counts['error'], 'error')}{more}."
        )
    if counts["warning"]:
        return f"Trust scores on this benchmark with care: {count_noun(counts['warning'], 'warning')}, no error."
    if blind:
        return "Nothing grave was found, but nothing could be said of scores on this benchmark either."
    return "Nothing grave was found: scores on this benchmark mean what they say, as far as this audit can see."
