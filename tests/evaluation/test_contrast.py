"""Items that one system gets right and another wrong."""

from __future__ import annotations

import polars as pl
import pytest

import assay
from assay.base.errors import AssayError

DATA = {
    "id": ["1", "2", "3", "4", "5"],
    "text": ["one", "two", "three", "four", "five"],
    "label": ["a", "b", "a", "b", "a"],
    "topic": ["x", "x", "y", "y", "y"],
}
ANSWERS = {"A": ["a", "b", "b", "a", "a"], "B": ["b", "b", "a", "b", None], "C": ["a"] * 5}


def test_items_are_listed_with_both_answers_and_their_slices():
    contrast = assay.evaluate(DATA, ANSWERS, metrics="accuracy", contrast=("A", "B")).contrast
    assert [(item.id, item.better, item.first_answer, item.second_answer) for item in contrast.items][:1] == [
        ("1", "first", "a", "b")
    ]
    assert {item.id for item in contrast.items if item.better == "second"} == {"3", "4"}
    assert contrast.items[0].text == "one"
    assert contrast.n_only_second == 2
    topics = {row.slice: (row.only_first, row.only_second) for row in contrast.slices if row.by == "topic"}
    assert topics["x"] == (1, 0)
    assert topics["y"][1] == 2


def test_repeats_count_by_their_mean():
    rows = [
        {"system": system, "id": "q", "repeat": repeat, "score": score}
        for system, scores in (("A", (1, 1)), ("B", (1, 0)))
        for repeat, score in enumerate(scores)
    ]
    result = assay.evaluate(None, rows, contrast=("A", "B"))
    assert [(item.better, item.first_score, item.second_score) for item in result.contrast.items] == [
        ("first", 1.0, 0.5)
    ]
    assert result.items.to_dicts() == [{"id": "q", "A": 1.0, "B": 0.5}]


def test_unknown_systems_are_named():
    with pytest.raises(AssayError, match="No system 'D'"):
        assay.evaluate(DATA, ANSWERS, contrast=("A", "D"))
    with pytest.raises(AssayError, match="two different systems"):
        assay.evaluate(DATA, ANSWERS, contrast=("A", "A"))


def test_the_command_prints_the_items_and_writes_one_column_per_system(run, tmp_path):
    pl.DataFrame(DATA).write_csv(tmp_path / "data.tsv", separator="\t")
    pl.DataFrame({"id": DATA["id"], **ANSWERS}).write_csv(tmp_path / "p.tsv", separator="\t", null_value="NA")
    done = run(
        "evaluate", tmp_path / "data.tsv", "--predictions", tmp_path / "p.tsv", "--metric", "accuracy",
        "--contrast", "A", "B", "--items", tmp_path / "items.tsv", "--no-baselines",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "A right, B wrong" in done.stdout
    assert "B right, A wrong" in done.stdout
    lines = [line.split("\t") for line in (tmp_path / "items.tsv").read_text().splitlines()]
    assert lines[0] == ["id", "text", "gold", "A", "B", "C"]
    assert lines[1] == ["1", "one", "a", "1", "0", "1"]
