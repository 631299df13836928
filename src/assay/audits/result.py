"""The result of an audit, and how it is written to JSON and read back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

from assay.audits.details import ItemDetails
from assay.audits.ignore import IgnoredFinding
from assay.audits.items import ItemCounts, ItemRow
from assay.audits.overview import Overview, build_overview
from assay.base.codec import from_plain, to_plain
from assay.base.errors import AssayError
from assay.base.lazy import load_by_name
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.checks import CHECKS
from assay.checks.findings import Finding
from assay.checks.measured import DataSummary, Measurements
from assay.system.json import read_json, replace_surrogates
from assay.views.blocks import Block
from assay.views.rendering import render_html
from assay.views.results import Result

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")
Status = Literal["done", "skipped", "failed"]


@dataclass(frozen=True)
class Section(Result):
    """One section of an audit: its evidence, or the reason why it has none."""

    name: str = field(metadata=OWN)
    status: Status
    reason: str | None = field(default=None, metadata=NAME)
    evidence: Any = field(default=None, repr=False, metadata=OWN)


@dataclass(frozen=True)
class CheckedRule(Result):
    """A rule that found nothing, or that could not be checked."""

    code: str = field(metadata=OWN)
    title: str = field(metadata=OWN)
    reason: str | None = field(default=None, metadata=NAME)


@dataclass(frozen=True)
class AuditSettings(Result):
    """How an audit was made."""

    version: str = field(metadata=OWN)
    seed: int
    quick: bool
    private: bool
    sections: tuple[str, ...] = field(metadata=OWN)
    systems: tuple[str, ...] = field(metadata=NAME)
    interrupted: bool = False


@dataclass(frozen=True)
class Audit(Result):
    """A verdict in plain words, findings (the most serious first), the evidence behind them, and a table of items.

    `items` has one row per item and `details` their texts and answers. Neither is part of the JSON, which holds the
    first 500 rows as `items_top`.
    """

    verdict: str = field(metadata=NAME)
    overview: Overview
    findings: tuple[Finding, ...]
    passed: tuple[CheckedRule, ...]
    not_checked: tuple[CheckedRule, ...]
    sections: dict[str, Section] = field(metadata=OWN)
    data: DataSummary
    settings: AuditSettings
    items_summary: ItemCounts
    items_top: tuple[ItemRow, ...] = field(repr=False)
    ignored: tuple[IgnoredFinding, ...] = ()
    items: pl.DataFrame | None = field(default=None, repr=False, compare=False, metadata={"json": False})
    details: ItemDetails | None = field(default=None, repr=False, compare=False, metadata={"json": False})

    @property
    def evidence(self) -> Measurements:
        """Return the evidence of all sections that were measured."""
        measured = {name: section.evidence for name, section in self.sections.items() if section.status == "done"}
        return Measurements(self.data, measured)

    @classmethod
    def from_dict(cls, values: Options) -> Self:
        """Rebuild an audit from what `to_dict` returned, or from the content of its JSON file."""
        values = values.get("result", values)
        if isinstance(values, dict) and isinstance(values.get("audits"), dict):
            hint = "Make one of a single task with: assay audit LOGS --log-task NAME --json FILE."
            raise AssayError("This is an audit of several tasks.", hint=hint)
        if not isinstance(values, dict) or not {"verdict", "findings", "sections"} <= values.keys():
            raise AssayError("This is not an audit.", hint="Make one with: assay audit DATA --json FILE.")
        fields = {name: value for name, value in values.items() if name != "sections"}
        contents = from_plain(dict[str, Any], values["sections"], "sections")
        sections = {name: _read_section(name, section) for name, section in contents.items()}
        known = dict(vars(from_plain(_AuditWithoutSections, fields)))
        if known["overview"] is None:  # files of earlier versions do not have it
            measured = {name: section.evidence for name, section in sections.items() if section.status == "done"}
            rules = ([rule.code for rule in known["passed"]], {rule.code: rule.reason for rule in known["not_checked"]})
            known["overview"] = build_overview(Measurements(known["data"], measured), known["findings"], *rules)
        return cls(sections=sections, **known)

    @classmethod
    def from_json(cls, path: str | Path) -> Self:
        """Read an audit from its JSON file."""
        return read_audit_file(path, cls.from_dict)

    def log_to(self, tracker: str, *, files: Sequence[str | Path] = (), **options: Any) -> None:
        """Log the numbers of the audit to a tracker: mlflow, wandb or trackio.

        The active run is used, or a new one made with `options`; `files`, such as the report, go with it.
        """
        from assay.audits.trackers import log_audit

        log_audit(self, tracker, files, **options)

    def to_html(self) -> str:
        """Return the whole report, one page that works offline."""
        return str(load_by_name("assay.report.page", "render_page")(self))

    def _repr_html_(self) -> str:
        """Show the verdict and the findings in a notebook."""
        return render_html(self.blocks())

    def blocks(self) -> Iterator[Block]:
        """Yield the findings, the counts, the first screen and the verdict."""
        from assay.audits.view import show_audit

        yield from show_audit(self)

    def _frame(self) -> pl.DataFrame:
        """Return one row per finding."""
        import polars as pl

        names = ("code", "severity", "claim", "value", "low", "high", "action", "section")
        rows = [{name: to_plain(getattr(finding, name)) for name in names} for finding in self.findings]
        return pl.DataFrame(rows, schema=names, infer_schema_length=None)


def read_audit_file(path: str | Path, build: Callable[[dict[str, Any]], T]) -> T:
    """Read a JSON file and build an audit from its content; every problem is an error that names the file."""
    content = replace_surrogates(read_json(Path(path), path, hint="An audit is what assay audit --json FILE writes."))
    try:
        return build(content if isinstance(content, dict) else {})
    except AssayError as error:
        fact = f"not an audit of this version: {error}" if error.place else error.fact
        raise AssayError(fact, place=path, hint=error.hint) from error


@dataclass(frozen=True)
class _AuditWithoutSections:
    """The fields of an audit whose types are known without looking at the section's name."""

    verdict: str
    findings: tuple[Finding, ...]
    passed: tuple[CheckedRule, ...]
    not_checked: tuple[CheckedRule, ...]
    data: DataSummary
    settings: AuditSettings
    items_summary: ItemCounts
    items_top: tuple[ItemRow, ...]
    ignored: tuple[IgnoredFinding, ...] = ()
    overview: Overview | None = None


def _read_section(name: str, values: Any) -> Section:
    section = from_plain(Section, values, f"sections.{name}")
    if section.evidence is None:
        return section
    evidence = from_plain(CHECKS[name].result, section.evidence, f"sections.{name}.evidence")
    return Section(name, section.status, section.reason, evidence)
