"""`assay difficulty`: which items are obvious, which are not, and how systems do on each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import AssayError
from assay.cli.options import data_options, result_options, tokenizer_option
from assay.cli.output import say, show_table, write_json
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.kinds import kind_of
from assay.views.results import wrap_result

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.difficulty import CaseComparison, Distribution, PairDifficulty, SimilarityRating, TextDifficulty
    from assay.evaluation import Answers, Predictions
    from assay.statistics import Correlation

MAX_ROWS = 20
_RATES = ("TPR_o", "TPR_n", "TNR_o", "TNR_n", "F1_o", "F1_n", "F1")


@click.command(cls=Verb)
@data_options
@tokenizer_option
@click.option(
    "--measure", default="jensen-shannon", show_default=True, help="For pairs: jensen-shannon, jaccard or dice."
)
@click.option(
    "--threshold", default="dataset", show_default=True, help="Threshold: dataset or split (medians), or a number."
)
@click.option("--positive", metavar="LABEL", help="The positive label of pairs; all others are negative.")
@click.option("--positive-from", type=float, metavar="GRADE", help="Grades from here on are positive.")
@click.option("--encoder", default="tfidf", show_default=True, help="For single texts: how they become vectors.")
@click.option(
    "--predictions", type=INPUT, multiple=True, metavar="FILE", help="Predictions to score on each case; repeatable."
)
@click.option(
    "--item-scores", type=INPUT, multiple=True, metavar="FILE", help="Ranking scores next to wide predictions."
)
@click.option(
    "--graded",
    is_flag=True,
    help="Relate graded similarity to outcomes instead of cases; also for question and options, context and question.",
)
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write one row per item: id, divergence, case (TSV).")
@result_options
def difficulty(data: Dataset, **options: Any) -> None:
    """Sort items into obvious and non-obvious ones, and score systems on each.

    Pairs: the divergence of their words against the label (Peinelt et al. 2019). Single texts: the distance to the
    nearest training text of the same and of another label. With --graded: the similarity of both sides of a pair, of a
    question and its options, or of context and question, and how gold and systems follow it.
    """
    if options["graded"]:
        _run_graded(data, options)
        return
    result = _rate_items(data, options)
    for note in result.notes:
        say(note)
    systems = _score_systems(data, result, options) if options["predictions"] else []
    if options["out"]:
        _write_items(options["out"], result)
    if options["json_"] != "-":
        _show(result, systems)
    if options["json_"]:
        write_json(
            options["json_"], wrap_result("difficulty", _make_content(result, systems), _settings(data, options), data)
        )


def _run_graded(data: Dataset, options: dict[str, Any]) -> None:
    from assay.difficulty import rate_similarity

    answers = _align_answers(data, options["predictions"]) if options["predictions"] else None
    settings = {name: options[name] for name in ("measure", "positive", "positive_from", "tokenizer")}
    result = rate_similarity(data, answers, **settings)
    if options["out"]:
        _write_items(options["out"], result)
    if options["json_"] != "-":
        _show_similarity(result)
    if options["json_"]:
        write_json(options["json_"], wrap_result("difficulty", result, {**settings, "graded": True}, data))


def _align_answers(data: Dataset, paths: Sequence[str]) -> dict[str, list[str | None]]:
    """Return the answers of each system by row of the data, None if it has none."""
    from assay.evaluation import read_predictions

    predictions = read_predictions(list(paths), data)
    rows, answers = _find_rows(data, predictions), {}
    for name, given in predictions.systems.items():
        labels = _get_labels(name, given)
        aligned: list[str | None] = [None] * len(data)
        for row, label in zip(rows, labels, strict=True):
            aligned[row] = None if label is None else str(label)
        answers[name] = aligned
    return answers


def _rate_items(data: Dataset, options: dict[str, Any]) -> PairDifficulty | TextDifficulty:
    from assay.difficulty import rate_difficulty

    names = ("measure", "threshold", "positive", "positive_from", "encoder", "tokenizer")
    return rate_difficulty(data, **{name: options[name] for name in names}, random_state=options["seed"])


def _score_systems(data: Dataset, result: PairDifficulty | TextDifficulty, options: dict[str, Any]) -> Sequence[Any]:
    from assay.difficulty import PairDifficulty, positives, score_on_cases, score_on_texts
    from assay.evaluation import read_predictions

    predictions = read_predictions(list(options["predictions"]), data, list(options["item_scores"]) or None)
    for note in predictions.notes:
        say(note)
    gold = [] if predictions.gold is None else predictions.gold.tolist()
    if not gold:
        raise AssayError("Systems can be scored on cases only if the data has labels.", hint="Name them with {label}.")
    labels = {name: _get_labels(name, answers) for name, answers in predictions.systems.items()}
    rows = _find_rows(data, predictions)
    if not isinstance(result, PairDifficulty):
        return score_on_texts(result.cases[rows], gold, labels)
    if result.cases is None:
        raise AssayError("Systems can be scored on the cases of one label only.", hint="Name it with {positive}.")
    label = {"positive": result.positive, "positive_from": options["positive_from"]}
    precisions = _score_rankings(predictions, positives(gold, **label))
    return score_on_cases(result.cases.cases[rows], gold, labels, **label, average_precisions=precisions)


def _score_rankings(predictions: Predictions, gold: Any) -> dict[str, float]:
    """Return the mean average precision of the systems that rank the items of groups, and of the guesser."""
    from assay.difficulty import CHANCE_SYSTEM, expected_map
    from assay.metrics.common.rankings import compute_mean_average_precision

    groups = predictions.groups
    systems = predictions.systems.items()
    scores = {name: answers.ranking_scores for name, answers in systems if answers.ranking_scores is not None}
    if groups is None or not scores:
        return {}
    precisions = {name: compute_mean_average_precision(gold, score, groups) for name, score in scores.items()}
    return {**precisions, CHANCE_SYSTEM: expected_map(groups.tolist(), gold)}


def _get_labels(name: str, answers: Answers) -> Sequence[Any]:
    if answers.predicted is None:
        raise AssayError(f"System '{name}' has scores and no labels; cases need its predicted labels.")
    return list(answers.predicted)


def _find_rows(data: Dataset, predictions: Predictions) -> list[int]:
    rows = {name: row for row, name in enumerate(data.ids)}
    return [rows[name] for name in predictions.ids.tolist()]


def _settings(data: Dataset, options: dict[str, Any]) -> dict[str, Any]:
    names = (
        ("measure", "threshold", "positive", "positive_from") if kind_of(data).texts.is_paired(data) else ("encoder",)
    )
    return {name: options[name] for name in (*names, "tokenizer", "seed")}


def _make_content(result: PairDifficulty | TextDifficulty, systems: Sequence[Any]) -> dict[str, Any]:
    empty: dict[str, Any] = {"threshold": None, "counts": None, "obvious_share": None, "by_part": {}}
    return {**empty, **result.to_dict(), "systems": list(systems)}


def _write_items(path: str, result: PairDifficulty | TextDifficulty | SimilarityRating) -> None:
    from assay.base.files import open_for_writing

    with open_for_writing(path) as file:
        file.write(result.items().write_csv(separator="\t", quote_style="never", null_value=""))


def _show(result: Any, systems: Sequence[Any]) -> None:
    from assay.difficulty import PairDifficulty

    if isinstance(result, PairDifficulty):
        _show_cases(result)
        spread = "Similarity" if result.measure in ("jaccard", "dice") else "Divergence"
        for title, comparison in (("Agreement (Fleiss' kappa)", result.agreement), ("Seconds", result.annotation_time)):
            if comparison is not None:
                _show_annotations(title, comparison)
    else:
        _show_contrary(result)
        spread = "Difficulty"
    rows = {"all": result.distribution}
    rows |= {f"label {name}": values for name, values in _take_first(result.distribution_by_label).items()}
    rows |= {f"part {name}": values for name, values in result.distribution_by_part.items()}
    _show_distributions(f"{spread} ({result.measure})", rows)
    if systems:
        _show_systems(systems)


def _show_similarity(result: SimilarityRating) -> None:
    title = f"Similarity of {' and '.join(result.texts)} ({result.measure})"
    if result.options is not None:
        found, choice = result.options, result.options.choice
        columns = ("items", "right option", "others", "AUC", "most similar is right", "chance")
        means = _format_values([found.gold.mean, found.others.mean, found.auc])
        share = f"{choice.value:.3f} [{choice.low:.3f}, {choice.high:.3f}]"
        show_table(title, columns, [(found.n_items, *means, share, f"{found.chance:.3f}")])
        title = "Right option minus the most similar other one"
    _show_distributions(title, {"all": result.gold.similarity})
    rows = [] if result.gold.correlation is None else [("gold", result.gold.correlation, result.gold.groups)]
    rows += [(system.system, system.correlation, system.groups) for system in result.systems]
    if rows:
        header = ("", "Spearman", *(f"fifth {number}" for number in range(1, 6)))
        cells = [
            (name, _format_correlation(value), *_format_values([g.outcome for g in groups]))
            for name, value, groups in rows
        ]
        show_table("Mean outcome by similarity, lowest fifth first", header, cells)


def _format_correlation(value: Correlation) -> str:
    return f"{value.value:.3f} [{value.low:.3f}, {value.high:.3f}]"


def _show_cases(result: PairDifficulty) -> None:
    columns = ("", "Po", "Pn", "No", "Nn", "obvious", "median")
    rows: list[tuple[object, ...]] = []
    if result.counts is not None:
        share = f"{result.obvious_share:.3f} [{result.low:.3f}, {result.high:.3f}]"
        rows.append(("all", *result.counts.values(), share, result.median))
    rows += [(name, *part.counts.values(), part.obvious_share, part.median) for name, part in result.by_part.items()]
    for label, cases in _take_first(result.one_vs_rest).items():
        rows.append((f"{label} vs rest", *cases.counts.values(), cases.obvious_share, cases.median))
    if rows:
        positive = f", positive: {result.positive}" if result.positive else ""
        show_table(f"Cases (threshold: {result.threshold}{positive})", columns, rows)


def _take_first(values: dict[str, Any]) -> dict[str, Any]:
    """Return the first entries, enough for a screen; --json has all."""
    return dict(list(values.items())[:MAX_ROWS])


def _show_annotations(title: str, comparison: CaseComparison) -> None:
    columns = ("Po", "Pn", "No", "Nn", "obvious", "non-obvious", "total", "p")
    means = (comparison.obvious, comparison.non_obvious, comparison.total)
    show_table(title, columns, [(*comparison.by_case.values(), *means, comparison.p)])


def _show_contrary(result: TextDifficulty) -> None:
    rows: list[tuple[object, ...]] = [("all", result.n_items, result.contrary_share)]
    shares = [("label", result.contrary_by_label, result.distribution_by_label)]
    shares.append(("part", result.contrary_by_part, result.distribution_by_part))
    for kind, contrary, spread in shares:
        rows += [(f"{kind} {name}", spread[name].n_items, share) for name, share in _take_first(contrary).items()]
    show_table("Nearest training text has another label", ("", "items", "share"), rows)


def _show_distributions(title: str, distributions: dict[str, Distribution]) -> None:
    columns = ("", "items", "mean", "5%", "25%", "median", "75%", "95%")
    rows = [
        (name, spread.n_items, *_format_values([spread.mean, *_list_quantiles(spread)]))
        for name, spread in distributions.items()
    ]
    undefined = distributions["all"].n_undefined
    show_table(title + (f", undefined for {undefined:,} items" if undefined else ""), columns, rows)


def _list_quantiles(spread: Distribution) -> list[float]:
    return [spread.quantiles[level] for level in ("0.05", "0.25", "0.5", "0.75", "0.95")]


def _format_values(values: Iterable[float | None]) -> list[str]:
    return ["n/a" if value is None or value != value else f"{value:.3f}" for value in values]


def _show_systems(systems: Sequence[Any]) -> None:
    values = [system.to_dict() for system in systems]
    names = [
        name for name in (*_RATES, "MAP", "accuracy_o", "accuracy_n", "accuracy") if values[-1].get(name) is not None
    ]
    missing = ["n_missing"] if any(row["n_missing"] for row in values) else []
    rows = [[row["system"], *_format_values(map(row.get, names)), *map(row.get, missing)] for row in values]
    show_table(f"Systems on {values[-1]['n_items']:,} items", ["system", *names, *missing], rows)
