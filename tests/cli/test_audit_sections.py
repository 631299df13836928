"""An audit in which nothing could be measured is an error; a section that fails is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.audits import CHECKS, Audit
from assay.cli.main import status


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"i{n}\tthe text number {n} is one of a few\t{'ab'[n % 2]}\n" for n in range(20))
    (tmp_path / "data.tsv").write_text(f"id\ttext\tlabel\n{rows}")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("corpus.txt", b"\0\1\2", "this is a binary file"),
        ("corpus.jsonl", b'{"text": ', "corpus.jsonl"),
        ("corpus.txt.gz", b"plain", "is damaged"),
        ("corpus.parquet", b"PAR1", "corpus.parquet"),
    ],
)
def test_a_damaged_corpus_ends_an_audit_of_contamination(folder, capsys, name, content, reason):
    (folder / name).write_bytes(content)
    command = ["audit", "data.tsv", "--corpus", name, "--only", "contamination", "--no-cache", "--json", "a.json"]
    assert status(command) == 1
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("Error: Nothing was measured. contamination: ")
    assert reason in line
    assert (folder / "a.json").exists()


def test_a_section_that_fails_is_named_next_to_others(folder, capsys, monkeypatch):
    def fail(_benchmark):
        raise KeyError("lost")

    monkeypatch.setitem(CHECKS._methods, "difficulty", replace(CHECKS["difficulty"], measure=fail))
    with pytest.raises(SystemExit, match="70"):
        status(["audit", "data.tsv", "--only", "profile,difficulty", "--no-cache", "--json", "a.json"])
    assert "The section difficulty failed. This is a bug in assay" in capsys.readouterr().err
    audit = Audit.from_json("a.json")
    assert audit.verdict.startswith("This audit is incomplete: 1 section failed with an error of assay (difficulty).")
    assert (folder / "data.tsv").exists()
