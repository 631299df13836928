"""The pages as HTML; all text from outside is made visible and escaped."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from assay.report.sections import SECTION_ORDER, SECTION_VIEWS
from assay.web.audit_run import DEFAULT_OPTIONS
from assay.web.formatting import describe_progress, format_date, format_duration, format_size
from assay.web.forms import ENCODINGS
from assay.web.jobs import load_preview
from assay.web.preview import EMPTY_PREVIEW
from assay.web.sources import get_encoding
from assay.web.store import Entry

if TYPE_CHECKING:
    import jinja2

    from assay.web.server import Server

ACTIVE_STATES = ("waiting", "running", "stopping")
SEVERITIES = ("error", "warning", "note")


@cache
def load_templates() -> jinja2.Environment:
    """Return the templates, which escape every value."""
    import jinja2

    from assay.report.characters import make_visible
    from assay.report.filters import mark_quotes

    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("assay.web"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    templates.undefined = jinja2.StrictUndefined
    templates.filters |= {"visible": make_visible, "quotes": mark_quotes}
    templates.filters |= {"size": format_size, "date": format_date, "duration": format_duration}
    return templates


@cache
def load_style() -> str:
    """Return the style sheet: the report's, then that of these pages."""
    report = (resources.files("assay.report") / "templates" / "page.css").read_text(encoding="utf-8")
    return report + (resources.files("assay.web") / "templates" / "app.css").read_text(encoding="utf-8")


def render_template(template: str, server: Server | None, **values: Any) -> str:
    """Render a page; without a server it does not contain the key."""
    token = "" if server is None else server.token
    return load_templates().get_template(template).render(token=token, **values)


def message_page(message: str) -> str:
    """Render a page with one message."""
    return render_template("message.html", None, message=message)


def home_page(server: Server) -> str:
    """Render the first page: a form for a new audit, and the list of audits."""
    rows = summarise_entries(server)
    done = [row for row in rows if row["has_result"]]
    folder = server.store.folder.resolve()
    return render_template("home.html", server, rows=rows, done=done, folder=folder, max_bytes=server.max_bytes)


def summarise_entries(server: Server) -> list[dict[str, Any]]:
    """Return the rows of the list of audits, without those whose files are damaged."""
    rows = []
    for entry in server.store.entries():
        with suppress(TypeError, ValueError, KeyError, AttributeError):
            rows.append(summarise_entry(server, entry))
    return rows


def summarise_entry(server: Server, entry: Entry) -> dict[str, Any]:
    """Return one row of the list of audits."""
    record, outcome = entry.record(), entry.read("outcome.json") or {}
    return {
        "id": entry.id,
        "name": get_name(entry),
        "created": record.get("created", ""),
        "status": server.jobs.status(entry),
        "rows": outcome.get("rows"),
        "error": outcome.get("error"),
        "verdict": split_verdict(outcome)[0],
        "severities": count_severities(outcome.get("severities") or {}),
        "has_result": entry.has_result,
    }


def split_verdict(outcome: dict[str, Any]) -> tuple[str, str]:
    """Return the first sentence of the verdict, and the rest; for a stopped run, first how far it got.

    >>> split_verdict({"status": "done", "verdict": "Trust it. Most serious: none."})
    ('Trust it.', 'Most serious: none.')
    >>> sections = {"profile": ["skipped", "Interrupted."]}
    >>> split_verdict({"status": "cancelled", "verdict": "Trust it.", "sections": sections})
    ('Stopped after 0 of 1 sections.', '')
    """
    lead, _, rest = str(outcome.get("verdict") or "").partition(". ")
    lead = f"{lead.rstrip('.')}." if lead else ""
    if not lead or outcome.get("status") != "cancelled":
        return lead, rest
    stopped = f"Stopped after {count_done(outcome)} of {len(outcome['sections'])} sections."
    return stopped, f"{lead} {rest}".strip() if count_done(outcome) else ""


def count_done(outcome: dict[str, Any]) -> int:
    """Count the sections that were measured."""
    return sum(state == "done" for state, _ in (outcome.get("sections") or {}).values())


def count_severities(severities: dict[str, int]) -> list[tuple[str, str]]:
    """Return each severity that occurs with its count in words.

    >>> count_severities({"note": 2, "error": 1})
    [('error', '1 error'), ('note', '2 notes')]
    """
    counts = [(severity, int(severities.get(severity, 0))) for severity in SEVERITIES]
    return [(severity, f"{n} {severity}{'' if n == 1 else 's'}") for severity, n in counts if n]


def get_name(entry: Entry) -> str:
    """Return the name of an audit."""
    return str(entry.record().get("name") or "no file yet")


def make_download_name(entry: Entry) -> str:
    """Return a name for downloads: letters, digits and dashes."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", get_name(entry).partition(".")[0]).strip("-")[:40] or "audit"


def audit_page(server: Server, entry: Entry) -> str:
    """Render the page of an audit, whatever its state."""
    status = server.jobs.status(entry)
    shared = {"id": entry.id, "name": get_name(entry), "record": entry.record(), "status": status}
    if status in ACTIVE_STATES:
        sections = [(name, SECTION_VIEWS[name].title) for name in chosen_sections(entry)]
        progress = get_progress(status, entry)
        return render_template("running.html", server, **shared, sections=sections, progress=progress)
    outcome = entry.read("outcome.json") or {}
    if entry.has_result:
        return result_page(server, entry, outcome, shared)
    return setup_page(server, entry, outcome, shared)


def setup_page(server: Server, entry: Entry, outcome: dict[str, Any], shared: dict[str, Any]) -> str:
    """Render the page before a run: files, columns, options."""
    preview = {**EMPTY_PREVIEW, **(load_preview(entry) if entry.files("data") else {})}
    stopped = "It was stopped before it ended." if shared["status"] == "stopped" else None
    return render_template(
        "setup.html",
        server,
        **shared,
        preview=preview,
        files=entry.files(),
        error=outcome.get("error") or stopped,
        options=get_options(entry),
        section_views=[SECTION_VIEWS[name] for name in SECTION_ORDER],
        max_bytes=server.max_bytes,
        encoding=get_encoding(entry),
        encodings=ENCODINGS,
    )


def result_page(server: Server, entry: Entry, outcome: dict[str, Any], shared: dict[str, Any]) -> str:
    """Render the page after a run: the verdict and the files."""
    lead, rest = split_verdict(outcome)
    sections = (outcome.get("sections") or {}).items()
    return render_template(
        "result.html",
        server,
        **shared,
        outcome=outcome,
        lead=lead,
        n_done=count_done(outcome),
        rest=rest,
        severities=count_severities(outcome.get("severities") or {}),
        sections=[(SECTION_VIEWS[name].title, *state) for name, state in sections],
        outputs=entry.outputs(),
        options=get_options(entry),
        files=entry.files(),
        others=[row for row in summarise_entries(server) if row["id"] != entry.id and row["has_result"]],
    )


def compare_page(server: Server, old: Entry, new: Entry) -> str:
    """Render what changed between two audits."""
    from assay.audits import Audit, compare_audits
    from assay.report.characters import make_text_visible
    from assay.report.finding_groups import view_findings

    audits = [Audit.from_json(entry.folder / "audit.json") for entry in (old, new)]
    comparison = make_text_visible(compare_audits(*audits))
    return render_template(
        "compare.html",
        server,
        old=summarise_entry(server, old),
        new=summarise_entry(server, new),
        comparison=comparison,
        groups={
            "new": view_findings(comparison.new),
            "changed": view_findings([change.new for change in comparison.changed]),
            "gone": view_findings(comparison.gone),
            "not_checked": view_findings(comparison.not_checked),
            "ignored": view_findings(comparison.ignored),
        },
        old_severities=[change.old.severity for change in comparison.changed],
        titles={name: SECTION_VIEWS[name].title for name in SECTION_ORDER},
    )


def get_options(entry: Entry) -> dict[str, Any]:
    """Return the options of an audit."""
    return {**DEFAULT_OPTIONS, **(entry.record().get("options") or {})}


def chosen_sections(entry: Entry) -> list[str]:
    """Return the sections of an audit; all where none is chosen."""
    return get_options(entry)["sections"] or list(SECTION_ORDER)


def get_progress(status: str, entry: Entry) -> dict[str, Any]:
    """Return the progress of an audit, as values and in words."""
    progress = entry.read("progress.json") or {}
    return {"status": status, **describe_progress(status, progress, chosen_sections(entry))}
