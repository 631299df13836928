"""What a reader sees of single items: texts, answers, the item they copy, and which finding they belong to."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

import assay
from assay.audits import make_private
from assay.audits.details import collect_details
from assay.audits.flagged import mark_items
from assay.checks.findings import exact_number, make_finding
from assay.evaluation import read_predictions

TEXTS = [f"sentence number {n} about thing {n * 7}" for n in range(40)]
DATA = {
    "id": [f"i{n}" for n in range(46)],
    "text": [*TEXTS, TEXTS[3], TEXTS[4].upper(), TEXTS[5], "new text one", "new text two", "new text two"],
    "label": ["a", "b"] * 23,
    "split": ["train"] * 40 + ["test"] * 6,
}


@pytest.fixture(scope="module")
def audit():
    answers = {"good": [None] * 40 + DATA["label"][40:], "bad": [None] * 40 + ["b"] * 6}
    return assay.audit(DATA, answers, only=["profile", "discrimination"])


def test_a_leaked_item_names_the_training_item_it_repeats(audit):
    rows = {row["id"]: row for row in audit.items.to_dicts()}
    assert [rows[f"i{n}"]["copy_of"] for n in (40, 41, 42, 43)] == ["i3", "i4", "i5", None]
    assert rows["i45"]["copy_of"] == "i44"
    assert rows["i3"]["copy_of"] is None or rows["i3"]["conflicting"]


def test_details_have_text_gold_and_answers_in_the_order_of_the_items(audit):
    frame = audit.details.to_frame()
    assert frame["text"].to_list() == DATA["text"]
    assert frame["gold"].to_list() == DATA["label"]
    assert audit.details.systems == ("good", "bad")
    assert frame["answers"][0].to_list() == [None, None]
    assert frame["answers"][40].to_list() == ["a", "b"]
    assert frame["outcomes"][40].to_list() == [1.0, 0.0]
    assert audit.details.to_frame(frame["text"].arg_unique().to_numpy()[:2])["text"].to_list() == DATA["text"][:2]


def test_private_details_have_no_text(audit):
    frame = make_private(audit).details.to_frame()
    assert frame["text"].null_count() == len(frame)
    assert frame["answers"][40].to_list() == ["a", "b"]


def test_a_finding_marks_all_its_items(audit):
    for finding in audit.findings:
        marked = audit.items.filter(mark_items(finding, audit.items, audit.details.texts))["id"].to_list()
        assert set(finding.items) <= set(marked)
    leak = next(finding for finding in audit.findings if finding.code == "A101")
    assert audit.items.filter(mark_items(leak, audit.items))["id"].to_list() == ["i40", "i41", "i42"]


def test_the_items_of_all_words_of_a_finding_are_marked():
    texts = pl.Series(["do not go", "I can't", "nothing", "never again", "很好吃", "不错", "坏"])
    items = pl.DataFrame({"id": [str(row) for row in range(len(texts))]})

    def mark(*words):
        finding = replace(make_finding("note", "A claim.", "An action.", exact_number(1), words=words), code="A401")
        return mark_items(finding, items, texts).arg_true().to_list()

    assert mark("not", "never") == [0, 3]
    assert mark("can t") == [1]
    assert mark("好", "不 错") == [4, 5]  # words begin anywhere in scripts without spaces


def test_answers_are_written_as_people_read_them():
    tags = {"tokens": [["Ada", "in", "Rome"], ["no", "one"]], "tags": [["B-per", "O", "B-loc"], ["O", "O"]]}
    data = assay.read(tags, task="tagging")
    answers = read_predictions({"x": ["B-per O O", "O B-per"]}, data)
    frame = collect_details(data, answers).to_frame()
    assert frame["gold"].to_list() == ["Ada (per), Rome (loc)", "no entity"]
    assert frame["answers"].to_list() == [["Ada (per)"], ["one (per)"]]
    queries = {"query": ["what", "who"], "judgements": ['{"d1": 1, "d2": 2}', '{"d3": 1}']}
    retrieval = assay.read(queries, task="retrieval")
    assert collect_details(retrieval, None).to_frame()["gold"].to_list() == ["d2, d1", "d3"]
