"""`assay forecast`: how well a dataset will tell systems apart, predicted from the data alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import UsageError
from assay.cli.options import output_options, task_option
from assay.cli.paths import INPUT, Verb

if TYPE_CHECKING:
    from assay.forecast import Forecast


@click.command(cls=Verb)
@click.argument("sources", type=INPUT, metavar="[DATA]...", nargs=-1)
@task_option
@click.option("--text", multiple=True, metavar="COLUMN", help="Text column; give it twice for pairs.")
@click.option("--label", metavar="COLUMN", help="Label column.")
@click.option("--split", metavar="COLUMN", help="Column that names each row's part (train, dev, test).")
@click.option("--train", type=INPUT, metavar="FILE", help="File with the training part, of one dataset.")
@click.option("--test", type=INPUT, metavar="FILE", help="File with the test part, of one dataset.")
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files.")
@click.option(
    "--quoting", type=click.Choice(["auto", "none", "double"]), default="auto", help="How TSV cells are quoted."
)
@click.option(
    "--study", is_flag=True, help="Test the predictors: Tables 2 and 3 of Xiao et al. (2022) on our evidence."
)
@output_options
def forecast(sources: tuple[str, ...], study: bool, json_: str | None, seed: int, **options: Any) -> None:
    """Predict λ_var and λ_sva of each DATA: the spread of four models' scores, before anyone trains them.

    The models are a CNN, an LSTM, an LSTM with attention and a small pretrained transformer, trained on at most
    1,800 rows of the data; intervals hold for four of five datasets of kinds the predictor has not seen. --jobs
    forecasts several DATA in parallel.
    """
    work = {name: options.pop(name) for name in ("n_jobs", "backend")}
    if study:
        from assay.cli.studies import run_forecast_study

        run_forecast_study(json_, work)
        return
    from assay.base.results import wrap_result
    from assay.cli.output import say, write_json
    from assay.forecast.forecasting import run_forecasts
    from assay.kinds import read

    reading = {**options, "text": list(options["text"]) or None}
    if not sources and not reading["train"]:
        raise UsageError("DATA is missing.", hint="Name one or several files, or use --study.")
    if len(sources) > 1 and (reading["train"] or reading["test"]):
        raise UsageError("--train and --test give the parts of one dataset; name no other DATA with them.")
    datasets = [read(source, **reading) for source in sources or (None,)]
    forecasts = run_forecasts(datasets, random_state=seed, **work)
    for data, result in zip(datasets, forecasts, strict=True):
        for note in (*data.notes, *result.notes):
            say(f"{data.name}: {note}")
    if json_:
        only = datasets[0] if len(datasets) == 1 else None
        write_json(json_, wrap_result("forecast", {"forecasts": forecasts}, {"seed": seed}, only))
    if json_ != "-":
        _show(forecasts)


def _show(forecasts: list[Forecast]) -> None:
    """Print forecasts, the most discriminating first, and what drives them."""
    from assay.cli.output import show_table

    ranked = sorted(forecasts, key=lambda forecast: -forecast.lambda_sva)
    show_table(
        "Forecast of λ (80 % intervals)",
        ["data", "λ_var", "low", "high", "λ_sva", "low", "high", "percentile", "out of range"],
        [_make_row(forecast) for forecast in ranked],
    )
    for forecast in ranked:
        rows = [(driver.feature, driver.value, f"×{driver.factor:.2f}") for driver in forecast.drivers]
        show_table(f"{forecast.data}: what moves λ_sva", ["feature", "value", "factor"], rows)


def _make_row(forecast: Forecast) -> list[object]:
    """Return the cells of a forecast; two decimals, since intervals are far wider."""
    values = [forecast.lambda_var, forecast.lambda_var_low, forecast.lambda_var_high]
    values += [forecast.lambda_sva, forecast.lambda_sva_low, forecast.lambda_sva_high]
    outside = "yes: " + (", ".join(forecast.outside) or "far from all evidence") if forecast.out_of_range else "no"
    return [forecast.data, *(round(value, 2) for value in values), round(forecast.percentile), outside]
