"""The help of a command: its options in groups, those of its own method first."""

from __future__ import annotations

import click

OWN_GROUP = "Options"
GROUPS = {
    OWN_GROUP: (),  # all that no other group names
    "Data": (
        *("data", "task", "text", "label", "choices", "label_separator", "id_", "split", "time", "group"),
        *("train", "dev", "test", "sample", "encoding", "quoting", "missing", "log_task"),
    ),
    "Systems": (
        *(
            "predictions",
            "scores",
            "votes",
            "verdicts",
            "responses",
            "cost",
            "item_scores",
            "missing_predictions",
            "system",
        ),
        *("human", "new_sample", "corpus", "reviewed", "swapped", "winner", "prompt", "category"),
    ),
    "Output": (
        *("out", "json_", "csv", "markdown", "latex", "items", "card", "croissant", "figures", "figure_width"),
        *("folds_out", "write_parts", "write_every_eval_ever", "write_eval_results", "hub_dataset", "step_summary"),
        *("junit", "format_", "check", "fail_on", "ignore", "private"),
    ),
    "Running": (
        *("plan", "budget", "seed", "n_jobs", "backend", "out_of_core", "cache", "no_cache", "device"),
        *("quiet", "verbose"),
    ),
}
_GROUP_OF = {name: group for group, names in GROUPS.items() for name in names}


def write_options(command: click.Command, context: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the options of a command in groups; short helps have only one."""
    rows: dict[str, list[tuple[str, str]]] = {group: [] for group in GROUPS}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and isinstance(parameter, click.Option):
            group = "Running" if "--help" in parameter.opts else OWN_GROUP
            rows[_GROUP_OF.get(str(parameter.name), group)].append(record)
    for group, records in rows.items():
        if records:
            with formatter.section(group):
                formatter.write_dl(records)
