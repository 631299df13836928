"""What stands on the page, as plain values for the templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assay.base.numbers import format_interval, format_number, is_missing
from assay.report.chapter import Chapter, Fact, Table, within
from assay.report.characters import visible
from assay.report.charts_of import Figure
from assay.report.sections import CHAPTERS

SEVERITIES = ("error", "warning", "note")
_PLURAL = {"error": "errors", "warning": "warnings", "note": "notes"}
MOST_SVG = 150_000
ENDS: tuple[str, ...] = ("value", "low", "high")


def severities(audit: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return each severity that occurs with its count in words."""
    counts = Counter(found.get("severity") for found in audit.get("findings") or [])
    return [
        (kind, f"{counts[kind]} {kind if counts[kind] == 1 else _PLURAL[kind]}") for kind in SEVERITIES if counts[kind]
    ]


def findings(audit: Mapping[str, Any], most: int) -> list[dict[str, Any]]:
    """Return the findings with anchors of their own, their numbers in words, their evidence cut short."""
    seen: Counter[str] = Counter()
    told = []
    for found in (audit.get("findings") or [])[:most]:
        code = "".join(mark for mark in str(found.get("code")) if mark.isascii() and mark.isalnum())[:12]
        seen[code] += 1
        severity = found.get("severity") if found.get("severity") in SEVERITIES else "note"
        chapter = CHAPTERS[found["section"]].title if found.get("section") in CHAPTERS else None
        told.append(
            {
                "code": code,
                "anchor": code if seen[code] == 1 else f"{code}-{seen[code]}",
                "severity": severity,
                "claim": visible(found.get("claim"), 600),
                "number": number(found),
                "action": visible(found.get("action") or "", 600),
                "section": found.get("section") if chapter else None,
                "chapter": chapter,
                **evidence(found.get("evidence") or {}),
            }
        )
    return told


def number(found: Mapping[str, Any]) -> str | None:
    """Write the value of a finding with its interval, or beside what chance gives; None where it has none."""
    value, low, high = (found.get(end) for end in ENDS)
    if value is None or low is None or high is None or low <= value <= high:
        return None if is_missing(value) else format_interval(value, low, high)
    told, _, span = format_interval(value, low, high).partition(" [")
    return f"{told} [by chance {span.replace(', ', ' to ')}"


def evidence(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ids of the evidence, and its other plain values as words."""
    ids = [visible(one, 60) for one in (found.get("ids") or [])[:10]]
    rest = {name: value for name, value in found.items() if name != "ids" and not isinstance(value, dict)}
    return {
        "ids": ids,
        "evidence": [(visible(name.replace("_", " "), 40), _said(value)) for name, value in rest.items()],
    }


def _said(value: Any) -> str:
    if isinstance(value, list):
        return visible(", ".join(format_number(one) for one in value[:20]), 300)
    return visible(format_number(value), 300)


def tiles(audit: Mapping[str, Any]) -> list[Fact]:
    """Return the few numbers that stand at the top of the page."""
    wanted = ("Items", "Labels", "Information beyond shortcuts (nats)", "Obvious items", "Systems", "λ_hit")
    found = {fact.name: fact for chapter in CHAPTERS.values() for fact in facts_of(chapter, audit)}
    return [found[name] for name in wanted if name in found]


def facts_of(chapter: Chapter, audit: Mapping[str, Any]) -> list[Fact]:
    """Return the facts of a section that was done."""
    result = within(audit, "sections", chapter.name, "result") or {}
    return [made for made in chapter.facts(result) if made is not None] if result else []


def chapters(audit: Mapping[str, Any], figures: list[Figure], n_rows: int, *, private: bool) -> list[dict[str, Any]]:
    """Return every section with its numbers, charts and tables, or the reason why it was not done."""
    told = []
    for chapter in CHAPTERS.values():
        section = within(audit, "sections", chapter.name)
        if section is None:
            continue
        result = section.get("result") or {}
        done = section.get("status") == "done"
        tables = (
            [cut(table, n_rows) for table in chapter.tables(result) if not (private and table.words_of_texts)]
            if done
            else []
        )
        mine = [figure for figure in figures if figure.drawing.section == chapter.name] if done else []
        told.append(
            {
                "chapter": chapter,
                "status": section.get("status"),
                "reason": visible(section.get("reason") or "", 600),
                "facts": facts_of(chapter, audit) if done else [],
                "tables": [table for table in tables if table.rows],
                "columns": in_columns([shown_figure(figure, n_rows) for figure in mine]),
                "notes": [visible(note, 400) for note in (result.get("notes") or [])[:12]] if done else [],
                "findings": [one["anchor"] for one in findings(audit, 120) if one["section"] == chapter.name],
            }
        )
    return told


def in_columns(figures: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Share charts out to two columns of about the same height, in their order."""
    columns: list[list[dict[str, Any]]] = [[], []]
    heights = [0, 0]
    for figure in figures:
        shorter = int(heights[1] < heights[0])
        columns[shorter].append(figure)
        heights[shorter] += figure["height"] + 100  # the caption and what stands below
    return columns


def cut(table: Table, most: int) -> Table:
    """Return a table of at most so many rows, safe to show."""
    rows = [[visible(cell, 160) for cell in row] for row in table.rows[: max(most, 1)]]
    return Table(table.title, [visible(name, 60) for name in table.columns], rows, table.how, table.words_of_texts)


def shown_figure(figure: Figure, most: int) -> dict[str, Any]:
    """Return a chart for the inside of the page, with its points as a table."""
    import markupsafe

    from assay.report.svg import height, inline

    drawn = inline(figure.svg, figure.drawing.name) if figure.svg else ""
    names = [name for name in figure.drawing.columns if any(row.get(name) is not None for row in figure.rows)]
    rows = [[_cell(row.get(name)) for name in names] for row in figure.rows[:most]]
    return {
        "kind": figure.drawing,
        "svg": markupsafe.Markup(drawn if len(drawn) <= MOST_SVG else ""),  # noqa: S704, rebuilt from a list of allowed elements
        "height": height(drawn),
        "columns": [figure.drawing.columns[name] for name in names],
        "rows": rows,
        "n_rows": len(figure.rows),
    }


def _cell(value: object) -> str:
    return visible(" + ".join(map(str, value)) if isinstance(value, list) else format_number(value), 80)
