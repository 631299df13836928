"""The parts that the splits section compares, and the folds it draws."""

from __future__ import annotations

import numpy as np
import pytest

from assay.audits import audit
from assay.checks.benchmark import Benchmark
from assay.kinds import read
from assay.models.cross_validation import OutOfFoldPredictions
from assay.models.split_studies.held_out import CLUSTERS, find_fold_words
from assay.text import Corpus


def test_the_label_whose_share_changed_most_is_named():
    rows = {
        "text": [f"t{number}" for number in range(8)],
        "label": list("aaabbbbc"),
        "split": ["train"] * 4 + ["test"] * 4,
    }
    drift = audit(rows, only=["splits"]).evidence.splits.label_drift
    assert (drift.most.label, drift.most.train, drift.most.test) == ("a", 0.75, 0.0)


def test_grades_that_are_written_in_another_way_do_not_drift():
    grades = [f"{(number * 7 % 50) / 10:.1f}" for number in range(200)]
    written = [f"{float(grade):.2f}" if row >= 100 else grade for row, grade in enumerate(grades)]
    rows = {"text": [f"t{n} {n % 9}" for n in range(200)], "score": written, "split": ["train"] * 100 + ["test"] * 100}
    result = audit(rows, only=["splits"])
    assert result.evidence.splits.label_drift is None
    assert result.evidence.splits.grade_drift.distance == 0
    assert "A204" not in [finding.code for finding in result.findings]


def test_grades_that_are_higher_in_test_drift():
    grades = [f"{(number * 7 % 50) / 10 + 2 * (number // 100):.2f}" for number in range(200)]
    rows = {"text": [f"t{n} {n % 9}" for n in range(200)], "score": grades, "split": ["train"] * 100 + ["test"] * 100}
    (finding,) = [finding for finding in audit(rows, only=["splits"]).findings if finding.code == "A204"]
    assert finding.claim.startswith(
        "Grades differ between train and test: 2.45 against 4.45 on average; a grade of one"
    )
    assert "would have to move by 2 on average" in finding.claim


def test_dev_is_compared_with_test_if_there_is_no_train(made):
    data = made(200)
    data["split"] = ["dev" if part == "train" else part for part in data["split"]]
    for row in np.flatnonzero(np.array(data["split"]) == "test"):
        data["text"][row] += " quite another end of every text"
    result = audit(data, only=["splits"])
    assert result.evidence.splits.compared == ("dev", "test")
    (drift,) = [finding for finding in result.findings if finding.code == "A202"]
    assert drift.claim.startswith("The texts of test differ from those of dev")


@pytest.fixture(scope="module")
def splits(made):
    data = read({name: column for name, column in made(400).items() if name != "split"})
    return audit(data, only=["splits"]).evidence.splits


def test_every_split_is_compared_with_random_ones_also_where_the_data_has_no_parts(splits):
    assert splits.comparisons.keys() >= {"random", "length", "rare-words", "wasserstein", "sds-k-means", CLUSTERS}
    rows = {split: row for split, measure, row in splits.list_divergence() if measure == "jsd"}
    assert rows[CLUSTERS].value > rows[CLUSTERS].null.high
    assert not rows["random"].value > rows["random"].null.high


def test_clusters_have_points_sizes_and_words_of_their_own(splits):
    assert len(set(splits.comparisons[CLUSTERS].projection.part)) == 5
    assert sum(row.count for row in splits.fold_labels if row.split == CLUSTERS) == 400
    words = {row.word for row in splits.fold_words if row.split == CLUSTERS}
    assert len(words & {"striker", "sprint", "racket", "butter", "noodle", "curry"}) >= 4
    assert len([row for row in splits.fold_words if row.split == "random"]) <= 2


def test_words_of_a_held_out_side_are_counted_against_the_rest():
    texts = ["sea wind sail"] * 30 + ["road dust wheel"] * 60
    folds = np.array([1] * 30 + [0] * 60)
    data = read({"text": texts, "label": ["a", "b"] * 45})
    models = OutOfFoldPredictions(data, ["a", "b"], np.array([0, 1] * 45), [], {"length": folds}, [])
    rows = list(find_fold_words(models, Corpus.from_texts(texts)))
    assert {row.word for row in rows} == {"sea", "wind", "sail"}
    # Of 30 texts with the word all are test, where test is a third: (1 - 1/3) / sqrt(1/3 · 2/3 / 30).
    assert {round(row.z, 6) for row in rows} == {round(60**0.5, 6)}


def test_words_of_folds_are_withheld_in_a_private_audit(made):
    splits = audit(made(200), only=["splits"], private=True).evidence.splits
    assert {row.word for row in splits.fold_words} <= {"(withheld)"}


@pytest.mark.parametrize("paired", [False, True], ids=["texts", "pairs"])
def test_an_audit_tokenises_at_most_eight_times_and_searches_copies_and_cues_once(made, paired, monkeypatch):
    import assay.information
    import assay.text
    from assay.text.tokenization import TOKENIZATIONS

    calls = {"near": 0, "cues": 0}

    def count(name, function):
        def call(*args, **options):
            calls[name] += 1
            return function(*args, **options)

        return call

    data = made(300)
    if paired:
        data = {"text_a": data["text"], "text_b": data["text"][::-1], "label": data["label"], "split": data["split"]}
    for module in (assay.text, assay.text.duplicates):
        monkeypatch.setattr(
            module, "near_duplicates", count("near", assay.text.duplicates.near_duplicates), raising=False
        )
    monkeypatch.setattr(assay.information, "search_cues", count("cues", assay.information.search_cues))
    before = TOKENIZATIONS.calls
    result = audit(data)
    assert {section.status for section in result.sections.values()} == {"done"}
    assert TOKENIZATIONS.calls - before <= 8
    assert calls == {"near": 1, "cues": 1}


def test_samples_of_the_benchmark_are_drawn_and_encoded_once(made):
    benchmark = Benchmark(read(made(200)))
    assert benchmark.encode(benchmark.trainable.rows) is benchmark.encode(benchmark.trainable.rows)
    assert benchmark.count_texts(benchmark.trainable) is benchmark.count_texts(benchmark.trainable)


def test_the_plane_names_the_parts_as_the_data_does():
    texts = [f"word{n % 7} thing{n % 5} other{n % 3}" for n in range(60)]
    rows = {"text": texts, "label": ["a", "b"] * 30, "split": ["dev", "test", "test"] * 20}
    comparison = audit(rows, only=["splits"], cache=False).evidence.splits.comparisons["given"]
    assert set(comparison.parts) == {"dev", "test"}
    assert set(comparison.projection.part) == {"dev", "test"}
