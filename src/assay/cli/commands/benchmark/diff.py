"""`assay diff`: what changed between two audits."""

from __future__ import annotations

import click

from assay.cli.options import json_option
from assay.cli.paths import INPUT, Verb
from assay.cli.results import finish, table_options


@click.command(cls=Verb)
@click.argument("old", type=INPUT, metavar="OLD.json")
@click.argument("new", type=INPUT, metavar="NEW.json")
@click.option("--check", is_flag=True, help="Exit with 1 if a new or changed finding is an error or a warning.")
@json_option
@table_options
def diff(old: str, new: str, json_: str | None, check: bool) -> None:
    """Compare two audits: findings that are new, gone, changed or not checked this time."""
    from assay.audits import diff as compare_files

    result = compare_files(old, new)
    finish("diff", result, json_, {})
    if check and result.worst_new in ("error", "warning"):
        raise SystemExit(1)
