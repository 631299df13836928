"""`assay forecast`: how well a dataset will tell systems apart, predicted from the data alone."""

from __future__ import annotations

from typing import Any

import click

from assay.base.errors import UsageError
from assay.base.parameters import Options
from assay.cli.options import output_options, task_option
from assay.cli.output import say
from assay.cli.paths import INPUT, Verb
from assay.cli.results import finish


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
    "--max-words", type=int, metavar="N", help="With --recommend: maximum number of words in all recommended datasets."
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
    from assay.forecast.forecasting import Forecasts, run_forecasts
    from assay.kinds import read

    reading = {**options, "text": list(options["text"]) or None}
    if wish["recommend"] is not None:
        _recommend(sources, wish, reading, json_, {"random_state": seed, **work})
        return
    if not sources and not reading["train"]:
        raise UsageError("DATA is missing.", hint="Name one or several files.")
    if len(sources) > 1 and (reading["train"] or reading["test"]):
        raise UsageError("--train and --test give the parts of one dataset; name no other DATA with them.")
    datasets = [read(source, **reading) for source in sources or (None,)]
    for data in datasets:
        for note in data.notes:
            say(f"{data.name}: {note}")
    result = Forecasts(run_forecasts(datasets, random_state=seed, **work))
    finish("forecast", result, json_, {"seed": seed}, datasets[0] if len(datasets) == 1 else None)


def _recommend(sources: tuple[str, ...], wish: Options, reading: Options, json_: str | None, work: Options) -> None:
    """Recommend datasets."""
    from assay.forecast import recommend_datasets
    from assay.kinds import read

    if reading["train"] or reading["test"]:
        raise UsageError("--recommend takes whole datasets; --train and --test give parts of one.")
    data, chosen = ([read(source, **reading) for source in paths] for paths in (sources, wish["chosen"]))
    result = recommend_datasets(data, wish["recommend"], chosen=chosen, max_words=wish["max_words"], **work)
    settings = {"recommend": result.k, "max_words": result.max_words, "seed": work["random_state"]}
    finish("forecast", result, json_, settings)
