"""The verdict: a few plain sentences on what the findings mean for a score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.audits.overview import Overview, rank_by_effect
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.findings import FINDINGS, Finding
from assay.checks.measured import Measurements
from assay.evaluation.view import write_smallest_difference
from assay.wording.sentences import choose_verb, count_noun


def write_verdict(
    overview: Overview,
    findings: Sequence[Finding],
    n_not_checked: int = 0,
    power: str = "",
    n_ignored: int = 0,
) -> str:
    """Say what changes for a score, what is most serious, what was not checked, and which difference would show."""
    counts = Counter(finding.severity for finding in findings)
    sentences = [overview.headline]
    serious = rank_by_effect([finding for finding in findings if finding.severity != "note"])
    if serious:
        sentences.append(count_serious(counts["error"], counts["warning"]))
        if serious[0].claim not in overview.headline:
            sentences.append(f"{'Most serious' if counts['error'] else 'First'}: {serious[0].claim}")
        others = dict.fromkeys(finding.code for finding in serious if finding.code != serious[0].code)
        sentences += [f"Then: {'; '.join(map(name_rule, others))}."] if others else []
    sentences += describe_gaps(overview, n_not_checked)
    if n_ignored:
        verb = choose_verb(n_ignored, "was", "were")
        sentences.append(f"{count_noun(n_ignored, 'finding')} {verb} ignored on request.")
    if power:
        sentences.append(power)
    return " ".join(sentences)


def count_serious(n_errors: int, n_warnings: int) -> str:
    """Count errors and warnings in a sentence.

    >>> count_serious(1, 2), count_serious(0, 1)
    ('1 error and 2 warnings.', '1 warning, no error.')
    """
    if not n_errors:
        return f"{count_noun(n_warnings, 'warning')}, no error."
    more = f" and {count_noun(n_warnings, 'warning')}" if n_warnings else ""
    return f"{count_noun(n_errors, 'error')}{more}."


def describe_gaps(overview: Overview, n_not_checked: int) -> list[str]:
    """Name the rows that were not checked, and count the checks that were not made."""
    missing = [row.title.lower() for row in overview.rows if row.status == "not checked"]
    gaps = [f"Not checked: {', '.join(missing)}."] if missing else []
    if n_not_checked:
        verb = choose_verb(n_not_checked, "was", "were")
        gaps.append(f"{n_not_checked} of {count_noun(len(FINDINGS), 'check')} {verb} not made.")
    return gaps


def describe_power(measured: Measurements) -> str:
    """Say which difference the first two of the given systems need; nothing if no systems were given."""
    discrimination = measured.find(DiscriminationEvidence)
    if discrimination is None or discrimination.basis != "predictions" or discrimination.difference is None:
        return ""
    return write_smallest_difference(discrimination.difference) if discrimination.difference.value > 0 else ""


def name_rule(code: str) -> str:
    """Name a kind of finding inside a sentence.

    >>> name_rule("A102")
    'near copies across parts'
    """
    title = FINDINGS[code].title
    return title[0].lower() + title[1:]
