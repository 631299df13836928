"""Plan files: a TOML file that fixes the options of an audit, so that a rerun is the same run."""

from __future__ import annotations

import math
import os
import re
import tomllib
from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import click

from assay.base.errors import AssayError, unknown_name
from assay.base.parameters import Options
from assay.cli.paths import AnyPath, expand_pattern

DEFAULT_PLAN = "assay.toml"
MAX_BYTES = 1 << 16
MAX_WHOLE = 2**63 - 1  # TOML requires no more
_PARAMETERS = {"data": "source", "jobs": "n_jobs", "json": "json_", "id": "id_", "format": "format_"}
# A plan that was found rather than named may come with a downloaded folder. It may set these options, and paths inside
# its folder; any other option is refused: it could start processes, connect, or write elsewhere.
_HARMLESS = frozenset(
    """task text label choices label_separator id_ split time group sample encoding quoting missing log_task reviewed
    quick only skip budget private figure_width check fail_on ignore format_ seed strict""".split()
)
_ADDRESS = re.compile(r"[A-Za-z][\w+.-]*:")


def find_plan() -> str | None:
    """Return the plan in the working folder, if there is one."""
    return DEFAULT_PLAN if Path(DEFAULT_PLAN).is_file() else None


def read_plan(path: str | Path, known: Collection[str], repeatable: Collection[str] = ()) -> Options:
    """Return the options of the table [audit] by the names of the command's parameters.

    Options are named as on the command line without the dashes (`fail-on = "warning"`). `repeatable` are those that may
    be given more than once.
    """
    try:
        if Path(path).exists() and not Path(path).is_file():
            raise AssayError("the plan is not a file", place=path)
        with Path(path).open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise AssayError(f"the plan has more than {MAX_BYTES:,} bytes", place=path)
        content = tomllib.loads(raw.decode("utf-8"))
    except OSError as error:
        raise AssayError(f"the plan cannot be read: {error.strerror}.", place=path) from error
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise AssayError(f"not a plan in TOML: {error}.", place=path) from error
    table = content.get("audit")
    if not isinstance(table, dict):
        raise AssayError(f"a plan has a table [audit]; this file has {', '.join(content) or 'nothing'}.", place=path)
    options = {}
    for name, value in table.items():
        parameter = _PARAMETERS.get(name, name.replace("-", "_"))
        if name == "full":
            parameter, value = "quick", value is False
        if parameter not in known:
            raise unknown_name("option in the plan", name, ["full", *map(name_option, known)])
        options[parameter] = _convert_value(path, name, value, repeatable=parameter in repeatable)
    return options


def restrict_found_plan(path: str | Path, options: Options, parameters: Sequence[click.Parameter]) -> None:
    """Refuse what a plan may set only when it is named on the command line."""
    folder = Path(path).absolute().parent.resolve()
    if not _is_inside(folder, Path(path).name):
        raise AssayError("The plan is a link to another folder.", hint=_name_plan(path))
    paths = {parameter.name for parameter in parameters if isinstance(parameter.type, AnyPath)}
    for name, value in options.items():
        members = value if isinstance(value, list) else [value]
        if name not in _HARMLESS and not (name in paths and all(_is_inside(folder, str(each)) for each in members)):
            fact = f"{name_option(name)} is refused in a plan that was found rather than named"
            raise AssayError(fact, place=path, hint=_name_plan(path))


def name_option(parameter: str) -> str:
    """Return the name of a parameter in a plan.

    >>> name_option("source"), name_option("fail_on")
    ('data', 'fail-on')
    """
    names = {parameter: name for name, parameter in _PARAMETERS.items()}
    return names.get(parameter, parameter.replace("_", "-"))


def _name_plan(path: str | Path) -> str:
    return f"If you trust it, name it: --plan {Path(path).name}."


def _is_inside(folder: Path, path: str) -> bool:
    """Return whether a file, folder or glob, and every link in it, leads to the folder; an address never does."""
    place = Path(os.path.normpath(folder / path))
    if "\0" in path or _ADDRESS.match(path) or not place.is_relative_to(folder):
        return False
    found = [Path(match) for match in expand_pattern(str(folder / path))]
    links = [Path(home, name) for root in found for home, *names in os.walk(root) for name in chain(*names)]
    return all(each.resolve().is_relative_to(folder) for each in (place, *found, *filter(Path.is_symlink, links)))


def _convert_value(path: str | Path, name: str, value: object, *, repeatable: bool) -> Any:
    """Return a value as the command takes it: a list if it may be repeated, names joined by commas."""
    members = value if isinstance(value, list) else [value]
    if not all(isinstance(member, str | int | float | bool) for member in members):
        raise AssayError(f"{name} = {value!r} is not text, a number or a list of these.", place=path)
    if any(isinstance(member, int) and abs(member) > MAX_WHOLE for member in members):
        raise AssayError(f"{name} is a number beyond {MAX_WHOLE:,}.", place=path)
    if any(isinstance(member, float) and not math.isfinite(member) for member in members):
        raise AssayError(f"{name} = {value!r} is not a finite number.", place=path)
    if repeatable:
        return members
    if isinstance(value, list) and name not in ("only", "skip"):
        raise AssayError(f"{name} takes one value, not {len(value)}.", place=path)
    return ",".join(map(str, value)) if isinstance(value, list) else value
