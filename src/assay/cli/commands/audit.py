"""`assay audit`: everything that applies, one verdict, one page."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import AssayError, UsageError, join_names
from assay.cli.interrupts import get_interrupt_status
from assay.cli.options import data_options, output_options
from assay.cli.output import echo, print_export, say, wrap_words, write_json
from assay.cli.paths import INPUT, OUTPUT, OutputFolder, Verb
from assay.views.results import wrap_result

if TYPE_CHECKING:
    from assay.audits import Audit, Finding
    from assay.data import Dataset
    from assay.kinds import TaskData

COLOURS: dict[str | None, str] = {"error": "red", "warning": "yellow", "note": "cyan"}
PROPOSALS = ("keep", "repair", "retire")
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
            restrict_found_plan(plan, options, context.command.params)
        context.default_map = {**(context.default_map or {}), **options}
        say(f"Plan: {plan}.")
    return plan


_OPTIONS = [
    click.option("--predictions", type=INPUT, multiple=True, metavar="FILE", help="Predictions of systems on DATA."),
    click.option("--scores", type=INPUT, metavar="FILE", help="A table of systems and datasets."),
    click.option("--votes", type=INPUT, metavar="FILE", help="Votes between systems: model_a, model_b, winner."),
    click.option("--verdicts", type=INPUT, metavar="FILE", help="Verdicts of judges: id, judge, verdict."),
    click.option("--cost", type=INPUT, metavar="FILE|COLUMN",
                 help="What systems cost: a table with costs of items or systems, or a column of --scores."),
    click.option("--reviewed", metavar="COLUMN",
                 help="People's verdicts on the items (ok, or what is wrong), to check the suspects."),
    click.option("--corpus", type=INPUT, multiple=True, metavar="FILE|GLOB",
                 help="Training data in which items are searched: text, JSON lines, CSV, TSV, Parquet; repeatable."),
    click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write the report, one HTML page."),
    click.option("--quick/--full", default=True,
                 help="Samples and linear models only, or larger samples and neural models too."),
    click.option("--only", metavar="NAMES", help="Run only these sections, separated by commas."),
    click.option("--skip", metavar="NAMES", help="Do not run these sections, separated by commas."),
    click.option("--budget", type=float, metavar="MINUTES", help="Stop after this time; what is not finished is left out."),
    click.option("--plan", type=INPUT, metavar="FILE", is_eager=True, callback=_apply_plan,
                 help="A TOML file with the options in a table [audit].  [assay.toml, if there is one]"),
    click.option("--private", is_flag=True, help="Write no text of any item anywhere, also not into the cache."),
    click.option("--items", type=OUTPUT, metavar="FILE", help="Write one row per item (.parquet or .tsv)."),
    click.option("--card", type=OUTPUT, metavar="FILE", help="Write a block for a dataset card (Markdown)."),
    click.option("--croissant", type=OUTPUT, metavar="FILE",
                 help="Write Croissant 1.1 metadata with what was measured (JSON-LD)."),
    click.option("--figures", type=OutputFolder(), metavar="DIR", help="Write the charts as SVG, PDF and PNG."),
    click.option("--figure-width", type=click.Choice(["single", "double"]), default="single", show_default=True,
                 help="Width of figures: one column of a page, or two."),
    click.option("--folds-out", type=OUTPUT, metavar="FILE", help="Write the recommended folds (TSV)."),
    click.option("--cache", metavar="DIR", help="Where finished work is kept.  [the user's cache folder]"),
    click.option("--no-cache", is_flag=True, help="Keep nothing, and reuse nothing from earlier runs."),
    click.option("--check", is_flag=True, help="Exit with 1 if there is a finding of --fail-on."),
    click.option("--fail-on", multiple=True, metavar="WHAT",
                 help="error, warning, note or a code; implies --check.  [error]"),
    click.option("--ignore", multiple=True, metavar="CODE[:SUBJECT][=REASON]",
                 help="A finding that does not count, with the reason; the report lists it as ignored."),
    click.option("--format", "format_", type=click.Choice(_FORMATS), default="text", show_default=True,
                 help="How findings are printed."),
]  # fmt: skip


def _options(command: Any) -> Any:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(cls=Verb)
@partial(data_options, optional=True, take_votes=True, take_tasks=True)
@_options
@output_options
def audit(data: Dataset | None, tasks: TaskData | None, **options: Any) -> None:
    """Audit DATA and what systems did on it: findings, a report, and what to do with every item.

    DATA may be logs of an evaluation harness, of one task or several, or a table of votes; --predictions, --scores,
    --votes and --verdicts also work alone.
    """
    from assay.audits.failing import has_failed

    if tasks is not None:
        from assay.cli.suite_audit import run_suite

        run_suite(tasks, options)
        return
    validate_options(data, options)
    result = run_audit(data, options)
    write_outputs(data, result, options)
    if options["json_"] != "-":
        print_audit(result, options["format_"])
    if not options["private"]:  # where subjects are withheld, it is not known what matched
        warn_unused_ignores(result, options["ignore"])
    if result.settings.interrupted:
        say("Interrupted: finished sections are kept; a rerun continues from there.")
        raise SystemExit(get_interrupt_status())
    check_sections(result)
    if (options["check"] or options["fail_on"]) and has_failed(result.findings, options["fail_on"] or ("error",)):
        raise SystemExit(1)


def check_sections(result: Audit) -> None:
    """Say which sections failed, and raise an error if none was measured."""
    sections = result.sections.values()
    if any(section.status == "done" for section in sections):
        for section in sections:
            if section.status == "failed":
                say(f"The section {section.name} failed. {section.reason}")
        return
    reasons = [f"{section.name}: {section.reason}" for section in sections]
    raise AssayError(f"Nothing was measured. {join_names(reasons, 3)}")


def validate_options(data: Dataset | None, options: dict[str, Any], *, several_tasks: bool = False) -> None:
    """Refuse what makes no sense before any work is done."""
    from assay.audits.failing import validate_fail_on
    from assay.audits.ignore import read_ignore
    from assay.audits.run import choose_sections

    validate_fail_on(options["fail_on"])
    read_ignore(options["ignore"])
    given = {name for name in ("predictions", "scores", "votes", "verdicts", "corpus") if options[name]}
    inputs = given | ({"data"} if data is not None or several_tasks else set())
    if not inputs - {"corpus"}:
        raise UsageError("Give DATA, or a table with --predictions, --scores, --votes or --verdicts.")
    choose_sections(split_names(options["only"]), split_names(options["skip"]), inputs)
    if options["folds_out"]:
        check_folds_ids(data)
    if options["items"] and Path(options["items"]).suffix.lower() not in (".parquet", ".tsv", ".txt"):
        raise UsageError("items are written as .parquet or .tsv.", place=options["items"])
    if options["budget"] is not None and not options["budget"] > 0:
        raise UsageError(f"is {options['budget']:g}; it must be a positive number of minutes.", option="budget")


def check_folds_ids(data: Dataset | None) -> None:
    """Refuse --folds-out if there are no ids, or ids that a folds file cannot hold."""
    from assay.splits import check_ids

    if data is None:
        raise UsageError("needs DATA.", option="folds_out")
    check_ids(data.ids.to_list())


def run_audit(data: Dataset | None, options: dict[str, Any]) -> Audit:
    """Run the audit with the command's options, showing its progress."""
    from assay.audits import audit as audit_data
    from assay.cli.audit_progress import show_progress

    with show_progress() as progress:
        return audit_data(
            data,
            predictions=list(options["predictions"]) or None,
            scores=options["scores"],
            votes=options["votes"],
            verdicts=options["verdicts"],
            cost=options["cost"],
            corpus=list(options["corpus"]) or None,
            reviewed=options["reviewed"],
            progress=progress,
            **choose_settings(options),
        )


def choose_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of `assay.audit` that say how to work."""
    return {
        "quick": options["quick"],
        "only": split_names(options["only"]),
        "skip": split_names(options["skip"]),
        "budget": options["budget"],
        "private": options["private"],
        "ignore": options["ignore"],
        "n_jobs": options["n_jobs"],
        "backend": options["backend"],
        "cache": False if options["no_cache"] else options["cache"] or True,
        "random_state": options["seed"],
    }


def write_outputs(data: Dataset | None, result: Audit, options: dict[str, Any]) -> None:
    """Write every file that was requested: all of them, or none if one cannot be written; the folds come last."""
    from assay.audits.outputs import write_items, write_recommended_folds
    from assay.base.files import write_together

    with write_together():
        if options["json_"]:
            settings = {"quick": options["quick"], "private": options["private"] or None, "seed": options["seed"]}
            write_json(options["json_"], wrap_result("audit", result, settings, data))
        if options["items"] and result.items is not None:
            write_items(options["items"], result.items)
        notes = write_report(result, options["out"], options["card"], options["figures"], options["figure_width"])
        if options["croissant"]:
            notes.append(write_metadata(result, data, options["croissant"]))
    for note in notes:
        say(note)
    if options["folds_out"] and data is not None:
        say(write_recommended_folds(options["folds_out"], data, options["seed"]))


def write_report(
    result: Audit, out: str | None, card: str | None = None, folder: str | None = None, width: str = "single"
) -> list[str]:
    """Write the page, the card and the figures, and return what was written."""
    from assay.report import render_page, write_card, write_figures

    notes = []
    if out:
        notes.append(write_text(out, render_page(result)))
    if card:
        notes.append(write_text(card, write_card(result)))
    if folder:
        notes.append(f"Wrote {len(write_figures(result, folder, width))} figures to {folder}.")
    return notes


def write_metadata(result: Audit, data: Dataset | None, path: str) -> str:
    """Write Croissant metadata, with the files that DATA names, and say so."""
    from assay.report.publication.croissant import find_data_files, write_croissant

    parameters = click.get_current_context().params
    named = [parameters.get(name) for name in ("source", "train", "dev", "test")]
    # A name on a hub is no file, and logs and votes are no table of items.
    has_table = data is not None and data.predictions is None
    sources = [name for name in named if name and not str(name).startswith("hf:")] if has_table else []
    files = find_data_files(sources, data.table.columns if data is not None else ())
    return write_text(path, write_croissant(result, files, Path(path).parent))


def write_text(path: str, text: str) -> str:
    """Write a file and return the note that says so."""
    from assay.base.files import open_for_writing

    with open_for_writing(path) as file:
        file.write(text)
    return f"Wrote {path}."


def print_audit(result: Audit, format_: str) -> None:
    """Print the findings: a list for people with the verdict last, or what a machine reads."""
    from assay.cli.output import show_table
    from assay.cli.overview_table import print_overview
    from assay.report.exports import EXPORTS

    if format_ != "text":
        print_export(EXPORTS[format_](result), format_)
        return
    for finding in result.findings:
        print_finding(finding)
    print_ignored(result)
    sections = [(section.name, section.status, section.reason or "") for section in result.sections.values()]
    if any(reason for _, _, reason in sections):
        show_table("Sections", ["section", "status", "reason"], sections)
    print_datasets(result)
    counts = result.items_summary
    if counts.total:
        echo(f"Items: keep {counts.keep:,}, repair {counts.repair:,}, retire {counts.retire:,}.")
    lists = f"{len(result.passed)} passed, {len(result.not_checked)} not checked, {len(result.ignored)} ignored"
    checks = f"Checks: {len({finding.code for finding in result.findings})} with findings, {lists}."
    echo(wrap_words(checks, find_width()))
    echo("")
    print_overview(result.overview, find_width())
    echo("")
    worst = result.findings[0].severity if result.findings else None
    echo(wrap_words(result.verdict, find_width()), fg=COLOURS.get(worst, "green"), bold=True)


def print_finding(finding: Finding) -> None:
    """Print a finding as a paragraph: severity in its colour, code, claim, and what to do."""
    width = find_width()
    label = f"{finding.severity.upper():<8}"
    claim = wrap_words(f"{finding.code}  {finding.claim}", width, " " * 8, label)
    action = wrap_words(f"→ {finding.action}", width, " " * 8)
    echo(label, f"{claim[len(label) :]}\n{action}", fg=COLOURS[finding.severity], bold=True)


def find_width() -> int:
    """Return the width of paragraphs: that of the terminal, but lines of at most 100 columns."""
    return min(100, shutil.get_terminal_size((100, 24)).columns)


def print_ignored(result: Audit) -> None:
    """Print the findings that were ignored, with the reasons."""
    from assay.cli.output import show_table

    rows = [(finding.severity, finding.code, finding.claim, finding.reason) for finding in result.ignored]
    if rows:
        show_table("Ignored", ["severity", "code", "finding", "reason"], rows)


def warn_unused_ignores(result: Audit, entries: Any) -> None:
    """Say which entries of --ignore matched nothing."""
    from assay.audits.ignore import find_unused, read_ignore

    for rule in find_unused(read_ignore(entries), result.ignored):
        say(f"Nothing to ignore: {rule.code}{':' + rule.subject if rule.subject else ''}.")


def print_datasets(result: Audit) -> None:
    """Print what is proposed for datasets, where there are several."""
    discrimination = result.evidence.discrimination
    rows = [] if discrimination is None else [row for row in discrimination.datasets if row.proposal]
    if len(rows) < 2:
        return
    names = {proposal: [row.dataset for row in rows if row.proposal == proposal] for proposal in PROPOSALS}
    echo(f"Datasets: {', '.join(f'{proposal} {len(group):,}' for proposal, group in names.items())}.")
    for proposal in ("repair", "retire"):
        if names[proposal]:
            echo(f"  {proposal}: {join_names(names[proposal], 10)}")


def split_names(names: Any) -> list[str] | None:
    """Split names at commas, or take a list from a plan.

    >>> split_names("profile, splits"), split_names(None)
    (['profile', 'splits'], None)
    """
    if not names:
        return None
    parts = names if isinstance(names, list | tuple) else str(names).split(",")
    return [part.strip() for part in parts if part.strip()]
