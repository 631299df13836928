"""Audits in experiment trackers: MLflow, Weights & Biases and Trackio."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.errors import import_extra
from assay.base.registry import Registry
from assay.system.json import JsonObject

if TYPE_CHECKING:
    from assay.audits.result import Audit

Tracker = Callable[["Audit", Sequence[Path], dict[str, Any]], None]
TRACKERS: Registry[Tracker] = Registry("tracker")
AUDIT_FILE = "audit.json"


def log_audit(audit: Audit, tracker: str, files: Sequence[str | Path] = (), **options: object) -> None:
    """Log the numbers of an audit to the current run of a tracker, or to a new one made with `options`."""
    TRACKERS[tracker](audit, [Path(file) for file in files], options)


def list_metrics(audit: Audit) -> dict[str, float]:
    """Return the numbers to log: counts of items, checks and findings, and the largest value of each finding."""
    counts = audit.items_summary
    metrics: dict[str, float] = {
        "assay/items": audit.data.rows,
        "assay/items_keep": counts.keep,
        "assay/items_repair": counts.repair,
        "assay/items_retire": counts.retire,
        "assay/checks_passed": len(audit.passed),
        "assay/checks_not_made": len(audit.not_checked),
    }
    for severity in ("error", "warning", "note"):
        metrics[f"assay/findings_{severity}"] = sum(finding.severity == severity for finding in audit.findings)
    for finding in audit.findings:
        name = f"assay/{finding.code}"
        if math.isfinite(finding.value):
            metrics[name] = max(finding.value, metrics.get(name, -math.inf))
    return metrics


def list_settings(audit: Audit) -> dict[str, str]:
    """Return what identifies the audit: data, version and settings."""
    return {
        "assay/data": audit.data.name,
        "assay/fingerprint": audit.data.fingerprint,
        "assay/version": audit.settings.version,
        "assay/seed": str(audit.settings.seed),
        "assay/depth": "quick" if audit.settings.quick else "full",
        "assay/verdict": audit.verdict[:500],
    }


@TRACKERS.add("mlflow")
def _log_to_mlflow(audit: Audit, files: Sequence[Path], options: JsonObject) -> None:
    """Log to the active run of MLflow; without one to a new run."""
    mlflow = import_extra("mlflow", None, "Logging to MLflow")
    active = mlflow.active_run()
    run = active or mlflow.start_run(**options)
    try:
        mlflow.log_metrics(list_metrics(audit))
        mlflow.set_tags(list_settings(audit))
        mlflow.log_dict(audit.to_dict(), AUDIT_FILE)
        for file in files:
            mlflow.log_artifact(str(file))
    finally:
        if active is None and run is not None:
            mlflow.end_run()


@TRACKERS.add("wandb")
def _log_to_wandb(audit: Audit, files: Sequence[Path], options: JsonObject) -> None:
    """Log to the active run of Weights & Biases; without one to a new run."""
    wandb = import_extra("wandb", None, "Logging to Weights & Biases")
    active = wandb.run
    run = active or wandb.init(**options)
    try:
        run.config.update(list_settings(audit), allow_val_change=True)
        run.log(list_metrics(audit))
        for file in files:
            run.save(str(file), base_path=str(file.parent), policy="now")
    finally:
        if active is None:
            run.finish()


@TRACKERS.add("trackio")
def _log_to_trackio(audit: Audit, _files: Sequence[Path], options: JsonObject) -> None:
    """Log to a new run of Trackio, which keeps numbers and settings."""
    trackio = import_extra("trackio", None, "Logging to Trackio")
    trackio.init(**{"project": "assay", "config": list_settings(audit)} | options)
    try:
        trackio.log(list_metrics(audit))
    finally:
        trackio.finish()
