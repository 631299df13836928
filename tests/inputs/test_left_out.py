"""What is not used is part of the result."""

from __future__ import annotations

import json

import pytest

import assay
from assay.base.errors import AssayError
from assay.cli.main import status
from assay.discrimination import read_scores
from assay.judges import read_verdicts
from assay.logs import read_logs
from assay.report.content import describe_subject

LOG = {"filter": "none", "doc_hash": "h", "acc": 1.0, "metrics": ["acc"]}


def write_logs(folder):
    folder.mkdir()
    for task in ("arith", "algebra"):
        rows = [
            LOG | {"doc_id": n, "doc": {"question": f"{n}+{n}?"}, "target": str(2 * n), "resps": [[str(2 * n)]]}
            for n in range(4)
        ]
        content = "\n".join(map(json.dumps, rows)) + "\n" if task == "arith" else '{"doc_id": 0, "doc": {'
        (folder / f"samples_{task}_2026-01-01T00-00-00.000001.jsonl").write_text(content)
    return folder


def test_a_damaged_log_is_skipped_and_listed(tmp_path):
    folder = write_logs(tmp_path / "logs")
    logs = read_logs(folder)
    assert len({record.item for record in logs.records}) == 4
    assert [(entry.what, entry.n) for entry in logs.left_out] == [("files", 1)]
    assert "samples_algebra" in logs.left_out[0].reason
    assert any(note.startswith("Warning: a log is skipped") for note in logs.notes)
    assert assay.read(folder).left_out == logs.left_out
    with pytest.raises(AssayError, match="samples_algebra"):
        read_logs(folder, strict=True)
    with pytest.raises(AssayError, match="samples_algebra"):
        assay.read(folder, strict=True)


def test_commands_skip_a_damaged_log_unless_they_are_strict(tmp_path, capsys):
    folder = write_logs(tmp_path / "logs")
    for command in ("discriminate", "profile"):
        assert status([command, str(folder), "--json", "-"]) == 0
        assert json.loads(capsys.readouterr().out)["data"]["left_out"][0]["n"] == 1
        assert status([command, str(folder), "--strict", "--json", "-"]) == 1
        assert "samples_algebra" in capsys.readouterr().err


def test_a_folder_of_damaged_logs_is_an_error(tmp_path):
    folder = write_logs(tmp_path / "logs")
    next(folder.glob("samples_arith*")).unlink()
    with pytest.raises(AssayError, match="samples_algebra"):
        read_logs(folder)


def test_files_of_no_part_and_rows_are_listed(tmp_path, capsys):
    for name in ("train", "test", "notes"):
        (tmp_path / f"{name}.csv").write_text("text,label\na good film,pos\na bad film,neg\n,pos\nodd,\n")
    data = assay.read(tmp_path, missing="drop")
    assert [(entry.what, entry.n) for entry in data.left_out] == [("files", 1), ("rows", 4)]
    assert status(["profile", str(tmp_path), "--missing", "drop", "--json", "-"]) == 0
    entries = json.loads(capsys.readouterr().out)["data"]["left_out"]
    assert entries[0] == {"what": "files", "n": 1, "reason": "their names mention no part: notes.csv"}
    assert assay.read(tmp_path, sample=3).left_out[-1].n == 5


def test_columns_that_look_like_labels_are_listed():
    table = {"text": [f"text {n}" for n in range(20)], "genre": ["film", "book"] * 10, "page": [*map(str, range(20))]}
    (entry,) = assay.read(table).left_out
    assert (entry.what, entry.n) == ("columns", 1)
    assert "genre" in entry.reason
    assert assay.read(table, label="none").left_out == ()
    assert assay.read(table | {"label": ["a", "b"] * 10}).left_out == ()


def test_the_subtitle_and_the_data_of_an_audit_say_what_is_left_out():
    table = {"text": [f"text {n}" for n in range(30)], "label": ["a", "b", None] * 10}
    result = assay.audit(assay.read(table, missing="drop"), only=["profile"])
    assert [(entry.what, entry.n) for entry in result.data.left_out] == [("rows", 10)]
    assert describe_subject(result) == "20 items · not used: 10 rows"
    kept = assay.audit({"text": [*table["text"]], "label": [*"ab" * 10, *[""] * 10]}, only=["profile"])
    assert describe_subject(kept) == "30 items · 10 without a gold label"
    bare = assay.audit({"text": [*table["text"]]}, only=["profile"])
    assert describe_subject(bare) == "30 items · all without a gold label"


def test_score_tables_and_verdicts_list_what_they_leave_out():
    scores = read_scores({"model": ["x", "y"], "rank": ["1", "2"], "MMLU": ["70", "60"], "GSM8K": ["50", ""]})
    assert [(entry.what, entry.n) for entry in scores.left_out] == [("columns", 1), ("cells", 1)]
    verdicts = read_verdicts({"id": ["1", "2"], "judge": ["j", "j"], "verdict": ["a", ""]})
    assert [(entry.what, entry.n) for entry in verdicts.left_out] == [("verdicts", 1)]


def test_verdicts_that_are_left_out_are_in_the_json_of_judges(tmp_path, capsys):
    path = tmp_path / "verdicts.csv"
    path.write_text(
        "id,judge,verdict\n" + "".join(f"{n},{judge},{'ab'[n % 2]}\n" for n in range(6) for judge in "jk") + "7,j,\n"
    )
    assert status(["judges", str(path), "--json", "-"]) == 0
    entry = {"what": "verdicts", "n": 1, "reason": "missing or unreadable"}
    assert json.loads(capsys.readouterr().out)["data"]["left_out"] == [entry]


def test_predicted_ids_that_are_not_used_are_in_every_result():
    data = {"id": ["1", "2", "3"], "text": ["a", "b", "c"], "label": ["x", "y", None]}
    predictions = {"id": ["1", "2", "3", "9"], "s": ["x", "y", "x", "y"], "t": ["x", "x", "x", "y"]}
    dataset = assay.read(data)
    entries = [("predicted ids", 1, "they are not in the data"), ("predicted ids", 1, "their items have no gold label")]
    for result in (assay.evaluate(dataset, predictions), assay.discriminate(None, predictions, data=dataset)):
        assert [(entry.what, entry.n, entry.reason) for entry in result.left_out] == entries
