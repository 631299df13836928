"""Zhu et al. 2021 (task-specific information): features, toy data, and the numbers behind our Table 1 and Figure 4."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from benchmarks.papers.zhu_2021 import PRINTED
from benchmarks.studies.information.toy import measure_toy_gap

from assay.information import SHORTCUTS, fit_accuracy_loss, measure_task_information
from assay.information.item_texts import ItemTexts

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
FIRST, SECOND = "You have access to the facts .", "The facts are accessible to you ."


def read_json(name):
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def test_the_features_of_section_4_2():
    items = ItemTexts([[FIRST], [SECOND]])
    assert SHORTCUTS["punctuation"](items).ravel() == pytest.approx([2 / 14])
    assert SHORTCUTS["stop-words"](items).ravel() == pytest.approx([8 / 14])


def test_the_printed_overlap_is_not_that_of_its_example():
    items = ItemTexts([["What can make Physics easy to learn ?"], ["How can you make Physics easy to learn ?"]])
    assert SHORTCUTS["overlap"](items).ravel() == pytest.approx(
        [6 / 7, 6 / 8]
    )  # with "?" 7/8 and 7/9; printed: 8/9 and 8/10


@pytest.mark.parametrize("setting", [("sum", 2, 0.5, 0.1), ("sum", 6, 0.3, 0.5), ("and", 3, 0.7, 0.2)])
def test_toy_losses_are_within_the_printed_0_04_nats(setting):
    assert abs(measure_toy_gap(*setting, 5000, 10_000, 1)) < 0.04


def test_the_whole_toy_grid_was_measured():
    gaps = np.abs([row["gap"] for row in read_json("gpu/toy.json")])
    assert len(gaps) == 1458
    assert (gaps < 0.04).mean() >= 0.995


def test_information_lies_between_0_and_the_entropy_of_the_labels():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 400)
    texts = [
        f"a {'good' if label else 'bad'} film {word} ."
        for label, word in zip(labels, rng.integers(0, 9, 400), strict=True)
    ]
    found = measure_task_information(texts, labels.tolist(), search=False, controls=("boosting",))
    assert 0 <= found.tsi.value <= np.log(2) + 0.02
    assert found.tsi.value > 0.4


@pytest.mark.parametrize(("name", "accuracy"), [("imdb", 0.887), ("yelp", 0.954), ("quora", 0.829), ("mnli", 0.647)])
def test_stored_probabilities_give_the_accuracy_of_our_table(name, accuracy):
    fits = [fit for fit in read_json("paper_003/scores.json").values() if fit["dataset"] == name]
    best = min(fits, key=lambda fit: fit["dev_nll"])
    with gzip.open(RESULTS / "paper_003" / f"{name}.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["part"] == "test"]
    assert np.mean([row["gold"] == row["predicted"] for row in rows]) == pytest.approx(best["test_accuracy"])
    losses = [-np.log(float(row[f"prob:{row['gold']}"])) for row in rows]
    assert np.mean(losses) == pytest.approx(best["test_nll"], abs=1e-4)
    assert best["test_accuracy"] == pytest.approx(accuracy, abs=0.012)


@pytest.mark.parametrize("name", ["imdb", "yelp", "quora", "mnli"])
def test_loss_falls_in_a_line_with_accuracy_over_encoders_and_sizes(name):
    best = {}
    for fit in read_json("gpu/information.json").values():
        key = fit["encoder"], fit["size"]
        if fit["dataset"] == name and (key not in best or fit["dev_nll"] < best[key]["dev_nll"]):
            best[key] = fit
    guess = 1 / 3 if name == "mnli" else 1 / 2
    fits = [fit for fit in best.values() if fit["test_accuracy"] > 1.1 * guess]
    line = fit_accuracy_loss([fit["test_accuracy"] for fit in fits], [fit["test_nll"] for fit in fits])
    assert line.correlation < -0.9
    better = line.accuracy_max + 0.03
    assert line.predict_loss(better).value < min(fit["test_nll"] for fit in fits) + line.residual_std


def test_the_nearest_neighbour_estimator_fails_as_in_section_5_4():
    rows = read_json("information_studies.json")["ksg"]
    assert any(row["share_negative"] > 0 for row in rows)
    assert all(row["tsi_neighbours"] < row["tsi_losses"] for row in rows)


def test_the_printed_cells_give_2_2_times_the_information_of_quora():
    """Section 7, from Table 1."""
    printed = PRINTED
    assert round(printed["mnli"][1] / printed["quora"][1], 1) == 2.2


@pytest.mark.parametrize("name", ["mnli", "imdb", "yelp", "quora"])
def test_the_loss_of_the_encoder_rises_faster_than_that_of_the_shortcuts(name):
    """Section 5.3, from all to an eighth of the training items."""
    sizes = read_json("paper_003/sizes.json")
    controls = {(row["dataset"], row["size"]): np.mean(row["control_nll"]) for row in sizes}
    fits = [
        fit
        for fit in read_json("gpu/information.json").values()
        if (fit["dataset"], fit["encoder"]) == (name, "minilm")
    ]
    losses = {
        size: min((fit["dev_nll"], fit["test_nll"]) for fit in fits if fit["size"] == size)[1] for size in (0.125, 1)
    }
    of_encoder, of_shortcuts = losses[0.125] - losses[1], controls[name, 0.125] - controls[name, 1]
    assert of_encoder > 0.04
    assert abs(of_shortcuts) < 0.01
