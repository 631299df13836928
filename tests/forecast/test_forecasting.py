"""Forecasts of datasets nobody has trained on."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from assay.base.errors import AssayError
from assay.forecast import Forecast, forecast_discrimination, read_evidence
from assay.kinds import read

WORDS = [f"word{number}" for number in range(300)]


def make_table(n=1500, signal=3.0, seed=0, n_labels=2):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_labels, n)
    texts = []
    for label in labels:
        weights = np.ones(300)
        weights[60 * label : 60 * label + 60] = signal
        texts.append(" ".join(rng.choice(WORDS, 15, p=weights / weights.sum())))
    parts = np.where(np.arange(n) < 0.7 * n, "train", "test")
    return {"text": texts, "label": [f"label {label}" for label in labels], "split": parts.tolist()}


def test_a_forecast_has_its_interval_around_it():
    found = forecast_discrimination(read(make_table()))
    assert 0 <= found.lambda_var.low < found.lambda_var.value < found.lambda_var.high
    assert 0 <= found.lambda_sva.low < found.lambda_sva.value < found.lambda_sva.high
    assert 0 <= found.percentile <= 100
    assert len(found.drivers) == 5


def test_a_forecast_comes_back_from_json_and_is_one_row():
    found = forecast_discrimination(make_table())
    assert Forecast.from_dict(found.to_dict()) == found
    assert found.to_frame()["lambda_var"].to_list() == [found.lambda_var.value]
    assert repr(found).startswith(f"Forecast('data': lambda_var={found.lambda_var.value:.2f} [")


def test_easy_data_is_forecast_to_discriminate_less():
    easy, hard = (
        forecast_discrimination(read(make_table(signal=60))),
        forecast_discrimination(read(make_table(signal=2))),
    )
    assert easy.lambda_sva.value < hard.lambda_sva.value


def test_the_same_data_gives_the_same_forecast():
    assert forecast_discrimination(read(make_table())) == forecast_discrimination(read(make_table()))


def test_large_data_is_sampled_with_a_note():
    found = forecast_discrimination(read(make_table(4000)))
    assert (found.n_train, found.n_test) == (1800, 1000)
    assert any("1,800 training and 1,000 test rows drawn at random" in note for note in found.notes)


def test_small_data_gets_a_note():
    assert any(
        "fewer than the smallest sub-dataset" in note for note in forecast_discrimination(read(make_table(200))).notes
    )


def test_data_unlike_the_evidence_is_flagged():
    strange = make_table()
    strange["text"] = ["word1 " * 3000 for _ in strange["text"]]
    found = forecast_discrimination(read(strange))
    assert found.out_of_range


def test_one_label_is_an_error():
    with pytest.raises(AssayError, match="a forecast needs at least two labels; there is 1"):
        forecast_discrimination(read(make_table(n_labels=1)))


def test_data_without_labels_is_an_error():
    with pytest.raises(AssayError, match="no label column"):
        forecast_discrimination(read({"text": make_table()["text"]}))


def test_the_evidence_is_as_documented():
    found = read_evidence()
    assert len(found) >= 900
    assert found.table["parent"].n_unique() >= 12
    assert found.table["family"].n_unique() >= 9
    scores = found.table.select("cnn", "lstm", "lstm_attention", "transformer").to_numpy().astype(float)
    assert ((scores >= 0) & (scores <= 100)).all()
    assert np.allclose(scores.std(axis=1, ddof=1), found.target("lambda_var"), atol=1e-3)
    sva = scores.std(axis=1, ddof=1) * (100 - scores.mean(axis=1))
    assert np.allclose(sva, found.target("lambda_sva"), rtol=1e-3, atol=1e-2)
    large = found.table.filter(~pl.col("small"))
    assert (large["n_test"] >= 300).all()
    assert (large["n_train"] + large["n_dev"] + large["n_test"] >= 1000).all()


def test_no_text_of_a_parent_is_in_the_evidence():
    kinds = read_evidence().table.schema
    words = {name for name, kind in kinds.items() if kind == pl.String}
    assert words == {"id", "parent", "family", "cut_by", "shift"}
