"""The command line of the forecast."""

from __future__ import annotations

import json
import sys

import pytest

from assay.cli.main import status

pytest.importorskip("lightgbm")
KEYS = {"data", "lambda_var", "lambda_var_low", "lambda_var_high", "lambda_sva", "lambda_sva_low", "lambda_sva_high"}


@pytest.fixture
def tables(tmp_path):
    lines = ["text\tlabel\tsplit"]
    for number in range(600):
        label = "good" if number % 3 else "bad"
        words = f"{label if number % 5 else 'plain'} thing number {number} w{number % 17} seen at house {number % 29}"
        lines.append(f"{words}\t{label}\t{'test' if number % 3 == 1 else 'train'}")
    for name in ("one", "two"):
        (tmp_path / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(tmp_path / f"{name}.tsv") for name in ("one", "two")]


def test_several_datasets_are_forecast_at_once(tables, capsys):
    assert status(["forecast", *tables, "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["command"] == "forecast"
    forecasts = told["result"]["forecasts"]
    assert [one["data"] for one in forecasts] == ["one", "two"]
    for one in forecasts:
        assert KEYS | {"percentile", "drivers", "out_of_range"} <= set(one)
        assert one["lambda_var_low"] <= one["lambda_var"] <= one["lambda_var_high"]


def test_the_table_names_data_and_drivers(tables, capsys):
    assert status(["forecast", tables[0]]) == 0
    shown = capsys.readouterr().out
    assert "Forecast of λ" in shown
    assert "what moves λ_sva" in shown


def test_without_data_usage_is_told(capsys):
    assert status(["forecast"]) == 2
    assert "DATA is missing" in capsys.readouterr().err


def test_parts_as_files_go_with_one_dataset_only(tables, capsys):
    assert status(["forecast", *tables, "--train", tables[0]]) == 2
    assert "--train and --test give the parts of one dataset" in capsys.readouterr().err


def test_without_lightgbm_the_extra_is_named(tables, capsys, monkeypatch):
    from assay.forecast.predictor import read_predictor

    read_predictor.cache_clear()
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    assert status(["forecast", tables[0]]) == 1
    assert 'pip install "benchassay[forecast]"' in capsys.readouterr().err
    read_predictor.cache_clear()


def test_a_forecast_loads_no_torch(tables):
    import subprocess

    lines = ["import sys", "from assay.cli.main import status", f"done = status(['forecast', {tables[0]!r}])"]
    code = "\n".join([*lines, "sys.exit(done or 'torch' in sys.modules)"])
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_the_study_prints_both_tables(evidence, capsys, monkeypatch):
    from functools import partial

    import assay.forecast
    from assay.forecast import studying

    few = {"train": 60, "dev": 20, "test": 20}
    monkeypatch.setattr(studying, "REGRESSORS", ["linear", "mean"])
    monkeypatch.setattr(studying, "RANDOM_CUTS", 1)
    monkeypatch.setattr(studying, "study", partial(studying.study, sets=("probes",), lengths=(5,), n_lists=few))
    monkeypatch.setattr(assay.forecast, "read_evidence", lambda: evidence, raising=False)
    assert status(["forecast", "--study"]) == 0
    shown = capsys.readouterr().out
    for title in ("Table 2: 240 sub-datasets", "Table 3", "Reliability of λ", "The predictor that ships"):
        assert title in shown
