"""The verdict: a few plain sentences on what the findings mean for a score."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from assay.audits.overview import Overview, rank_by_effect
from assay.audits.result import CheckedRule, Section
from assay.base.wording import count_noun
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.findings import FINDINGS, Finding
from assay.checks.measured import Measurements
from assay.evaluation.view import write_smallest_difference

SECTION_TOPICS = {
    "profile": "copies and labels",
    "splits": "the split",
    "difficulty": "difficulty",
    "information": "shortcuts",
    "discrimination": "the ranking of systems",
}


def write_verdict(
    overview: Overview,
    findings: Sequence[Finding],
    sections: dict[str, Section],
    not_checked: Sequence[CheckedRule] = (),
    power: str = "",
    n_ignored: int = 0,
) -> str:
    """Say what changes for a score, what is most serious, what was not checked, and what so few items cannot show."""
    counts = Counter(finding.severity for finding in findings)
    sentences = [overview.headline]
    serious = rank_by_effect([finding for finding in findings if finding.severity != "note"])
    if serious:
        sentences.append(count_serious(counts["error"], counts["warning"]))
        if serious[0].claim not in overview.headline:
            sentences.append(f"{'Most serious' if counts['error'] else 'First'}: {serious[0].claim}")
        others = dict.fromkeys(finding.code for finding in serious if finding.code != serious[0].code)
        sentences += [f"Then: {'; '.join(map(name_rule, others))}."] if others else []
    sentences += describe_gaps(sections, not_checked)
    if n_ignored:
        sentences.append(f"{count_noun(n_ignored, 'finding')} ignored on request.")
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


def describe_gaps(sections: dict[str, Section], not_checked: Sequence[CheckedRule]) -> list[str]:
    """Say which topics were not looked at, and how many checks the data did not allow."""
    done = {name for name, section in sections.items() if section.status == "done"}
    done |= {"information"} if "task" in done else set()  # which looks for the shortcuts of its kind of task
    # Kinds without classes have no difficulty of texts, and harder splits in the section model.
    done |= {"splits", "difficulty"} if "model" in done else set()
    done |= {"discrimination"} if "votes" in done else set()  # which rank the systems
    missing = [topic for name, topic in SECTION_TOPICS.items() if name not in done]
    gaps = [f"Not checked: {', '.join(missing)}."] if missing else []
    others = [rule for rule in not_checked if FINDINGS[rule.code].section in sections]
    others = [rule for rule in others if sections[FINDINGS[rule.code].section].status == "done"]
    if others:
        noun = "more check" if missing else "check"
        gaps.append(f"{count_noun(len(others), noun)} could not be made with this data.")
    return gaps


def describe_power(measured: Measurements, n_test: int) -> str:
    """Say which difference between two systems the test items can show: as measured, or estimated from their number."""
    discrimination = measured.find(DiscriminationEvidence)
    smallest = None if discrimination is None else discrimination.difference
    if smallest is not None and smallest.value > 0:
        systems = "quick models" if discrimination is not None and discrimination.basis == "quick models" else "systems"
        return write_smallest_difference(smallest, systems)
    return estimate_power(n_test) if n_test > 0 else ""


def estimate_power(n_test: int) -> str:
    """Say which difference between two systems so many test items cannot show.

    The bound is for two systems that disagree on every fifth item, with 80% power at 5%.

    >>> estimate_power(100)
    'With 100 test items, differences between systems below about 13 points cannot be distinguished from chance.'
    """
    points = 100 * 2.8 * math.sqrt(0.2 / n_test)
    number = f"{points:.0f}" if points >= 2 else f"{points:.1f}"
    if points >= 100:
        return f"{count_noun(n_test, 'test item')} cannot tell any two systems apart."
    return (
        f"With {n_test:,} test items, differences between systems below about {number} points cannot be distinguished "
        "from chance."
    )


def name_rule(code: str) -> str:
    """Name a kind of finding inside a sentence.

    >>> name_rule("A102")
    'near copies across parts'
    """
    title = FINDINGS[code].title
    return title[0].lower() + title[1:]
