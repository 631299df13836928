"""`assay audit`: everything that applies, one verdict, one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import UsageError, join_names
from assay.base.results import wrap_result
from assay.cli.options import data_options, output_options
from assay.cli.output import say, write_json
from assay.cli.paths import INPUT, OUTPUT, OutputFolder, Verb

if TYPE_CHECKING:
    from assay.audits import Audit
    from assay.data import Dataset

WISHES = ("keep", "repair", "retire")
_FORMATS = ("text", "json", "github", "sarif")


def _apply_plan(context: click.Context, _option: click.Parameter, path: str | None) -> str | None:
    """Take the options that a plan fixes as defaults, before the others are read."""
    from assay.cli.plan import find_plan, read_plan, restrict_found_plan

    plan = path or find_plan()
    if plan is not None:
        known = {str(option.name) for option in context.command.params} - {"plan"}
        repeatable = {option.name or "" for option in context.command.params if getattr(option, "multiple", False)}
        options = read_plan(plan, known, repeatable)
        if path is None:
            restrict_found_plan(plan, options)
        context.default_map = {**(context.default_map or {}), **options}
        say(f"Plan: {plan}.")
    return plan


_OPTIONS = [
    click.option("--predictions", type=INPUT, multiple=True, metavar="FILE", help="Predictions of systems on DATA."),
    click.option("--scores", type=INPUT, metavar="FILE", help="A table of systems and datasets."),
    click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write the report, one HTML page."),
    click.option("--quick/--full", default=True, help="Samples and linear models, or all rows and neural models too."),
    click.option("--only", metavar="NAMES", help="Only these sections, separated by commas."),
    click.option("--skip", metavar="NAMES", help="Not these sections, separated by commas."),
    click.option("--budget", type=float, metavar="MINUTES", help="Start no further section after this time."),
    click.option("--plan", type=INPUT, metavar="FILE", is_eager=True, callback=_apply_plan,
                 help="A TOML file with the options in a table [audit].  [assay.toml, where there is one]"),
    click.option("--private", is_flag=True, help="Write no text of any item anywhere."),
    click.option("--items", type=OUTPUT, metavar="FILE", help="Write one row an item (.parquet or .tsv)."),
    click.option("--card", type=OUTPUT, metavar="FILE", help="Write a block for a dataset card (Markdown)."),
    click.option("--figures", type=OutputFolder(), metavar="DIR", help="Write the charts as SVG and PNG."),
    click.option("--folds-out", type=OUTPUT, metavar="FILE", help="Write the folds it recommends (TSV)."),
    click.option("--cache", metavar="DIR", help="Where finished work is kept.  [the user's cache folder]"),
    click.option("--no-cache", is_flag=True, help="Keep nothing, and take nothing from earlier runs."),
    click.option("--check", is_flag=True, help="Exit with 1 where a finding of --fail-on appears."),
    click.option("--fail-on", multiple=True, metavar="WHAT",
                 help="error, warning, note or a code; implies --check.  [error]"),
    click.option("--format", "format_", type=click.Choice(_FORMATS), default="text", show_default=True,
                 help="How findings are printed."),
]  # fmt: skip


def _options(command: Any) -> Any:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(cls=Verb)
@data_options
@_options
@output_options
def audit(data: Dataset, **options: Any) -> None:
    """Audit DATA and what systems did on it: findings, a report, and what to do with every item."""
    from assay.audits.checking import fails

    refuse(options)
    found = run(data, options)
    write_outputs(data, found, options)
    told = found.to_dict()
    if options["json_"] != "-":
        show(told, options["format_"])
    if found.settings["interrupted"]:
        say("Interrupted: the sections that were done are kept; a rerun goes on from there.")
        raise SystemExit(130)
    if (options["check"] or options["fail_on"]) and fails(told["findings"], options["fail_on"] or ("error",)):
        raise SystemExit(1)


def refuse(options: dict[str, Any]) -> None:
    """Refuse what makes no sense before any work is done."""
    from assay.audits.checking import check_fail_on
    from assay.audits.running import chosen_sections

    check_fail_on(options["fail_on"])
    chosen_sections(names(options["only"]), names(options["skip"]))
    if options["items"] and Path(options["items"]).suffix.lower() not in (".parquet", ".tsv", ".txt"):
        raise UsageError(f"--items {options['items']}: items are written as .parquet or .tsv.")
    if options["budget"] is not None and options["budget"] <= 0:
        raise UsageError(f"--budget is {options['budget']:g}; give minutes above 0.")


def run(data: Dataset, options: dict[str, Any]) -> Audit:
    """Call the room with the command's options, showing how far it is."""
    from assay.audits import audit as audited
    from assay.cli.audit_progress import progress

    cache = False if options["no_cache"] else options["cache"] or True
    with progress() as tell:
        return audited(
            data,
            predictions=list(options["predictions"]) or None,
            scores=options["scores"],
            quick=options["quick"],
            only=names(options["only"]),
            skip=names(options["skip"]),
            budget=options["budget"],
            private=options["private"],
            n_jobs=options["n_jobs"],
            backend=options["backend"],
            cache=cache,
            random_state=options["seed"],
            progress=tell,
        )


def write_outputs(data: Dataset, found: Audit, options: dict[str, Any]) -> None:
    """Write every file that was asked for."""
    from assay.audits.outputs import write_items, write_recommended_folds

    if options["json_"]:
        settings = {"quick": options["quick"], "private": options["private"] or None, "seed": options["seed"]}
        write_json(options["json_"], wrap_result("audit", found.to_dict(), settings, data))
    if options["items"]:
        write_items(options["items"], found.items)
    if options["folds_out"]:
        say(write_recommended_folds(options["folds_out"], data, options["seed"]))
    if options["out"] or options["card"] or options["figures"]:
        write_report(found, options["out"], options["card"], options["figures"])


def write_report(found: Audit, out: str | None, card_path: str | None, folder: str | None) -> None:
    """Write the page, the card and the figures."""
    from assay.report import card, figures, render

    if out:
        write_text(out, render(found, private=found.settings["private"]))
    if card_path:
        write_text(card_path, card(found))
    if folder:
        say(f"Wrote {len(figures(found, folder))} figures to {folder}.")


def write_text(path: str, text: str) -> None:
    """Write a file and say so."""
    from assay.base.files import open_for_writing

    with open_for_writing(path) as file:
        file.write(text)
    say(f"Wrote {path}.")


def show(told: dict[str, Any], format_: str) -> None:
    """Print the findings: a table for people, or what a machine reads."""
    from assay.audits.formats import FORMATS
    from assay.cli.output import show_table

    if format_ != "text":
        click.echo(FORMATS[format_](told), nl=False)
        return
    click.echo(told["verdict"])
    rows = [(one["severity"], one["code"], one["claim"], one["action"]) for one in told["findings"]]
    if rows:
        show_table("Findings", ["severity", "code", "what", "what to do"], rows)
    status = [(name, one["status"], one["reason"] or "") for name, one in told["sections"].items()]
    if any(reason for _, _, reason in status):
        show_table("Sections", ["section", "status", "reason"], status)
    show_datasets(told)
    wishes = told["items_summary"]
    click.echo(f"Items: keep {wishes['keep']:,}, repair {wishes['repair']:,}, retire {wishes['retire']:,}.")


def show_datasets(told: dict[str, Any]) -> None:
    """Say what is proposed for datasets, where several are given."""
    found = told["sections"].get("discrimination", {}).get("result", {}).get("proposals") or []
    if len(found) > 1:
        counts = {wish: [row["dataset"] for row in found if row["proposal"] == wish] for wish in WISHES}
        told_all = ", ".join(f"{wish} {len(rows):,}" for wish, rows in counts.items())
        click.echo(f"Datasets: {told_all}.")
        for wish in WISHES[1:]:
            if counts[wish]:
                click.echo(f"  {wish}: {join_names(counts[wish], 10)}")


def names(given: Any) -> list[str] | None:
    """Read names separated by commas, or a list from a plan.

    >>> names("profile, splits"), names(None)
    (['profile', 'splits'], None)
    """
    if not given:
        return None
    parts = given if isinstance(given, (list, tuple)) else str(given).split(",")
    return [part.strip() for part in parts if part.strip()]
