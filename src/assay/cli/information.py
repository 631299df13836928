"""`assay information`: what a dataset asks for beyond its shortcuts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import UsageError
from assay.cli.options import data_options, output_options
from assay.cli.paths import INPUT, OUTPUT, Verb

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.evaluation import Predictions
    from assay.information import Information


@click.command(cls=Verb)
@partial(data_options, optional=True)
@click.option("--shortcuts", metavar="NAMES", help="Shortcuts separated by commas.  [punctuation,stop-words,overlap]")
@click.option("--column", "columns", multiple=True, metavar="COLUMN", help="A column of DATA as a shortcut of its own.")
@click.option(
    "--ngrams", type=INPUT, metavar="FILE", help="Words or word sequences, one a line: whether a text has them."
)
@click.option("--stop-words", type=INPUT, metavar="FILE", help="Stop words of another language, one a line.")
@click.option(
    "--model", "models", multiple=True, metavar="NAME", help="Full model; the best of several counts. [linear]"
)
@click.option(
    "--predictions", type=INPUT, multiple=True, metavar="FILE", help="Own probabilities for X, or systems to rank."
)
@click.option("--n-folds", type=click.IntRange(2), default=5, show_default=True, help="Folds where DATA has no parts.")
@click.option("--study", type=click.Choice(["toy", "size", "ksg"]), help="Run a check of the method instead.")
@click.option("--cache", metavar="DIR", help="Keep finished fits here.")
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write what is known of each item (TSV).")
@partial(output_options, jobs=-1)
def information(data: Dataset | None, json_: str | None, seed: int, out: str | None, **options: Any) -> None:
    """Say how much of the labels of DATA can be told beyond its shortcuts, in nats (paper 003)."""
    from assay.base.results import wrap_result
    from assay.cli.output import write_json
    from assay.evaluation import read_predictions

    study = options.pop("study")
    if data is None and study != "toy":
        raise UsageError("Missing DATA: a file, a folder or a glob.")
    if study:
        found = run_study(study, data, seed, options)
        if json_:
            write_json(json_, wrap_result("information", found, {"study": study, "seed": seed}, data))
        if json_ != "-":
            show_study(study, found)
        return
    assert data is not None
    data = data.drop_unlabelled()
    paths = options.pop("predictions")
    predictions = read_predictions(list(paths), data) if paths else None
    measured, result = measure(data, predictions, seed, options)
    if out:
        write_items(out, data, measured)
    if json_:
        settings = {"shortcuts": options["shortcuts"], "models": ",".join(options["models"]) or None, "seed": seed}
        write_json(json_, wrap_result("information", {**result, "items": out}, settings, data))
    if json_ != "-":
        show(data.name, measured, result)


def measure(
    data: Dataset, predictions: Predictions | None, seed: int, options: dict[str, Any]
) -> tuple[Information, dict[str, Any]]:
    """Call the room with the command's options."""
    from assay.information.dataset_information import dataset_information, systems_on_items

    with_shares = predictions is not None and any(a.probabilities for a in predictions.systems.values())
    found = dataset_information(
        data,
        shortcuts=options["shortcuts"].split(",") if options["shortcuts"] else None,
        columns=options["columns"],
        ngrams=options["ngrams"],
        stop_word_list=options["stop_words"],
        models=options["models"] or ("linear",),
        predictions=predictions if with_shares else None,
        n_folds=options["n_folds"],
        random_state=seed,
        n_jobs=options["n_jobs"],
        backend=options["backend"],
        cache=options["cache"],
    )
    systems = systems_on_items(data, found, predictions) if predictions is not None else []
    return found, {**found.to_dict(), "systems": [row.to_dict() for row in systems]}


def run_study(study: str, data: Dataset | None, seed: int, options: dict[str, Any]) -> Any:
    """Run one of the studies of the method."""
    from assay.information.dataset_information import inputs
    from assay.information.studies import STUDIES

    work = {"random_state": seed, "n_jobs": options["n_jobs"], "backend": options["backend"]}
    if study == "toy":
        return STUDIES[study](**work)
    assert data is not None
    data = data.drop_unlabelled()
    assert data.labels is not None
    parts = None if data.parts is None else data.parts.to_list()
    return STUDIES[study](inputs(data), data.labels.to_list(), parts=parts, **work)


def write_items(path: str, data: Dataset, found: Information) -> None:
    """Write the table of items with their ids as TSV."""
    import polars as pl

    from assay.base.files import open_for_writing

    table = found.items.with_columns(id=data.ids.gather(found.items["row"])).select("id", pl.exclude("row", "id"))
    with open_for_writing(path) as file:
        file.write(table.write_csv(separator="\t", quote_style="never"))


def show(name: str, found: Information, result: dict[str, Any]) -> None:
    """Print what was found as tables."""
    from assay.cli.output import say, show_table

    full = found.full
    show_table(
        f"{name}: label entropy {found.entropy:.3f}; {full.model}: loss {full.nll:.3f}, accuracy {full.accuracy:.3f}",
        ["beyond", "TSI (nats)", "low", "high", "control loss", "control accuracy", "n"],
        [(c.shortcuts, c.tsi, c.tsi_low, c.tsi_high, c.nll, c.accuracy, c.n_items) for c in found.control],
    )
    show_table(
        "Baselines", ["name", "accuracy", "low", "high"], [(b.name, b.accuracy, b.low, b.high) for b in found.baselines]
    )
    show_table(
        "Cheap features tied to a label (5 % false discoveries)",
        ["feature", "kind", "label", "nats", "precision", "coverage", "p"],
        [(c.token, c.kind, c.label, c.information, c.precision, c.coverage, c.p) for c in found.cues[:15]],
    )
    if result["systems"]:
        show_table(
            "Systems on items that shortcuts do not solve",
            ["system", "accuracy", "low", "high", "on the others", "n"],
            [(s["system"], *list(s.values())[1:6]) for s in result["systems"]],
        )
    suspected = int(found.items["suspected_label"].is_not_null().sum())
    solved = int(found.items["shortcut_solvable"].sum())
    say(f"{solved:,} of {found.n_items:,} items are solved by shortcuts; {suspected:,} labels are suspected.")
    for note in found.notes:
        say(note)


def show_study(study: str, found: Any) -> None:
    """Print a study's result."""
    from assay.cli.output import show_table

    values = found.to_dict()
    rows = [(name, value) for name, value in values.items() if not isinstance(value, (list, dict))]
    show_table(f"Study: {study}", ["", "value"], rows)
    for name in ("curve", "draws"):
        if values.get(name):
            show_table(name, list(values[name][0]), [tuple(row.values()) for row in values[name]])
