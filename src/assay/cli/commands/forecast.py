"""`assay forecast`: how well a dataset will tell systems apart, predicted from the data alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import UsageError
from assay.base.numbers import write_rounded
from assay.cli.options import output_options, task_option
from assay.cli.paths import INPUT, Verb

if TYPE_CHECKING:
    from assay.forecast import Choice, Forecast


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
    "--recommend",
    type=int,
    metavar="K",
    help="Recommend K of the DATA for a benchmark; without DATA, K datasets of the shipped evidence.",
)
@click.option(
    "--chosen",
    type=INPUT,
    multiple=True,
    metavar="DATA",
    help="With --recommend: a dataset that the benchmark has already. Repeatable.",
)
@click.option(
    "--max-words", type=int, metavar="N", help="With --recommend: most words of the recommended datasets together."
)
@output_options
def forecast(sources: tuple[str, ...], json_: str | None, seed: int, **options: Any) -> None:
    """Predict λ_var and λ_sva of each DATA: the spread of four models' scores, before anyone trains them.

    The models are a CNN, an LSTM, an LSTM with attention and a small pretrained transformer, trained on at most
    1,800 rows of the data; 80% intervals are calibrated on families of data the predictor has not seen. --jobs
    forecasts several DATA in parallel. --recommend ranks datasets for a benchmark by forecast λ_sva, by similarity to
    those chosen before, and by cost.
    """
    work = {name: options.pop(name) for name in ("n_jobs", "backend")}
    wish = {name: options.pop(name) for name in ("recommend", "chosen", "max_words")}
    if wish["recommend"] is None and (wish["chosen"] or wish["max_words"] is not None):
        raise UsageError("--chosen and --max-words need --recommend.")
    from assay.cli.output import say, write_json
    from assay.forecast.forecasting import run_forecasts
    from assay.kinds import read
    from assay.views.results import wrap_result

    reading = {**options, "text": list(options["text"]) or None}
    if wish["recommend"] is not None:
        _recommend(sources, wish, reading, json_, {"random_state": seed, **work})
        return
    if not sources and not reading["train"]:
        raise UsageError("DATA is missing.", hint="Name one or several files.")
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


def _recommend(
    sources: tuple[str, ...], wish: dict[str, Any], reading: dict[str, Any], json_: str | None, work: dict[str, Any]
) -> None:
    """Rank datasets, write the JSON and print the recommended ones."""
    from assay.cli.output import say, show_table, write_json
    from assay.forecast import recommend_datasets
    from assay.kinds import read
    from assay.views.results import wrap_result

    if reading["train"] or reading["test"]:
        raise UsageError("--recommend takes whole datasets; --train and --test give parts of one.")
    data, chosen = ([read(source, **reading) for source in paths] for paths in (sources, wish["chosen"]))
    result = recommend_datasets(data, wish["recommend"], chosen=chosen, max_words=wish["max_words"], **work)
    for note in result.notes:
        say(note)
    if json_:
        settings = {"recommend": result.k, "max_words": result.max_words, "seed": work["random_state"]}
        write_json(json_, wrap_result("forecast", result, settings))
    if json_ != "-":
        columns = ["rank", "data", "gain", "λ_sva", "low", "high", "redundancy", "most similar", "items", "words"]
        rows = [_make_choice_row(each) for each in result.choices if each.recommended]
        show_table(f"Recommended: {len(rows)} of {len(result.choices)} datasets", columns, rows)


def _make_choice_row(choice: Choice) -> list[object]:
    values = [round(value, 1) for value in (choice.lambda_sva, choice.lambda_sva_low, choice.lambda_sva_high)]
    similar = [round(choice.redundancy, 2), choice.most_similar or "–"]
    return [choice.rank, choice.data, round(choice.gain, 2), *values, *similar, choice.n_items, choice.n_words]


def _show(forecasts: list[Forecast]) -> None:
    """Print forecasts, the most discriminating first, and what drives them."""
    from assay.cli.output import print_sentence, show_table

    ranked = sorted(forecasts, key=lambda forecast: -forecast.lambda_sva)
    show_table(
        "Forecast of λ (80% intervals)",
        ["data", "λ_var", "low", "high", "λ_sva", "low", "high", "percentile", "out of range"],
        [_make_row(forecast) for forecast in ranked],
    )
    for forecast in ranked:
        rows = [(driver.feature, driver.value, f"×{driver.factor:.2f}") for driver in forecast.drivers]
        show_table(f"{forecast.data}: what moves λ_sva", ["feature", "value", "factor"], rows)
    for forecast in ranked:
        print_sentence(write_verdict(forecast), bold=True)


def write_verdict(forecast: Forecast) -> str:
    """Say whether a dataset is expected to tell systems apart, by the spread of their scores."""
    from assay.discrimination.lambdas.verdicts import MIN_LAMBDA_VAR

    low, high = (write_rounded(end, 1) for end in (forecast.lambda_var_low, forecast.lambda_var_high))
    spread = f"scores of systems are expected to spread by {low} to {high} points (standard deviation, 80% interval)"
    if forecast.out_of_range:
        return f"{forecast.data}: do not rely on the forecast; no dataset behind it resembles this one."
    if forecast.lambda_var_high < MIN_LAMBDA_VAR:
        return f"{forecast.data} is not expected to tell systems apart: {spread}, below {MIN_LAMBDA_VAR:g}."
    if forecast.lambda_var_low >= MIN_LAMBDA_VAR:
        return f"{forecast.data} is expected to tell systems apart: {spread}, above {MIN_LAMBDA_VAR:g}."
    return f"{forecast.data} may or may not tell systems apart: {spread}, around {MIN_LAMBDA_VAR:g}."


def _make_row(forecast: Forecast) -> list[object]:
    """Return the cells of a forecast; two decimals, since intervals are far wider."""
    values = [forecast.lambda_var, forecast.lambda_var_low, forecast.lambda_var_high]
    values += [forecast.lambda_sva, forecast.lambda_sva_low, forecast.lambda_sva_high]
    outside = "yes: " + (", ".join(forecast.outside) or "far from all evidence") if forecast.out_of_range else "no"
    return [forecast.data, *(round(value, 2) for value in values), round(forecast.percentile), outside]
