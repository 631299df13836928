"""The atlas of benchmarks: its page has a row for every benchmark, made of aggregate figures only."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.atlas import COLUMNS, END, ENTRIES, START, percent, write_row, write_table

from tests.example_audit import make_audit

PAGE = Path(__file__).resolve().parents[1] / "docs" / "atlas.md"


def test_the_page_has_a_row_for_every_benchmark():
    table = PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    rows = [line.split(" | ") for line in table.strip().splitlines()[2:]]
    assert [row[0].removeprefix("| ") for row in rows] == [entry.title for entry in ENTRIES.values()]
    assert len(rows) >= 15
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
