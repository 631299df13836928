"""Labels of annotators and their confidence as evidence against gold labels."""

import json

import numpy as np
import pytest

import assay
from assay.base.errors import AssayError
from assay.kinds import read
from assay.suspects.annotators import count_annotators, find_confidence
from assay.suspects.items import JudgedItems
from assay.suspects.results import Suspects

WRONG = (3, 7, 12)


def make_columns(n: int = 60) -> dict[str, list[str]]:
    """Return texts that say nothing of their labels, and three annotators who contradict three of the labels."""
    generator = np.random.default_rng(0)
    labels = generator.choice(["no", "yes"], n).tolist()
    others = ["no" if label == "yes" else "yes" for label in labels]
    votes = [others[row] if row in WRONG else label for row, label in enumerate(labels)]
    texts = [" ".join(generator.choice(["red", "blue", "tall", "old", "sea", "hill"], 6)) for _ in range(n)]
    return {"text": texts, "label": labels, "votes": votes}


def rank(columns: dict[str, list[str]]) -> Suspects:
    return assay.find_suspects(read(columns, text="text", label="label"), text_model=False)


@pytest.mark.parametrize("layout", ["columns", "list"])
def test_labels_that_annotators_contradict_come_first(layout: str):
    columns = make_columns()
    votes = columns.pop("votes")
    if layout == "columns":
        columns |= {f"annotator_{number}": votes for number in (1, 2, 3)}
    else:
        columns["annotations"] = [json.dumps([vote] * 3) for vote in votes]
    found = rank(columns)
    top = found.items.head(3)
    assert set(top["id"].to_list()) == {str(row) for row in WRONG}
    assert top["reasons"][0].startswith("3 of 3 annotators say")
    assert top["suggested"].to_list() == [votes[int(name)] for name in top["id"]]
    assert found.sources == ["annotators"]


def test_annotators_alone_only_order_the_items():
    columns = make_columns()
    columns["rater 1"] = columns.pop("votes")
    found = rank(columns)
    assert found.order_only
    assert np.isnan(found.expected_bad.value)
    assert found.items["suspicion"].max() <= 0.2


def test_low_confidence_comes_first_on_any_scale():
    columns = make_columns()
    del columns["votes"]
    for low, high in ((0.3, 0.9), (1, 5)):
        columns["label_confidence"] = [str(low if row in WRONG else high) for row in range(60)]
        found = rank(columns)
        assert set(found.items.head(3)["id"].to_list()) == {str(row) for row in WRONG}


def test_every_vote_against_a_label_raises_suspicion():
    columns = make_columns()
    labels = columns["label"]
    other = ["no" if label == "yes" else "yes" for label in labels]
    del columns["votes"]
    for number in range(4):
        columns[f"annotator{number}"] = [other[row] if row < number + 1 else labels[row] for row in range(60)]
    values = dict(rank(columns).items.select("id", "suspicion").iter_rows())
    suspicion = [values[str(row)] for row in range(5)]
    assert suspicion == sorted(suspicion, reverse=True)
    assert len(set(suspicion)) == 5


@pytest.mark.parametrize("name", ["annotator_id", "annotator_name", "coder_comment", "category", "text_yes"])
def test_other_columns_are_not_labels_of_annotators(name: str):
    columns = make_columns()
    columns[name] = columns.pop("votes")
    data = read(columns, text="text", label="label")
    assert count_annotators(JudgedItems.collect(data, None), data) is None


def test_columns_with_other_values_are_not_labels_of_annotators():
    columns = make_columns()
    columns["annotator"] = ["Ann" if row % 2 else "Bob" for row in range(60)]
    del columns["votes"]
    data = read(columns, text="text", label="label")
    assert count_annotators(JudgedItems.collect(data, None), data) is None
    with pytest.raises(AssayError, match="nothing to judge labels by"):
        assay.find_suspects(data, text_model=False)


def test_a_constant_confidence_says_nothing():
    columns = make_columns()
    columns["confidence"] = ["1"] * 60
    assert find_confidence(read(columns, text="text", label="label")) is None


def test_columns_label1_to_label3_are_labels_of_annotators():
    columns = make_columns()
    votes = columns.pop("votes")
    found = rank(columns | {f"label{number}": votes for number in (1, 2, 3)})
    assert set(found.items.head(3)["id"].to_list()) == {str(row) for row in WRONG}


@pytest.mark.parametrize("cell", ['["yes", {"a": 1', "[" * 5000, "['no', 'no']", "[null, 5]", "[]"])
def test_strange_lists_do_not_stop_the_search(cell: str):
    columns = make_columns()
    columns["annotations"] = [json.dumps([vote] * 3) for vote in columns.pop("votes")]
    columns["annotations"][5] = cell
    assert set(rank(columns).items.head(3)["id"].to_list()) == {str(row) for row in WRONG}


def test_annotators_of_some_items_do_not_add_to_the_expected_number():
    """Labels of annotators order items that no system answers; they are not a measurement of their own."""
    columns = make_columns()
    columns["rater"] = columns.pop("votes")
    data = read(columns, text="text", label="label")
    rows = list(range(0, 60, 2))
    generator = np.random.default_rng(1)
    labels = np.array(columns["label"])[rows]
    answers = {f"s{k}": np.where(generator.random(30) < 0.9, labels, "no").tolist() for k in range(4)}
    predictions = {"id": [str(row) for row in rows], **answers}
    found = assay.find_suspects(data, predictions, text_model=False)
    assert found.n_judged == 60
    assert found.items["suspicion"].sum() < 10
