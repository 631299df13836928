"""`assay forecast`: how far apart a dataset will set systems, from the data alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import output_options
from assay.cli.paths import INPUT, Verb

if TYPE_CHECKING:
    from assay.forecast.forecasting import Forecast


@click.command(cls=Verb)
@click.argument("sources", type=INPUT, metavar="[DATA]...", nargs=-1)
@click.option("--text", multiple=True, metavar="COLUMN", help="Text column; give it twice for pairs.")
@click.option("--label", metavar="COLUMN", help="Label column.")
@click.option("--split", metavar="COLUMN", help="Column that names each row's part (train, dev, test).")
@click.option("--train", type=INPUT, metavar="FILE", help="File with the training part, of one dataset.")
@click.option("--test", type=INPUT, metavar="FILE", help="File with the test part, of one dataset.")
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files.")
@click.option(
    "--quoting", type=click.Choice(["auto", "none", "double"]), default="auto", help="How TSV cells are quoted."
)
@click.option("--study", is_flag=True, help="Test the predictors: Tables 2 and 3 of paper 000 on our evidence.")
@output_options
def forecast(sources: tuple[str, ...], study: bool, json_: str | None, seed: int, **options: Any) -> None:
    """Predict λ_var and λ_sva of each DATA: the spread of four models' scores, before anyone trains them.

    The models are a CNN, an LSTM, an LSTM with attention and a small pretrained transformer, trained on at most
    1,800 rows of the data; intervals hold for four of five datasets of kinds the predictor has not seen.
    """
    running = {name: options.pop(name) for name in ("n_jobs", "backend")}
    if study:
        run_study(json_, running)
        return
    from assay.base.errors import UsageError
    from assay.base.results import wrap_result
    from assay.cli.output import say, write_json
    from assay.forecast import forecast as forecast_data
    from assay.kinds import read

    reading = {**options, "text": list(options["text"]) or None}
    if not sources and not reading["train"]:
        raise UsageError("DATA is missing: name one or several files, or --study.")
    if len(sources) > 1 and (reading["train"] or reading["test"]):
        raise UsageError("--train and --test give the parts of one dataset; name no other DATA with them.")
    found = []
    for source in sources or (None,):
        data = read(source, **reading)
        made = forecast_data(data, random_state=seed)
        for note in (*data.notes, *made.notes):
            say(f"{data.name}: {note}")
        found.append(made)
    if json_:
        only = data if len(found) == 1 else None
        write_json(json_, wrap_result("forecast", {"forecasts": found}, {"seed": seed}, only))
    if json_ != "-":
        show(found)


def show(found: list[Forecast]) -> None:
    """Print forecasts, the most discriminating first, and what drives them."""
    from assay.cli.output import show_table

    ranked = sorted(found, key=lambda one: -one.lambda_sva)
    show_table(
        "Forecast of λ (80 % intervals)",
        ["data", "λ_var", "low", "high", "λ_sva", "low", "high", "percentile", "out of range"],
        [table_row(one) for one in ranked],
    )
    for one in ranked:
        rows = [(d["feature"], d["value"], f"×{d['factor']:.2f}") for d in one.drivers]
        show_table(f"{one.data}: what moves λ_sva", ["feature", "value", "factor"], rows)


def table_row(one: Forecast) -> list[object]:
    """Put a forecast on one line."""
    var = [one.lambda_var, one.lambda_var_low, one.lambda_var_high]
    sva = [one.lambda_sva, one.lambda_sva_low, one.lambda_sva_high]
    outside = "yes: " + (", ".join(one.outside) or "far from all evidence") if one.out_of_range else "no"
    return [one.data, *map(two, var + sva), round(one.percentile), outside]


def two(value: float) -> float:
    """Round to two decimals: intervals are far wider."""
    return round(value, 2)


def run_study(json_: str | None, running: dict[str, Any]) -> None:
    """Test the predictors and print both tables."""
    from assay.base.results import wrap_result
    from assay.cli.output import say, write_json
    from assay.forecast import read_evidence
    from assay.forecast.studying import study

    say("Every predictor and ranker is tested under both protocols: minutes (--jobs helps).")
    found = study(read_evidence(), **running)
    if json_:
        write_json(json_, wrap_result("forecast", found, {"study": True}))
    if json_ != "-":
        show_study(found)


def show_study(found: Any) -> None:
    """Print Tables 2 and 3, the ceiling, and the features that matter."""
    from assay.cli.output import show_table

    title = f"{found.n:,} sub-datasets, {found.n_parents} parents, {found.n_families} families"
    columns = ["target", "predictor", "features", "random_spearman", "random_p", "random_rmse"]
    columns += ["families_spearman", "families_low", "families_high", "families_rmse", "families_within"]
    rows = [[row[name] for name in columns] for row in found.regression]
    show_table(f"Table 2: {title}", columns, rows)
    columns = ["target", "ranker", "n", "random_ndcg", "random_map", "random_random_ndcg", "random_random_map"]
    columns += ["families_ndcg", "families_map", "families_random_ndcg", "families_random_map"]
    show_table("Table 3: lists of n datasets", columns, [[row[name] for name in columns] for row in found.ranking])
    columns = ["target", "features", "spearman", "low", "high", "rmse", "within", "coverage", "width_ratio"]
    title = "The predictor that ships, on held-out families, and its 80 % intervals"
    show_table(title, columns, [[row[name] for name in columns] for row in found.shipped])
    rows = [[target, *values.values()] for target, values in found.reliability.items()]
    columns = ["target", "halves", "whole", "ceiling", "ceiling with noise of training"]
    show_table("Reliability of λ over test items", columns, rows)
    for target, features in found.importance.items():
        rows = [[one.feature, one.splits, one.permutation] for one in features[:12]]
        show_table(f"{target}: features", ["feature", "splits", "rise of error when shuffled"], rows)
