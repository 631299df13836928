"""`assay methods`: list all methods, models, metrics and formats."""

from __future__ import annotations

import click

from assay.cli.paths import OUTPUT, Verb
from assay.cli.results import shows_result, table_options, write_table
from assay.views.blocks import Table

# (package of a registry, its name, what its entries are called)
KINDS = [
    ("assay.kinds", "KINDS", "kinds of task"),
    ("assay.text", "TOKENIZERS", "tokenizers"),
    ("assay.text", "ENCODERS", "encoders"),
    ("assay.features", "FEATURES", "features"),
    ("assay.splits", "SPLITS", "splits"),
    ("assay.difficulty", "MEASURES", "difficulty measures"),
    ("assay.metrics", "METRICS", "metrics"),
    ("assay.logs", "LOGS", "logs of evaluation harnesses"),
    ("assay.discrimination", "AGGREGATIONS", "aggregations of scores"),
    ("assay.models", "MODELS", "models"),
    ("assay.information", "SHORTCUTS", "shortcuts"),
    ("assay.audits", "FINDINGS", "findings"),
]


@click.command(cls=Verb)
@click.option("--json", "json_", type=OUTPUT, metavar="FILE", help="Write the list as JSON; '-' for standard output.")
@table_options
def methods(json_: str | None) -> None:
    """List every tokenizer, encoder, feature, split, measure, metric and model."""
    from importlib import import_module

    from assay.cli.output import show_table, write_json
    from assay.views.results import wrap_result

    known = {kind: describe_entries(getattr(import_module(package), name)) for package, name, kind in KINDS}
    if json_:
        write_json(json_, wrap_result("methods", known, {}))
    rows = [(kind, name, text) for kind, entries in known.items() for name, text in entries.items()]
    write_table([Table("Methods", ["kind", "name", "description"], rows)])
    if shows_result(json_):
        for kind, entries in known.items():
            show_table(kind, ["name", "description"], entries.items())


def describe_entries(registry: object) -> dict[str, str]:
    """Map each name of a registry to the first line of its method's docstring."""
    return {name: get_first_line(registry[name]) for name in registry}  # type: ignore[index, attr-defined]


def get_first_line(method: object) -> str:
    """Return the first line of a docstring, or nothing."""
    description = getattr(method, "description", None) or getattr(method, "title", None) or method.__doc__ or ""
    return str(description).strip().partition("\n")[0]
