"""The atlas of benchmarks: its page has a row for every benchmark, made of aggregate figures only."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.atlas import COLUMNS, END, ENTRIES, START, percent, replace_rows, write_row, write_table
from benchmarks.atlas_checks import count_right_verdicts, find_missing_documents

from tests.example_audit import make_audit

PAGE = Path(__file__).resolve().parents[1] / "docs" / "atlas.md"


def test_the_page_has_a_row_for_every_benchmark():
    table = PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    rows = [line.split(" | ") for line in table.strip().splitlines()[2:]]
    assert [row[0].removeprefix("| ") for row in rows] == [entry.title for entry in ENTRIES.values()]
    assert len(rows) >= 40
    assert {len(row) for row in rows} == {len(COLUMNS)}


def test_a_row_has_counts_and_no_text_of_items():
    entry = ENTRIES["sst2"]
    row = write_row(entry, make_audit(text="secret"))
    assert row.startswith(f"| {entry.title} | classification | 40 |")
    assert "secret" not in row
    assert len(write_table([row]).splitlines()) == 3


@pytest.mark.parametrize(("share", "text"), [(0.0, "0%"), (0.0512, "5.1%"), (0.41, "41%"), (1.0, "100%")])
def test_shares_are_written_with_a_decimal_below_ten_percent(share, text):
    assert percent(share) == text


def test_rows_that_were_not_measured_stay_on_the_page():
    table = PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    title = ENTRIES["sst2"].title
    rows = replace_rows(table, {title: f"| {title} | new |"})
    old = table.strip().splitlines()[2:]
    place = list(ENTRIES).index("sst2")
    assert rows[place] == f"| {title} | new |"
    assert [*rows[:place], *rows[place + 1 :]] == [*old[:place], *old[place + 1 :]]


def test_the_numbers_of_the_page_are_those_of_the_raw_files(shared):
    shared("llmbar/items.tsv.gz")
    text = PAGE.read_text(encoding="utf-8")
    shares, constant = count_right_verdicts()
    worse = sum(share < constant for share in shares.values())
    assert f"{worse} of {len(shares)} judges of LLMBar are right less often than a constant verdict" in text
    assert f"ChatGPT with a plain prompt in {shares['ChatGPT/Vanilla']:.1%}" in text
    missing, n = find_missing_documents()
    assert f"{len(missing)} of the {n} judgements" in text
