"""Suspects of whole datasets."""

import json

import numpy as np
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError
from assay.evaluation import Predictions
from assay.suspects import Suspects, find_suspects

N = 400


def make_data(n_flipped: int = 12) -> tuple[assay.Dataset, list[int], np.ndarray]:
    """Return texts of two topics with flipped labels, the flipped rows, and probabilities that know the truth."""
    generator = np.random.default_rng(0)
    truth = generator.integers(0, 2, N)
    words = [["goal", "team", "match", "coach"], ["bank", "stock", "price", "trade"]]
    texts = [" ".join(generator.choice(words[topic], 5)) + f" {row}" for row, topic in enumerate(truth)]
    rows = generator.choice(N, n_flipped, replace=False)
    labels = truth.copy()
    labels[rows] = 1 - labels[rows]
    names = np.array(["sport", "economy"])
    data = assay.read({"id": [f"i{row}" for row in range(N)], "text": texts, "label": names[labels].tolist()})
    shares = np.clip(np.eye(2)[truth] + generator.normal(0, 0.05, (N, 2)), 0.02, 0.98)[:, ::-1]
    return data, sorted(rows.tolist()), shares / shares.sum(axis=1, keepdims=True)


def top_rows(suspects: Suspects, n: int) -> list[int]:
    return sorted(int(name[1:]) for name in suspects.items["id"].head(n).to_list())


def test_flipped_labels_are_first_by_given_probabilities():
    data, flipped, shares = make_data()
    suspects = find_suspects(data, probabilities=shares, text_model=False)
    assert top_rows(suspects, 12) == flipped
    first = suspects.items.row(0, named=True)
    assert first["suggested"] != first["label"]
    assert first["suspicion"] > 0.3
    assert "text models give" in first["reasons"]
    assert suspects.expected_bad.low < 12 < suspects.expected_bad.high


def test_flipped_labels_are_first_by_text_models():
    data, flipped, _ = make_data()
    assert top_rows(find_suspects(data), 12) == flipped


def test_flipped_labels_are_first_by_systems():
    data, flipped, shares = make_data()
    names = np.array(data.label_names)
    generator = np.random.default_rng(1)
    answers = {
        f"s{number}": names[np.where(generator.random(N) < 0.9, shares.argmax(axis=1), 1 - shares.argmax(axis=1))]
        for number in range(7)
    }
    predictions = Predictions.from_arrays(data.labels.to_list(), answers, ids=data.ids.to_list())
    suspects = find_suspects(data, predictions, text_model=False)
    assert len({*top_rows(suspects, 12)} & {*flipped}) >= 11
    assert "of 7 systems answer" in suspects.items["reasons"][0]
    both = find_suspects(data, predictions, shares, text_model=False)
    assert top_rows(both, 12) == flipped
    assert [evidence.name for evidence in both.evidence] == ["systems", "text models"]


def test_predictions_may_cover_a_part_of_the_items():
    data, _, _ = make_data()
    ids, labels = data.ids.to_list()[:50], data.labels.to_list()[:50]
    predictions = Predictions.from_arrays(labels, {"x": labels, "y": labels}, ids=ids)
    items = find_suspects(data, predictions, text_model=False).items
    assert items["suspicion"].null_count() == N - 50
    assert set(items.filter(pl.col("suspicion").is_not_null())["id"].to_list()) == set(ids)


def test_probabilities_without_skill_are_not_used():
    data, _, shares = make_data()
    noise = np.random.default_rng(0).permutation(shares)
    with pytest.raises(AssayError, match="nothing to judge labels by"):
        find_suspects(data, probabilities=noise, text_model=False)


def test_copies_with_another_label_are_suspicious():
    rows = {
        "text": ["same text"] * 3 + [f"text {row}" for row in range(97)],
        "label": ["a", "a", "b"] + ["a", "b"] * 48 + ["a"],
    }
    shares = np.where(np.array(rows["label"])[:, None] == np.array(["a", "b"]), 0.9, 0.1)
    suspects = find_suspects(assay.read(rows), probabilities=shares, text_model=False)
    first = suspects.items.row(0, named=True)
    assert (first["id"], first["suggested"]) == ("2", "a")
    assert 'a copy (id 0) has the label "a"' in first["reasons"]


def test_copies_that_disagree_everywhere_say_nothing():
    choices = np.random.default_rng(0).choice(list("ABCD"), 200).tolist()
    data = assay.read({"text": [f"question {row // 2}" for row in range(200)], "label": choices})
    shares = np.where(np.array(choices)[:, None] == np.array(list("ABCD")), 0.7, 0.1)
    assert find_suspects(data, probabilities=shares, text_model=False).expected_bad.value < 10


def test_broken_texts_are_a_reason_and_do_not_lead_the_list():
    data, flipped, shares = make_data()
    texts = data.texts.to_list()
    good = [row for row in range(N) if row not in flipped][:2]
    texts[good[0]], texts[good[1]] = "", "caf\ufffd"
    broken = assay.read({"text": texts, "label": data.labels.to_list()})
    items = find_suspects(broken, probabilities=shares, text_model=False).items
    assert {int(name) for name in items["id"].head(12)} == {*flipped}
    reasons = dict(items.select("id", "reasons").iter_rows())
    assert reasons[str(good[0])] == "the text is empty"
    assert reasons[str(good[1])] == "the text has characters that could not be decoded"


def test_given_groups_of_copies_are_used():
    data, _, shares = make_data(0)
    groups = np.arange(N)
    other = int(np.flatnonzero(data.labels.to_numpy() != data.labels[0])[0])
    groups[other] = 0
    suspects = find_suspects(data, probabilities=shares, duplicates=groups, text_model=False)
    assert top_rows(suspects, 2) == [0, other]


def test_grades_far_from_all_predictions_are_suspicious():
    generator = np.random.default_rng(0)
    truth = generator.normal(3, 1, 300)
    gold = truth + generator.normal(0, 0.2, 300)
    gold[:3] += 3
    data = assay.read(
        {"text_a": ["x"] * 300, "text_b": [f"text {row}" for row in range(300)], "score": gold.round(3).tolist()},
        task="graded",
    )
    answers = {f"s{number}": (2 * truth + generator.normal(0, 0.3, 300)).round(3).tolist() for number in range(3)}
    predictions = Predictions.from_arrays(data.labels.to_list(), answers, ids=data.ids.to_list())
    suspects = find_suspects(data, predictions)
    assert sorted(suspects.items["id"].head(3).to_list()) == ["0", "1", "2"]
    assert suspects.items["suspicion"][2] > suspects.items["suspicion"][3]
    assert float(suspects.items["suggested"][0]) == pytest.approx(truth[int(suspects.items["id"][0])], abs=0.7)


def test_copies_with_nearly_the_same_grade_are_not_a_conflict():
    generator = np.random.default_rng(0)
    grades = generator.normal(3, 1, 100)
    grades[1], grades[3] = grades[0] + 0.1, grades[2] + 3
    texts = [f"text {row}" for row in range(100)]
    texts[1], texts[3] = texts[0], texts[2]
    data = assay.read({"text": texts, "score": grades.round(3).tolist()}, task="graded")
    answers = {f"s{number}": (grades + generator.normal(0, 0.3, 100)).round(3).tolist() for number in range(3)}
    reasons = dict(find_suspects(data, answers).items.select("id", "reasons").iter_rows())
    assert ["a copy" in reasons[str(row)] for row in range(4)] == [False, False, True, True]


def test_the_result_comes_back_from_json():
    data, _, shares = make_data()
    suspects = find_suspects(data, probabilities=shares, text_model=False)
    assert Suspects.from_dict(json.loads(json.dumps(suspects.to_dict()))) == suspects
    assert [row.k for row in suspects.precision_at] == [10, 25, 50, 100, 200]


def test_the_order_of_rows_does_not_matter():
    data, _, shares = make_data()
    order = np.random.default_rng(0).permutation(N)
    one, other = (
        find_suspects(data, probabilities=shares, text_model=False),
        find_suspects(data.take(order), probabilities=shares[order], text_model=False),
    )
    assert one.expected_bad.value == pytest.approx(other.expected_bad.value)
    assert one.items.sort("id")["suspicion"].to_list() == pytest.approx(other.items.sort("id")["suspicion"].to_list())


def test_labels_are_needed():
    with pytest.raises(AssayError, match="no labels to judge"):
        find_suspects({"text": ["one", "two"]})


def test_data_without_texts_is_judged_by_probabilities_alone():
    data, flipped, shares = make_data()
    for text in ("", "the same"):
        texts = ["one", *[text] * (N - 1)]
        bare = assay.read({"id": data.ids.to_list(), "text": texts, "label": data.labels.to_list()}, text="text")
        suspects = find_suspects(bare, probabilities=shares, text_model=False)
        assert top_rows(suspects, 12) == flipped
        assert suspects.expected_bad.value < 40


def test_predictions_of_other_items_are_refused():
    data, _, _ = make_data()
    with pytest.raises(AssayError, match="ids that are not in the data"):
        find_suspects(data, Predictions.from_arrays(["sport"], {"x": ["sport"]}, ids=["other"]))


def test_the_answers_in_logs_are_evidence(tmp_path):
    from tests.logs.example_logs import write_quiz

    write_quiz(tmp_path, "quiz", {f"m{number}": 1.0 for number in range(6)})
    suspects = find_suspects(tmp_path)
    assert [row.name for row in suspects.evidence] == ["systems"]
    assert suspects.items.height == 60


def test_scores_without_answers_are_not_evidence():
    scores = [{"id": str(number), "system": "x", "score": number % 2} for number in range(10)]
    data = {"id": [str(number) for number in range(10)], "question": ["q"] * 10, "reference": ["long answer here"] * 10}
    with pytest.raises(AssayError, match="nothing to judge labels by"):
        find_suspects(data, scores)
