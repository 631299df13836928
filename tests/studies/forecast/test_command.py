"""`assay forecast --study`."""

from __future__ import annotations

from functools import partial

import pytest

import assay.studies
from assay.cli.main import status
from assay.studies.forecast import tables

FEW = {"train": 60, "dev": 20, "test": 20}


def test_the_study_prints_both_tables(evidence, capsys, monkeypatch):
    pytest.importorskip("lightgbm")
    monkeypatch.setattr(tables, "REGRESSORS", ["linear", "mean"])
    monkeypatch.setattr(tables, "RANKERS", ["lightgbm"])
    monkeypatch.setattr(tables, "N_RANDOM_SPLITS", 1)
    study = partial(tables.study_forecast, evidence, sets=("probes",), lengths=(5,), n_lists=FEW)
    monkeypatch.setattr(assay.studies, "study_forecast", study, raising=False)
    assert status(["forecast", "--study"]) == 0
    output = capsys.readouterr().out
    for title in ("Table 2: 240 sub-datasets", "Table 3", "Reliability of λ", "The predictor that ships"):
        assert title in output


def test_without_lightgbm_the_extra_is_named(capsys, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "lightgbm", None)
    monkeypatch.setattr(tables, "REGRESSORS", ["lightgbm"])
    assert status(["forecast", "--study"]) == 1
    assert 'LightGBM needs lightgbm: pip install "benchassay[forecast]"' in capsys.readouterr().err
