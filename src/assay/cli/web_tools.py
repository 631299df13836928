"""Describe the commands for the web page, which runs them on the files of a version."""

from __future__ import annotations

from importlib import import_module

import click

from assay.cli.main import VERBS
from assay.cli.paths import InputPath, OutputFolder, OutputPath
from assay.web.tools import OptionKind, Tool, ToolInput, ToolOption, ToolOutput

TOOLS = (
    *("profile", "split", "compare", "evaluate", "train", "difficulty", "information", "suspects"),
    *("contamination", "discriminate", "decide", "judges", "forecast", "convert"),
)
# The kinds of files that the argument of a command can be, if it is not data.
ARGUMENTS = {"discriminate": ("scores", "votes"), "judges": ("verdicts",), "convert": ("logs",), "folds": ("folds",)}
# The kinds of files that options take; other options for files are not offered.
FILES: dict[str, tuple[str, ...]] = {
    "predictions": ("predictions",),
    "item_scores": ("predictions",),
    "probabilities": ("predictions",),
    "folds": ("folds",),
    "corpus": ("corpus",),
    "data": ("data",),
    "swapped": ("verdicts",),
}
SECONDARY = ("item_scores", "probabilities", "swapped", "folds")  # used only where the user chooses a file
ROLES = ("task", "text", "label", "choices", "label_separator", "id_", "split", "time", "group", "encoding")
# Options about where work is done and stored, and studies of our own methods.
LEFT_OUT = (
    "n_jobs",
    "backend",
    "cache",
    "no_cache",
    "out_of_core",
    "study",
    "train",
    "dev",
    "test",
    *("write_every_eval_ever", "write_eval_results", "hub_dataset"),
    *("csv", "markdown", "latex", "quiet", "verbose"),
    *("items", "contrast", "require", "junit", "step_summary", "history"),
)


def describe_tools() -> list[Tool]:
    """Return the commands that the page offers."""
    return [describe_tool(name, getattr(import_module(VERBS[name][0]), name)) for name in TOOLS]


def describe_tool(name: str, command: click.Command) -> Tool:
    """Return what one command reads, takes and writes."""
    inputs: list[ToolInput] = []
    options: list[ToolOption] = []
    outputs: list[ToolOutput] = []
    roles: list[str] = []
    for parameter in command.params:
        key = str(parameter.name)
        flag = max(parameter.opts, key=len) if isinstance(parameter, click.Option) else ""
        if isinstance(parameter, click.Argument):
            kinds = ARGUMENTS.get(key) or ARGUMENTS.get(name, ("data",))
            inputs.append(ToolInput("", kinds, parameter.required, key not in SECONDARY))
        elif key in ROLES:
            roles.append(flag)
        elif isinstance(parameter.type, InputPath):
            is_default = key not in SECONDARY
            inputs += [ToolInput(flag, FILES[key], parameter.required, is_default)] if key in FILES else []
        elif isinstance(parameter.type, OutputPath) and key not in LEFT_OUT:
            outputs.append(ToolOutput(flag, f"{name}.json" if key == "json_" else f"{name}.tsv"))
        elif isinstance(parameter.type, OutputFolder):
            outputs += [ToolOutput(flag, "parts" if name == "split" else "converted")] if key not in LEFT_OUT else []
        elif key not in LEFT_OUT and isinstance(parameter, click.Option):
            options.append(describe_option(parameter, flag))
    return Tool(name, VERBS[name][1], tuple(inputs), tuple(options), tuple(outputs), tuple(roles))


def describe_option(option: click.Option, flag: str) -> ToolOption:
    """Return how the page asks for one option."""
    kind: OptionKind = "text"
    choices: tuple[str, ...] = ()
    if option.is_flag:
        kind = "flag"
    elif flag == "--method":
        from assay.splits.registry import SPLITS

        kind, choices = "choice", tuple(SPLITS)
    elif isinstance(option.type, click.Choice):
        kind, choices = "choice", tuple(map(str, option.type.choices))
    elif isinstance(option.type, (click.IntRange, click.types.IntParamType)):
        kind = "integer"
    elif isinstance(option.type, (click.FloatRange, click.types.FloatParamType)):
        kind = "number"
    return ToolOption(
        name=str(option.name),
        flag=flag,
        kind=kind,
        help=option.help or "",
        choices=choices,
        default=write_default(option.default),
        is_repeatable=option.multiple,
        is_required=option.required,
    )


def write_default(default: object) -> str:
    """Write the default of an option for its field; empty if there is none.

    >>> write_default(0.5), write_default(("linear",)), write_default(None), write_default(lambda: 1)
    ('0.5', 'linear', '', '')
    """
    if isinstance(default, (tuple, list)):
        return ", ".join(map(str, default))
    return str(default) if isinstance(default, (str, int, float)) and not isinstance(default, bool) else ""
