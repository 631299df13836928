"""A plan: a TOML file that fixes every option of an audit, so that a rerun is the same run."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from assay.errors import AssayError, unknown

USUAL = "assay.toml"
OTHER_NAMES = {"data": "source", "json": "json_", "id": "id_", "format": "format_", "jobs": "jobs"}


def read_plan(path: str | Path, known: Collection[str]) -> dict[str, Any]:
    """Return the options of the table [audit] by the names of the command's parameters.

    Names are those of the command line without the dashes (`fail-on = "warning"`); an unknown one is an error.
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
        if parameter not in known:
            raise unknown("option in the plan", name, [one.rstrip("_").replace("_", "-") for one in known])
        options[parameter] = value
    return options
