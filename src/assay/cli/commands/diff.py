"""`assay diff`: what changed between two audits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay import __version__
from assay.base.numbers import format_interval
from assay.cli.output import say, show_table, write_json
from assay.cli.paths import INPUT, OUTPUT, Verb

if TYPE_CHECKING:
    from assay.audits import AuditComparison, Finding


@click.command(cls=Verb)
@click.argument("old", type=INPUT, metavar="OLD.json")
@click.argument("new", type=INPUT, metavar="NEW.json")
@click.option(
    "--json", "json_", type=OUTPUT, metavar="FILE", help="Write the differences as JSON; '-' for standard output."
)
@click.option("--check", is_flag=True, help="Exit with 1 if a new or changed finding is an error or a warning.")
def diff(old: str, new: str, json_: str | None, check: bool) -> None:
    """Compare two audits: findings that are new, gone, changed or not checked this time."""
    from assay.audits import Audit, compare_audits

    result = compare_audits(Audit.from_json(old), Audit.from_json(new))
    if json_:
        write_json(json_, {"assay": __version__, "command": "diff", "result": result})
    if json_ != "-":
        print_comparison(result)
    if check and result.worst_new in ("error", "warning"):
        raise SystemExit(1)


def write_value(finding: Finding) -> str:
    """Write the number of a finding with its interval."""
    return format_interval(finding.value, finding.low, finding.high)


def print_comparison(result: AuditComparison) -> None:
    """Print the differences as one table; changed findings with their old and new values."""
    say("The data is the same." if result.same_data else "The data is not the same.")
    rows: list[tuple[Any, ...]] = []
    groups = {"new": result.new, "gone": result.gone, "not checked": result.not_checked, "ignored": result.ignored}
    for name, findings in groups.items():
        rows += [(name, finding.severity, finding.code, "", finding.claim) for finding in findings]
    for change in result.changed:
        severity = change.new.severity
        if change.old.severity != severity:
            severity = f"{change.old.severity} → {severity}"  # type: ignore[assignment]
        claim = change.new.claim
        if change.old.claim != claim:
            claim = f"{claim} Before: {change.old.claim}"
        values = f"{write_value(change.old)} → {write_value(change.new)}"
        rows.append(("changed", severity, change.new.code, values, claim))
    if rows:
        show_table("Differences", ["", "severity", "code", "value", "finding"], rows)
    for change_of in result.sections:
        say(f"Section {change_of.section}: {change_of.old or 'not run'} before, {change_of.new or 'not run'} now.")
    counts = f"{len(result.new)} new, {len(result.gone)} gone, {len(result.changed)} changed"
    ignored = f"{len(result.ignored)} ignored, " if result.ignored else ""
    click.echo(f"{counts}, {len(result.not_checked)} not checked this time, {ignored}{result.n_same} the same.")
