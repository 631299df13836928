"""Every sentence of first screens of every kind is recomputed from the raw files, and no number has two values."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from benchmarks.first_screen_claims import PATTERNS, Screen, find_pattern, judge
from benchmarks.first_screen_findings import KNOWN_CODES
from benchmarks.first_screen_inputs import SHARED, write_cases
from benchmarks.first_screen_raw import Raw

import assay
from assay.audits import FINDINGS, Audit
from assay.report.content import count_items, describe_subject
from assay.report.parts import render_overview
from assay.views.blocks import Sentence, Table

CASES = (
    *(
        "questions",
        "reviews",
        "permuted",
        "tested_on_dev",
        "paraphrases",
        "arguments",
        "silent_system",
        "stars",
        "exam",
    ),
    *("common_sense", "emotions", "entities", "passages", "arithmetic", "translations", "abstracts", "preferences"),
    *("inspect_logs", "helm_run", "leaderboard", "resolved_issues", "votes", "judges"),
    *("related_questions", "token_table", "responses", "board_of_the_hub", "searched", "arena"),
)
N_ITEMS = 90
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is missing")


@pytest.fixture(scope="module")
def audit_case(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first_screens")

    @cache
    def run(name: str) -> tuple[Audit, Screen]:
        (case,) = write_cases(folder, [name], N_ITEMS)
        raw = Raw(case.arguments)
        options = {name[2:]: str(path) for name, path in raw.options.items()}
        audit = assay.audit(None if raw.data is None else str(raw.data), cache=False, **options)
        result = json.loads(audit.to_json())
        return audit, Screen(case.name, case.kind, result, raw, describe_subject(audit))

    return run


@pytest.mark.parametrize("name", CASES)
def test_every_sentence_is_in_the_table_and_true(name, audit_case):
    _, screen = audit_case(name)
    unknown, wrong = [], []
    for statement in screen.list_statements():
        if find_pattern(statement) is None:
            unknown.append(statement)
            continue
        verdict, reason = judge(screen, statement)
        wrong += [(statement.text, reason)] if verdict in ("false", "misleading") else []
    assert (unknown, wrong) == ([], [])


def test_every_rule_has_a_pattern():
    assert set(FINDINGS) == KNOWN_CODES
    for entry in PATTERNS:
        assert entry.check.__doc__
        assert entry.about or entry.place in ("verdict", "row", "action")


@pytest.mark.parametrize("name", CASES[:15])
def test_no_number_of_the_first_screen_has_two_values(name, audit_case):
    """Terminal, page and JSON show the same rows; a row, the headline and the finding they are about agree."""
    audit, screen = audit_case(name)
    page = re.sub(r"<[^>]+>", "", str(render_overview(audit))).replace("&#34;", '"').replace("&#39;", "'")
    blocks = list(audit.blocks())
    printed = [cell for block in blocks if isinstance(block, Table) for row in block.rows for cell in row]
    printed += [block.text for block in blocks if isinstance(block, Sentence)]
    for row in audit.overview.rows:
        stored = screen.rows[row.topic]
        assert (stored["number"], stored["unit"], stored["status"]) == (row.number, row.unit, row.status)
        assert row.text in printed
        assert row.number in page
        finding = next((entry for entry in audit.findings if entry.code == row.code), None)
        copies = {"A101", "A102"} <= {entry.code for entry in audit.findings}  # whose sum is the number of the row
        if finding is not None and row.number and row.status in ("warning", "problem") and not copies:
            figure = row.number.split()[0].removesuffix("%")
            claims = [entry.claim for entry in audit.findings if entry.code == row.code]
            assert any(re.search(rf"(?<![\d.]){re.escape(figure)}(?![\d])", claim) for claim in claims), (row, claims)
    assert audit.overview.headline in page or '"' in audit.overview.headline
    assert audit.verdict in printed
    assert audit.verdict.startswith(audit.overview.headline)
    if audit.data.rows:
        assert count_items(audit.data) in screen.subtitle
