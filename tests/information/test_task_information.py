"""Task-specific information of data whose information is known."""

import json
import math

import numpy as np
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError
from assay.data.bundled import find_bundled
from assay.evaluation import read_predictions
from assay.information import Information, measure_task_information, search_cues
from assay.information.task_information import compute_shapley_values, list_shortcut_sets
from assay.text import Corpus

QUICK = {"controls": ("mlp-10", "boosting"), "search": False}


def draw_texts(n: int, seed: int, task: float, shortcut: float):
    """Draw texts where a word (task) and an exclamation mark (shortcut) tell the label with some probability."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    word = np.where(rng.random(n) < task, labels, 1 - labels)
    mark = np.where(rng.random(n) < shortcut, labels, 1 - labels)
    texts = [
        f"a {'good' if tells else 'poor'} thing" + "!" * bool(sign) for tells, sign in zip(word, mark, strict=True)
    ]
    return texts, labels.astype(str).tolist()


def test_all_information_is_beyond_a_shortcut_that_tells_nothing():
    found = measure_task_information(*draw_texts(1500, 0, task=1.0, shortcut=0.5), shortcuts=("punctuation",), **QUICK)
    assert found.tsi.value == pytest.approx(math.log(2), abs=0.05)
    assert found.entropy == pytest.approx(math.log(2), abs=0.01)
    assert found.full.accuracy == 1


def test_no_information_is_beyond_a_shortcut_that_tells_all():
    found = measure_task_information(*draw_texts(1500, 0, task=0.5, shortcut=1.0), shortcuts=("punctuation",), **QUICK)
    assert found.tsi.value == pytest.approx(0, abs=0.02)
    assert found.contributions == {"punctuation": pytest.approx(math.log(2), abs=0.03)}


def test_the_full_model_does_not_lose_to_its_control():
    texts, labels = draw_texts(1200, 1, task=0.5, shortcut=0.8)
    found = measure_task_information([text.replace("!", " !") for text in texts], labels, **QUICK)
    assert found.full.nll <= found.control[-1].nll + 0.02


def test_jobs_change_nothing():
    data = draw_texts(300, 2, task=0.8, shortcut=0.6)
    one, two = (measure_task_information(*data, n_jobs=jobs, **QUICK).to_dict() for jobs in (1, 2))
    assert one == two


def test_own_probabilities_replace_the_full_model():
    texts, labels = draw_texts(400, 3, task=1.0, shortcut=0.5)
    sure = np.array([[0.02, 0.98] if label == "1" else [0.98, 0.02] for label in labels])
    sure[:100] = np.nan
    found = measure_task_information(texts, labels, probabilities=sure, **QUICK)
    assert (found.full.model, found.n_items, found.full.accuracy) == ("given", 300, 1.0)


def test_ready_made_words_and_cues_change_no_number():
    texts, labels = draw_texts(300, 5, task=0.9, shortcut=0.7)
    options = {"controls": ("mlp-10",)}
    expected = measure_task_information(texts, labels, **options)
    cues = search_cues([texts], np.array(labels, dtype=int), ["0", "1"])
    found = measure_task_information(texts, labels, corpora=[Corpus.from_texts(texts)], cues=cues, **options)
    assert found.to_dict() == expected.to_dict()
    assert found.items.equals(expected.items)
    assert cues


def test_cues_that_are_known_are_not_searched_again(monkeypatch):
    texts, labels = draw_texts(300, 5, task=0.9, shortcut=0.7)
    monkeypatch.setattr("assay.information.task_information.search_cues", None)
    assert measure_task_information(texts, labels, controls=("mlp-10",), cues=[]).cues == []


def test_a_result_is_a_table_of_controls_and_comes_back_from_json():
    found = measure_task_information(*draw_texts(300, 6, task=0.9, shortcut=0.7), controls=("mlp-10",))
    assert found.to_frame()["shortcuts"].to_list() == ["P", "S", "P+S"]
    assert Information.from_dict(found.to_dict()).to_dict() == found.to_dict()
    assert f"tsi={found.tsi.value:.3f} [" in repr(found)


def test_systems_are_ranked_on_the_items_that_shortcuts_do_not_solve():
    data = assay.read(find_bundled())
    predictions = read_predictions([find_bundled("predictions")], data)
    found = assay.measure_information(data, predictions=predictions, controls=("mlp-10",))
    assert sorted(system.system for system in found.systems) == sorted(predictions.names)
    accuracies = [system.accuracy_unsolved.value for system in found.systems]
    assert accuracies == sorted(accuracies, reverse=True)
    n_solved = int(found.items["shortcut_solvable"].sum())
    assert {system.n_solved for system in found.systems} == {n_solved}


def test_every_set_of_shortcuts_is_reported():
    assert [len(chosen) for chosen in list_shortcut_sets(("a", "b", "c"))] == [1, 1, 1, 2, 2, 2, 3]
    assert len(list_shortcut_sets(tuple("abcdef"))) == 11


def test_contributions_sum_to_the_whole():
    values = {(): 0.0, ("a",): 0.3, ("b",): 0.1, ("a", "b"): 0.35}
    assert sum(compute_shapley_values(values, ("a", "b")).values()) == pytest.approx(0.35)


def test_one_label_is_an_error():
    with pytest.raises(AssayError, match="at least two labels; all 4 items have 'x'"):
        measure_task_information(["a"] * 4, ["x"] * 4)


def test_the_command_prints_the_promised_keys(run, tmp_path):
    texts, labels = draw_texts(240, 4, task=0.9, shortcut=0.7)
    pl.DataFrame({"text": texts, "label": labels}).write_csv(tmp_path / "data.csv")
    done = run("information", tmp_path / "data.csv", "--json", "-", "-o", tmp_path / "items.tsv", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["result"]
    assert {"entropy", "full", "control", "baselines"} <= set(found)
    assert {"model", "nll", "accuracy"} <= set(found["full"])
    assert {"shortcuts", "nll", "tsi"} <= set(found["control"][0])
    assert {"value", "low", "high"} <= set(found["control"][0]["tsi"])
    assert [control["shortcuts"] for control in found["control"]] == ["P", "S", "P+S"]
    items = pl.read_csv(tmp_path / "items.tsv", separator="\t")
    assert len(items) == 240
    assert items.columns[0] == "id"


def test_the_command_asks_for_data(run):
    done = run("information")
    assert done.returncode == 2
    assert "There is no data" in done.stderr


def test_baselines_learn_from_known_rows_alone():
    """Words that only held-out texts have change neither the vectors nor the nearest text."""
    from assay.data.hold_out import PartRows
    from assay.information.baselines import count_words, number_keys, predict_by_key, predict_by_neighbour, weigh_words
    from assay.models import CountedTexts

    texts = ["a red car", "a blue car", "red red sky", "a green red thing", "unknown words"]
    rows = PartRows(np.array([0, 1]), np.array([2]), np.array([3, 4]))
    codes = np.array([1, 0, 2, 0, 0])
    (counts,) = count_words(CountedTexts(texts))
    vectors, _ = weigh_words(counts, np.r_[rows.train, rows.dev], rows.test)
    assert vectors.shape == (3, 5)  # a, blue, car, red, sky
    assert predict_by_neighbour(counts, codes, rows).tolist() == [1, 1]  # the first row among equals
    (empty,) = count_words(CountedTexts([""] * 5))
    assert predict_by_neighbour(empty, codes, rows).tolist() == [0, 0]
    assert predict_by_key(number_keys(["x", "y", "y", "y", "z"]), codes, rows).tolist() == [0, 0]
