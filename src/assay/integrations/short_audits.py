"""The audit of a run that has just finished: the whole report in a file, and a few lines to print."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Unpack

from assay.audits import Audit, Finding, SuiteAudit, audit, audit_suite
from assay.audits.settings import AuditArguments
from assay.base.errors import AssayError, UsageError
from assay.base.marks import NAME
from assay.kinds import read_tasks
from assay.system.files import copy_file, create_folder, make_temporary_folder, open_for_writing
from assay.views.blocks import Block, Column, Sentence, Value, make_table
from assay.views.results import Result
from assay.wording.sentences import count_noun

REPORT_NAME = "assay-report.html"
MAX_FINDINGS = 5
SEVERITIES = ("error", "warning")  # of findings that are printed; the report has all


@dataclass(frozen=True)
class ShortFinding(Result):
    """A finding of one task."""

    task: str = field(metadata=NAME)
    severity: str
    code: str
    claim: str = field(metadata=NAME)


@dataclass(frozen=True)
class ShortAudit(Result):
    """The most serious findings of the audited runs, the verdict, and the file with the whole report."""

    verdict: str = field(metadata=NAME)
    findings: tuple[ShortFinding, ...]
    n_findings: int
    tasks: tuple[str, ...] = field(metadata=NAME)
    n_items: int
    report: str = field(metadata=NAME)
    seconds: float
    notes: tuple[str, ...] = field(default=(), metadata=NAME)

    def blocks(self) -> Iterator[Block]:
        """Yield the findings, where the report is, and the verdict."""
        columns: dict[str | Column, Callable[[ShortFinding], Value]] = {}
        if len(self.tasks) > 1:
            columns["task"] = lambda row: row.task
        columns |= {
            "severity": lambda row: row.severity,
            "code": lambda row: row.code,
            "finding": lambda row: row.claim,
        }
        yield from make_table("Most serious findings", self.findings, columns, is_main=True)
        size = f"{count_noun(self.n_items, 'item')} of {count_noun(len(self.tasks), 'task')}"
        found = count_noun(self.n_findings, "finding")
        yield Sentence(f"{size} audited in {self.seconds:.0f} s; the report with {found} is in {self.report}.")
        yield Sentence(self.verdict, is_verdict=True)


def audit_runs(
    sources: Sequence[str | Path], report: str | Path | None = None, **options: Unpack[AuditArguments]
) -> ShortAudit:
    """Audit the logs of finished runs, and write the report next to them.

    `sources` is a folder of logs, or one or more log files. Several tasks make one report.
    """
    from assay.report import render_page, render_suite

    start = time.monotonic()
    paths = [Path(source) for source in sources]
    target = choose_report(paths) if report is None else Path(report)
    if target.parent.is_dir() and not os.access(target.parent, os.W_OK):
        hint = "Name another file for it (assay watch --out FILE)."
        raise AssayError("the report cannot be written into this folder", place=target.parent, hint=hint)
    with _gather_logs(paths) as place:
        data = read_tasks(place)
        (task, *others) = data.tasks
        result = audit_suite(data, **options) if others else audit(task, **options)
    with open_for_writing(target) as file:
        file.write(render_suite(result) if isinstance(result, SuiteAudit) else render_page(result))
    return summarise_audit(result, str(target), time.monotonic() - start)


def choose_report(paths: Sequence[Path]) -> Path:
    """Return where the report goes: into the folder of logs, or next to the log files, named after a single one.

    >>> choose_report([Path("logs/quiz.eval")]).as_posix()
    'logs/quiz.assay.html'
    """
    if not paths:
        raise UsageError("Give a folder of logs, or log files.")
    if len(paths) == 1 and not paths[0].is_dir():
        return paths[0].with_name(f"{paths[0].stem}.assay.html")
    return (paths[0] if paths[0].is_dir() else paths[0].parent) / REPORT_NAME


@contextmanager
def _gather_logs(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the folder or the file of the logs; several files are linked or copied into a temporary folder."""
    if len(paths) == 1:
        yield paths[0]
        return
    if any(path.is_dir() for path in paths):
        raise UsageError("Give one folder of logs, or log files.")
    with make_temporary_folder() as folder:
        for number, path in enumerate(paths):
            place = folder / f"{number}" / path.absolute().parent.name / path.name  # which can name the system
            create_folder(place.parent)
            with suppress(OSError):
                os.link(path, place)
            if not place.exists():
                copy_file(path, place)
        yield folder


def summarise_audit(result: Audit | SuiteAudit, report: str, seconds: float) -> ShortAudit:
    """Return the most serious findings of one task or several, errors first."""
    audits = result.audits if isinstance(result, SuiteAudit) else {result.data.name: result}
    findings = [(task, finding) for task, each in audits.items() for finding in each.findings]
    serious = sorted((row for row in findings if row[1].severity in SEVERITIES), key=_rank)[:MAX_FINDINGS]
    return ShortAudit(
        verdict=result.verdict,
        findings=tuple(ShortFinding(task, row.severity, row.code, row.claim) for task, row in serious),
        n_findings=len(findings),
        tasks=tuple(audits),
        n_items=sum(each.data.rows for each in audits.values()),
        report=report,
        seconds=seconds,
    )


def _rank(row: tuple[str, Finding]) -> int:
    return SEVERITIES.index(row[1].severity)
