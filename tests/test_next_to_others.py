"""What is planted for the comparison with other tools, how it is counted, and the page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from benchmarks.next_to_others import COLUMNS, DEFECTS, END, START, compare
from benchmarks.next_to_others_cases import TEXT_DEFECTS, draw_clean_rows
from benchmarks.next_to_others_tools import MARK, TOOLS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "next-to-others.md"


def make_report(case, items, *, is_reported, defect="leaks"):
    return {"case": case, "defect": defect, "items": items, "is_reported": is_reported, "seconds": 2.0}


def test_recall_precision_and_false_alarms_are_counted():
    reports = [
        make_report("a-leaks", ["1", "2", "9"], is_reported=True),
        make_report("b-leaks", [], is_reported=False) | {"is_noted": True},
        make_report("a-clean", ["3"], is_reported=True),
        make_report("b-clean", [], is_reported=False),
        make_report("a-drift", None, is_reported=True, defect="drift"),
    ]
    row = compare("leaks", "tool", reports, {"a-leaks": {"1", "2"}, "b-leaks": {"4"}})
    assert row.write() == "| leaks | tool | 1 of 2 (1 note) | 0.50 | 0.67 | 1 of 2 | 2.0 |"
    assert compare("near copies", "tool", reports, {}) is None


def test_a_tool_that_only_orders_items_is_counted_on_as_many_as_are_planted():
    reports = [make_report("a-wrong gold", ["1", "7", "2"], is_reported=None, defect="wrong gold")]
    row = compare("wrong gold", "tool", reports, {"a-wrong gold": {"1", "2"}})
    assert row.write() == "| wrong gold | tool | order only | 0.50 | 0.50 | – | 2.0 |"


def test_what_is_planted_is_where_the_truth_says(shared):
    shared("uci_news/uci_news.tsv.gz")
    clean = draw_clean_rows("uci_news/uci_news.tsv.gz", 3)
    texts = {row["id"]: row["text"] for row in clean}
    train = {row["text"] for row in clean if row["split"] == "train"}
    changed = {}
    for defect, plant in TEXT_DEFECTS.items():
        rows = [dict(row) for row in clean]
        truth = plant(rows, np.random.default_rng(4))
        changed[defect] = {row["id"] for row, old in zip(rows, clean, strict=True) if row != old}
        if defect != "drift":
            assert changed[defect] == truth
        if defect == "leaks":
            assert all(row["text"] in train for row in rows if row["id"] in truth)
        if defect == "near copies":
            assert not [row for row in rows if row["id"] in truth and row["text"] in train]
        if defect == "shortcut":
            assert {row["id"] for row in rows if MARK in row["text"].split()} == truth
        if defect == "wrong labels":
            assert all(row["text"] == texts[row["id"]] for row in rows)
    assert all(row["split"] == "test" for row in clean if row["id"] in changed["drift"])


def test_the_page_has_every_defect_and_names_known_tools():
    table = PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    rows = [line.strip("| ").split(" | ") for line in table.strip().splitlines()[2:] if line.startswith("|")]
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert {row[0] for row in rows} == set(DEFECTS)
    assert {row[1] for row in rows} <= set(TOOLS)
