"""`assay repair`: correct or drop bad items, and log every change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import data_options, number_option, result_options
from assay.cli.output import say
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish, print_blocks

if TYPE_CHECKING:
    from assay.data import Dataset

DROPS = ("retire", "leak", "suspects")


def _name_log(context: click.Context, _option: click.Parameter, log: str | None) -> str | None:
    """Name the log after the data, so that the check of outputs sees it too."""
    out = context.params.get("out")
    return log or (str(Path(out).with_suffix(".changes.tsv")) if out else None)


@click.command(cls=Verb)
@data_options
@click.option("--audit", type=INPUT, metavar="FILE", help="Audit (JSON), or its table of items (--items).")
@click.option("--suspects", type=INPUT, metavar="FILE", help="Table of assay suspects.")
@click.option("--drop", metavar="NAMES", help=f"What to drop, separated by commas: {', '.join(DROPS)}.")
@click.option("--relabel", is_flag=True, help="Give suspected items the suggested label.")
@number_option("--min-suspicion", 0.5, "Suspicion from which items are dropped or relabelled.", at_least=0, at_most=1)
@click.option("--predictions", type=INPUT, multiple=True, metavar="FILE", help="Score systems before and after.")
@click.option(
    "-o", "--out", type=OUTPUT, required=True, metavar="FILE", help="Write the data (TSV; .csv, .jsonl, .parquet)."
)
@click.option(
    "--log",
    type=OUTPUT,
    metavar="FILE",
    callback=_name_log,
    help="Write the changes (TSV).  [default: OUT with .changes.tsv]",
)
@result_options
def repair(data: Dataset, **options: Any) -> None:
    """Write DATA without the items to drop and with corrected labels, and a log of every change.

    Every change is in the log. With --predictions, scores and ranks of the systems before and after are shown.
    """
    from assay.suspects import repair
    from assay.suspects.repairs.writing import write_data, write_log
    from assay.system.files import write_together

    drop = [name.strip() for name in (options["drop"] or "").split(",") if name.strip()]
    result = repair(
        data,
        audit=options["audit"],
        suspects=options["suspects"],
        drop=drop,
        relabel=options["relabel"],
        min_suspicion=options["min_suspicion"],
        predictions=list(options["predictions"]) or None,
    )
    assert result.data is not None
    values = {"drop": ",".join(drop), "relabel": options["relabel"], "min_suspicion": options["min_suspicion"]}
    with write_together():
        write_data(options["out"], result.data)
        write_log(options["log"], result)
        finish("repair", result, options["json_"], values, data, show=False)
    if options["json_"] != "-":
        print_blocks(result.blocks())
    say(f"Every change: {options['log']}")
