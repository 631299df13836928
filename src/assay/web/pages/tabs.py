"""The tabs of a version that has a result."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.marks import make_text_visible
from assay.checks import CHECKS, list_tab
from assay.web.damage import find_damage
from assay.web.decisions import count_actions, load_decisions
from assay.web.pages.history import trace_board, trace_topics
from assay.web.pages.summaries import (
    count_done,
    summarise_version,
    summarise_versions,
)
from assay.web.pages.templates import render_template
from assay.web.server import Server
from assay.web.store import REPAIR_FILES, Version
from assay.web.suppressions import load_ignore_rules
from assay.web.work.audit_run import get_options

if TYPE_CHECKING:
    from assay.audits import Audit

TABS = {
    "": "Overview",
    "findings": "Findings",
    "items": "Items",
    "review": "Review",
    "systems": "Systems",
    "splits": "Splits",
    "compare": "Compare",
    "files": "Files",
    "tools": "Tools",
}
PARENTS = {"item": "items", "whole_response": "items", "sections": "", "tool": "tools", "run": "tools"}
FILE_TITLES = {
    "report.html": "The report, one page",
    "audit.json": "The whole result",
    "items.tsv": "One row per item: keep, repair or retire",
    "items.parquet": "The same as Parquet",
    "card.md": "A block for a dataset card",
    "folds.tsv": "The recommended folds",
}


MAX_HISTORY = 8  # versions, whose audits stay in memory


@lru_cache(maxsize=MAX_HISTORY)
def _load_audit(path: Path, _changed: int) -> Audit:
    from assay.audits import Audit

    return Audit.from_json(path)


def load_audit(version: Version) -> Audit:
    """Return the audit of a version; the last ones stay in memory."""
    path = version.folder / "audit.json"
    return _load_audit(path, path.stat().st_mtime_ns)


def find_audit(version: Version) -> Audit | None:
    """Return the audit of a version; None if its file is missing or damaged."""
    try:
        return load_audit(version)
    except Exception:  # a damaged file can fail in any way; the page shows that it is damaged
        return None


def render_tab(server: Server, version: Version, tab: str, **values: object) -> str:
    """Render a tab with the heading of its version."""
    siblings = summarise_versions(server, server.store.versions_of(version.name))
    outcome = version.read("outcome.json") or {}
    return render_template(
        f"{tab or 'overview'}.html",
        server,
        id=version.id,
        name=version.name,
        number=version.number,
        versions=siblings,
        tab=PARENTS.get(tab, tab),
        tabs=TABS,
        outcome=outcome,
        damage=find_damage(version.folder),
        created=version.record().get("created", ""),
        **values,
    )


def render_parts(version: Version, *names: str) -> list[Any]:
    """Return parts of the report, which the worker wrote with the report's templates."""
    import markupsafe

    fragments = version.read("sections.json") or {}
    texts = [fragments[name] for name in names if isinstance(fragments.get(name), str)]
    return [markupsafe.Markup(text) for text in texts]  # noqa: S704, escaped there


def render_sections(version: Version, names: Iterable[str]) -> list[Any]:
    """Return some sections of the report."""
    return render_parts(version, *(f"section {name}" for name in names))


def overview_page(server: Server, version: Version) -> str:
    """Render the first screen: the verdict, six questions, and what to do first."""
    outcome = version.read("outcome.json") or {}
    sections = (outcome.get("sections") or {}).items()
    return render_tab(
        server,
        version,
        "",
        status=server.jobs.status(version),
        n_done=count_done(outcome),
        screen=render_parts(version, "overview"),
        sections=[
            (CHECKS[name].title, name, *state)
            for name, state in sections
            if name in CHECKS and isinstance(state, list) and len(state) == 2
        ],
        fragments=render_sections(version, list_tab("")),
        options=get_options(version),
        max_bytes=server.max_bytes,
    )


def findings_page(server: Server, version: Version) -> str:
    """Render all findings, and forms to suppress them or let them count again."""
    audit = find_audit(version)
    rules = {(rule.code, rule.subject) for rule in load_ignore_rules(version)}
    return render_tab(
        server,
        version,
        "findings",
        list=render_parts(version, "findings"),
        findings=[] if audit is None else list_findings(audit),
        suppressed=[
            make_text_visible(row) for row in (audit.ignored if audit else []) if (row.code, row.subject) in rules
        ],
        error=(version.read("applied.json") or {}).get("error"),
    )


def list_findings(audit: Audit) -> list[tuple[str, str, str]]:
    """Return the anchor, code and subject of every finding that is shown."""
    from assay.report.finding_groups import MAX_FINDINGS, name_anchors

    shown = audit.findings[:MAX_FINDINGS]
    pairs = zip(name_anchors(shown), shown, strict=True)
    return [(anchor, finding.code, finding.subject) for anchor, finding in pairs]


def sections_page(server: Server, version: Version) -> str:
    """Render all sections of the report on one page."""
    return render_tab(server, version, "sections", fragments=render_sections(version, list(CHECKS)))


def systems_page(server: Server, version: Version) -> str:
    """Render what the audit says about the systems."""
    return render_tab(server, version, "systems", fragments=render_sections(version, list_tab("systems")))


def compare_page(server: Server, version: Version, old: Version | None) -> str:
    """Render the history of the dataset, and what changed since another version."""
    from assay.audits import compare_audits
    from assay.report.finding_groups import view_findings
    from assay.report.parts import STATES

    values: dict[str, Any] = {"old": None, "comparison": None}
    audits = None if old is None else (find_audit(old), find_audit(version))
    if old is not None and audits is not None and audits[0] is not None and audits[1] is not None:
        comparison = make_text_visible(compare_audits(audits[0], audits[1]))
        values = {
            "old": summarise_version(server, old),
            "comparison": comparison,
            "groups": {
                "new": view_findings(comparison.new),
                "changed": view_findings([change.new for change in comparison.changed]),
                "gone": view_findings(comparison.gone),
                "not_checked": view_findings(comparison.not_checked),
                "ignored": view_findings(comparison.ignored),
            },
            "before": view_findings([change.old for change in comparison.changed]),
        }
    titles = {name: entry.title for name, entry in CHECKS.items()}
    with_result = [each for each in server.store.versions_of(version.name) if each.has_result]
    last = with_result[:MAX_HISTORY][::-1]
    numbered = [(each.number, audit) for each in last if (audit := find_audit(each)) is not None]
    history = {"topics": trace_topics(numbered), "board": trace_board(numbered)}
    return render_tab(server, version, "compare", titles=titles, states=STATES, **history, **values)


def files_page(server: Server, version: Version) -> str:
    """Render the files to download, and the files that were uploaded."""
    repair = version.read("repair.json") or {}
    return render_tab(
        server,
        version,
        "files",
        outputs=version.outputs(),
        file_titles=FILE_TITLES,
        files=version.files(),
        repair=repair,
        repaired=version.outputs(REPAIR_FILES),
        actions=count_actions(load_decisions(version)),
        options=get_options(version),
        max_bytes=server.max_bytes,
    )


def find_systems(version: Version) -> list[str]:
    """Return the names of the systems, in the order of their answers."""
    audit = find_audit(version)
    return [] if audit is None else list(audit.settings.systems)
