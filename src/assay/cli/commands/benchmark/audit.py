"""`assay audit`: everything that applies, one verdict, one page."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import EXIT_UNEXPECTED, AssayError, UsageError, join_names
from assay.base.parameters import Options
from assay.cli.finished_runs import refuse_keeping, repeat_finished_runs
from assay.cli.interrupts import get_interrupt_status
from assay.cli.options import choice_option, data_options, output_options
from assay.cli.output import STEP_SUMMARY, append_step_summary, echo, print_export, say, wrap_words, write_json
from assay.cli.paths import INPUT, OUTPUT, OutputFolder, Verb
from assay.cli.results import print_table, shows_result, write_tables
from assay.system.terminal import record_output
from assay.views.blocks import Block, Sentence, Table
from assay.views.rendering import render_markdown
from assay.views.results import wrap_result

if TYPE_CHECKING:
    from assay.audits import Audit
    from assay.data import Dataset
    from assay.kinds import TaskData

COLOURS: dict[str | None, str] = {"error": "red", "warning": "yellow", "note": "cyan"}
STATUS_COLOURS = {
    "ok": "green",
    "warning": "yellow",
    "problem": "red",
    "unclear": "cyan",
    "not checked": "bright_black",
}
STATUS_WIDTH, TITLE_WIDTH = 13, 12
_FORMATS = ("text", "json", "github", "junit", "sarif")


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
    click.option("--responses", type=INPUT, metavar="FILE",
                 help="Responses of systems: system or model, id, response, extracted; logs contain their own."),
    click.option("--cost", type=INPUT, metavar="FILE|COLUMN",
                 help="Costs of systems: a table with costs of items or systems, or a column of --scores."),
    click.option("--reviewed", metavar="COLUMN",
                 help="People's verdicts on the items (ok, or what is wrong), to check the suspects."),
    click.option("--corpus", type=INPUT, multiple=True, metavar="FILE|GLOB",
                 help="Training data to search for the items: text, JSON lines, CSV, TSV, Parquet; repeatable."),
    click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write the report, one HTML page."),
    click.option("--quick/--full", default=True,
                 help="Samples and linear models only, or larger samples and neural models too."),
    click.option("--only", metavar="NAMES", help="Run only these sections, separated by commas."),
    click.option("--skip", metavar="NAMES", help="Do not run these sections, separated by commas."),
    click.option("--budget", type=float, metavar="MINUTES", help="Stop after this time and leave out unfinished checks."),
    click.option("--plan", type=INPUT, metavar="FILE", is_eager=True, callback=_apply_plan,
                 help="A TOML file with the options in a table [audit].  [assay.toml, if it exists]"),
    click.option("--private", is_flag=True, help="Do not write the text of any item, not even to the cache."),
    click.option("--items", type=OUTPUT, metavar="FILE", help="Write one row per item (.parquet or .tsv)."),
    click.option("--card", type=OUTPUT, metavar="FILE", help="Write a block for a dataset card (Markdown)."),
    click.option("--croissant", type=OUTPUT, metavar="FILE",
                 help="Write Croissant 1.1 metadata with the measurements (JSON-LD)."),
    click.option("--step-summary", is_flag=True, help=f"Append verdict and findings to the file ${STEP_SUMMARY}."),
    click.option("--figures", type=OutputFolder(), metavar="DIR", help="Write the charts as SVG, PDF and PNG."),
    choice_option("--figure-width", ["single", "double"], "Width of figures: one column of a page, or two."),
    click.option("--folds-out", type=OUTPUT, metavar="FILE", help="Write the recommended folds (TSV)."),
    click.option("--cache", metavar="DIR", help="Folder for finished work.  [the user's cache folder]"),
    click.option("--no-cache", is_flag=True, help="Store no finished work, and reuse none of earlier runs."),
    click.option("--check", is_flag=True, help="Exit with 1 if there is a finding of --fail-on."),
    click.option("--fail-on", multiple=True, metavar="WHAT",
                 help="error, warning, note or a code; implies --check.  [error]"),
    click.option("--ignore", multiple=True, metavar="CODE[:SUBJECT][=REASON]",
                 help="A finding that should not count, and why; the report lists it as ignored."),
    click.option("--format", "format_", type=click.Choice(_FORMATS), default="text", show_default=True,
                 help="How findings are printed."),
]  # fmt: skip


def _options(command: Any) -> Any:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(cls=Verb)
@repeat_finished_runs
@partial(data_options, optional=True, take_tables=True, take_tasks=True)
@_options
@output_options
def audit(data: Dataset | None, tasks: TaskData | None, **options: Any) -> None:
    """Audit DATA and the results of systems on it: findings, a report, and a proposal for every item.

    DATA may be logs of an evaluation harness, of one task or several, or a table of votes; --predictions, --scores,
    --votes and --verdicts also work alone.
    """
    from assay.audits.failing import has_failed

    if tasks is not None:
        from assay.cli.suite_audit import run_suite

        refuse_keeping()
        run_suite(tasks, options)
        return
    validate_options(data, options)
    result = run_audit(data, options)
    known = () if data is None else data.notes
    for note in result.data.notes:
        if note not in known:
            say(note)
    write_outputs(data, result, options)
    if options["step_summary"]:
        append_step_summary(render_markdown(result.blocks(), f"assay audit {result.data.name}") + "\n")
    if shows_result(options["json_"]):
        print_audit(result, options["format_"])
    if not options["private"]:  # if subjects are withheld, it is not known what matched
        warn_unused_ignores(result, options["ignore"])
    if result.settings.interrupted:
        say("Interrupted: finished sections are kept; a rerun continues from there.")
        raise SystemExit(get_interrupt_status())
    check_sections(result)
    if (options["check"] or options["fail_on"]) and has_failed(result.findings, options["fail_on"] or ("error",)):
        raise SystemExit(1)


def check_sections(result: Audit) -> None:
    """Say which sections failed and exit with the status of unexpected errors; raise if nothing was measured."""
    sections = result.sections.values()
    failed = [section for section in sections if section.status == "failed"]
    for section in failed:
        say(f"The section {section.name} failed. {section.reason}")
    if any(section.status == "done" for section in sections):
        if failed:
            raise SystemExit(EXIT_UNEXPECTED)
        return
    reasons = [f"{section.name}: {section.reason}" for section in sections]
    raise AssayError(f"Nothing was measured. {join_names(reasons, 3)}")


def validate_options(data: Dataset | None, options: Options, *, several_tasks: bool = False) -> None:
    """Refuse what makes no sense before any work is done."""
    from assay.audits.failing import validate_fail_on
    from assay.audits.ignore import read_ignore
    from assay.audits.run import choose_sections

    validate_fail_on(options["fail_on"])
    read_ignore(options["ignore"])
    given = {name for name in ("predictions", "scores", "votes", "verdicts", "corpus", "responses") if options[name]}
    inputs = given | ({"data"} if data is not None or several_tasks else set())
    if data is not None and data.logs is not None:
        inputs |= {"responses"}
    if not inputs - {"corpus", "responses"}:
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


def run_audit(data: Dataset | None, options: Options) -> Audit:
    """Run the audit with the command's options, showing its progress."""
    from assay.audits import audit as audit_data
    from assay.cli.audit_progress import show_progress

    with record_output(pause=True), show_progress() as progress:
        return audit_data(
            data,
            predictions=list(options["predictions"]) or None,
            scores=options["scores"],
            votes=options["votes"],
            verdicts=options["verdicts"],
            cost=options["cost"],
            responses=options["responses"],
            corpus=list(options["corpus"]) or None,
            reviewed=options["reviewed"],
            progress=progress,
            **choose_settings(options),
        )


def choose_settings(options: Options) -> Options:
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


def write_outputs(data: Dataset | None, result: Audit, options: Options) -> None:
    """Write every file that was requested: all of them, or none if one cannot be written; the folds come last."""
    from assay.audits.outputs import write_items, write_recommended_folds
    from assay.system.files import write_together

    with write_together():
        if options["json_"]:
            settings = {"quick": options["quick"], "private": options["private"] or None, "seed": options["seed"]}
            write_json(options["json_"], wrap_result("audit", result, settings, data))
        write_tables(result)
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
    from assay import report  # loads the drawing library when a chart is drawn

    notes = []
    if out:
        notes.append(write_text(out, report.render_page(result)))
    if card:
        notes.append(write_text(card, report.write_card(result)))
    if folder:
        notes.append(f"Wrote {len(report.write_figures(result, folder, width))} figures to {folder}.")
    return notes


def write_metadata(result: Audit, data: Dataset | None, path: str) -> str:
    """Write Croissant metadata, with the files that DATA names, and say so."""
    from assay.report.publication.croissant import find_data_files, write_croissant

    parameters = click.get_current_context().params
    named = [parameters.get(name) for name in ("source", "train", "dev", "test")]
    # A name on a hub is not a file, and logs and votes are not a table of items.
    has_table = data is not None and data.predictions is None
    sources = [name for name in named if name and not str(name).startswith("hf:")] if has_table else []
    files = find_data_files(sources, data.table.columns if data is not None else ())
    return write_text(path, write_croissant(result, files, Path(path).parent))


def write_text(path: str, text: str) -> str:
    """Write a file and return the note that says so."""
    from assay.system.files import open_for_writing

    with open_for_writing(path) as file:
        file.write(text)
    return f"Wrote {path}."


def print_audit(result: Audit, format_: str) -> None:
    """Print the findings, the first screen and the verdict last; or what a machine reads."""
    if format_ != "text":
        from assay.report.exports import EXPORTS

        print_export(EXPORTS[format_](result), format_)
        return
    for block in result.blocks():
        print_block(block)
    worst = result.findings[0].severity if result.findings else None
    echo("")
    echo(wrap_words(result.verdict, find_width()), fg=COLOURS.get(worst, "green"), bold=True)


def print_block(block: Block) -> None:
    """Print a block of an audit: findings, topics and actions as paragraphs, the rest as tables and sentences."""
    from assay.audits.view import ACTIONS, FINDINGS, OVERVIEW

    if isinstance(block, Sentence):
        if not block.is_verdict:
            echo(wrap_words(block.text, find_width()))
        return
    assert isinstance(block, Table)
    layouts: dict[str, Callable[..., None]] = {FINDINGS: print_finding, OVERVIEW: print_topic, ACTIONS: print_action}
    if block.title not in layouts:
        print_table(block)
        return
    if block.title != FINDINGS:
        echo("" if block.title == OVERVIEW else block.title, bold=True)
    for number, row in enumerate(block.cells, start=1):
        layouts[block.title](number, *row)


def print_finding(_number: int, severity: str, code: str, claim: str, action: str, _value: str) -> None:
    """Print a finding as a paragraph: severity in its colour, code, claim, and what to do."""
    width = find_width()
    label = f"{severity.upper():<8}"
    text = wrap_words(f"{code}  {claim}", width, " " * 8, label)
    echo(label, f"{text[len(label) :]}\n{wrap_words(f'→ {action}', width, ' ' * 8)}", fg=COLOURS[severity], bold=True)


def print_topic(_number: int, status: str, title: str, words: str, code: str) -> None:
    """Print a topic of the first screen: its status in colour, its title, and its number with the unit."""
    label, name = f"{status:<{STATUS_WIDTH}}", f"{title:<{TITLE_WIDTH}}"
    text = f"{words} ({code})" if code else words
    lines = wrap_words(text, find_width(), " " * (STATUS_WIDTH + TITLE_WIDTH), label + name)
    echo(label, lines[STATUS_WIDTH:], fg=STATUS_COLOURS[status], bold=True)


def print_action(number: int, action: str, code: str) -> None:
    """Print something to do, numbered."""
    echo(wrap_words(f"{action} ({code})", find_width(), " " * 3, f"{number}. "))


def find_width() -> int:
    """Return the width of paragraphs: that of the terminal, but lines of at most 100 columns."""
    return min(100, shutil.get_terminal_size((100, 24)).columns)


def warn_unused_ignores(result: Audit, entries: Any) -> None:
    """Say which entries of --ignore matched nothing."""
    from assay.audits.ignore import find_unused, read_ignore

    for rule in find_unused(read_ignore(entries), result.ignored):
        say(f"Nothing to ignore: {rule.code}{':' + rule.subject if rule.subject else ''}.")


def split_names(names: Any) -> list[str] | None:
    """Split names at commas, or take a list from a plan.

    >>> split_names("profile, splits"), split_names(None)
    (['profile', 'splits'], None)
    """
    if not names:
        return None
    parts = names if isinstance(names, list | tuple) else str(names).split(",")
    return [part.strip() for part in parts if part.strip()]
