"""No quantity of a first screen has two values: reports of every kind of input, read as a person reads them."""

from __future__ import annotations

import html
import re
from collections import defaultdict

import pytest
from benchmarks.first_screen_inputs import SHARED, write_cases

import assay
from assay.audits import Audit

CASES = (
    *("questions", "paraphrases", "related_questions", "stars", "exam", "emotions", "entities", "passages"),
    *("translations", "abstracts", "preferences", "inspect_logs", "leaderboard", "votes", "judges"),
)
N_ITEMS = 100
FIRST_SCREEN = re.compile(r'<header class="top">.*?</header>', re.DOTALL)
CELL = re.compile(r"</?(?:p|li|tr|td|th|h1|h2|a|summary|details|ol|ul|table|caption)\b[^>]*>")
NUMBER = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?%?")
SENTENCE = re.compile(r'(?<=[.!?])\s+(?=[A-Z"“])|; ')
# Counts of what one badge or link leads to, which are different quantities.
LABELS = re.compile(r"A?#( items?| findings?| warnings?| notes?| errors?)?( and # warnings?)?")
# The quantities that a screen may say in several ways, and what it says: the first group is the number.
QUANTITIES = {
    "smallest visible difference": r"must differ by ([\d.]+)",
    "difference of the first two": r"They are ([\d.]+) points? apart",
    "bad items": r"([\d.]+)% of [\d,]+ items are expected to have|can be wrong by about ([\d.]+) points",
    "items also in training": r"([\d.]+)% of \w+ items are (?:also )?in |too high by up to ([\d.]+) points",
    "systems that may be first": r"(\d+) of [\d,]+ systems (?:that could be ranked \S+ )?may be first",
    "checks that were not made": r"(\d+) of \d+ checks were not made",
    "sound checks": r"No serious problem was found in (\d+) checks?",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("one_value")


def list_lines(audit: Audit) -> list[str]:
    """Return the first screen of the page as lines, and the claims of the findings that it leads to."""
    (screen,) = FIRST_SCREEN.findall(audit.to_html())
    lines = [html.unescape(re.sub(r"<[^>]+>", "", line)) for line in CELL.sub("\n", screen).split("\n")]
    codes = {row.code for row in audit.overview.rows} | {action.code for action in audit.overview.actions}
    claims = [finding.claim for finding in audit.findings if finding.code in codes]
    return [" ".join(line.split()) for line in (*lines, *claims) if line.strip()]


def find_conflicts(lines: list[str]) -> list[str]:
    """Return what is said with two values: the same words with other numbers, or a quantity in other words."""
    said: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for line in lines:
        for sentence in filter(None, SENTENCE.split(line)):
            words = NUMBER.sub("#", sentence)
            if not LABELS.fullmatch(words):
                said[words].add(tuple(NUMBER.findall(sentence)))
        for name, pattern in QUANTITIES.items():
            said[name] |= {tuple(filter(None, match.groups())) for match in re.finditer(pattern, line)}
    return [f"{words}: {sorted(values)}" for words, values in said.items() if len(values) > 1]


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is missing")
@pytest.mark.parametrize("name", CASES)
def test_no_quantity_of_a_first_screen_has_two_values(name, folder):
    (case,) = write_cases(folder, [name], N_ITEMS)
    arguments = list(map(str, case.arguments))
    data = arguments.pop(0) if len(arguments) % 2 else None
    options = {flag.removeprefix("--"): value for flag, value in zip(arguments[::2], arguments[1::2], strict=True)}
    lines = list_lines(assay.audit(data, cache=False, **options))
    assert len(lines) > 20
    assert find_conflicts(lines) == []


@pytest.mark.parametrize(
    "lines",
    [
        ["In all, about 45 [18, 115] bad items are expected.", "In all, about 35 [14, 89] bad items are expected."],
        ["2.9% of test items are also in train, exactly or nearly", "Scores can be too high by up to 3.5 points."],
        ["3 of 9 systems may be first", '2 of 9 systems may be first: "a" and "b"'],
        ["The first two must differ by 4.2 points.", 'The first two, "a" and "b", must differ by 3 points in F1.'],
    ],
)
def test_two_values_are_found(lines):
    assert len(find_conflicts(lines)) == 1
