"""`assay discriminate`: whether a benchmark separates systems."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import UsageError
from assay.base.parameters import Options
from assay.cli.options import (
    choice_option,
    number_option,
    output_options,
    refuse_unused,
    shard_options,
    strict_option,
    task_option,
)
from assay.cli.output import say
from assay.cli.paths import INPUT, OutputFolder, Verb
from assay.cli.progress import show_progress
from assay.cli.results import finish, print_blocks

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.features.out_of_core.sources import ShardedData
    from assay.logs import LogTable

_DATA_OPTIONS = [
    strict_option,
    click.option("--data", type=INPUT, metavar="DATA", help="Dataset with the gold labels of the predictions."),
    task_option,
    click.option("--text", multiple=True, metavar="COLUMN", help="Text column of DATA; give it twice for pairs."),
    click.option("--label", multiple=True, metavar="COLUMN", help="Label column of DATA."),
    click.option("--choices", multiple=True, metavar="COLUMN", help="Options of multiple choice in DATA."),
    click.option("--label-separator", metavar="TEXT", help="Separator of the labels within a cell."),
    click.option("--id", "id_", metavar="COLUMN", help="Id column of DATA."),
    click.option("--split", metavar="COLUMN", help="Column of DATA that names each row's part."),
    click.option("--group", metavar="COLUMN", help="Column of DATA with groups that belong together."),
    click.option(
        "--item-scores", type=INPUT, multiple=True, metavar="FILE", help="Scores to rank the items of a wide file by."
    ),
    click.option(
        "--missing-predictions",
        type=click.Choice(["skip", "wrong", "error"]),
        help="Leave out empty and missing answers, count both as wrong, or stop with an error.  "
        "[empty answers are wrong, missing ones are left out]",
    ),
]
_MEASURE_OPTIONS = [
    click.option("--top", type=click.IntRange(min=1), metavar="K", help="Only the K best systems; default all."),
    choice_option("--top-by", ["dataset", "benchmark"], "The best of each dataset, or of the whole benchmark."),
    click.option("--by", type=click.Choice(["benchmark"]), help="Show separate tables for each benchmark."),
    click.option(
        "--metric",
        "--metrics",
        "metric",
        metavar="NAME",
        help="Only this metric, or the metric to compute from predictions.",
    ),
    click.option("--upper", multiple=True, metavar="[NAME=]VALUE", help="Best possible score, of a dataset or metric."),
    click.option("--lower-is-better", is_flag=True, help="Scores are error rates: lower is better."),
    click.option("--lower-metric", multiple=True, metavar="NAME", help="A metric for which lower is better."),
    click.option("--higher-metric", multiple=True, metavar="NAME", help="A metric for which higher is better."),
    choice_option("--aggregate", ["mean", "borda", "win-rate"], "How scores of datasets or items are combined."),
    click.option(
        "--over", type=click.Choice(["items", "datasets", "both"]), help="Units to resample for rank intervals."
    ),
    click.option(
        "--clustered/--no-clustered",
        default=None,
        help="Resample whole groups of items; the default if items have groups.",
    ),
    choice_option("--resampling", ["bootstrap", "subsample"], "Resamples of the hit rate."),
    number_option("--share", 0.8, "Share of items in a subsample."),
    click.option(
        "--measures",
        is_flag=True,
        help="Also measure agreement of datasets, dimensions, predicted cells, one scale, saturation and adaptive items.",
    ),
    click.option(
        "--cost",
        type=INPUT,
        metavar="FILE|COLUMN",
        help="Costs of systems: a table with costs of items or systems, or a column of SCORES.",
    ),
    click.option("--winner", metavar="COLUMN", help="Votes: the column that names the winner."),
    click.option("--prompt", metavar="COLUMN", help="Votes: the column with the prompt or its id."),
    click.option("--category", metavar="COLUMN", help="Votes: also rate each category of this column."),
    click.option(
        "--write-every-eval-ever",
        type=OutputFolder(),
        metavar="FOLDER",
        help="Also write the logs in the Every Eval Ever format.",
    ),
    click.option(
        "--write-eval-results",
        type=OutputFolder(),
        metavar="FOLDER",
        help="Also write the scores of the logs as .eval_results/*.yaml of model repositories.",
    ),
    click.option(
        "--hub-dataset", metavar="OWNER/NAME", help="The benchmark on the hub that --write-eval-results names."
    ),
]
_OF_DATA = ("data", "task", "text", "label", "id_", "split", "group")
_OF_ITEMS = ("item_scores", "missing_predictions", "clustered", "resampling", "share")
_PASSED_ON = (
    *("metric", "missing_predictions", "top", "top_by", "aggregate", "over", "clustered", "resampling", "share"),
    *("measures", "cost", "winner", "prompt", "category"),
)


def _add_options(command: Any) -> Any:
    for option in reversed(_DATA_OPTIONS + _MEASURE_OPTIONS):
        command = option(command)
    return command


@click.command(cls=Verb)
@click.argument("scores", type=INPUT, metavar="[SCORES]", required=False)
@click.option(
    "--predictions", type=INPUT, multiple=True, metavar="FILE", help="Predictions, or a folder of harness logs."
)
@_add_options
@shard_options
@output_options
def discriminate(**options: Any) -> None:
    """Measure λ_var, λ_sva and λ_hit of every dataset, and which ranks are real.

    SCORES is a table of systems and datasets, long or wide, a folder of logs (lm-evaluation-harness, inspect,
    lighteval, HELM, MTEB, Every Eval Ever), or a table of votes (model_a, model_b, winner), which gives ratings. With
    --predictions, the outcomes of single items are used.
    """
    from assay.discrimination import discriminate as measure
    from assay.discrimination.view import show_discrimination
    from assay.votes import VoteRatings

    _check_inputs(options)
    upper, uppers = _parse_uppers(options["upper"])
    with show_progress() as progress:
        result = measure(
            **_read_inputs(options),
            **{name: options[name] for name in (*_PASSED_ON, "out_of_core", "cache")},
            upper=upper,
            uppers=uppers,
            lower_is_better=True if options["lower_is_better"] else list(options["lower_metric"]),
            higher_is_better=list(options["higher_metric"]),
            random_state=options["seed"],
            n_jobs=options["n_jobs"],
            backend=options["backend"],
            progress=progress,
        )
    has_votes = isinstance(result, VoteRatings)
    signed = ("winner", "prompt", "category", "seed") if has_votes else ("top", "top_by", "metric", "seed")
    about = _describe_inputs(options) | {"left_out": result.left_out}
    apart = options["by"] == "benchmark" and not has_votes
    settings = {name: options[name] for name in signed}
    finish("discriminate", result, options["json_"], settings, about=about, show=not apart)
    if not isinstance(result, VoteRatings) and apart and options["json_"] != "-":
        print_blocks(show_discrimination(result, by_benchmark=True))


def _check_inputs(options: Options) -> None:
    if not options["scores"] and not options["predictions"]:
        raise UsageError("Give SCORES, a table of systems and datasets, or --predictions FILE.")
    if options["scores"] and options["predictions"]:
        raise UsageError("Give either SCORES or --predictions, not both.")


def _read_inputs(options: Options) -> Options:
    """Return the inputs of the analysis: logs (also written to a folder on request), a score table or predictions."""
    from assay.inputs import InputKind, recognize
    from assay.logs import read_logs

    paths = [options["scores"]] if options["scores"] else list(options["predictions"])
    kinds = {} if options["out_of_core"] else {path: recognize(path, winner=options["winner"]) for path in paths}
    place = None if options["out_of_core"] else next((path for path in paths if kinds[path] == InputKind.LOGS), None)
    if place is not None:
        refuse_unused((*_OF_DATA, "item_scores"), "Logs contain their items and answers.")
        logs = read_logs(place, strict=options["strict"])
        _write_logs(logs, options)
        return {"scores": logs}
    refuse_unused(
        ("write_every_eval_ever", "write_eval_results", "hub_dataset", "strict"),
        "It is for logs of an evaluation harness.",
    )
    if InputKind.VOTES in kinds.values():
        return {"scores": options["scores"]}
    if options["scores"]:
        refuse_unused((*_OF_DATA, *_OF_ITEMS), "A table of scores has no items: give --predictions.")
        return {"scores": options["scores"]}
    if not options["data"]:
        refuse_unused(_OF_DATA[1:], "Name the dataset with --data.")
    if not options["out_of_core"]:
        refuse_unused(("cache",), "It goes with --out-of-core.")
    read_data = _find_shards if options["out_of_core"] else _read_data
    data = read_data(options) if options["data"] else None
    return {"predictions": paths, "data": data, "item_scores": list(options["item_scores"]) or None}


def _write_logs(logs: LogTable, options: Options) -> None:
    """Write logs in the formats of others."""
    from assay.logs import write_eval_results, write_every_eval_ever

    if bool(options["write_eval_results"]) != bool(options["hub_dataset"]):
        raise UsageError("--write-eval-results and --hub-dataset go together.")
    if options["write_every_eval_ever"]:
        written = write_every_eval_ever(logs, options["write_every_eval_ever"])
        say(f"Wrote {len(written)} files to {options['write_every_eval_ever']}.")
    if options["write_eval_results"]:
        written = write_eval_results(logs, options["write_eval_results"], options["hub_dataset"])
        say(f"Wrote {len(written)} files to {options['write_eval_results']}.")


def _get_roles(options: Options) -> Options:
    """Return the columns of DATA that were named."""
    roles = {name: options[name] for name in ("task", "split", "group", "label_separator")}
    roles |= {name: list(options[name]) or None for name in ("text", "label", "choices")}
    return roles | {"id": options["id_"]}


def _find_shards(options: Options) -> ShardedData | None:
    from assay.evaluation.predictions.shards import EVALUATED_TASKS
    from assay.features.out_of_core.sources import find_shards

    roles = {name: value for name, value in _get_roles(options).items() if (name, value) != ("task", "auto")}
    return find_shards(options["data"], tasks=EVALUATED_TASKS, **roles)


def _read_data(options: Options) -> Dataset | ShardedData | None:
    from assay.kinds import read

    data = read(options["data"], random_state=options["seed"], **_get_roles(options))
    for note in data.notes:
        say(note)
    return data


def _parse_uppers(values: tuple[str, ...]) -> tuple[float | None, dict[str, float]]:
    """Read `100` and `ROUGE-2=45` as the best possible score of everything, and of one dataset or metric."""
    upper: float | None = None
    uppers: dict[str, float] = {}
    for pair in values:
        name, equals, value = pair.rpartition("=")
        try:
            number = float(value)
        except ValueError as error:
            raise UsageError(f"--upper {pair}: '{value}' is not a number.") from error
        if equals:
            uppers[name] = number
        else:
            upper = number
    return upper, uppers


def _describe_inputs(options: Options) -> Options:
    """Name the input and fingerprint its files, so that results of different files can be distinguished."""
    paths = [Path(name) for name in ([options["scores"]] if options["scores"] else options["predictions"])]
    files = [
        file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path]) if file.is_file()
    ]
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as content:
            while block := content.read(1 << 20):
                digest.update(block)
    return {"name": paths[0].name, "files": len(files), "fingerprint": digest.hexdigest()[:16]}
