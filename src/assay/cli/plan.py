"""Plan files: a TOML file that fixes the options of an audit, so that a rerun is the same run."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError, unknown_name

DEFAULT_PLAN = "assay.toml"
MAX_BYTES = 1 << 16
_PARAMETERS = {"data": "source", "json": "json_", "id": "id_", "format": "format_"}
# A plan that was found rather than named may come with a downloaded folder: it decides neither where work is kept and
# run, nor what is written outside its folder.
_RESERVED = ("cache", "no_cache", "backend")
_OUTPUTS = ("out", "json_", "items", "card", "croissant", "figures", "folds_out")


def find_plan() -> str | None:
    """Return the plan in the working folder, if there is one."""
    return DEFAULT_PLAN if Path(DEFAULT_PLAN).is_file() else None


def read_plan(path: str | Path, known: Collection[str], repeatable: Collection[str] = ()) -> dict[str, Any]:
    """Return the options of the table [audit] by the names of the command's parameters.

    Options are named as on the command line without the dashes (`fail-on = "warning"`). `repeatable` are those that may
    be given more than once.
    """
    try:
        with Path(path).open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise AssayError(f"the plan has more than {MAX_BYTES:,} bytes", place=path)
        content = tomllib.loads(raw.decode("utf-8"))
    except OSError as error:
        raise AssayError(f"the plan cannot be read: {error.strerror}.", place=path) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
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


def restrict_found_plan(path: str | Path, options: dict[str, Any]) -> None:
    """Refuse what a plan may set only when it is named on the command line."""
    folder = Path(path).resolve().parent
    for parameter, value in options.items():
        if parameter in _RESERVED:
            raise _reserved(path, parameter)
        if parameter in _OUTPUTS and value != "-" and not _is_inside(folder, str(value)):
            raise _reserved(path, parameter)


def name_option(parameter: str) -> str:
    """Return the name of a parameter in a plan.

    >>> name_option("source"), name_option("fail_on")
    ('data', 'fail-on')
    """
    names = {parameter: name for name, parameter in _PARAMETERS.items()}
    return names.get(parameter, parameter.replace("_", "-"))


def _reserved(path: str | Path, parameter: str) -> AssayError:
    fact = f"{name_option(parameter)} is refused in a plan that was found rather than named"
    return AssayError(fact, place=path, hint=f"If you trust it, name it: --plan {Path(path).name}.")


def _is_inside(folder: Path, path: str) -> bool:
    return (folder / path).resolve().is_relative_to(folder)


def _convert_value(path: str | Path, name: str, value: Any, *, repeatable: bool) -> Any:
    """Return a value as the command takes it: a list where it may be repeated, names joined by commas."""
    members = value if isinstance(value, list) else [value]
    if not all(isinstance(member, str | int | float | bool) for member in members):
        raise AssayError(f"{name} = {value!r} is not text, a number or a list of these.", place=path)
    if any(isinstance(member, float) and not math.isfinite(member) for member in members):
        raise AssayError(f"{name} = {value!r} is not a finite number.", place=path)
    if repeatable:
        return members
    if isinstance(value, list) and name not in ("only", "skip"):
        raise AssayError(f"{name} takes one value, not {len(value)}.", place=path)
    return ",".join(map(str, value)) if isinstance(value, list) else value
