"""Run and show the studies of `train --splits` and `train --study`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.cli.output import say, show_table, write_json
from assay.views.results import wrap_result

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.models.split_studies import AgeStudy, StressTable


def run_split_study(data: Dataset, options: dict[str, Any], work: dict[str, Any]) -> None:
    """Run the stress table or the study of training age, write its JSON and show its tables."""
    from assay.kinds import kind_of

    result: AgeStudy | StressTable
    kind = kind_of(data)
    if (
        not options["study"]
        and not (kind.gold.has_text_labels and tuple(options["models"]) != ("linear",))
        and kind.learning.has_models
    ):
        _run_quick_study(data, options)
        return
    if options["study"]:
        result, settings = _study_age(data, options, work)
    else:
        result, settings = _build_stress_table(data, options, work)
    for note in result.notes:
        say(note)
    settings = {"models": list(options["models"]), "seed": options["seed"], **settings, **work["settings"]}
    if options["json_"]:
        write_json(options["json_"], wrap_result("train", result, settings, data))
    if options["json_"] != "-":
        _show_age(result) if options["study"] else _show_stress_table(result)  # type: ignore[arg-type]


def _run_quick_study(data: Dataset, options: dict[str, Any]) -> None:
    """Study the quick models of a kind of task without classes, write the JSON and show the tables."""
    from assay.models.quick import study_quick_models
    from assay.models.split_drawing import CHALLENGING_SPLITS

    wanted = [name.strip() for name in options["splits"].split(",")]
    names = CHALLENGING_SPLITS if wanted == ["all"] else [name for name in wanted if name not in ("random", "standard")]
    result = study_quick_models(data, splits=names, n_draws=options["repeats"], random_state=options["seed"])
    for note in result.notes:
        say(note)
    if options["json_"]:
        settings = {"splits": ",".join(names), "repeats": options["repeats"], "seed": options["seed"]}
        write_json(options["json_"], wrap_result("train", result, settings, data))
    if options["json_"] == "-":
        return
    columns = ["split", "model", "sees", "metric", "score", "low", "high", "items"]
    rows: list[tuple[Any, ...]] = [
        (row.split, row.model, row.sees, row.metric, row.value, row.low, row.high, row.n) for row in result.scores
    ]
    show_table(f"Quick models of {result.title}", columns, rows)
    columns = ["model", "over", "metric", "gain", "low", "high"]
    rows = [(row.model, row.other, row.metric, row.difference, row.low, row.high) for row in result.gains]
    show_table("Gains on the same items, random folds", columns, rows)
    columns = ["split", "draws", "items", "random folds", "this split", "drop", "low", "high", "error reduction"]
    rows = []
    for row in result.stress:
        drop = row.bound_drop()
        scores = (row.random_score, row.score, drop.value, drop.low, drop.high)
        rows.append((row.split, row.n_draws, row.n_items, *scores, row.error_reduction))
    show_table("What harder splits cost", columns, rows)


def _study_age(data: Dataset, options: dict[str, Any], work: dict[str, Any]) -> tuple[AgeStudy, dict[str, Any]]:
    from assay.models.split_studies import study_training_age

    result = study_training_age(data, options["models"], n_slices=options["slices"], **work)
    return result, {"study": "drift", "slices": options["slices"]}


def _build_stress_table(
    data: Dataset, options: dict[str, Any], work: dict[str, Any]
) -> tuple[StressTable, dict[str, Any]]:
    from assay.kinds import read
    from assay.models.split_studies import build_stress_table
    from assay.models.split_studies.stress_table import FAMILIES

    names = list(FAMILIES) if options["splits"] == "all" else [name.strip() for name in options["splits"].split(",")]
    sample = read(options["new_sample"]) if options["new_sample"] else None
    settings = {"splits": ",".join(names), "repeats": options["repeats"], "new_sample": options["new_sample"]}
    models, n_repeats = options["models"], options["repeats"]
    return build_stress_table(data, models, names, n_repeats=n_repeats, new_sample=sample, **work), settings


def _show_stress_table(result: StressTable) -> None:
    errors = {error.split: error.mse for error in result.errors}
    columns = ["split", "model", "accuracy", "std", "error reduction", "draws", "test rows"]
    rows: list[tuple[Any, ...]] = [
        (row.split, row.model, row.score, row.score_std, row.error_reduction, row.n_draws, row.n_test)
        for row in result.rows
    ]
    if errors:
        columns.append("MSE to new sample")
        rows = [(*row, errors[row[0]]) for row in rows]
    show_table("Scores by split family", columns, rows)
    if result.new_sample is not None:
        sample = result.new_sample
        domain = "in-domain" if sample.in_domain else "NOT in-domain"
        say(f"New sample {sample.name}: A-distance {sample.a_distance:.2f} ({domain}), {sample.n:,} rows.")
        rows = [(score.model, score.score, score.error_reduction) for score in sample.scores]
        show_table("New sample", ["model", "accuracy", "error reduction"], rows)
    if result.flips:
        rows = [(f"{flip.split} / {flip.other_split}", flip.better, flip.better_there) for flip in result.flips]
        show_table("Rank flips", ["splits", "better in the first", "better in the second"], rows)


def _show_age(result: AgeStudy) -> None:
    title = f"Accuracy on the latest {result.n_test:,} rows (from {result.test_from}) by age of the training slice"
    show_table(
        title,
        ["training", "model", "gap (days)", "rows", "accuracy"],
        [(row.slice, row.model, row.gap_days, row.n_train, row.score) for row in (*result.slices, *result.halves)],
    )
    show_table(
        "Gap and score",
        ["model", "Spearman", "p", "Pearson", "p"],
        [(row.model, row.spearman.value, row.spearman.p, row.pearson, row.pearson_p) for row in result.correlations],
    )
    if result.words:
        words = [(word.word, word.share_before, word.share_after, word.p) for word in result.words]
        show_table("Words whose share of a text changed", ["word", "old half", "recent half", "p (FDR)"], words)
