"""Tables of responses in every form, damaged tables, and the file that is written."""

from __future__ import annotations

import gzip
import json

import polars as pl
import pytest

import assay
from assay.base.errors import AssayError
from assay.cli.main import status

ITEMS = {
    "id": ["1", "2", "3"],
    "question": ["1 + 1?", "2 + 2?", "3 + 3?"],
    "choices": [["2", "3"], ["3", "4"], ["6", "7"]],
    "answer": ["A", "B", "A"],
    "subject": ["one", "two", "two"],
}
ROWS = [
    {"model": "m", "id": "1", "response": "The answer is (A).", "extracted": "A"},
    {"model": "m", "id": "2", "response": "It is 4, or (B).", "extracted": None},
    {"model": "m", "id": "3", "response": "We\tlook at the", "extracted": "B"},
]


def write_items(folder):
    path = folder / "items.jsonl"
    path.write_text(
        "".join(json.dumps(dict(zip(ITEMS, row, strict=True))) + "\n" for row in zip(*ITEMS.values(), strict=True))
    )
    return path


def check(result):
    (row,) = result.systems
    assert row.states == {"complete": 2, "truncated": 1}
    assert (row.recovered, row.contradicted, row.invented) == (1, 0, 1)
    assert (round(row.graded.value, 3), round(row.read.value, 3), row.complete_only.value) == (0.333, 0.667, 1.0)
    assert [(row.subject, row.n, row.incomplete) for row in result.subjects] == [("one", 1, 0), ("two", 2, 1)]


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz", "r.csv", "r.parquet"])
def test_files_of_all_forms_give_the_same(tmp_path, name):
    path, frame = tmp_path / name, pl.DataFrame(ROWS)
    if name.endswith(".parquet"):
        frame.write_parquet(path)
    elif name.endswith(".csv"):
        frame.write_csv(path)
    else:
        lines = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
        path.write_bytes(gzip.compress(lines) if name.endswith(".gz") else lines)
    check(assay.audit_responses(ITEMS, path))


def test_frames_and_dictionaries_and_lists_give_the_same():
    frame = pl.DataFrame(ROWS)
    for table in (frame, frame.to_dict(as_series=False), ROWS, frame.to_pandas()):
        check(assay.audit_responses(ITEMS, table))


def test_the_file_has_one_row_per_response(tmp_path):
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    out = tmp_path / "out.tsv"
    arguments = ["responses", str(write_items(tmp_path)), "--responses", str(tmp_path / "r.jsonl"), "-o", str(out)]
    assert status([*arguments, "--json", str(tmp_path / "out.json")]) == 0
    lines = [line.split("\t") for line in out.read_text().splitlines()]
    assert lines[0] == ["system", "id", "state", "extracted", "read", "sure", "right_as_graded", "right_as_read"]
    assert lines[1:] == [
        ["m", "1", "complete", "A", "A", "1", "1", "1"],
        ["m", "2", "complete", "", "B", "1", "0", "1"],
        ["m", "3", "truncated", "B", "", "0", "0", "0"],
    ]
    result = json.loads((tmp_path / "out.json").read_text())["result"]
    assert result["systems"][0]["graded"].keys() >= {"value", "low", "high"}
    assert result["ranks"][0]["system"] == "m"


def test_unknown_ids_are_left_out_and_listed():
    result = assay.audit_responses(ITEMS, [*ROWS, ROWS[0] | {"id": "9"}])
    assert result.n_responses == 3
    assert [(entry.what, entry.n) for entry in result.left_out] == [("responses", 1)]
    with pytest.raises(AssayError, match="none of the 1 response has the id"):
        assay.audit_responses(ITEMS, [ROWS[0] | {"id": "9"}])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("r.jsonl", b'{"model": "m", "id": 1}', "no column 'response'"),
        ("r.jsonl", b"[1, 2]", "not a JSON object"),
        ("r.jsonl.gz", b"\x1f\x8bxxxx", "damaged|cannot be read"),
        ("r.csv", b"id,response\n1,\xff\xfe", "cannot be read|damaged"),
        ("r.parquet", b"PAR1xx", "damaged"),
    ],
)
def test_damaged_tables_are_errors(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(AssayError, match=message):
        assay.audit_responses(ITEMS, tmp_path / name)


def test_without_responses_an_error_says_what_to_do():
    with pytest.raises(AssayError, match="There are no responses"):
        assay.audit_responses(ITEMS)


def test_a_table_of_responses_is_recognised_and_needs_items(tmp_path):
    from assay.inputs import InputKind, recognize

    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    assert recognize(path) is InputKind.RESPONSES
    assert recognize(write_items(tmp_path)) is InputKind.DATA
    for function in (assay.audit, assay.audit_responses):
        with pytest.raises(AssayError, match="needs the items that they answer"):
            function(path)


def test_numbers_and_short_texts_are_graded_as_read():
    items = {"id": ["1", "2"], "question": ["How many apples?", "How many pears?"], "answer": ["1,200", "7"]}
    rows = [
        {"model": "m", "id": "1", "response": "So the answer is 1200.", "extracted": None},
        {"model": "m", "id": "2", "response": "3 + 4 = 7.\n#### 7", "extracted": "7"},
    ]
    (row,) = assay.audit_responses(assay.read(items, task="generation"), rows).systems
    assert (row.graded.value, row.read.value, row.recovered) == (0.5, 1.0, 1)


def test_items_and_systems_without_responses_are_said():
    items = {"id": ["1", "2", "3"], "question": ["a", "b", "c"], "choices": [["x", "y"]] * 3, "answer": ["A"] * 3}
    table = {"model": ["m", "m", "n"], "id": ["1", "2", "1"], "response": ["A", "B", "A"]}
    result = assay.audit_responses(items, table)
    assert result.notes == (
        "Without a response, and not counted: 1 item of 3; log-likelihoods are not responses.",
        "Items without a response, of the 2 that other systems answered: n 1.",
    )
    whole = {"model": ["m"] * 3, "id": ["1", "2", "3"], "response": ["A", "B", "A"]}
    assert assay.audit_responses(items, whole).notes == ()


def test_halves_of_surrogate_pairs_are_replaced(tmp_path, capsys):
    rows = [{**ROWS[0], "response": "The answer is (A) \ud83d.", "extracted": "\udfff"}, *ROWS[1:]]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["responses", str(write_items(tmp_path)), "--responses", str(tmp_path / "r.jsonl")]
    assert status([*words, "-o", str(tmp_path / "rows.tsv"), "--json", str(tmp_path / "r.json")]) == 0
    capsys.readouterr()
    assert "m\t1\tcomplete\t?\tA" in (tmp_path / "rows.tsv").read_text()
