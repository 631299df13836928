"""One audit in a process of its own, with the same calls and the same files as on the command line."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from assay.base.codec import to_json, to_plain
from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.system.files import open_for_writing, write_together
from assay.views.results import wrap_result
from assay.web.store import Version, current_time
from assay.web.suppressions import load_ignore_rules
from assay.web.work.cancellation import CancellationWatch
from assay.web.work.sources import (
    find_table,
    has_data,
    name_dataset,
    read_data,
    read_score_table,
    read_systems,
    read_verdict_tables,
    write_error,
)

if TYPE_CHECKING:
    from assay.audits import Audit, Section
    from assay.audits.ignore import IgnoreRule
    from assay.checks.measured import DataSummary
    from assay.data import Dataset
    from assay.web.store import Version

N_TABLE_ROWS = 100
MAX_PARTIAL = 60

DEFAULT_OPTIONS: dict[str, Any] = {"quick": True, "sections": [], "seed": 0, "private": False, "ignore": []}


def run_audit(version: Version, watch: CancellationWatch) -> None:
    """Run the audit, write its files, and record the outcome: done, cancelled or failed."""
    start = time.monotonic()
    try:
        watch.start()
        data, result = audit_files(version, watch)
        outcome = {**summarise_audit(result), "notes": []}
        if result.settings.interrupted:  # the server sees that the section was left, and waits for the files
            version.write("outcome.json", {**outcome, "finished": current_time(), "seconds": time.monotonic() - start})
        outcome["notes"] = write_outputs(version, data, result)
    except KeyboardInterrupt:
        outcome = {"status": "cancelled", "error": "Stopped before anything was measured."}
    except Exception as error:  # the page shows one line, whatever went wrong
        outcome = {"status": "failed", "error": write_error(error, version)}
    version.write("outcome.json", {**outcome, "finished": current_time(), "seconds": time.monotonic() - start})


def audit_files(version: Version, watch: CancellationWatch) -> tuple[Dataset | None, Audit]:
    """Read the files and audit them, recording the progress and the findings so far."""
    from assay.audits import audit
    from assay.audits.preparation import make_empty_data
    from assay.audits.run import describe_data

    options = get_options(version)
    sections: list[str] = []
    start = time.time()

    def record_progress(section: str, share: float) -> None:
        if section:
            watch.check()
        else:  # everything is measured
            watch.stop()
        name, _, step = section.partition(": ")
        progress = {"section": name or "writing", "step": step, "share": share, "start": start, "sections": sections}
        progress["elapsed"] = time.time() - start
        version.write("progress.json", progress)

    record_progress("reading", 0.0)
    data = read_data(version) if has_data(version) else None
    predictions = read_systems(version, data)
    about = describe_data(make_empty_data(name_dataset(version)) if data is None else data)
    sections += list_sections(version, data, options["sections"])
    ignore = [*options["ignore"], *load_ignore_rules(version)]
    partial = PartialFindings(version, about, ignore, private=options["private"])
    result = audit(
        data,
        predictions,
        read_score_table(version),
        votes=find_table(version, "votes"),
        verdicts=read_verdict_tables(version),
        responses=find_table(version, "responses") if data is not None else None,
        corpus=[str(version.path(file)) for file in version.files("corpus")] or None if data is not None else None,
        quick=options["quick"],
        only=options["sections"] or None,
        private=options["private"],
        ignore=ignore,
        cache=True,
        random_state=options["seed"],
        progress=record_progress,
        on_section=partial.add,
    )
    if data is None:
        result = replace(result, data=replace(result.data, name=name_dataset(version)))
    return data, name_uploaded_file(version, result)


def list_sections(version: Version, data: Dataset | None, only: list[str]) -> list[str]:
    """Return the sections that the audit will have, for its inputs and kind of task."""
    from assay.audits.run import choose_sections
    from assay.kinds import kind_of

    inputs = {
        kind for kind in ("predictions", "scores", "votes", "verdicts", "responses", "corpus") if version.files(kind)
    }
    if data is not None and data.logs is not None:
        inputs |= {"responses"}
    if data is None:
        return choose_sections(only or None, None, inputs)
    return choose_sections(only or None, None, {"data", *inputs}, kind_of(data))


@dataclass
class PartialFindings:
    """Write the findings of the sections that have ended."""

    version: Version
    data: DataSummary
    ignore: list[str | IgnoreRule]
    private: bool
    sections: dict[str, Section] = field(default_factory=dict)

    def add(self, section: Section) -> None:
        """Check the rules on one more section."""
        from assay.audits.ignore import read_ignore
        from assay.audits.privacy import withhold_text
        from assay.audits.run import check_rules

        full = self.sections = {**self.sections, section.name: section}
        shown = {name: withhold_text(each) for name, each in full.items()} if self.private else full
        findings = check_rules(shown, self.data, read_ignore(self.ignore), full).findings
        rows = [{name: getattr(finding, name) for name in ("severity", "code", "claim")} for finding in findings]
        statuses = {name: each.status for name, each in full.items()}
        self.version.write("partial.json", {"findings": rows[:MAX_PARTIAL], "sections": statuses})


def get_options(version: Version) -> Options:
    """Return the options of the audit."""
    return {**DEFAULT_OPTIONS, **(version.record().get("options") or {})}


def name_uploaded_file(version: Version, result: Audit) -> Audit:
    """Name the file of the data as its owner does; the store keeps it under another name."""
    files = version.files("data")
    if result.data.file is None or len(files) != 1:
        return result
    return replace(result, data=replace(result.data, file=files[0]["name"]))


def write_outputs(version: Version, data: Dataset | None, result: Audit) -> list[str]:
    """Write every output file, and return notes on the folds."""
    from assay.audits.outputs import write_items, write_recommended_folds
    from assay.web.items.writing import write_browse_files

    announce_step(version, "items")
    with write_together():
        write_audit_file(version, data, result)
        if result.items is not None:  # always so for a new audit
            for name in ("items.tsv", "items.parquet"):
                write_items(version.folder / name, result.items)
            if data is not None:
                write_browse_files(version.folder, result, data)
        announce_step(version, "charts")
        write_report_files(version, result)
    if result.settings.interrupted:
        return ["No folds are recommended by an audit that was stopped."]
    if data is None:
        return []
    announce_step(version, "recommended folds")
    try:
        note = write_recommended_folds(version.folder / "folds.tsv", data, result.settings.seed)
        return [note.replace(f"{version.folder / 'folds.tsv'}: ", "Folds: ")]
    except AssayError as error:
        return [write_error(error, version)]


def write_audit_file(version: Version, data: Dataset | None, result: Audit) -> None:
    """Write the whole result as JSON, as on the command line."""
    settings = result.settings
    call = {"quick": settings.quick, "private": settings.private or None, "seed": settings.seed}
    write_file(version, "audit.json", to_json(wrap_result("audit", result, call, data)))


def write_report_files(version: Version, result: Audit) -> None:
    """Write the parts of the tabs, the report and the card."""
    from assay.report import render_page, write_card

    write_fragments(version, result)
    write_file(version, "report.html", render_page(result))
    write_file(version, "card.md", write_card(result))


def announce_step(version: Version, step: str) -> None:
    """Record which of the files is being written."""
    progress = {**(version.read("progress.json") or {}), "section": "writing", "step": step}
    version.write("progress.json", progress, at_once=True)


def write_file(version: Version, name: str, content: str) -> None:
    """Write a file completely or not at all."""
    with open_for_writing(version.folder / name) as file:
        file.write(content)


def summarise_audit(result: Audit) -> Options:
    """Return what the list of audits and the page of one audit show."""
    from assay.report.content import describe_subject

    return {
        "status": "cancelled" if result.settings.interrupted else "done",
        "error": None,
        "verdict": result.verdict,
        "severities": dict(Counter(finding.severity for finding in result.findings)),
        "sections": {name: [section.status, section.reason] for name, section in result.sections.items()},
        "rows": result.data.rows,
        "size": describe_subject(result),
        "items": to_plain(result.items_summary) if result.data.rows else {},
        "systems": len(result.settings.systems),
    }


def write_fragments(version: Version, audit: Audit) -> None:
    """Write first screen, findings and sections as HTML, and the items of each finding.

    All text is escaped by the report's templates.
    """
    from assay.report import Links, prepare, render_findings, render_overview, render_sections
    from assay.report.drawing import draw_charts
    from assay.web.items.writing import write_flagged

    home = f"/versions/{version.id}"
    links = Links(findings=f"{home}/findings", sections=f"{home}/sections", items=f"{home}/items?")
    content = prepare(audit)
    figures = list(draw_charts(content.audit))
    fragments: dict[str, Any] = {}
    for name in audit.sections:
        section = str(render_sections(content, (name,), figures, N_TABLE_ROWS))
        fragments[f"section {name}"] = section.replace('href="#A', f'href="{home}/findings#A')  # quotes are escaped
    fragments["overview"] = str(render_overview(content, links))
    fragments["findings"] = str(render_findings(content, links))
    version.write("sections.json", fragments)
    write_flagged(version.folder, content.flagged)
