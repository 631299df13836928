"""`assay train --splits` and `--study`: tables of scores under families of splits, and under the age of training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.base.results import wrap_result
from assay.cli.output import say, show_table, write_json

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.models.studies.drift import Drift
    from assay.models.studies.stress import StressTable


def run_study(data: Dataset, options: dict[str, Any], running: dict[str, Any]) -> None:
    """Run the study asked for, write its JSON and show its tables."""
    result, told = _drift(data, options, running) if options["study"] else _stress(data, options, running)
    for note in result.notes:
        say(note)
    settings = {"models": list(options["models"]), "seed": options["seed"], **told, **running["settings"]}
    if options["json_"]:
        write_json(options["json_"], wrap_result("train", result, settings, data))
    if options["json_"] == "-":
        return
    if options["study"]:
        _show_drift(result)
    else:
        _show_stress(result)


def _drift(data: Dataset, options: dict[str, Any], running: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    from assay.models.studies.drift import drift

    told = {"study": "drift", "slices": options["slices"]}
    return drift(data, options["models"], n_slices=options["slices"], **running), told


def _stress(data: Dataset, options: dict[str, Any], running: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    from assay.kinds import read
    from assay.models.studies.stress import FAMILIES, stress_table

    names = list(FAMILIES) if options["splits"] == "all" else [name.strip() for name in options["splits"].split(",")]
    fresh = read(options["new_sample"]) if options["new_sample"] else None
    told = {"splits": ",".join(names), "repeats": options["repeats"], "new_sample": options["new_sample"]}
    return stress_table(data, options["models"], names, repeats=options["repeats"], new_sample=fresh, **running), told


def _show_stress(result: StressTable) -> None:
    errors = {error.split: error.mse for error in result.errors}
    columns = ["split", "model", "accuracy", "std", "error reduction", "draws", "test rows"]
    rows = [(r.split, r.model, r.score, r.score_std, r.error_reduction, r.n_draws, r.n_test) for r in result.rows]
    if errors:
        columns.append("MSE to new sample")
        rows = [(*row, errors[row[0]]) for row in rows]  # type: ignore[misc]
    show_table("Scores by split family", columns, rows)
    if result.new_sample is not None:
        new = result.new_sample
        where = "in-domain" if new.in_domain else "NOT in-domain"
        say(f"New sample {new.name}: A-distance {new.a_distance:.2f} ({where}), {new.n:,} rows.")
        rows = [(score.model, score.score, score.error_reduction) for score in new.scores]  # type: ignore[misc]
        show_table("New sample", ["model", "accuracy", "error reduction"], rows)
    if result.flips:
        flips = [(f"{flip.split} / {flip.other_split}", flip.better, flip.better_there) for flip in result.flips]
        show_table("Rank flips", ["splits", "better in the first", "better in the second"], flips)


def _show_drift(result: Drift) -> None:
    title = f"Accuracy on the latest {result.n_test:,} rows (from {result.test_from}) by age of the training slice"
    both = [*result.slices, *result.halves]
    show_table(
        title,
        ["training", "model", "gap (days)", "rows", "accuracy"],
        [(row.slice, row.model, row.gap_days, row.n_train, row.score) for row in both],
    )
    show_table(
        "Gap and score",
        ["model", "Spearman", "p", "Pearson", "p"],
        [(c.model, c.spearman.value, c.spearman.p, c.pearson, c.pearson_p) for c in result.correlations],
    )
    if result.words:
        words = [(word.word, word.share_before, word.share_after, word.p) for word in result.words]
        show_table("Words whose share of a text changed", ["word", "old half", "recent half", "p (FDR)"], words)
