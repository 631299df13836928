"""`assay responses`: where points are lost between a response and its score."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import number_option, result_options, strict_option, task_option
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish, write_rows


@click.command(cls=Verb)
@click.argument("source", type=INPUT, metavar="DATA|LOGS")
@click.option(
    "--responses", type=INPUT, metavar="FILE", help="Table of responses: system or model, id, response, extracted."
)
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write one row per response (TSV).")
@task_option
@click.option("--label", metavar="COLUMN", help="Column with the gold answers.")
@click.option("--id", "id_", metavar="COLUMN", help="Id column; without one, ids are row numbers from 0.")
@click.option("--log-task", metavar="NAME", help="Only this task of the logs, or a pattern such as 'mmlu_*'.")
@number_option("--confidence", 0.95, "Confidence of intervals.")
@strict_option
@result_options
def responses(source: str, **options: Any) -> None:
    """Read all responses and report where points are lost, such as responses cut off, not extracted or refused.

    Responses come from LOGS of a harness or from --responses, a table with the columns system (or model), id and
    response, and optionally extracted (or predicted) and stop_reason. With --responses, DATA has the items.
    """
    from assay.responses import audit_responses

    reading = {"label": options["label"], "id": options["id_"], "task": options["task"]}
    result = audit_responses(
        source,
        options["responses"],
        log_task=options["log_task"],
        confidence=options["confidence"],
        strict=options["strict"],
        **{name: value for name, value in reading.items() if value not in (None, "auto")},
    )
    if options["out"]:
        write_rows(options["out"], result.list_responses())
    settings = {name: options[name] for name in ("log_task", "confidence")}
    finish("responses", result, options["json_"], settings)
