"""One audit, in a process of its own: the same calls and the same files as on the command line."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from assay.base.codec import to_json, to_plain
from assay.base.errors import AssayError
from assay.base.files import open_for_writing
from assay.base.results import wrap_result
from assay.web.lifeline import Lifeline
from assay.web.shelf import Entry, now
from assay.web.sources import read_data, read_score_table, read_systems, said

if TYPE_CHECKING:
    from assay.audits import Audit
    from assay.data import Dataset

DEFAULTS: dict[str, Any] = {"quick": True, "sections": [], "seed": 0, "private": False}


def run_audit(entry: Entry, lifeline: Lifeline) -> None:
    """Audit, write all files, and leave the outcome: done, cancelled or failed."""
    started = time.monotonic()
    try:
        lifeline.begin()
        data, result = audited(entry, lifeline)
        outcome = {**summarise(result), "notes": write_outputs(entry, data, result)}
    except KeyboardInterrupt:
        outcome = {"status": "cancelled", "error": "Stopped before anything was measured."}
    except Exception as error:  # the page shows one line, whatever broke
        outcome = {"status": "failed", "error": said(error, entry)}
    entry.write("outcome.json", {**outcome, "finished": now(), "seconds": time.monotonic() - started})


def audited(entry: Entry, lifeline: Lifeline) -> tuple[Dataset, Audit]:
    """Read the files and audit them, noting how far it is."""
    from assay.audits import audit

    options = {**DEFAULTS, **(entry.about().get("options") or {})}
    began = time.time()

    def tell(section: str, share: float) -> None:
        if not section:  # all that will be measured is measured
            lifeline.cut()
        noted = {"section": section or "writing", "share": share, "began": began, "elapsed": time.time() - began}
        entry.write("progress.json", noted)

    tell("reading", 0.0)
    data = read_data(entry)
    result = audit(
        data,
        read_systems(entry, data),
        read_score_table(entry),
        quick=options["quick"],
        only=options["sections"] or None,
        private=options["private"],
        cache=True,
        random_state=options["seed"],
        progress=tell,
    )
    return data, result


def write_outputs(entry: Entry, data: Dataset, result: Audit) -> list[str]:
    """Write every file an audit can give; say which it cannot."""
    from assay.audits.outputs import write_items, write_recommended_folds
    from assay.report import render_page, write_card

    settings = result.settings
    about = {"quick": settings.quick, "private": settings.private or None, "seed": settings.seed}
    put(entry, "audit.json", to_json(wrap_result("audit", result, about, data)))
    put(entry, "report.html", render_page(result))
    put(entry, "card.md", write_card(result))
    for name in ("items.tsv", "items.parquet"):
        write_items(entry.folder / name, result.items)
    try:
        note = write_recommended_folds(entry.folder / "folds.tsv", data, settings.seed)
        return [note.replace(f"{entry.folder / 'folds.tsv'}: ", "Folds: ")]
    except AssayError as error:
        return [said(error, entry)]


def put(entry: Entry, name: str, content: str) -> None:
    """Write a file whole or not at all."""
    with open_for_writing(entry.folder / name) as file:
        file.write(content)


def summarise(result: Audit) -> dict[str, Any]:
    """Return what the list of audits and the page of one audit show."""
    from assay.report.content import count_items

    return {
        "status": "cancelled" if result.settings.interrupted else "done",
        "error": None,
        "verdict": result.verdict,
        "severities": dict(Counter(finding.severity for finding in result.findings)),
        "sections": {name: [section.status, section.reason] for name, section in result.sections.items()},
        "rows": result.data.rows,
        "size": count_items(result.data),
        "items": to_plain(result.items_summary),
        "systems": len(result.settings.systems),
    }
