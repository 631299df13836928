"""Repairs: every change is listed, and nothing else changes."""

import json

import polars as pl
import pytest

import assay
from assay.base.errors import AssayError, UsageError
from assay.suspects.repairs.proposals import read_proposals
from assay.suspects.repairs.writing import write_data, write_log

ROWS = {
    "id": ["a", "b", "c", "d"],
    "text": ["good", "bad", "fine", "poor"],
    "label": ["pos", "pos", "pos", "neg"],
    "year": ["1", "2", "3", "4"],
}
SUSPECTS = pl.DataFrame(
    {"id": ["b", "c"], "suggested": ["neg", None], "suspicion": [0.9, 0.6], "reasons": ["3 of 3 answer neg", "unclear"]}
)
AUDIT = {
    "result": {
        "items_summary": {"keep": 2, "repair": 1, "retire": 1},
        "items_top": [
            {"id": "d", "proposal": "retire", "leak": "exact", "reasons": "also in training"},
            {"id": "b", "proposal": "repair", "suggested": "neg", "suspicion": 0.7, "reasons": "doubtful label"},
        ],
    }
}


def changed_cells(before: pl.DataFrame, after: pl.DataFrame) -> set[tuple[str, str, str]]:
    """Return (id, column, new cell) of every cell that differs."""
    joined = before.join(after, on="id", suffix=" after")
    columns = [name for name in before.columns if name != "id"]
    return {
        (row["id"], name, row[f"{name} after"])
        for row in joined.to_dicts()
        for name in columns
        if row[name] != row[f"{name} after"]
    }


def test_labels_are_corrected_and_listed():
    result = assay.repair(ROWS, suspects=SUSPECTS, relabel=True)
    assert changed_cells(pl.DataFrame(ROWS), result.data) == {("b", "label", "neg")}
    assert [change.to_dict() for change in result.changes] == [
        {"id": "b", "action": "relabel", "column": "label", "old": "pos", "new": "neg", "reason": "3 of 3 answer neg"}
    ]


def test_suspects_are_dropped_from_a_threshold():
    result = assay.repair(ROWS, suspects=SUSPECTS, drop=["suspects"], min_suspicion=0.7)
    assert result.data["id"].to_list() == ["a", "c", "d"]
    assert [(change.id, change.action) for change in result.changes] == [("b", "drop")]


@pytest.mark.parametrize("drop", ["retire", "leak"])
def test_an_audit_is_applied(tmp_path, drop):
    path = tmp_path / "audit.json"
    path.write_text(json.dumps(AUDIT), encoding="utf-8")
    result = assay.repair(ROWS, audit=path, drop=[drop], relabel=True)
    assert result.data["id"].to_list() == ["a", "b", "c"]
    assert {(change.id, change.action) for change in result.changes} == {("d", "drop"), ("b", "relabel")}
    assert (result.n_before, result.n_after, result.n_dropped, result.n_relabelled) == (4, 3, 1, 1)


def test_an_audit_that_lists_only_some_items_is_refused():
    audit = {"result": AUDIT["result"] | {"items_summary": {"keep": 0, "repair": 1, "retire": 700}}}
    with pytest.raises(AssayError, match="it lists 1 of 700 items to retire"):
        assay.repair(ROWS, audit=audit, drop=["retire"])


def test_labels_are_written_as_their_column_spells_them():
    rows = {"text": ["one", "two", "three"], "label": [" pos", "neg ", " pos"]}
    suspects = pl.DataFrame({"id": ["1"], "suggested": ["pos"], "suspicion": [0.9], "reasons": [""]})
    data = assay.read(rows)
    assert assay.repair(data, suspects=suspects, relabel=True).data["label"].to_list()[1].strip() == "pos"


def test_scores_and_ranks_before_and_after():
    predictions = [
        {"id": name, "gold": label, "x": x, "y": y}
        for name, label, x, y in zip(
            ROWS["id"], ROWS["label"], ["pos", "neg", "pos", "neg"], ["pos", "pos", "neg", "neg"], strict=True
        )
    ]
    result = assay.repair(ROWS, suspects=SUSPECTS, relabel=True, predictions=predictions)
    assert {system.system: (system.before, system.after) for system in result.systems} == {
        "x": (0.75, 1.0),
        "y": (0.75, 0.5),
    }
    assert {system.system: (system.rank_before, system.rank_after) for system in result.systems} == {
        "x": (1, 1),
        "y": (1, 2),
    }
    assert [system.system for system in result.moved] == ["y"]


def test_ids_that_are_not_in_the_data_are_reported():
    more = pl.concat([SUSPECTS, SUSPECTS.with_columns(id=pl.lit("z")).head(1)])
    assert "1 proposals are for ids" in assay.repair(ROWS, suspects=more, relabel=True).notes[0]
    with pytest.raises(AssayError, match="none of the proposed ids"):
        assay.repair(ROWS, suspects=more.tail(1), relabel=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "nothing to go by"),
        ({"suspects": SUSPECTS}, "Nothing is to be changed"),
        ({"suspects": SUSPECTS, "drop": ["leaks"]}, "leaks"),
        ({"suspects": SUSPECTS, "relabel": True, "min_suspicion": 2}, "between 0 and 1"),
    ],
)
def test_requests_that_make_no_sense_are_refused(options, message):
    with pytest.raises(AssayError, match=message):
        assay.repair(ROWS, **options)


def test_usage_errors_are_usage_errors():
    with pytest.raises(UsageError):
        assay.repair(ROWS)


@pytest.mark.parametrize("suffix", ["tsv", "csv", "jsonl", "parquet"])
def test_written_data_reads_back(tmp_path, suffix):
    result = assay.repair(ROWS, suspects=SUSPECTS, relabel=True)
    path = tmp_path / f"clean.{suffix}"
    write_data(path, result.data)
    assert assay.read(path).to_frame().drop("id").equals(assay.read(result.data).to_frame().drop("id"))


def test_tsv_refuses_cells_it_would_change(tmp_path):
    with pytest.raises(AssayError, match="tabs or line breaks of column 'text'"):
        write_data(tmp_path / "clean.tsv", pl.DataFrame({"text": ["a\tb"]}))


def test_the_log_has_one_row_per_change(tmp_path):
    result = assay.repair(ROWS, suspects=SUSPECTS, relabel=True, drop=["suspects"], min_suspicion=0.6)
    path = tmp_path / "log.tsv"
    write_log(path, result)
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines == [
        ["id", "action", "column", "old", "new", "reason"],
        ["b", "drop", "", "", "", "3 of 3 answer neg"],
        ["c", "drop", "", "", "", "unclear"],
    ]


def test_the_commands_find_and_repair(run, tmp_path):
    gold = ["a", "b"] * 30
    answers = ["b", *gold[1:]]
    data, predictions = tmp_path / "data.tsv", tmp_path / "predictions.tsv"
    lines = [f"{row}\ttext {row}\t{label}" for row, label in enumerate(gold)]
    data.write_text("\n".join(["id\ttext\tlabel", *lines]) + "\n", encoding="utf-8")
    lines = [f"{row}\t{label}\t{label}\t{label}" for row, label in enumerate(answers)]
    predictions.write_text("\n".join(["id\tx\ty\tz", *lines]) + "\n", encoding="utf-8")
    suspects, clean = tmp_path / "suspects.tsv", tmp_path / "clean.tsv"
    done = run("suspects", data, "--predictions", predictions, "--no-text-model", "-o", suspects, "--json", "-")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["items_top"][0]["suggested"] == "b"
    assert suspects.read_text(encoding="utf-8").splitlines()[0] == "id\tlabel\tsuggested\tsuspicion\treasons"
    options = ["--relabel", "--min-suspicion", 0.1]  # three equal systems are one, which only orders the items
    done = run("repair", data, "--suspects", suspects, *options, "-o", clean, "--predictions", predictions)
    assert done.returncode == 0, done.stderr
    assert clean.read_text(encoding="utf-8").splitlines()[1] == "0\ttext 0\tb"
    assert len((tmp_path / "clean.changes.tsv").read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize("item", [None, [], "x", {"id": ["1"]}, {"id": "1", "suspicion": {}}])
def test_a_damaged_item_of_a_json_file_is_named(tmp_path, item):
    path = tmp_path / "audit.json"
    path.write_text(json.dumps({"items_top": [{"id": "0", "suspicion": 0.5}, item]}), encoding="utf-8")
    with pytest.raises(AssayError, match=r"audit\.json: item 2 is damaged"):
        read_proposals(path)


def test_a_repair_that_changes_nothing_says_why():
    suspects = SUSPECTS.with_columns(suspicion=pl.Series([0.2, 0.1]))
    result = assay.repair(ROWS, suspects=suspects, relabel=True)
    assert result.notes == ["Nothing is changed: the highest suspicion is 0.2, and changes need 0.5."]
    assert assay.repair(ROWS, suspects=SUSPECTS, relabel=True).notes == []
