from __future__ import annotations

import numpy as np
import pytest
from tests.marks import unmarked_fields

from assay.base.codec import to_json
from assay.base.errors import AssayError, UsageError
from assay.difficulty import PairDifficulty, jensen_shannon, pair_difficulty
from assay.kinds import read
from assay.text import Corpus

A = ["a b c", "a b c", "d e f", "d e f", "g h"]
B = ["a b c", "x y z", "d e f", "u v w", ""]


def read_pairs(labels, **columns):
    return read({"text_a": A, "text_b": B, "label": labels, **columns})


def test_every_pair_is_measured_and_sorted():
    found = pair_difficulty(read_pairs(["1", "1", "0", "0", "1"]), threshold=0.5)
    assert found.counts == {"Po": 1, "Pn": 1, "No": 1, "Nn": 1}
    assert found.items()["case"].to_list() == ["Po", "Pn", "Nn", "No", ""]
    assert found.items().columns == ["id", "divergence", "case"]
    assert found.divergence == pytest.approx(jensen_shannon(A, B), nan_ok=True)
    assert (found.positive, found.n_undefined, found.notes) == (
        "1",
        1,
        ("Positive label: '1'.",),
    )


def test_a_similarity_gives_the_same_cases():
    found = pair_difficulty(read_pairs(["1", "1", "0", "0", "1"]), measure="dice", threshold=0.5)
    assert found.items().columns == ["id", "similarity", "case"]
    assert found.items()["case"].to_list() == ["Po", "Pn", "Nn", "No", ""]


def test_several_labels_give_cases_of_each_against_the_others():
    found = pair_difficulty(read_pairs(["entailment", "neutral", "contradiction", "neutral", "neutral"]))
    assert list(found.one_vs_rest) == ["contradiction", "entailment", "neutral"]
    assert found.positive == "entailment"
    assert found.counts == found.one_vs_rest["entailment"].counts
    assert "case:neutral" in found.items().columns
    assert "3 labels: cases of each against the others; 'entailment' is the positive one." in found.notes[0]


def test_labels_that_are_codes_have_no_positive_one():
    found = pair_difficulty(read_pairs(["0", "1", "2", "0", "1"]))
    assert (found.positive, found.counts, sorted(found.one_vs_rest)) == (None, None, ["0", "1", "2"])


def test_grades_are_cut_on_request_and_otherwise_only_described():
    grades = [str(number / 4) for number in range(20)]
    data = read({"text_a": A * 4, "text_b": B * 4, "label": grades})
    whole = pair_difficulty(data)
    assert whole.counts is None
    assert whole.notes == ("No cases: the labels are 20 grades, and no lowest positive grade is set.",)
    assert whole.distribution_by_label == {}
    assert sum(pair_difficulty(data, positive_from=4).counts.values()) == 16


def test_data_with_one_label_or_none_is_described():
    nothing = pair_difficulty(read({"text_a": A, "text_b": B}))
    assert nothing.distribution.n_items == 5
    assert np.isnan(nothing.obvious_share.value)
    assert nothing.to_dict()["counts"] is None
    assert "No cases: all labels are '0'." in pair_difficulty(read_pairs(["0"] * 5)).notes


def test_two_unknown_labels_are_an_error():
    with pytest.raises(UsageError, match="Which label is positive: left or right"):
        pair_difficulty(read_pairs(["left", "right", "left", "right", "left"]))
    with pytest.raises(AssayError, match="No item has the label 'up'"):
        pair_difficulty(read_pairs(["left", "right", "left", "right", "left"]), positive="up")
    with pytest.raises(AssayError, match=r"No item has a label\. Name the column with label="):
        pair_difficulty(read({"text_a": A, "text_b": B}), positive="1")


def test_annotators_are_compared_by_case():
    rows = 6
    labels = ["1", "1", "0", "0", "1"] * rows
    easy = ["1", "0", "0", "0", "1"] * rows
    columns = {
        "annotator:ann": easy,
        "annotator:bob": ["1", "1", "1", "0", "1"] * rows,
        "seconds:ann": ["2", "9", "8", "3", ""] * rows,
    }
    data = read({"text_a": A * rows, "text_b": B * rows, "label": labels, **columns})
    found = pair_difficulty(data, threshold=0.5, n_permutations=199)
    assert found.agreement.obvious == 1
    assert found.agreement.p == found.annotation_time.p == 1 / 200
    assert found.annotation_time.by_case == {"Po": 2, "Pn": 9, "No": 3, "Nn": 8}


def test_results_do_not_depend_on_the_order_of_rows(shared):
    data = read(shared("msrp/msrp.tsv.gz"), sample=800)
    found, reversed_ = pair_difficulty(data), pair_difficulty(data.take(np.arange(len(data))[::-1]))
    assert found.counts == reversed_.counts
    assert found.items().equals(reversed_.items().reverse())


def test_words_computed_before_are_used_as_they_are(monkeypatch):
    data = read_pairs(["1", "1", "0", "0", "1"])
    corpora, plain = Corpus.from_sides(*data.sides), pair_difficulty(data)
    monkeypatch.setattr(Corpus, "from_sides", None)
    assert pair_difficulty(data, corpora=corpora).to_dict() == plain.to_dict()


def test_the_result_survives_json_and_its_text_is_marked():
    columns = {"annotator:x": list("11001"), "annotator:y": list("10001"), "split": ["train", "test"] * 2 + ["dev"]}
    found = pair_difficulty(read_pairs(["1", "1", "0", "0", "1"], **columns), n_permutations=9)
    assert to_json(PairDifficulty.from_dict(found.to_dict())) == to_json(found)
    assert found.to_dict().keys().isdisjoint({"divergence", "cases", "ids"})
    assert list(unmarked_fields(PairDifficulty)) == []
