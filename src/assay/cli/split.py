"""`assay split`: folds, or train, dev and test, as an id file or as files of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.base.results import wrap_result
from assay.cli.options import data_options, output_options, settings_option, tokenizer_option
from assay.cli.output import say, show_table, write_json
from assay.cli.paths import OUTPUT, OutputFolder, Verb

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.splits.base import Splitter
    from assay.splits.splitting import SplitResult

PART_FILES = r"(repeat-\d+/)?(train|dev|test|fold-\d+)\.(tsv|csv|jsonl|parquet)"
_SHOWN_REPEATS = 5
_SHOWN_LABELS = 8


@click.command(cls=Verb)
@data_options
@click.option("-m", "--method", required=True, metavar="METHOD", help="How to split; `assay methods` lists them.")
@click.option("--n-folds", type=int, metavar="K", help="Make K folds.  [default: 5, for methods that make folds]")
@click.option("--test-size", type=float, metavar="S", help="Make a test set: a share below 1, or a number of rows.")
@click.option("--dev-size", type=float, metavar="S", help="Make a dev set too, chosen the same way.")
@click.option("--repeats", type=int, default=1, show_default=True, metavar="R", help="Draw R times.")
@click.option("--keep-together", type=click.Choice(["duplicates"]), help="Keep near duplicates on one side.")
@click.option("--parts", metavar="NAMES", help="Split only these parts of the data, such as train,dev.")
@click.option("--encoder", metavar="NAME", help="How texts become vectors, for methods that use them.")
@tokenizer_option
@settings_option
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write the folds file: id, and fold or part (TSV).")
@click.option(
    "--write-parts",
    type=OutputFolder(PART_FILES),
    metavar="DIR",
    help="Write the rows of each part or fold to a file of its own.",
)
@click.option("--parts-format", type=click.Choice(["tsv", "csv", "jsonl", "parquet"]), default="tsv", show_default=True)
@output_options
def split(data: Dataset, **options: Any) -> None:
    """Split a dataset: K folds, or train, dev and test. All rows are pooled unless --parts names some."""
    from assay.splits.splitting import split_dataset

    chosen = _chosen(data, options["parts"])
    splitter = _splitter(chosen, options)
    result = split_dataset(chosen, splitter, options["keep_together"])
    for note in result.notes:
        say(note)
    _write(chosen, result, options)
    if options["json_"] != "-":
        _show(result, chosen.label_names)
    if options["json_"]:
        settings = {"method": options["method"], **result.settings, "keep_together": options["keep_together"]}
        write_json(options["json_"], wrap_result("split", _told(result), settings, chosen))


def _chosen(data: Dataset, parts: str | None) -> Dataset:
    if parts is None:
        return data
    names = [name.strip() for name in parts.split(",")]
    for name in names:
        data.part(name)  # says what parts there are where this one is not
    assert data.parts is not None
    return data.take(data.parts.is_in(names).fill_null(value=False))


def _splitter(data: Dataset, options: dict[str, Any]) -> Splitter:
    import dataclasses

    from assay.splits import SPLITS
    from assay.splits.splitting import make_splitter

    known = {field.name for field in dataclasses.fields(SPLITS[options["method"]])}
    settings = {"tokenizer": options["tokenizer"]} if "tokenizer" in known else {}
    if "times" in known:
        settings["times"] = data.times
    return make_splitter(
        options["method"],
        n_folds=options["n_folds"],
        test_size=options["test_size"],
        dev_size=options["dev_size"],
        n_repeats=options["repeats"],
        random_state=options["seed"],
        encoder=options["encoder"],
        **settings | options["settings"],
    )


def _write(data: Dataset, result: SplitResult, options: dict[str, Any]) -> None:
    from assay.splits import write_folds
    from assay.splits.part_files import write_parts

    if options["out"]:
        write_folds(options["out"], result.ids, result.draws)
        say(f"Folds of {len(result.ids):,} rows: {options['out']}")
    if options["write_parts"]:
        paths = write_parts(options["write_parts"], data, result.draws, options["parts_format"])
        say(f"{len(paths)} files of parts: {options['write_parts']}")
    if not (options["out"] or options["write_parts"] or options["json_"]):
        say("Nothing is written: -o FILE writes the folds, --write-parts DIR the parts.")


def _show(result: SplitResult, labels: list[str]) -> None:
    several = len(result.draws) > 1
    shown = labels[:_SHOWN_LABELS]
    columns = [*(["repeat"] if several else []), "part", "asked", "rows", "share", *shown]
    rows = [
        [*([size.repeat] if several else []), size.part, size.asked, size.n]
        + [f"{share:.3f}" for share in (size.share, *map(size.labels.__getitem__, shown))]
        for size in result.sizes
        if size.repeat < _SHOWN_REPEATS
    ]
    show_table(f"{result.method} split: rows, and shares of labels", columns, rows)
    for detail in result.details[:_SHOWN_REPEATS]:
        told = {name: value for name, value in detail.items() if isinstance(value, (int, float, str))}
        if told:
            say(
                ", ".join(
                    f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}"
                    for name, value in told.items()
                )
            )
    if len(result.draws) > _SHOWN_REPEATS:
        say(f"The first {_SHOWN_REPEATS} of {len(result.draws)} repeats are shown; --json has all.")


def _told(result: SplitResult) -> dict[str, Any]:
    from assay.splits import Assignment

    rows = [
        {"folds": draw.folds} if isinstance(draw, Assignment) else {"parts": draw.parts, "weights": draw.weights}
        for draw in result.draws
    ]
    told = {name: value for name, value in vars(result).items() if name != "draws"}
    return {**told, "draws": rows}
