"""Run and show the studies of `train --splits`, `train --study`, `information --study` and `forecast --study`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.cli.output import say, show_table, write_json
from assay.views.results import wrap_result

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.studies import AgeStudy, ForecastStudy, StressTable


def run_split_study(data: Dataset, options: dict[str, Any], work: dict[str, Any]) -> None:
    """Run the stress table or the study of training age, write its JSON and show its tables."""
    from assay.kinds import kind_of

    result: AgeStudy | StressTable
    kind = kind_of(data)
    if (
        not options["study"]
        and not (kind.has_text_labels and tuple(options["models"]) != ("linear",))
        and kind.has_models
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
    from assay.models.cross_validation import CHALLENGING_SPLITS
    from assay.models.quick import study_quick_models

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


def run_information_study(
    study: str, data: Dataset | None, json_: str | None, seed: int, options: dict[str, Any]
) -> None:
    """Run a check of task-specific information, write its JSON and show its tables."""
    from assay.models.inputs import join_sides
    from assay.studies import study_neighbours, study_toy_data, study_training_size

    work = {"random_state": seed, "n_jobs": options["n_jobs"], "backend": options["backend"]}
    result: Any
    if study == "toy":
        result = study_toy_data(**work)
    else:
        assert data is not None
        labelled = data.drop_unlabelled()
        assert labelled.labels is not None
        parts = None if labelled.parts is None else labelled.parts.to_list()
        X, labels = join_sides([side.to_list() for side in labelled.sides]), labelled.labels.to_list()
        run = study_training_size if study == "size" else study_neighbours
        result = run(X, labels, parts=parts, **work)
    if json_:
        write_json(json_, wrap_result("information", result, {"study": study, "seed": seed}, data))
    if json_ != "-":
        _show_fields(study, result.to_dict())


def run_forecast_study(json_: str | None, work: dict[str, Any]) -> None:
    """Test the predictors of λ, write the JSON and show both tables."""
    from assay.studies import study_forecast

    say("Every predictor and ranker is tested under both protocols, which takes minutes (--jobs helps).")
    result = study_forecast(**work)
    if json_:
        write_json(json_, wrap_result("forecast", result, {"study": True}))
    if json_ != "-":
        _show_forecast_study(result)


def _study_age(data: Dataset, options: dict[str, Any], work: dict[str, Any]) -> tuple[AgeStudy, dict[str, Any]]:
    from assay.studies import study_training_age

    result = study_training_age(data, options["models"], n_slices=options["slices"], **work)
    return result, {"study": "drift", "slices": options["slices"]}


def _build_stress_table(
    data: Dataset, options: dict[str, Any], work: dict[str, Any]
) -> tuple[StressTable, dict[str, Any]]:
    from assay.kinds import read
    from assay.studies import build_stress_table
    from assay.studies.split_scores.stress_table import FAMILIES

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


def _show_fields(title: str, values: dict[str, Any]) -> None:
    """Show the plain fields of a result, and its tables of draws or sizes."""
    rows = [(name, value) for name, value in values.items() if not isinstance(value, (list, dict))]
    show_table(f"Study: {title}", ["", "value"], rows)
    for name in ("curve", "draws"):
        if values.get(name):
            show_table(name, list(values[name][0]), [tuple(row.values()) for row in values[name]])


def _show_forecast_study(result: ForecastStudy) -> None:
    title = f"{result.n:,} sub-datasets, {result.n_parents} parents, {result.n_families} families"
    columns = ["target", "predictor", "features", "random_spearman", "random_p", "random_rmse"]
    columns += ["families_spearman", "families_low", "families_high", "families_rmse", "families_within"]
    _show_rows(f"Table 2: {title}", columns, result.regression)
    columns = ["target", "ranker", "n", "random_ndcg", "random_map", "random_random_ndcg", "random_random_map"]
    columns += ["families_ndcg", "families_map", "families_random_ndcg", "families_random_map"]
    _show_rows("Table 3: lists of n datasets", columns, result.ranking)
    columns = ["target", "features", "spearman", "low", "high", "rmse", "within", "coverage", "width_ratio"]
    _show_rows("The predictor that ships, on held-out families, and its 80% intervals", columns, result.shipped)
    rows: list[tuple[Any, ...]] = [
        (target, row.half, row.whole, row.ceiling, row.ceiling_trained) for target, row in result.reliability.items()
    ]
    columns = ["target", "halves", "whole", "ceiling", "ceiling with noise of training"]
    show_table("Reliability of λ over test items", columns, rows)
    for target, features in result.importance.items():
        columns = ["feature", "splits", "rise of error when shuffled"]
        rows = [(feature.feature, feature.splits, feature.permutation) for feature in features[:12]]
        show_table(f"{target}: features", columns, rows)


def _show_rows(title: str, columns: list[str], rows: list[Any]) -> None:
    show_table(title, columns, [[getattr(row, name) for name in columns] for row in rows])
