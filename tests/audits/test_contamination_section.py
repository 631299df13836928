"""The corpus in an audit: section, item table, cache, command line."""

from __future__ import annotations

import gzip
import json

import polars as pl
import pytest

import assay
from assay.base.errors import UsageError
from assay.cli.main import status
from assay.report import render_page

ITEM = "Which river flows through the old town of Heidelberg before it joins the Rhine?"
OTHER = "Who painted the large ceiling of the chapel that every guide of the city names first?"
THIRD = "How many bridges cross the canal between the two oldest quarters of the port?"
DATA = {"id": ["a", "b", "c"], "text": [ITEM, OTHER, THIRD], "split": ["test", "test", "train"]}


@pytest.fixture
def corpus(tmp_path):
    for folder, texts in {"web": [ITEM, "nothing"], "books": [THIRD, "a book", "another"]}.items():
        (tmp_path / folder).mkdir()
        with gzip.open(tmp_path / folder / "0.jsonl.gz", "wt") as file:
            file.writelines(json.dumps({"text": text}) + "\n" for text in texts)
    return tmp_path


def test_only_tested_items_count_and_every_folder_is_a_source(corpus):
    result = assay.audit(DATA, corpus=[corpus / "web", corpus / "books"], only=["contamination"])
    evidence = result.evidence.contamination
    assert [(part.part, part.items.count, part.items.n) for part in evidence.parts] == [("test", 1, 2)]
    assert [(row.name.rsplit("/")[-1], row.documents, row.contaminated) for row in evidence.sources] == [
        ("web", 2, 1),
        ("books", 3, 1),
    ]
    assert result.items["contamination"].to_list() == [1.0, None, None]
    assert result.items["proposal"].to_list() == ["retire", "keep", "keep"]
    assert "in the training corpus" in result.items["reasons"][0]
    assert [finding.code for finding in result.findings] == ["A801"]
    assert "Paraphrases" in render_page(result)


def test_a_changed_corpus_is_searched_again(corpus, tmp_path):
    run = lambda: assay.audit(DATA, corpus=corpus / "web", only=["contamination"], cache=tmp_path / "cache")  # noqa: E731
    assert run().evidence.contamination.parts[0].items.count == 1
    with gzip.open(corpus / "web" / "0.jsonl.gz", "wt") as file:
        file.write(json.dumps({"text": "something else"}) + "\n")
    assert run().evidence.contamination.parts[0].items.count == 0


def test_without_a_corpus_there_is_no_section():
    assert "contamination" not in assay.audit(DATA, skip=["splits", "difficulty", "information", "forecast"]).sections


def test_a_corpus_needs_data():
    with pytest.raises(UsageError, match="needs the data"):
        assay.audit(scores={"model": ["x", "y"], "RTE": [1, 2]}, corpus=pl.Series(["text"]))


def test_the_command_takes_a_corpus(corpus, tmp_path):
    data, out = tmp_path / "data.tsv", tmp_path / "out.json"
    pl.DataFrame(DATA).write_csv(data, separator="\t")
    arguments = ["audit", str(data), "--corpus", str(corpus / "*" / "*.gz"), "--only", "contamination", "--no-cache"]
    assert status([*arguments, "--json", str(out)]) == 0
    sections = json.loads(out.read_text())["result"]["sections"]
    assert sections["contamination"]["evidence"]["documents"] == 5
