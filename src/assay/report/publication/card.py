"""A block for a dataset card: what the authors of a benchmark should report (Xiao et al., section 6)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.audits import Audit
from assay.base.marks import make_text_visible
from assay.features.view import show_features
from assay.kinds import KINDS
from assay.models.cross_validation import SplitScore
from assay.report.publication.citation import write_bibtex
from assay.views.blocks import Table, format_value
from assay.views.rendering import escape_markdown
from assay.wording.numbers import format_number

MAX_FINDINGS = 12
SIZES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
    (10**8, "10M<n<100M"),
    (10**9, "100M<n<1B"),
    (10**12, "1B<n<10B"),
)
MAX_DATASETS = 20


def write_card(audit: Audit) -> str:
    """Return a Markdown block: verdict, findings, features, λ, information, leaks, and the split to use."""
    audit = make_text_visible(audit)
    lines = [*write_front_matter(audit), "## Benchmark audit", "", escape_markdown(audit.verdict, 1_500), ""]
    for part in (write_findings, write_numbers, write_features, write_advice):
        lines += part(audit)
    settings = audit.settings
    seed = f"seed {settings.seed}, {'quick' if settings.quick else 'full'}"
    provenance = f"assay {escape_markdown(settings.version)}, {seed}, data `{audit.data.fingerprint[:16]}`"
    lines += [f"*Measurements with {provenance}. Brackets hold 95% intervals.*", ""]
    return "\n".join([*lines, "### Cite this audit", "", "```bibtex", write_bibtex(audit).rstrip(), "```", ""])


def write_front_matter(audit: Audit) -> list[str]:
    """Write the metadata of a card on the Hugging Face hub: task, size and tags; nothing if there is no data."""
    if not audit.data.rows:
        return []
    size = next(name for bound, name in SIZES if audit.data.rows < bound)
    task = KINDS[audit.data.task].hub_task
    lines = ["task_categories:", f"- {task}", "size_categories:", f"- {size}", "tags:", "- benchmark", "- assay-audit"]
    return ["---", *lines, "---", ""]


def write_table(title: str, columns: list[str], rows: list[list[str]]) -> list[str]:
    """Write a Markdown table, or nothing if there are no rows."""
    if not rows:
        return []
    head = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return [f"### {title}", "", *head, *("| " + " | ".join(row) + " |" for row in rows), ""]


def write_findings(audit: Audit) -> list[str]:
    """Write the errors and warnings."""
    serious = [finding for finding in audit.findings if finding.severity != "note"]
    rows = [[finding.severity, finding.code, escape_markdown(finding.claim, 400)] for finding in serious[:MAX_FINDINGS]]
    return write_table("Findings", ["", "code", "claim"], rows)


def write_numbers(audit: Audit) -> list[str]:
    """Write λ, the information beyond shortcuts, obvious items and leaks."""
    return write_table("Key numbers", ["measure", "value"], [list(row) for row in list_numbers(audit)])


def list_numbers(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield the key numbers with their names."""
    evidence = audit.evidence
    if evidence.discrimination is not None:
        for row in evidence.discrimination.datasets[:MAX_DATASETS]:
            for symbol, estimate in (("λ_var", row.lambda_var), ("λ_sva", row.lambda_sva), ("λ_hit", row.lambda_hit)):
                if math.isfinite(estimate.value):
                    name = f"{symbol} ({escape_markdown(row.dataset, 60)})"
                    yield name, escape_markdown(format_value(estimate))
    if evidence.information is not None:
        for control in evidence.information.shortcuts.control:
            name = f"information beyond {escape_markdown(control.shortcuts, 60)} (nats)"
            yield name, escape_markdown(format_value(control.tsi))
        yield "entropy of the labels (nats)", format_number(evidence.information.shortcuts.entropy)
    if evidence.difficulty is not None and evidence.difficulty.pairs is not None:
        yield "obvious items", escape_markdown(format_value(evidence.difficulty.pairs.obvious_share, "percent"))
    if evidence.profile is not None:
        for overlap in evidence.profile.overlaps:
            reference, part = (escape_markdown(name, 60) for name in (overlap.reference, overlap.part))
            kind = "contrasting near" if overlap.kind == "contrast" else overlap.kind
            name = f"{kind} copies of {reference} in {part}"
            yield name, f"{format_number(overlap.items.count)} of {format_number(overlap.items.n)}"


def write_features(audit: Audit) -> list[str]:
    """Write the features of the data by part."""
    profile = audit.evidence.profile
    if profile is None:
        return []
    return [line for table in show_features(profile.data.features) for line in write_features_table(table)]


def write_features_table(table: Table) -> list[str]:
    """Write the features with their values escaped."""
    return write_table(table.title, table.headings, [[row[0], *map(escape_markdown, row[1:])] for row in table.cells])


def write_advice(audit: Audit) -> list[str]:
    """Write what to do: the items, and the split to report next to the given one."""
    counts = audit.items_summary
    lines = [f"- Items: keep {counts.keep:,}, repair {counts.repair:,}, retire {counts.retire:,}."]
    splits = audit.evidence.splits
    scores = [row for row in splits.scores if math.isfinite(row.accuracy.value)] if splits is not None else []
    lines += [f"- Recommended split: {recommend_split(scores)}"] if scores else []
    return ["### Advice", "", *lines, ""]


def recommend_split(scores: list[SplitScore]) -> str:
    """Name the split to report next to the given one: folds of similar texts, or the hardest there is."""
    drawn = [row for row in scores if row.split not in ("standard", "random")] or scores
    clusters = [row for row in drawn if row.split == "sds-k-means"]
    chosen = clusters[0] if clusters else min(drawn, key=lambda row: (row.accuracy.value, row.split))
    random = [row for row in scores if row.split == "random"]
    by_chance = f", {escape_markdown(format_value(random[0].accuracy))} at random" if random else ""
    score = escape_markdown(format_value(chosen.accuracy))
    return (
        f"`{escape_markdown(chosen.split, 60)}`, duplicates kept together, next to the given one (a quick model scores "
        f"{score} on it{by_chance})."
    )
