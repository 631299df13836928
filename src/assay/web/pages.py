"""The pages as HTML; whatever comes from outside is made visible and escaped."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from assay.report.sections import SECTION_ORDER, SECTION_VIEWS
from assay.web.auditing import DEFAULTS
from assay.web.choices import ENCODINGS
from assay.web.jobs import looked
from assay.web.looking import NOTHING
from assay.web.shelf import Entry
from assay.web.sources import encoding_of
from assay.web.words import clock, progress_words, size_words, when

if TYPE_CHECKING:
    import jinja2

    from assay.web.server import Server

AT_WORK = ("waiting", "running", "stopping")
SEVERITIES = ("error", "warning", "note")


@cache
def environment() -> jinja2.Environment:
    """Return the templates, which escape whatever they are given."""
    import jinja2

    from assay.report.characters import make_visible
    from assay.report.filters import mark_quotes

    home = jinja2.Environment(
        loader=jinja2.PackageLoader("assay.web"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    home.undefined = jinja2.StrictUndefined
    home.filters |= {"visible": make_visible, "quotes": mark_quotes, "size": size_words, "when": when, "clock": clock}
    return home


@cache
def style() -> str:
    """Return the style: the report's, then ours."""
    report = (resources.files("assay.report") / "templates" / "page.css").read_text(encoding="utf-8")
    return report + (resources.files("assay.web") / "templates" / "app.css").read_text(encoding="utf-8")


def written(template: str, server: Server | None, **values: Any) -> str:
    """Write a page; only pages for those who have the key hold it."""
    token = "" if server is None else server.token
    return environment().get_template(template).render(token=token, **values)


def message_page(why: str) -> str:
    """Write a page that says one thing."""
    return written("message.html", None, why=why)


def home_page(server: Server) -> str:
    """Write the first page: new audits, and those there are."""
    rows = all_listed(server)
    done = [row for row in rows if row["has_result"]]
    folder = server.shelf.folder.resolve()
    return written("home.html", server, rows=rows, done=done, folder=folder, most=server.most_bytes)


def all_listed(server: Server) -> list[dict[str, Any]]:
    """Return what the list shows of all audits; those whose files are damaged stay away."""
    rows = []
    for entry in server.shelf.entries():
        with suppress(TypeError, ValueError, KeyError, AttributeError):
            rows.append(listed(server, entry))
    return rows


def listed(server: Server, entry: Entry) -> dict[str, Any]:
    """Return what the list shows of an audit."""
    about, outcome = entry.about(), entry.json("outcome.json") or {}
    return {
        "id": entry.id,
        "name": name_of(entry),
        "created": about.get("created", ""),
        "status": server.jobs.status(entry),
        "rows": outcome.get("rows"),
        "error": outcome.get("error"),
        "verdict": lead_of(outcome)[0],
        "severities": counted(outcome.get("severities") or {}),
        "has_result": entry.has_result,
    }


def lead_of(outcome: dict[str, Any]) -> tuple[str, str]:
    """Return the first sentence of a verdict, and the rest; of a run that was stopped, how far it came.

    >>> lead_of({"status": "done", "verdict": "Trust it. Gravest: none."})
    ('Trust it.', 'Gravest: none.')
    >>> lead_of({"status": "cancelled", "verdict": "Trust it.", "sections": {"profile": ["skipped", "Interrupted."]}})
    ('Stopped after 0 of 1 sections.', '')
    """
    lead, _, rest = str(outcome.get("verdict") or "").partition(". ")
    lead = f"{lead.rstrip('.')}." if lead else ""
    if not lead or outcome.get("status") != "cancelled":
        return lead, rest
    stopped = f"Stopped after {n_done(outcome)} of {len(outcome['sections'])} sections."
    return stopped, f"{lead} {rest}".strip() if n_done(outcome) else ""


def n_done(outcome: dict[str, Any]) -> int:
    """Count the sections that were measured."""
    return sum(state == "done" for state, _ in (outcome.get("sections") or {}).values())


def counted(severities: dict[str, int]) -> list[tuple[str, str]]:
    """Return each severity that occurs with its count in words.

    >>> counted({"note": 2, "error": 1})
    [('error', '1 error'), ('note', '2 notes')]
    """
    found = [(kind, int(severities.get(kind, 0))) for kind in SEVERITIES]
    return [(kind, f"{n} {kind}{'' if n == 1 else 's'}") for kind, n in found if n]


def name_of(entry: Entry) -> str:
    """Return what an audit is called."""
    return str(entry.about().get("name") or "no file yet")


def safe_name(entry: Entry) -> str:
    """Return a name for downloads: letters, digits and dashes."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name_of(entry).partition(".")[0]).strip("-")[:40] or "audit"


def audit_page(server: Server, entry: Entry) -> str:
    """Write the page of an audit, whatever its state."""
    status = server.jobs.status(entry)
    shared = {"id": entry.id, "name": name_of(entry), "about": entry.about(), "status": status}
    if status in AT_WORK:
        chosen = options_of(entry)["sections"] or list(SECTION_ORDER)
        sections = [(name, SECTION_VIEWS[name].title) for name in chosen]
        return written("running.html", server, **shared, sections=sections, now=progress_of(status, entry))
    outcome = entry.json("outcome.json") or {}
    if entry.has_result:
        return result_page(server, entry, outcome, shared)
    return choose_page(server, entry, outcome, shared)


def choose_page(server: Server, entry: Entry, outcome: dict[str, Any], shared: dict[str, Any]) -> str:
    """Write the page before a run: files, columns, options."""
    seen = {**NOTHING, **(looked(entry) if entry.files("data") else {})}
    options = options_of(entry)
    return written(
        "choose.html",
        server,
        **shared,
        seen=seen,
        files=entry.files(),
        error=outcome.get("error") or ("It was stopped before it ended." if shared["status"] == "stopped" else None),
        options=options,
        section_views=[SECTION_VIEWS[name] for name in SECTION_ORDER],
        most=server.most_bytes,
        encoding=encoding_of(entry),
        encodings=ENCODINGS,
    )


def result_page(server: Server, entry: Entry, outcome: dict[str, Any], shared: dict[str, Any]) -> str:
    """Write the page after a run: the verdict and the files."""
    lead, rest = lead_of(outcome)
    others = [one for one in all_listed(server) if one["id"] != entry.id]
    return written(
        "result.html",
        server,
        **shared,
        outcome=outcome,
        lead=lead,
        n_done=n_done(outcome),
        rest=rest,
        severities=counted(outcome.get("severities") or {}),
        sections=[(SECTION_VIEWS[name].title, *told) for name, told in (outcome.get("sections") or {}).items()],
        outputs=entry.outputs(),
        options=options_of(entry),
        files=entry.files(),
        others=[one for one in others if one["has_result"]],
    )


def compare_page(server: Server, old: Entry, new: Entry) -> str:
    """Write what changed between two audits."""
    from assay.audits import Audit, compare_audits
    from assay.report.characters import make_text_visible
    from assay.report.content import view_findings

    audits = [Audit.from_json(entry.folder / "audit.json") for entry in (old, new)]
    comparison = make_text_visible(compare_audits(*audits))
    changed = view_findings([change.new for change in comparison.changed])
    return written(
        "compare.html",
        server,
        old=listed(server, old),
        new=listed(server, new),
        comparison=comparison,
        groups={
            "new": view_findings(comparison.new),
            "changed": changed,
            "gone": view_findings(comparison.gone),
            "not_checked": view_findings(comparison.not_checked),
        },
        old_severities=[change.old.severity for change in comparison.changed],
        titles={name: SECTION_VIEWS[name].title for name in SECTION_ORDER},
    )


def options_of(entry: Entry) -> dict[str, Any]:
    """Return how an audit is to run, or ran."""
    return {**DEFAULTS, **(entry.about().get("options") or {})}


def progress_of(status: str, entry: Entry) -> dict[str, Any]:
    """Tell how far an audit is, in values and in words."""
    noted = entry.json("progress.json") or {}
    return {"status": status, **progress_words(status, noted, options_of(entry)["sections"] or list(SECTION_ORDER))}
