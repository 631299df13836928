"""A plan: a TOML file that fixes every option of an audit, so that a rerun is the same run."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from assay.errors import AssayError, unknown

USUAL = "assay.toml"
OTHER_NAMES = {"data": "source", "json": "json_", "id": "id_", "format": "format_"}


def read_plan(path: str | Path, known: Collection[str], several: Collection[str] = ()) -> dict[str, Any]:
    """Return the options of the table [audit] by the names of the command's parameters.

    Names are those of the command line without the dashes (`fail-on = "warning"`); an unknown one is an error.
    `several` are those that may be given more than once.
    """
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise AssayError(f"{path}: the plan cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise AssayError(f"{path}: not a plan in TOML: {error}.") from error
    table = content.get("audit")
    if not isinstance(table, dict):
        raise AssayError(f"{path}: a plan has a table [audit]; this file has {', '.join(content) or 'nothing'}.")
    options = {}
    for name, value in table.items():
        parameter = OTHER_NAMES.get(name, name.replace("-", "_"))
        if name == "full":
            parameter, value = "quick", value is False
        if parameter not in known:
            raise unknown("option in the plan", name, ["full", *(written_name(one) for one in known)])
        options[parameter] = shaped(path, name, value, several=parameter in several)
    return options


def written_name(parameter: str) -> str:
    """Return how a plan writes a parameter.

    >>> written_name("source"), written_name("fail_on")
    ('data', 'fail-on')
    """
    named = {there: here for here, there in OTHER_NAMES.items()}
    return named.get(parameter, parameter.replace("_", "-"))


def shaped(path: str | Path, name: str, value: Any, *, several: bool) -> Any:
    """Return a value as the command takes it: a list where it may be given several times, names joined by commas."""
    members = value if isinstance(value, list) else [value]
    if not all(isinstance(one, (str, int, float, bool)) for one in members):
        raise AssayError(f"{path}: {name} = {value!r} is no text, number or list of these.")
    if several:
        return members
    if isinstance(value, list) and name not in ("only", "skip"):
        raise AssayError(f"{path}: {name} takes one value, not {len(value)}.")
    return ",".join(map(str, value)) if isinstance(value, list) else value
