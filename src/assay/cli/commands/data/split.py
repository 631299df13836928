"""`assay split`: folds, or train, dev and test, as an id file or as separate files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.base.parameters import Options
from assay.cli.options import data_options, output_options, settings_option, tokenizer_option
from assay.cli.output import say
from assay.cli.paths import OUTPUT, OutputFolder, Verb
from assay.cli.results import finish

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.splits import SplitResult

PART_FILES = r"(repeat-\d+/)?(train|dev|test|fold-\d+)\.(tsv|csv|jsonl|parquet)"


class MethodName(click.ParamType):
    """The name of a split method; without one, the message lists them."""

    name = "method"

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Return what click adds to its message."""
        from assay.splits import SPLITS

        return f"Choose one of: {', '.join(sorted(SPLITS))}."


@click.command(cls=Verb)
@data_options
@click.option(
    "-m",
    "--method",
    type=MethodName(),
    required=True,
    metavar="METHOD",
    help="How to split; `assay methods` lists them.",
)
@click.option(
    "--n-folds",
    "n_splits",
    type=int,
    metavar="K",
    help="Make K folds (temporal: K windows).  [default: 5, for methods that make folds]",
)
@click.option("--test-size", type=float, metavar="S", help="Make a test set: a share below 1, or a number of rows.")
@click.option("--dev-size", type=float, metavar="S", help="Also make a dev set, chosen in the same way.")
@click.option("--repeats", "n_repeats", type=int, default=1, show_default=True, metavar="R", help="Draw R times.")
@click.option("--keep-together", type=click.Choice(["duplicates"]), help="Keep near-duplicates on one side.")
@click.option("--parts", metavar="NAMES", help="Split only these parts of the data, such as train,dev.")
@click.option("--encoder", metavar="NAME", help="How texts become vectors, for methods that use them.")
@tokenizer_option
@settings_option
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write the folds file: id, and fold or part (TSV).")
@click.option(
    "--write-parts",
    type=OutputFolder(PART_FILES),
    metavar="DIR",
    help="Write the rows of each part or fold to a separate file.",
)
@click.option("--parts-format", type=click.Choice(["tsv", "csv", "jsonl", "parquet"]), default="tsv", show_default=True)
@partial(output_options, jobs=-1)
def split(data: Dataset, **options: Any) -> None:
    """Split a dataset: K folds, or train, dev and test. All rows are split unless --parts names some parts.

    The starts of the K-means methods, and the repeats of the other methods, run in parallel (--jobs, --backend).
    """
    from assay.splits import check_ids
    from assay.splits import split as split_data

    if options["out"]:
        check_ids(data.ids.to_list())
    same_names = ("method", "n_splits", "test_size", "dev_size", "n_repeats", "keep_together", "encoder")
    arguments = {name: options[name] for name in (*same_names, "n_jobs", "backend")}
    result = split_data(
        data,
        parts=None if options["parts"] is None else [name.strip() for name in options["parts"].split(",")],
        random_state=options["seed"],
        **arguments | _choose_tokenizer(options["tokenizer"]) | options["settings"],
    )
    _write_files(result, options)
    settings = {"method": options["method"], **result.settings, "keep_together": options["keep_together"]}
    finish("split", result, options["json_"], settings, result.data)


def _choose_tokenizer(name: str) -> dict[str, str]:
    """Return the tokenizer as a setting; the default one is left out, since not every method cuts texts into words."""
    return {} if name == "words" else {"tokenizer": name}


def _write_files(result: SplitResult, options: Options) -> None:
    if options["out"]:
        result.write_folds(options["out"])
        say(f"Folds of {len(result.ids):,} rows: {options['out']}")
    if options["write_parts"]:
        paths = result.write_parts(options["write_parts"], options["parts_format"])
        say(f"{len(paths)} files of parts: {options['write_parts']}")
    if not (options["out"] or options["write_parts"] or options["json_"]):
        say("Nothing is written: -o FILE writes the folds, --write-parts DIR the parts.")
