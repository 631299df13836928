"""`assay discriminate`: can this benchmark still tell systems apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import AssayError, UsageError
from assay.base.results import wrap_result
from assay.cli.discriminate_tables import show
from assay.cli.options import output_options
from assay.cli.output import say, write_json
from assay.cli.paths import INPUT, OutputFolder, Verb

if TYPE_CHECKING:
    from assay.discrimination import Demands, Discrimination

_ROLES = [
    click.option("--data", type=INPUT, metavar="DATA", help="Dataset with the gold of the predictions."),
    click.option("--text", multiple=True, metavar="COLUMN", help="Text column of DATA; give it twice for pairs."),
    click.option("--label", metavar="COLUMN", help="Label column of DATA."),
    click.option("--id", "id_", metavar="COLUMN", help="Id column of DATA."),
    click.option("--split", metavar="COLUMN", help="Column of DATA that names each row's part."),
    click.option("--group", metavar="COLUMN", help="Column of DATA with groups that belong together."),
    click.option(
        "--item-scores", type=INPUT, multiple=True, metavar="FILE", help="Scores that rank the items of a wide file."
    ),
    click.option(
        "--missing-predictions",
        type=click.Choice(["skip", "wrong", "error"]),
        default="skip",
        show_default=True,
        help="What an item without a prediction counts.",
    ),
]
_MEASURES = [
    click.option("--top", type=click.IntRange(min=1), metavar="K", help="Only the K best systems; default all."),
    click.option(
        "--top-by",
        type=click.Choice(["dataset", "benchmark"]),
        default="dataset",
        show_default=True,
        help="The best of each dataset, or of the whole benchmark.",
    ),
    click.option("--by", type=click.Choice(["benchmark"]), help="Show the tables of each benchmark apart."),
    click.option("--metric", metavar="NAME", help="Only this metric, or the metric to compute from predictions."),
    click.option("--upper", multiple=True, metavar="[NAME=]VALUE", help="Best possible score, of a dataset or metric."),
    click.option("--lower-is-better", is_flag=True, help="Scores are error rates: lower is better."),
    click.option("--lower-metric", multiple=True, metavar="NAME", help="A metric of which lower is better."),
    click.option(
        "--aggregate",
        type=click.Choice(["mean", "borda", "win-rate"]),
        default="mean",
        show_default=True,
        help="How datasets or items make one score.",
    ),
    click.option("--over", type=click.Choice(["items", "datasets", "both"]), help="What rank intervals draw anew."),
    click.option("--clustered", is_flag=True, help="Draw whole groups of items."),
    click.option(
        "--resampling",
        type=click.Choice(["bootstrap", "subsample"]),
        default="bootstrap",
        show_default=True,
        help="Resamples of the hit rate.",
    ),
    click.option("--share", type=float, default=0.8, show_default=True, help="Share of items a subsample draws."),
    click.option(
        "--write-every-eval-ever",
        type=OutputFolder(),
        metavar="FOLDER",
        help="Write the logs read in the Every Eval Ever format.",
    ),
]


def _options(command: Any) -> Any:
    for option in reversed(_ROLES + _MEASURES):
        command = option(command)
    return command


@click.command(cls=Verb)
@click.argument("scores", type=INPUT, metavar="[SCORES]", required=False)
@click.option(
    "--predictions", type=INPUT, multiple=True, metavar="FILE", help="Predictions, or a folder of harness logs."
)
@_options
@output_options
def discriminate(**options: Any) -> None:
    """Measure λ_var, λ_sva and λ_hit of every dataset, and which ranks are real.

    SCORES is a table of systems and datasets, long or wide, or a folder of logs (lm-evaluation-harness, inspect,
    lighteval, HELM, MTEB, Every Eval Ever); --predictions brings the items.
    """
    place = _place(options)
    result = (
        _from_logs(place, options)
        if place
        else _from_predictions(options)
        if options["predictions"]
        else _from_scores(options)
    )
    for note in result.notes:
        say(note)
    if options["json_"]:
        settings = {
            "top": options["top"],
            "top_by": options["top_by"],
            "metric": options["metric"],
            "seed": options["seed"],
        }
        content = wrap_result("discriminate", result, settings)
        content["data"] = _about(options)
        write_json(options["json_"], content)
    if options["json_"] != "-":
        show(result, options["by"])


def _place(options: dict[str, Any]) -> Path | None:
    """Return the folder or file of logs among the inputs, if there is one."""
    from assay.discrimination.logs import is_log

    given = [*([options["scores"]] if options["scores"] else []), *options["predictions"]]
    if not given:
        raise UsageError("Give SCORES, a table of systems and datasets, or --predictions FILE.")
    if options["scores"] and options["predictions"]:
        raise UsageError("Give either SCORES or --predictions, not both.")
    return next((Path(name) for name in given if is_log(name)), None)


def _demands(options: dict[str, Any]) -> Demands:
    from assay.discrimination import Demands

    names = ("top", "top_by", "aggregate", "over", "resampling", "share", "clustered")
    return Demands(**{name: options[name] for name in names}, random_state=options["seed"])


def _from_scores(options: dict[str, Any]) -> Discrimination:
    from assay.discrimination import discriminate_scores, read_scores

    upper, uppers = _uppers(options["upper"])
    lower = True if options["lower_is_better"] else list(options["lower_metric"])
    found = read_scores(options["scores"], upper=upper, uppers=uppers, lower_is_better=lower, metric=options["metric"])
    return discriminate_scores(found, _demands(options))


def _from_predictions(options: dict[str, Any]) -> Discrimination:
    from assay.discrimination import discriminate_outcomes, from_predictions
    from assay.evaluation import read_predictions

    data = _data(options) if options["data"] else None
    paths = list(options["predictions"])
    predictions = read_predictions(paths, data, list(options["item_scores"]) or None)
    missing = sum(predictions.missing().values())
    if missing and options["missing_predictions"] == "error":
        raise AssayError(f"{missing} predictions are missing; --missing-predictions skip leaves them out.")
    name = data.name if data is not None else Path(paths[0]).name.split(".")[0]
    if options["clustered"] and predictions.groups is None:
        raise UsageError("--clustered needs groups: a column 'group' in the predictions, or --group COLUMN of DATA.")
    outcomes = from_predictions(predictions, name, options["metric"], missing=options["missing_predictions"])
    return discriminate_outcomes([_bounded(outcomes, options)], _demands(options))


def _from_logs(place: Path, options: dict[str, Any]) -> Discrimination:
    from dataclasses import replace

    from assay.discrimination import discriminate_outcomes, discriminate_scores
    from assay.discrimination.logs import read_logs, write_every_eval_ever

    table = read_logs(place)
    if options["write_every_eval_ever"]:
        paths = write_every_eval_ever(table, options["write_every_eval_ever"])
        say(f"Wrote {len(paths)} files to {options['write_every_eval_ever']}.")
    outcomes = [_bounded(one, options) for one in table.outcomes(options["metric"])]
    if not outcomes:
        return discriminate_scores(table.scores(), _demands(options))
    return replace(discriminate_outcomes(outcomes, _demands(options)), notes=list(table.notes))


def _bounded(outcomes: Any, options: dict[str, Any]) -> Any:
    from dataclasses import replace

    upper, uppers = _uppers(options["upper"])
    bound = uppers.get(outcomes.dataset, uppers.get(outcomes.metric, upper))
    lower = outcomes.lower_is_better or options["lower_is_better"] or outcomes.metric in options["lower_metric"]
    return replace(outcomes, upper=bound, lower_is_better=lower)


def _uppers(given: tuple[str, ...]) -> tuple[float | None, dict[str, float]]:
    """Read `100` and `ROUGE-2=45` as the best possible score of everything, and of one dataset or metric."""
    upper: float | None = None
    uppers: dict[str, float] = {}
    for pair in given:
        name, equals, value = pair.rpartition("=")
        try:
            number = float(value)
        except ValueError as error:
            raise UsageError(f"--upper {pair}: '{value}' is not a number.") from error
        upper, uppers = (upper, {**uppers, name: number}) if equals else (number, uppers)
    return upper, uppers


def _data(options: dict[str, Any]) -> Any:
    from assay.kinds import read

    roles = {name: options[name] for name in ("label", "split", "group")}
    data = read(
        options["data"], text=list(options["text"]) or None, id=options["id_"], random_state=options["seed"], **roles
    )
    for note in data.notes:
        say(note)
    return data


def _about(options: dict[str, Any]) -> dict[str, Any]:
    """Name the input and what it holds, so that a result can be told from that of another file."""
    import hashlib

    given = [Path(name) for name in ([options["scores"]] if options["scores"] else options["predictions"])]
    files = [
        path for place in given for path in (sorted(place.rglob("*")) if place.is_dir() else [place]) if path.is_file()
    ]
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
    return {"name": given[0].name, "files": len(files), "fingerprint": digest.hexdigest()[:16]}
