"""Corpora of many files: formats side by side, open files, damaged files, and runs that were stopped."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest
import zstandard

from assay import find_contamination
from assay.base.errors import AssayError, UsageError
from assay.cli.main import status
from assay.contamination import shards as shard_search

ITEMS = [" ".join(f"word{item}x{number}" for number in range(12)) for item in range(8)]
N_FILES = 120


def write_file(path, documents):
    lines = "".join(json.dumps({"text": text}) + "\n" for text in documents).encode()
    if path.suffix == ".txt":
        path.write_text("\n\n".join(documents))
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(lines))
    elif path.suffix == ".zst":
        path.write_bytes(zstandard.compress(lines))
    else:
        pl.DataFrame({"text": documents}).write_parquet(path)


@pytest.fixture
def corpus(tmp_path):
    """A folder of files in four formats; every tenth has an item."""
    endings = [".txt", ".jsonl.gz", ".parquet", ".jsonl.zst"]
    for number in range(N_FILES):
        folder = tmp_path / f"part-{number % 3}"
        folder.mkdir(exist_ok=True)
        item = ITEMS[number // 10 % len(ITEMS)] if number % 10 == 0 else "nothing"
        write_file(folder / f"{number:03d}{endings[number % 4]}", [f"Document {number}.", f"Quiz: {item}"])
    return tmp_path


def test_formats_folders_and_globs_give_one_result_and_leave_no_file_open(corpus):
    handles = Path("/proc/self/fd")
    n_open = len(list(handles.iterdir())) if handles.exists() else 0
    result = find_contamination({"text": ITEMS}, corpus)
    assert (result.contaminated, result.documents) == (8, 2 * N_FILES)
    parts = [str(corpus / "part-0"), str(corpus / "part-1" / "*"), str(corpus / "part-2" / "**" / "*")]
    assert find_contamination({"text": ITEMS}, parts) == result
    if handles.exists():
        assert len(list(handles.iterdir())) <= n_open + 2


def test_a_damaged_file_is_named(corpus):
    damaged = corpus / "part-2" / "002.parquet"
    damaged.write_bytes(b"PAR1 not parquet")
    with pytest.raises(AssayError, match=r"002\.parquet"):
        find_contamination({"text": ITEMS}, corpus)
    result = find_contamination({"text": ITEMS}, corpus, damaged="skip")
    assert [each.file for each in result.skipped] == [str(damaged)]
    assert (result.contaminated, result.documents) == (8, 2 * N_FILES - 2)
    assert "left out as damaged: 1 file" in " ".join(result.notes)
    assert result.from_dict(result.to_dict()) == result


def test_a_file_that_breaks_off_does_not_count_in_part(tmp_path):
    content = gzip.compress("".join(json.dumps({"text": item}) + "\n" for item in ITEMS * 20_000).encode())
    (tmp_path / "a.jsonl.gz").write_bytes(content[: len(content) // 2])
    (tmp_path / "b.txt").write_text(ITEMS[0])
    result = find_contamination({"text": ITEMS}, tmp_path, damaged="skip")
    assert (result.contaminated, result.documents, len(result.skipped)) == (1, 1, 1)


def test_a_corpus_of_damaged_files_is_an_error(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(AssayError, match="every file"):
        find_contamination({"text": ITEMS}, tmp_path, damaged="skip")
    with pytest.raises(UsageError, match="'ignore'"):
        find_contamination({"text": ITEMS}, tmp_path, damaged="ignore")


def test_the_command_skips_damaged_files(corpus, capsys):
    (corpus / "part-0" / "000.txt").write_bytes(b"\0\1\2")
    pl.DataFrame({"text": ITEMS}).write_csv(corpus / "items.csv")
    arguments = ["contamination", str(corpus / "items.csv"), "--corpus", str(corpus / "part-*" / "*")]
    assert status(arguments) == 1
    assert "000.txt" in capsys.readouterr().err
    assert status([*arguments, "--damaged", "skip", "--json", str(corpus / "out.json")]) == 0
    assert len(json.loads((corpus / "out.json").read_text())["result"]["skipped"]) == 1


def test_a_stopped_run_continues_with_the_files_that_are_left(corpus, tmp_path, monkeypatch):
    search, n_searched, n_before_the_stop = shard_search._search_blocks, 0, 50

    def search_or_stop(*arguments):
        nonlocal n_searched
        n_searched += 1
        if n_searched > n_before_the_stop:
            raise KeyboardInterrupt
        return search(*arguments)

    monkeypatch.setattr(shard_search, "_search_blocks", search_or_stop)
    cache = tmp_path / "cache"
    with pytest.raises(KeyboardInterrupt):
        find_contamination({"text": ITEMS}, [corpus / f"part-{number}" for number in range(3)], cache=cache)
    n_searched, n_before_the_stop = 0, N_FILES
    parts = [corpus / f"part-{number}" for number in range(3)]
    resumed = find_contamination({"text": ITEMS}, parts, cache=cache)
    assert n_searched == N_FILES - 50
    monkeypatch.undo()
    assert find_contamination({"text": ITEMS}, parts) == resumed


def test_of_very_many_files_neighbours_are_searched_together_by_their_bytes(corpus, monkeypatch):
    files = sorted(str(file) for file in corpus.rglob("*") if file.is_file())
    sources = ["source"] * len(files)
    assert [len(group) for group in shard_search.plan_files(files, sources)] == [1] * len(files)
    monkeypatch.setattr(shard_search, "MAX_SINGLE_FILES", 10)
    monkeypatch.setattr(shard_search, "MIN_GROUP_BYTES", 1000)
    monkeypatch.setattr(shard_search, "MAX_GROUPS", 4)
    groups = shard_search.plan_files(files, sources)
    sizes = [sum(file.state[0] for file in group) for group in groups]
    assert [file.path for group in groups for file in group] == files
    assert len(groups) <= 5
    assert max(sizes[:-1]) < 2 * min(sizes[:-1])
