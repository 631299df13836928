"""`assay checklist`: a checklist for a paper, filled in from an audit."""

from __future__ import annotations

import click

from assay.cli.options import json_option
from assay.cli.paths import INPUT, Verb
from assay.cli.results import finish, table_options

NAMES = ("construct-validity", "betterbench", "agents", "neurips")


@click.command(cls=Verb)
@click.argument("audit", type=INPUT, metavar="AUDIT.json")
@click.option("--name", type=click.Choice(NAMES), default=NAMES[0], show_default=True, help="Which checklist.")
@json_option
@table_options
def checklist(audit: str, name: str, json_: str | None) -> None:
    """Fill in a checklist from an audit (assay audit DATA --json AUDIT.json).

    A point is ticked only if every check behind it ran and found nothing. --markdown and --latex write it for a paper.
    """
    from assay.audits import Audit
    from assay.report.checklists import fill_checklist

    finish("checklist", fill_checklist(Audit.from_json(audit), name), json_, {"name": name})
