"""The same source is recognised as the same kind of input, whatever form it has and whoever asks."""

from __future__ import annotations

import io
import json
import sqlite3

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay
from assay.base.errors import UsageError
from assay.cli.main import status
from assay.discrimination import read_scores
from assay.evaluation import read_predictions
from assay.inputs import InputKind, recognize
from assay.judges import read_verdicts
from assay.votes import VoteRatings, read_votes
from assay.web.store import VersionStore
from assay.web.uploads import copy_local_file
from assay.web.work.preview import recognise_files

TABLES = {
    "data": {"text": ["a good film", "a bad film"], "label": ["pos", "neg"]},
    "predictions": {"id": ["1", "2"], "system": ["x", "x"], "predicted": ["a", "b"]},
    "scores": {"model": ["x", "y"], "MMLU": ["71.2", "60"], "GSM8K": ["50", "40.5"]},
    "votes": {"model_a": ["x", "y"], "model_b": ["y", "x"], "winner": ["model_a", "tie"]},
    "verdicts": {"id": ["1", "2"], "judge": ["j", "j"], "verdict": ["a", "tie"]},
}
LOG = {"doc_id": 0, "doc": {"question": "2+2?"}, "target": "4", "filter": "none", "resps": [["4"]], "doc_hash": "h"}
LOG_NAME = "samples_arith_2026-01-01T00-00-00.000001.jsonl"
RUN = "".join(f"q{n} Q0 d{n} 1 2.5 bm25\n" for n in range(6))


def write_file(folder, kind, form):
    frame, path = pl.DataFrame(TABLES[kind]), folder / f"{kind}.{form}"
    if form in ("csv", "tsv"):
        frame.write_csv(path, separator="," if form == "csv" else "\t")
    elif form == "parquet":
        frame.write_parquet(path)
    elif form == "jsonl":
        frame.write_ndjson(path)
    else:
        path.write_text(json.dumps(frame.to_dicts()))
    return path


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "jsonl", "json"])
def test_library_command_and_page_recognise_a_file_alike(kind, form, tmp_path):
    path = write_file(tmp_path, kind, form)
    version = VersionStore(tmp_path / "state").create()
    copy_local_file(version, "auto", path)
    assert recognize(path) is recognize(str(path)) is recognize([path]) is InputKind(kind)
    assert [*recognise_files(version).values()] == [kind]


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_in_memory_is_recognised_like_its_file(kind):
    frame = pl.DataFrame(TABLES[kind])
    forms = [frame, frame.lazy(), frame.to_arrow(), pd.DataFrame(TABLES[kind]), TABLES[kind], frame.to_dicts()]
    assert {recognize(form) for form in forms} == {InputKind(kind)}


def test_objects_of_assay_know_their_kind(tmp_path):
    (tmp_path / LOG_NAME).write_text(json.dumps(LOG) + "\n")
    assert recognize(assay.read(TABLES["data"])) is InputKind.DATA
    assert recognize(read_votes(TABLES["votes"])) is InputKind.VOTES
    assert recognize(read_scores(TABLES["scores"])) is InputKind.SCORES
    assert recognize(read_verdicts(TABLES["verdicts"])) is InputKind.VERDICTS
    assert recognize(read_predictions([{"id": "1", "gold": "a", "x": "a"}])) is InputKind.PREDICTIONS


def test_logs_and_runs_are_recognised(tmp_path):
    (tmp_path / "logs").mkdir()
    log = tmp_path / "logs" / LOG_NAME
    log.write_text(json.dumps(LOG) + "\n")
    (tmp_path / "run.txt").write_text(RUN)
    assert recognize(log) is recognize(log.parent) is recognize([log]) is InputKind.LOGS
    assert recognize(tmp_path / "run.txt") is InputKind.PREDICTIONS


def test_anything_else_is_data(tmp_path):
    (tmp_path / "damaged.parquet").write_bytes(b"PAR1 and nothing else")
    (tmp_path / "empty").mkdir()
    others = [None, "nowhere.csv", "hf:owner/name", "a\0b", tmp_path / "damaged.parquet", tmp_path / "empty"]
    others += [["a good film", "a bad film"], {"train": pl.DataFrame(TABLES["votes"])}, 7]
    assert {recognize(other) for other in others} == {InputKind.DATA}


def test_a_stream_is_not_consumed():
    database = sqlite3.connect(":memory:")
    database.execute("create table votes (model_a, model_b, winner)")
    database.execute("insert into votes values ('x', 'y', 'tie')")
    cursor = database.execute("select * from votes")
    batches = pa.table(TABLES["votes"]).to_reader()
    assert recognize(cursor) is recognize(batches) is InputKind.DATA
    assert len(cursor.fetchall()) == 1
    assert batches.read_all().num_rows == 2


@pytest.mark.parametrize("ending", ["csv", "json", "csv.gz"])
def test_only_the_first_rows_of_a_long_file_are_read(ending, tmp_path, monkeypatch):
    rows = pl.DataFrame({"model_a": ["x" * 50] * 6000, "model_b": ["y" * 50] * 6000, "winner": ["tie"] * 6000})
    path = tmp_path / f"long.{ending}"
    content = json.dumps(rows.to_dicts()) if ending == "json" else rows.write_csv()
    if ending.endswith("gz"):
        import gzip

        path.write_bytes(gzip.compress(content.encode()))
    else:
        path.write_text(content)
    if ending != "json":  # of which no part can be read alone
        monkeypatch.setattr("assay.data.readers.files.read_file", lambda *_, **__: pytest.fail("all rows are read"))
    assert recognize(path) is InputKind.VOTES


def test_the_column_of_the_winner_can_be_named():
    table = {"model_a": ["x"], "model_b": ["y"], "better": ["model_a"]}
    assert recognize(table) is not InputKind.VOTES
    assert recognize(table, winner="better") is InputKind.VOTES


def test_votes_are_rated_in_python_as_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "votes.csv"
    games = [("x", "y", "model_a"), ("y", "z", "model_a"), ("z", "x", "model_a"), ("x", "y", "tie"), ("x", "z", "")]
    path.write_text("model_a,model_b,winner\n" + "".join(",".join(game) + "\n" for game in games))
    result = assay.discriminate(path)
    assert isinstance(result, VoteRatings)
    assert status(["discriminate", str(path), "--json", "-"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert [row["system"] for row in content["result"]["ratings"]] == [row.system for row in result.ratings]
    assert content["data"]["left_out"] == [{"what": "rows", "n": 1, "reason": "1 without a winner or a system"}]
    with pytest.raises(UsageError, match="winner needs a table of votes"):
        assay.discriminate(TABLES["scores"], winner="x")


@pytest.mark.parametrize(
    ("kind", "section"), [("scores", "discrimination"), ("verdicts", "judges"), ("votes", "votes")]
)
def test_tables_are_audited_as_what_they_are(kind, section, tmp_path, capsys):
    table = {name: cells * 4 for name, cells in TABLES[kind].items()}
    if kind == "verdicts":
        table |= {"id": [str(number // 2) for number in range(8)], "judge": ["j", "k"] * 4}
    if kind == "scores":
        table["model"] = [f"m{number}" for number in range(8)]
    path = tmp_path / f"{kind}.csv"
    pl.DataFrame(table).write_csv(path)
    result = assay.audit(path, only=[section])
    assert result.sections[section].status == "done"
    assert status(["audit", str(path), "--only", section, "--no-cache", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["result"]["sections"][section]["status"] == "done"


@pytest.mark.parametrize("kind", ["data", "votes"])
def test_standard_input_is_recognised_like_a_file(kind, tmp_path, monkeypatch):
    from assay.inputs.standard_input import spool_standard_input

    path = write_file(tmp_path, kind, "tsv")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    with spool_standard_input() as copy:
        assert recognize(copy) is InputKind(kind)
    assert not copy.exists()


WIDE = {"id": ["1", "2", "3"], "x": ["a", "b", "tie"], "y": ["b", "b", "a"]}


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        (WIDE, "verdicts"),
        ({"id": ["1", "2", "3"], "gold": ["1", "2", "2"], "x": ["1", "2", "0"], "y": ["2", "2", "1"]}, "verdicts"),
        ({"id": ["1", "2"], "human": ["yes", "no"], "gpt": ["no", "no"]}, "verdicts"),
        ({"id": ["1", "2", "3"], "judge_a": ["7", "3", "5"], "judge_b": ["8", "2", "9"]}, "verdicts"),
        (
            {"id": ["1", "1", "2"], "model": ["m", "n", "n"], "gpt": ["1", "2", "1"], "claude": ["2", "2", "1"]},
            "verdicts",
        ),
        (
            {"id": ["1", "2"], "model_a": ["m", "n"], "model_b": ["o", "p"], "x": ["1", "2"], "y": ["2", "2"]},
            "verdicts",
        ),
        ({"id": ["1", "2", "3"], "x": ["0", "1", "2"], "y": ["1", "1", "2"]}, "predictions"),  # three classes
        ({"id": ["1", "2"], "gold": ["1", "2"], "x": ["1", "1"]}, "predictions"),
        ({"id": ["1", "2"], "x": ["a", "b"], "y": ["b", "c"]}, "predictions"),  # options
        ({"id": ["1", "2"], "x": ["yes", "no"], "y": ["no", "no"]}, "predictions"),
        ({"id": ["1", "2"], "x": ["71.5", "3"], "y": ["8", "2"]}, "predictions"),
    ],
)
def test_columns_of_judges_are_no_systems(columns, kind):
    assert recognize(columns) == kind


def test_wide_verdicts_are_audited_wherever_they_are_given(tmp_path, capsys):
    path = tmp_path / "pairs.csv"
    pl.DataFrame({name: values * 20 for name, values in WIDE.items()}).with_columns(
        id=pl.int_range(60).cast(pl.String)
    ).write_csv(path)
    assert [row.judge for row in assay.audit(path).evidence.results["judges"].judges] == ["x", "y"]
    assert status(["audit", str(path)]) == 0
    assert "judges" in capsys.readouterr().out
    plain = pl.DataFrame({"id": ["1", "2"], "x": ["yes", "no"], "y": ["no", "no"]})
    plain.write_csv(tmp_path / "verdicts.csv")  # the name of the file counts if nothing else decides
    assert recognize(tmp_path / "verdicts.csv") is InputKind.VERDICTS
