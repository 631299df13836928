"""`assay diff`: what changed between two audits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay import __version__
from assay.cli.output import say, show_table, write_json
from assay.cli.paths import INPUT, OUTPUT, Verb

if TYPE_CHECKING:
    from assay.audits.differences import Differences


@click.command(cls=Verb)
@click.argument("old", type=INPUT, metavar="OLD.json")
@click.argument("new", type=INPUT, metavar="NEW.json")
@click.option(
    "--json", "json_", type=OUTPUT, metavar="FILE", help="Write the differences as JSON; '-' for standard output."
)
@click.option("--check", is_flag=True, help="Exit with 1 where a new or graver finding is an error or a warning.")
def diff(old: str, new: str, json_: str | None, check: bool) -> None:
    """Compare two audits: findings that came, went or changed."""
    from assay.audits.differences import differences, read_audit

    found = differences(read_audit(old), read_audit(new))
    if json_:
        write_json(json_, {"assay": __version__, "command": "diff", "result": found})
    if json_ != "-":
        show(found)
    if check and any(one["severity"] != "note" for one in [*found.new, *found.changed]):
        raise SystemExit(1)


def show(found: Differences) -> None:
    """Print the differences as one table."""
    say("The data is the same." if found.same_data else "The data is not the same.")
    rows: list[tuple[Any, ...]] = [("new", one["severity"], one["code"], one["claim"]) for one in found.new]
    rows += [("gone", one["severity"], one["code"], one["claim"]) for one in found.gone]
    rows += [
        ("changed", f"{one['old_severity']} → {one['severity']}", one["code"], one["claim"]) for one in found.changed
    ]
    if rows:
        show_table("Differences", ["", "severity", "code", "what"], rows)
    for name, (before, after) in found.sections.items():
        say(f"Section {name}: {before or 'not run'} before, {after or 'not run'} now.")
    click.echo(f"{len(found.new)} new, {len(found.gone)} gone, {len(found.changed)} changed, {found.n_same} the same.")
