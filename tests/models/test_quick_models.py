"""Quick models of kinds without classes: scores, gains, and what harder splits cost."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.base.errors import AssayError, UsageError
from assay.kinds import kind_of, read
from assay.kinds.tools.choices import fit_choices, share_choices
from assay.models.quick.cross_validation import cross_validate_quick
from assay.models.quick.results import QuickStudy
from assay.models.quick.study import study_quick_models
from assay.splits import read_folds

WORDS = [f"w{number}" for number in range(200)]


def make_quiz(n=120, *, asked=False, telling=False, seed=0):
    """Make questions of three options; one names a word of the right option, the other marks the right option."""
    rng = np.random.default_rng(seed)
    rows = {"question": [], "choices": [], "answer": [], "subject": []}
    for number in range(n):
        options = [" ".join(rng.choice(WORDS, 4, replace=False)) for _ in range(3)]
        key = int(rng.integers(3))
        if telling:
            options[key] += " indeed"
        rows["question"].append(
            f"which {'very ' * (number % 6)}{number} {options[key].split()[0] if asked else 'one'}?"
        )
        rows["choices"].append(options)
        rows["answer"].append(key)
        rows["subject"].append(f"s{number % 12}")
    return rows


def test_a_conditional_logistic_regression_equals_that_of_statsmodels():
    discrete = pytest.importorskip("statsmodels.discrete.conditional_models")
    rng = np.random.default_rng(0)
    items, features = np.repeat(np.arange(200), 3), rng.normal(size=(600, 2))
    scores = features @ [1.0, -0.5] + rng.gumbel(size=600)
    right = np.zeros(600)
    right[[3 * item + scores[3 * item : 3 * item + 3].argmax() for item in range(200)]] = 1
    from scipy import sparse

    ours = fit_choices(sparse.csr_matrix(features), items, right, penalty=1e-6)
    theirs = discrete.ConditionalLogit(right, features, groups=items).fit(disp=0).params
    assert ours == pytest.approx(theirs, abs=1e-3)


def test_shares_of_options_add_up_to_one_in_every_item():
    items = np.repeat(np.arange(5), 4)
    shares = share_choices(np.random.default_rng(0).normal(size=20) * 100, items)
    assert np.bincount(items, weights=shares) == pytest.approx(np.ones(5))


def test_a_model_that_sees_the_question_gains_where_the_question_counts():
    asked = study_quick_models(make_quiz(asked=True), splits=())
    assert asked.metric == "accuracy"
    assert asked.chance == pytest.approx(1 / 3)
    assert asked.find_score("question-and-options").value > 0.9
    assert asked.find_score("choices-only").low < asked.chance < asked.find_score("choices-only").high
    gain = next(row for row in asked.gains if row.other == "choices-only")
    assert gain.low > 0.4
    assert gain.value == pytest.approx(
        asked.find_score("question-and-options").value - asked.find_score("choices-only").value
    )
    telling = study_quick_models(make_quiz(telling=True), splits=())
    assert telling.find_score("choices-only").value > 0.9
    assert abs(telling.gains[0].value) < 0.1


def test_the_study_comes_back_from_json_and_is_the_same_in_any_order_of_rows():
    rows = make_quiz(asked=True)
    study = study_quick_models(rows, splits=("length",), n_draws=1)
    assert QuickStudy.from_dict(json.loads(json.dumps(study.to_dict()))) == study
    assert study_quick_models(rows, splits=("length",), n_draws=1) == study


def test_subjects_are_held_out_whole():
    predictions = cross_validate_quick(read(make_quiz()), splits=())
    subjects = predictions.data.frame["subject"].to_numpy()
    fits = predictions.select("new subjects", "question-and-options")
    assert len(fits) == 5
    for fit in fits:
        assert not set(subjects[fit.rows]) & set(subjects[fit.train])
    held_out = np.concatenate([fit.rows for fit in fits])
    assert sorted(held_out.tolist()) == list(range(120))


def test_groups_are_held_out_whole_by_random_folds():
    rows = make_quiz() | {"context": [f"a long story number {number // 3}" for number in range(120)]}
    predictions = cross_validate_quick(read(rows), splits=())
    contexts = np.array(rows["context"])
    for fit in predictions.select("random", "choices-only"):
        assert not set(contexts[fit.rows]) & set(contexts[fit.train])


def make_grades(n=200, seed=0):
    """Make texts whose grade is half their number of words, with noise, in two topics of other words."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(2, 30, n)
    texts = [" ".join(rng.choice(WORDS, length)) for length in lengths]
    return {"text": texts, "score": [f"{length / 2 + rng.normal(0, 0.5):.3f}" for length in lengths]}


def test_explained_variance_is_counted_by_hand():
    data = read({"text": ["a b", "c d", "e f"] * 20, "score": [str(n / 7) for n in range(60)]})
    kind = kind_of(data)
    metric = kind.learning.get_model_metric(data)
    items = kind.learning.attach_training(data.take([0, 1]), data.take([6, 8]))  # grades 0 and 1/7, mean of training 1
    table = metric.collect_statistics(kind.scoring.pair_answers(items, ["0", "0"]))
    assert table.ravel().tolist() == pytest.approx([0.0, 1.0, 1 / 49, 36 / 49])
    assert metric.score_table(table) == pytest.approx(1 - (1 / 49) / (85 / 49))


def test_shortcuts_of_grades_are_explained_variance():
    study = study_quick_models(make_grades(), splits=("length",))
    assert study.metric == "r2"
    assert study.find_score("length").value > 0.9
    assert study.find_score("frequent-words").value < 0.3
    assert study.find_score("mean").value == pytest.approx(0, abs=0.02)
    assert study.find_score("length", metric="spearman").value > 0.9
    errors = study.find_score("length", metric="rmse").value ** 2
    assert errors / np.var([float(score) for score in make_grades()["score"]]) == pytest.approx(
        1 - study.find_score("length").value, abs=0.01
    )
    (row,) = study.stress
    assert (row.split, row.metric, row.n_draws) == ("length", "r2", 1)
    assert row.error_reduction == pytest.approx(row.score)  # over the mean of training, whose score is 0
    assert row.drop == pytest.approx(row.random_score - row.score)


def test_out_of_fold_r2_equals_that_of_scikit_learn_around_the_same_mean():
    from sklearn.metrics import mean_squared_error

    predictions = cross_validate_quick(read(make_grades()), splits=())
    gold = predictions.data.labels.cast(float).to_numpy()
    answers = np.array([float(answer) for answer in predictions.list_answers("ridge-words")])
    means = np.array([float(answer) for answer in predictions.list_answers("mean")])
    metric = predictions.kind.learning.get_model_metric(predictions.data)
    value = metric.score_table(predictions.collect_split("random", "ridge-words", metric)[1])
    expected = 1 - mean_squared_error(gold, answers) / mean_squared_error(gold, means)
    assert value == pytest.approx(expected, abs=1e-4)


def make_tags(n=120, seed=0):
    """Make sentences in which a capital letter after "mr" is a person, other capitals are places."""
    rng = np.random.default_rng(seed)
    rows = {"tokens": [], "tags": [], "document": []}
    for number in range(n):
        name, place = f"N{rng.integers(500)}", f"P{rng.integers(500)}"
        rows["tokens"].append(["mr", name, "saw", place, f"x{number}"])
        rows["tags"].append(["O", "B-per", "O", "B-loc", "O"])
        rows["document"].append(f"d{number // 4}")
    return rows


def test_a_tagger_that_single_words_make_perfect_has_a_signal():
    rows = make_tags()
    rows["tokens"] = [[token[0] for token in tokens] for tokens in rows["tokens"]]  # m, N, s, P, x
    study = study_quick_models(rows, splits=())
    assert study.find_score("most-frequent-tag").value == 1
    assert study.floor == study.find_score("usual-tag").value < 0.1
    assert study.has_signal


def test_a_tagger_of_windows_learns_what_single_words_cannot_tell():
    study = study_quick_models(make_tags(), splits=())
    assert study.metric == "entity-f1"
    assert study.find_score("linear-window").value > 0.9 > 0.6 > study.find_score("most-frequent-tag").value
    unseen = {row.metric for row in study.scores if row.model == "linear-window"}
    assert unseen == {"entity-f1", "token-accuracy", "unseen-entity-f1", "unseen-word-accuracy"}
    assert study.find_score("most-frequent-tag", metric="unseen-entity-f1").value == 0


def test_the_tagger_repeats_what_it_learned_by_heart():
    data = read(make_tags())
    rows = np.arange(len(data))
    answers = kind_of(data).learning.build_models(data)[0].answer(rows, rows)
    assert answers == [" ".join(tags) for tags in data.fields["tags"].to_list()]


def test_training_predicts_every_item_out_of_fold_or_the_test_part(tmp_path):
    rows = make_quiz(asked=True)
    run = assay.train(rows)
    assert [fit.n_test for fit in run.fits] == [24] * 5
    assert run.metric == "accuracy"
    assert "5 random folds" in run.notes[0]
    with_parts = rows | {"split": ["train"] * 90 + ["test"] * 30}
    (fit,) = assay.train(with_parts).fits
    assert (fit.n_train, fit.n_test, fit.fold) == (90, 30, None)
    assert fit.accuracy > 0.8
    folds = tmp_path / "folds.tsv"
    assay.split(rows, "random", n_splits=3).write_folds(folds)
    assert [fit.fold for fit in assay.train(rows, folds=read_folds(folds)).fits] == [1, 2, 3]


def test_models_of_classes_are_refused_by_name():
    with pytest.raises(UsageError, match="'cnn' learns classes of texts"):
        assay.train(make_quiz(), "cnn")
    with pytest.raises(AssayError, match="3 items with a gold answer are too few"):
        study_quick_models(make_quiz(3))


def test_the_command_shows_what_splits_cost(tmp_path, capsys):
    from assay.cli.main import status

    path, result = tmp_path / "quiz.jsonl", tmp_path / "result.json"
    rows = make_quiz(asked=True)
    lines = [json.dumps({name: cells[row] for name, cells in rows.items()}) for row in range(120)]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert status(["train", str(path), "--splits", "length", "--json", str(result)]) == 0
    printed = capsys.readouterr().out
    assert "What harder splits cost" in printed
    assert "choices-only" in printed
    stored = json.loads(result.read_text(encoding="utf-8"))["result"]
    assert {row["split"] for row in stored["stress"]} == {"length", "new subjects"}
    assert status(["train", str(path), "-o", str(tmp_path / "p.tsv")]) == 0
    assert status(["evaluate", str(path), "--predictions", str(tmp_path / "p.tsv")]) == 0
