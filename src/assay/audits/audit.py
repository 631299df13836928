"""The audit: run what applies, say what was found, and propose what to do with every item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay import __version__
from assay.audits.case import Case, Settings
from assay.audits.finding import Finding, Seen, gravest_first
from assay.audits.findings import FINDINGS
from assay.audits.items import item_table, summary, top_rows
from assay.audits.privacy import withheld
from assay.audits.running import Progress, chosen_sections, run_sections
from assay.audits.section import Section
from assay.audits.verdict import verdict
from assay.base.codec import to_plain
from assay.base.results import Result
from assay.data import Dataset
from assay.kinds import kind_of, read

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Audit(Result):
    """What an audit found: a verdict in plain words, findings (errors first), sections, and a table of items."""

    verdict: str
    findings: list[Finding]
    sections: dict[str, Section]
    data: dict[str, Any]
    settings: dict[str, Any]
    items: pl.DataFrame = field(repr=False, compare=False)
    texts: pl.Series | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: items as counts and at most 500 rows, with texts only where they may be shown."""
        told = {name: to_plain(getattr(self, name)) for name in ("verdict", "findings", "sections", "data", "settings")}
        return {**told, "items_summary": summary(self.items), "items_top": top_rows(self.items, self.texts)}

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self.verdict)}</b></p>{super()._repr_html_()}"

    def _frame(self) -> pl.DataFrame:
        """Return one row a finding."""
        import polars as pl

        names = ("code", "severity", "claim", "value", "low", "high", "action", "section")
        rows = [{name: to_plain(getattr(one, name)) for name in names} for one in self.findings]
        return pl.DataFrame(rows, schema=names, infer_schema_length=None)


def audit(
    data: Any,
    predictions: Any = None,
    scores: Any = None,
    *,
    quick: bool = True,
    only: Sequence[str] | None = None,
    skip: Sequence[str] | None = None,
    budget: float | None = None,
    private: bool = False,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: str | Path | bool | None = None,
    random_state: int = 0,
    progress: Progress | None = None,
) -> Audit:
    """Audit a benchmark: everything that applies to the data, its predictions (files or arrays) and scores.

    `only` and `skip` name sections, `budget` is in minutes, `cache` a folder of finished work (True: the user's). A
    keyboard interrupt ends the audit early and keeps the sections that are done.

    >>> found = audit({"text": ["a good film", "a bad film"], "label": ["pos", "neg"]}, only=["profile"])
    >>> found.sections["profile"].status, found.data["rows"]
    ('done', 2)
    """
    from assay.audits.inputs import cache_folder, check_back_end, given_predictions, given_scores

    check_back_end(backend)
    data = data if isinstance(data, Dataset) else read(data)
    names = chosen_sections(only, skip)
    settings = Settings(quick, private, random_state, n_jobs, backend, cache_folder(cache))
    case = Case(data, given_predictions(predictions, data), given_scores(scores), settings)
    sections, frames, interrupted = run_sections(case, names, budget, progress)
    about = described(data)
    findings = found_in(Seen(about, sections))
    if private:
        sections, findings = withheld(sections, findings)
    items = item_table(data, frames)
    told = {"seed": random_state, "quick": quick, "private": private, "sections": names, "version": __version__}
    told |= {"interrupted": interrupted, "systems": [] if case.predictions is None else case.predictions.names}
    text = None if private else data.fill_texts().texts
    return Audit(verdict(findings, sections), findings, sections, about, told, items, text)


def found_in(seen: Seen) -> list[Finding]:
    """Ask every check what it finds, the gravest first."""
    return gravest_first([found for check in FINDINGS.values() for found in check.find(seen)])


def described(data: Dataset) -> dict[str, Any]:
    """Say what the data is."""
    parts = {} if data.parts is None else {name: int((data.parts == name).sum()) for name in data.part_names}
    about = {"name": data.name, "rows": len(data), "task": data.task, "fingerprint": data.fingerprint, "parts": parts}
    about["paired"] = kind_of(data).is_paired(data)
    return {**about, "n_labels": len(data.label_names), "notes": list(data.notes)}
