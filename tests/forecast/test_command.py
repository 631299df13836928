"""The command line of the forecast."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from assay.cli.main import status

KEYS = {"data", "lambda_var", "lambda_sva", "percentile", "drivers", "out_of_range"}


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
    output = json.loads(capsys.readouterr().out)
    assert output["command"] == "forecast"
    forecasts = output["result"]["forecasts"]
    assert [forecast["data"] for forecast in forecasts] == ["one", "two"]
    for forecast in forecasts:
        assert set(forecast) >= KEYS
        assert forecast["lambda_var"]["low"] <= forecast["lambda_var"]["value"] <= forecast["lambda_var"]["high"]


def test_the_table_names_data_and_drivers(tables, capsys):
    assert status(["forecast", tables[0]]) == 0
    shown = capsys.readouterr().out
    assert "Forecast of λ" in shown
    assert "what moves λ_sva" in shown


def test_missing_data_is_a_usage_error(capsys):
    assert status(["forecast"]) == 2
    assert "DATA is missing" in capsys.readouterr().err


def test_parts_as_files_go_with_one_dataset_only(tables, capsys):
    assert status(["forecast", *tables, "--train", tables[0]]) == 2
    assert "--train and --test give the parts of one dataset" in capsys.readouterr().err


def test_jobs_change_no_number(tables, capsys):
    outputs = []
    for jobs in ("1", "2"):
        assert status(["forecast", *tables, "--jobs", jobs, "--json", "-"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("module", ["torch", "lightgbm", "xgboost"])
def test_a_forecast_needs_no_extra(tables, module):
    lines = ["import sys", f"sys.modules[{module!r}] = None", "from assay.cli.main import status"]
    code = "\n".join([*lines, f"sys.exit(status(['forecast', {tables[0]!r}]))"])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
