"""A hook of mkdocs: pages that list what is registered add what they do not describe, from its docstring."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

Entry = tuple[str, str]  # a name, and what the documentation says about it


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Complete a page before it is rendered."""
    return complete_page(page.file.src_uri, markdown)


def complete_page(name: str, markdown: str) -> str:
    """Add what is registered and not described on a page; other pages stay as they are."""
    entries = PAGES[name]() if name in PAGES else ()
    missing = [text for key, text in entries if f"`{key}`" not in markdown and f"\n## {key}" not in markdown]
    return "\n\n".join([markdown, *missing])


def list_findings() -> Iterator[Entry]:
    """Yield a section for every finding: its title, and the paragraphs of the docstring of its rule."""
    from assay.checks import FINDINGS
    from assay.report.explanations import read_paragraphs

    for code, rule in FINDINGS.items():
        lines = [f"*{name}:* {text}" for name, text in read_paragraphs(inspect.getdoc(rule.judge) or "").items()]
        yield code, "\n\n".join([f"## {code}", f"**{rule.title}** (section `{rule.section}`)", *lines])


def list_splitters() -> Iterator[Entry]:
    """Yield a line for every split method."""
    from assay.splits import SPLITS

    return ((name, describe(name, splitter)) for name, splitter in SPLITS.items())


def list_metrics() -> Iterator[Entry]:
    """Yield a line for every metric that is not of one kind only; the page of kinds has those."""
    from assay.metrics import METRICS

    return ((name, describe(name, metric)) for name, metric in METRICS.items() if not metric.kinds)


def list_kinds() -> Iterator[Entry]:
    """Yield a line for every kind of task."""
    from assay.kinds import KINDS

    return ((name, f"{describe(name, kind)} It needs {kind.layout.needs}.") for name, kind in KINDS.items())


def list_readers() -> Iterator[Entry]:
    """Yield a line for every reader of logs."""
    from assay.logs import LOGS

    return ((name, describe(name, reader)) for name, reader in LOGS.items())


def describe(name: str, method: Any) -> str:
    """Return a line with a name and a description, or the first paragraph of a docstring."""
    paragraph = getattr(method, "description", "") or (inspect.getdoc(method) or "").partition("\n\n")[0]
    return f"- `{name}`: {' '.join(paragraph.split())}"


PAGES: dict[str, Callable[[], Iterator[Entry]]] = {
    "findings.md": list_findings,
    "splits.md": list_splitters,
    "evaluation.md": list_metrics,
    "kinds.md": list_kinds,
    "logs.md": list_readers,
}
