"""The command: JSON, the table of hits, and what it prints."""

from __future__ import annotations

import json

import polars as pl
import pytest

from assay.cli.main import status

QUESTION = "Which treaty ended the long war between the two northern kingdoms"


@pytest.fixture
def files(tmp_path):
    data = {"id": ["a", "b"], "text": [QUESTION, "How many eggs does the farmer sell at the market"]}
    pl.DataFrame(data).write_csv(tmp_path / "bench.tsv", separator="\t")
    (tmp_path / "corpus.txt").write_text(f"Nothing.\n\nQuiz: {QUESTION}?\n", encoding="utf-8")
    return tmp_path


def test_the_command_writes_json_and_hits(files, capsys):
    arguments = [str(files / "bench.tsv"), "--corpus", f"{files}/*.txt", "--json", str(files / "out.json")]
    assert status(["contamination", *arguments, "-o", str(files / "hits.tsv")]) == 0
    result = json.loads((files / "out.json").read_text())["result"]
    assert {name: result[name] for name in ("items", "contaminated", "share", "documents")} == {
        "items": 2,
        "contaminated": 1,
        "share": 0.5,
        "documents": 2,
    }
    hit = {"id": "a", "score": 1, "question_overlap": 1, "answer_overlap": None}
    assert result["hits"] == [hit | {"file": str(files / "corpus.txt"), "row": 1, "text_seen": 1, "item_seen": 1}]
    lines = (files / "hits.tsv").read_text().splitlines()
    assert lines[0] == "id\tscore\tquestion_overlap\tanswer_overlap\tfile\trow\ttext_seen\titem_seen"
    assert lines[1].split("\t")[0] == "a"
    assert "1 item of 2 in the corpus" in capsys.readouterr().out


def test_without_hits_the_table_has_only_its_header(files):
    (files / "corpus.txt").write_text("Nothing.", encoding="utf-8")
    arguments = [str(files / "bench.tsv"), "--corpus", str(files / "corpus.txt"), "-o", str(files / "hits.tsv")]
    assert status(["contamination", *arguments]) == 0
    assert len((files / "hits.tsv").read_text().splitlines()) == 1


def test_the_corpus_is_never_overwritten(files, capsys):
    arguments = [str(files / "bench.tsv"), "--corpus", str(files / "corpus.txt"), "-o", str(files / "corpus.txt")]
    assert status(["contamination", *arguments]) == 2
    assert "overwrite" in capsys.readouterr().err
