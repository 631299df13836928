"""Run an audit: measure what applies, check the rules, and propose what to do with every item."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from assay import __version__
from assay.audits.deadline import Deadline
from assay.audits.details import collect_details
from assay.audits.ignore import IgnoredFinding, IgnoreRule, read_ignore, separate_ignored
from assay.audits.items import build_item_table, count_proposals, top_rows
from assay.audits.overview import DOES_NOT_APPLY, NOT_REQUESTED, Overview, build_overview
from assay.audits.privacy import withhold_text
from assay.audits.result import Audit, AuditSettings, CheckedRule, Section
from assay.audits.settings import AuditArguments, AuditOptions
from assay.audits.verdict import describe_power, write_verdict
from assay.base.entry_points import entry_point, list_strings, replace_settings
from assay.base.errors import AssayError, UsageError, describe_bug
from assay.checks import CHECKS, Check, CheckOutcome
from assay.checks.benchmark import Benchmark, Settings
from assay.checks.findings import FINDINGS, Finding, NotChecked, sort_findings
from assay.checks.measured import DataSummary, Measurements, PartSize
from assay.contamination import identify_corpus
from assay.data import Dataset, LeftOut
from assay.data.row_order import invert_order
from assay.data.source_lines import find_first_line, name_file
from assay.evaluation.predictions.reading import find_predictions
from assay.evaluation.repeats.stacking import combine_repeats, has_repeats
from assay.inputs import InputKind, recognize, take_data
from assay.kinds import KINDS, TaskKind, kind_of
from assay.kinds.arguments import DataSource, select_reading
from assay.suspects import read_verdicts as read_reviews
from assay.tasks import TaskCache, listen_to_steps
from assay.tasks.cache import find_code_folder
from assay.tasks.threads import TORCH, use_one_thread

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from assay.discrimination.sources import ScoreSource
    from assay.evaluation.predictions.sources import PredictionSource
    from assay.judges import Verdicts
    from assay.votes import Votes

# The section that starts, or 'section: step' inside it, and the share of the work that is done.
Progress = Callable[[str, float], None]
INTERRUPTED = "Interrupted."
STEP_SECONDS = 0.1


@entry_point(AuditArguments)
def audit(
    data: DataSource | None = None,
    predictions: PredictionSource | None = None,
    scores: ScoreSource | None = None,
    *,
    votes: DataSource | Votes | None = None,
    verdicts: DataSource | Verdicts | None = None,
    cost: DataSource | None = None,
    corpus: str | Path | Sequence[str | Path] | pl.Series | None = None,
    responses: DataSource | None = None,
    progress: Progress | None = None,
    on_section: Callable[[Section], None] | None = None,
    settings: AuditOptions = AuditOptions(),
    **options: Unpack[AuditArguments],
) -> Audit:
    """Audit a benchmark: run all checks that apply to the data, its predictions (files or arrays) and scores.

    Without data, predictions, a table of scores, of votes between systems (`votes`) or of verdicts of judges
    (`verdicts`) are audited alone; a table of scores, votes or verdicts may also be given as `data`.

    `cost` is a table with the costs of systems or of their answers, or a column of the scores; logs may have costs.

    `responses` is a table of responses (see `audit_responses`); logs contain their own.

    `corpus` names files, folders or globs of training data to search for the items (see `find_contamination`).

    `data` is a path, a frame or a `Dataset`. `options` are fields of `AuditOptions` (`only`, `skip`, `quick`, `budget`,
    `ignore`, …), and the arguments of `assay.read` for the data (`text`, `label`, …). A keyboard interrupt ends the
    audit early and keeps the sections that are done. `on_section` is called with each section when it has ended.

    >>> result = audit({"text": ["a good film", "a bad film"], "label": ["pos", "neg"]}, only="profile")
    >>> result.sections["profile"].status, result.data.rows
    ('done', 2)
    """
    from assay.audits.preparation import (
        check_backend_runs,
        confirm_labels,
        make_empty_data,
        name_inputs,
    )
    from assay.discrimination import read_scores
    from assay.discrimination.boards.cost_tables import CostTable, read_costs
    from assay.judges import read_verdicts
    from assay.votes import read_votes

    chosen, reading = replace_settings(settings, options), select_reading(options)
    check_backend_runs(chosen.backend)
    ignored = read_ignore(chosen.ignore)
    if data is not None and not reading:
        kind = recognize(data)
        if kind is InputKind.VOTES and votes is None:
            data, votes = None, data
        elif kind is InputKind.SCORES and scores is None:
            data, scores = None, data
        elif kind is InputKind.VERDICTS and verdicts is None:
            data, verdicts = None, data
        elif kind is InputKind.RESPONSES:
            hint = "Give the items as {data}, and this table as {responses}."
            raise UsageError("A table of responses needs the items that they answer.", hint=hint)
    has_data = data is not None or bool(reading)
    if not has_data and all(source is None for source in (predictions, scores, votes, verdicts)):
        hint = "Give {data}, {predictions}, {scores}, {votes} or {verdicts}."
        raise UsageError("There is nothing to audit.", hint=hint)
    empty_name = name_inputs(scores, votes, verdicts, predictions)
    data = take_data(data, reading) if has_data else make_empty_data(empty_name)
    table = None if scores is None else read_scores(scores)
    ballots = None if votes is None else read_votes(votes)
    opinions = None if verdicts is None else read_verdicts(verdicts)
    costs = None if cost is None else read_costs(cost, scores)
    inputs = {
        "data": has_data,
        "predictions": predictions is not None or data.predictions is not None,
        "scores": table is not None,
        "votes": votes is not None,
        "verdicts": verdicts is not None,
        "corpus": corpus is not None and has_data,
        "responses": has_data and (responses is not None or data.logs is not None),
    }
    if corpus is not None and not has_data:
        raise UsageError("needs the data of a benchmark", option="corpus")
    if costs is None and data.costs is not None:
        costs = CostTable(data.costs, "logs")
    only, skip = list_strings(chosen.only), list_strings(chosen.skip)
    names = choose_sections(only, skip, {name for name, is_given in inputs.items() if is_given}, kind_of(data))
    private, seed = chosen.private, chosen.random_state
    cache = None if private or chosen.cache in (None, False) else find_code_folder(chosen.cache)
    running = Settings(chosen.quick, private, seed, chosen.n_jobs, chosen.backend, cache)
    answers = find_predictions(predictions, data if has_data else None)
    data = confirm_labels(data, answers)
    reviews = None if chosen.reviewed is None else read_reviews(data, chosen.reviewed)
    repeats = answers if answers is not None and has_repeats(answers) else None
    if answers is not None and repeats is not None:
        answers = combine_repeats(answers)
    answers = None if answers is None else answers.sort_rows()
    repeats = None if repeats is None else repeats.sort_rows()
    rows = data.sort_rows()
    benchmark = Benchmark(rows, answers, table, running, ballots, opinions, reviews, corpus, repeats, costs, responses)
    sections, frames, interrupted = run_sections(benchmark, names, chosen.budget, progress, on_section)
    items = build_item_table(rows, frames)
    systems = () if benchmark.predictions is None else tuple(benchmark.predictions.names)
    about = AuditSettings(__version__, seed, chosen.quick, private, tuple(names), systems, interrupted)
    texts = None if private else rows.fill_texts().texts
    others = [
        entry for source in (answers, table, ballots, opinions) if source is not None for entry in source.left_out
    ]
    summary = describe_data(data, others)
    summary = summary if answers is None else replace(summary, notes=(*summary.notes, *answers.notes))
    result = assemble(sections, summary, about, items, texts, ignored)
    result = replace(result, items=items[invert_order(data.order)])
    return (
        replace(result, details=collect_details(data, benchmark.predictions, private=private)) if has_data else result
    )


def assemble(
    sections: dict[str, Section],
    data: DataSummary,
    settings: AuditSettings,
    items: pl.DataFrame,
    texts: pl.Series | None,
    ignore: Sequence[IgnoreRule] = (),
) -> Audit:
    """Draw the conclusions from the evidence; in a private audit from evidence without text."""
    shown = {name: withhold_text(section) for name, section in sections.items()} if settings.private else sections
    checks = check_rules(shown, data, ignore, sections)
    return Audit(
        verdict=checks.write_verdict(shown, data),
        overview=checks.build_overview(shown, data),
        findings=checks.findings,
        passed=checks.passed,
        not_checked=checks.not_checked,
        ignored=checks.ignored,
        sections=shown,
        data=data,
        settings=settings,
        items_summary=count_proposals(items),
        items_top=top_rows(items, texts),
        items=items,
    )


def make_private(audit: Audit) -> Audit:
    """Return an audit without any text of its items; of single words only function words stay."""
    sections = {name: withhold_text(section) for name, section in audit.sections.items()}
    ignore = [IgnoreRule(finding.code, finding.subject, finding.reason) for finding in audit.ignored]
    checks = check_rules(sections, audit.data, ignore, audit.sections)
    return replace(
        audit,
        verdict=checks.write_verdict(sections, audit.data),
        overview=checks.build_overview(sections, audit.data),
        findings=checks.findings,
        passed=checks.passed,
        not_checked=checks.not_checked,
        ignored=checks.ignored,
        sections=sections,
        settings=replace(audit.settings, private=True),
        items_top=tuple(replace(row, text=None) for row in audit.items_top),
        details=None if audit.details is None else audit.details.withhold_text(),
    )


@dataclass(frozen=True)
class RuleChecks:
    """The findings, passes and gaps of all rules."""

    findings: tuple[Finding, ...]
    passed: tuple[CheckedRule, ...]
    not_checked: tuple[CheckedRule, ...]
    ignored: tuple[IgnoredFinding, ...]

    def write_verdict(self, sections: dict[str, Section], data: DataSummary) -> str:
        """Write the verdict on what was found; findings that are ignored do not count."""
        overview = self.build_overview(sections, data)
        power = describe_power(gather_evidence(sections, data))
        return write_verdict(overview, self.findings, len(self.not_checked), power, len(self.ignored))

    def build_overview(self, sections: dict[str, Section], data: DataSummary) -> Overview:
        """Build the first screen; findings that are ignored do not count."""
        reasons = {rule.code: rule.reason or "" for rule in self.not_checked}
        passed = [rule.code for rule in self.passed]
        failed = [name for name, section in sections.items() if section.status == "failed"]
        return build_overview(gather_evidence(sections, data), self.findings, passed, reasons, failed)


def check_rules(
    sections: dict[str, Section],
    data: DataSummary,
    ignore: Sequence[IgnoreRule] = (),
    full_sections: dict[str, Section] | None = None,
) -> RuleChecks:
    """Check every rule on what was measured, and separate the findings to ignore.

    `full_sections` are the sections before text was withheld, whose subjects `ignore` can name.
    """
    evidence, full_evidence = gather_evidence(sections, data), gather_evidence(full_sections or sections, data)
    findings: list[Finding] = []
    ignored: list[IgnoredFinding] = []
    passed, not_checked = [], []
    for rule in FINDINGS.values():
        if rule.section not in evidence.results:
            section = sections.get(rule.section)
            reason = _explain_absence(rule.section, data.task) if section is None else section.reason
            not_checked.append(CheckedRule(rule.code, rule.title, reason))
            continue
        outcomes = rule.run(evidence)
        reasons = [outcome.reason for outcome in outcomes if isinstance(outcome, NotChecked)]
        raised = [outcome for outcome in outcomes if isinstance(outcome, Finding)]
        rules = [entry for entry in ignore if entry.code == rule.code]
        subjects = [finding.subject for finding in raised]
        if rules and full_sections is not sections:
            originals = [outcome.subject for outcome in rule.run(full_evidence) if isinstance(outcome, Finding)]
            subjects = originals if len(originals) == len(raised) else subjects
        counted, left_out = separate_ignored(raised, subjects, rules)
        findings += counted
        ignored += left_out
        if reasons and not raised:
            not_checked.append(CheckedRule(rule.code, rule.title, reasons[0]))
        elif not raised:
            passed.append(CheckedRule(rule.code, rule.title))
    return RuleChecks(tuple(sort_findings(findings)), tuple(passed), tuple(not_checked), tuple(ignored))


def gather_evidence(sections: dict[str, Section], data: DataSummary) -> Measurements:
    """Return the evidence of all sections that were measured."""
    measured = {name: section.evidence for name, section in sections.items() if section.status == "done"}
    return Measurements(data, measured)


def _explain_absence(section: str, task: str) -> str:
    """Say why a section is not in the audit."""
    kind = KINDS.get(task)
    applies = kind is None or CHECKS[section].applies(kind)
    return NOT_REQUESTED if applies else f"{DOES_NOT_APPLY} {task}."


def describe_data(data: Dataset, others: Iterable[LeftOut] = ()) -> DataSummary:
    """Describe the data, and which parts of it and of `others` are not used."""
    counts = {} if data.parts is None else {name: int((data.parts == name).sum()) for name in data.part_names}
    parts = tuple(PartSize(name, n) for name, n in counts.items())
    file, line = None, None
    if data.source is not None:
        file = name_file(data.source)
        line = find_first_line(data.source, len(data)) if data.rows is None else None
    names = (parts, len(data.label_names), tuple(data.notes))
    return DataSummary(data.name, len(data), data.task, data.fingerprint, *names, file, line, (*data.left_out, *others))


def choose_sections(
    only: Sequence[str] | None,
    skip: Sequence[str] | None,
    inputs: Collection[str] = ("data",),
    kind: TaskKind | None = None,
) -> list[str]:
    """Return the sections to run, in order: those that the inputs (data, predictions, scores, votes, verdicts) allow.

    Those that do not exist for the kind of task are left out.

    >>> choose_sections(["splits", "profile"], None)
    ['profile', 'splits']
    """
    for name in (*(only or ()), *(skip or ())):
        CHECKS[name]  # raises an error that lists what exists
    known = [
        name for name, each in CHECKS.items() if set(each.needs.split(" or ")) & set(inputs) or name in (only or ())
    ]
    chosen = [name for name in known if (not only or name in only) and name not in (skip or ())]
    chosen = [name for name in chosen if kind is None or CHECKS[name].applies(kind)]
    if not chosen:
        raise UsageError(f"No section is left to run. Known: {', '.join(CHECKS)}.")
    return chosen


def run_sections(
    benchmark: Benchmark,
    names: Iterable[str],
    budget: float | None = None,
    progress: Progress | None = None,
    on_section: Callable[[Section], None] | None = None,
) -> tuple[dict[str, Section], list[pl.DataFrame], bool]:
    """Return the sections, their tables of items, and whether the user stopped the run."""
    names = list(names)
    quick = benchmark.settings.quick
    weights = {name: CHECKS[name].weight if quick else CHECKS[name].full_weight for name in names}
    sections: dict[str, Section] = {}
    frames: list[pl.DataFrame] = []
    total, done = sum(weights.values()) or 1.0, 0.0
    deadline = Deadline(None if budget is None else 60 * budget)
    reason = None
    for name in names:
        if reason is None and deadline.is_over:
            reason = f"The budget of {budget:g} minutes was spent."
        if reason is None:
            steps = SectionSteps(name, done / total, weights[name] / total, progress)
            try:
                if progress is not None:
                    progress(name, done / total)
                with deadline, listen_to_steps(steps.report):
                    section, items = measure_section(benchmark, CHECKS[name])
                sections[name] = section
                frames += [] if items is None else [items]
                if on_section is not None:
                    on_section(section)
            except KeyboardInterrupt:
                reason = f"The budget of {budget:g} minutes was spent." if deadline.is_over else INTERRUPTED
        if reason is not None:
            sections[name] = Section(name, "skipped", reason)
        done += weights[name]
    if progress is not None:
        progress("", 1.0)
    return sections, frames, reason == INTERRUPTED


@dataclass
class SectionSteps:
    """Report the steps inside one section.

    How many steps a section has is not known before, so each takes half of what is left of the section's share.
    """

    section: str
    start: float
    width: float
    progress: Progress | None
    step: str = ""
    done: float = 0.0
    reserved: float = 0.0
    reported: float = 0.0

    def report(self, step: str, n_done: int, n_total: int) -> None:
        """Report a step, at most ten times a second."""
        if step != self.step or n_done == 0:
            self.step, self.done = step, self.done + self.reserved
            self.reserved = (1 - self.done) / 2
        if n_total and n_done == n_total:
            self.done, self.reserved = self.done + self.reserved, 0.0
        if self.progress is None or (time.monotonic() - self.reported < STEP_SECONDS and n_done):
            return
        self.reported = time.monotonic()
        part = self.done + self.reserved * (n_done / n_total if n_total else 0.0)
        count = f" {n_done + 1} of {n_total}" if n_total > 1 and n_done < n_total else ""
        self.progress(f"{self.section}: {step}{count}", self.start + self.width * part)


def measure_section(benchmark: Benchmark, kind: Check) -> tuple[Section, pl.DataFrame | None]:
    """Measure one section, or take it from the cache; an error ends the section, never the audit."""
    settings = benchmark.settings
    store = None if settings.cache is None else TaskCache(settings.cache)
    key = "" if store is None else store.key(kind.measure, identify(benchmark))
    known, result = store.load(key) if store is not None else (False, None)
    if not known or not isinstance(result, CheckOutcome):
        try:
            with use_one_thread("scipy.linalg", "sklearn.utils", *(() if settings.quick else (TORCH,))):
                result = kind.measure(benchmark)
        except AssayError as error:  # it says what the data lacks
            return Section(kind.name, "skipped", write_error(error, benchmark)), None
        except Exception as error:  # the other sections are still worth having
            return Section(kind.name, "failed", write_error(error, benchmark)), None
        if store is not None:
            store.save(key, result)
    return Section(kind.name, "done", None, result.result), result.items


def identify(benchmark: Benchmark) -> tuple[Any, ...]:
    """Return everything that a section's result depends on."""
    import joblib

    from assay.audits.preparation import identify_source

    settings, scores = benchmark.settings, benchmark.scores
    predictions = benchmark.predictions if benchmark.repeats is None else benchmark.repeats
    systems = None
    if predictions is not None:
        answers = {name: predictions.systems[name].__dict__ for name in predictions.names}
        systems = joblib.hash([predictions.ids, predictions.gold, answers])
    table = None if scores is None else joblib.hash([vars(row) for row in scores.measurements])
    ballots = None if benchmark.votes is None else joblib.hash(vars(benchmark.votes))
    opinions = None if benchmark.verdicts is None else joblib.hash(benchmark.verdicts.frame.to_dict(as_series=False))
    costs = None if benchmark.costs is None else joblib.hash(benchmark.costs.frame.to_dict(as_series=False))
    corpus = None if benchmark.training_corpus is None else identify_corpus(benchmark.training_corpus)
    logs = benchmark.data.logs
    responses = identify_source(benchmark.responses), None if logs is None else (logs.task, identify_source(logs.path))
    inputs = (benchmark.data.fingerprint, benchmark.data.name, systems, table, ballots, opinions, corpus, costs)
    return (*inputs, responses, settings.quick, settings.random_state)


def write_error(error: Exception, benchmark: Benchmark) -> str:
    """Write an error on one line; of an unexpected one in a private audit only its kind, as it may quote the data."""
    if isinstance(error, AssayError):
        return " ".join(str(error).split())
    return describe_bug(error, quotes=not benchmark.settings.private)
