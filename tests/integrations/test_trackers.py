"""Audits in experiment trackers, with the real packages and local stores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.audits.trackers import list_metrics
from assay.base.errors import AssayError


@pytest.fixture(scope="module")
def audit():
    texts = {"text": ["a good film", "a bad film"] * 20, "label": ["pos", "neg"] * 20}
    return assay.audit(texts, only=["profile"])


@pytest.fixture
def mlflow(tmp_path, monkeypatch):
    package = pytest.importorskip("mlflow", reason="MLflow is not installed")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    package.set_tracking_uri((tmp_path / "mlruns").as_uri())
    package.set_experiment("benchmarks")
    yield package
    package.set_tracking_uri(None)


def get_runs(mlflow):
    client = mlflow.MlflowClient()
    return client.search_runs([experiment.experiment_id for experiment in client.search_experiments()])


@pytest.mark.filterwarnings("ignore:.*filesystem tracking backend.*")
def test_mlflow_keeps_numbers_settings_the_audit_and_files(mlflow, audit, tmp_path):
    report = tmp_path / "report.html"
    report.write_text("<p>report</p>")
    audit.log_to("mlflow", files=[report], run_name="first")
    (run,) = get_runs(mlflow)
    assert run.info.run_name == "first"
    assert run.data.metrics == pytest.approx(list_metrics(audit))
    assert run.data.metrics["assay/A103"] == pytest.approx(38 / 40)
    assert run.data.tags["assay/fingerprint"] == audit.data.fingerprint
    folder = Path(mlflow.artifacts.download_artifacts(run_id=run.info.run_id, dst_path=str(tmp_path / "out")))
    assert type(audit).from_dict(json.loads((folder / "audit.json").read_text())) == audit
    assert (folder / "report.html").read_text() == "<p>report</p>"
    assert mlflow.active_run() is None


@pytest.mark.filterwarnings("ignore:.*filesystem tracking backend.*")
def test_an_active_run_is_used_and_stays_open(mlflow, audit):
    with mlflow.start_run() as run:
        audit.log_to("mlflow")
        assert mlflow.active_run() is not None
    assert [row.info.run_id for row in get_runs(mlflow)] == [run.info.run_id]


def test_an_unknown_tracker_is_an_error(audit):
    with pytest.raises(AssayError, match=r"No tracker 'mlflo'\. Did you mean 'mlflow'"):
        audit.log_to("mlflo")


def test_a_missing_package_is_named(audit, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "wandb", None)
    with pytest.raises(AssayError, match="needs wandb: pip install wandb"):
        audit.log_to("wandb")
