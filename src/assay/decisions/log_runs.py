"""Logs of one system from several runs, such as two prompts or many commits: each run counts as a system."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assay.base.errors import AssayError, join_names
from assay.data import Dataset
from assay.logs import LOGS, find_commit, has_logs, join_tasks, read_logs

if TYPE_CHECKING:
    import polars as pl

_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}[-:]\d{2}[-:]\d{2}")
LENGTH_OF_COMMIT = 9


def find_named_runs(data: object, names: Sequence[str | None]) -> dict[str, list[Path]]:
    """Return the logs that are named by their file or folder, under the folder `data` or as a path; else nothing."""
    folder = find_folder(data) or Path()
    places = {}
    for name in names:
        found = [place for place in (folder / name, Path(name)) if has_logs(place)] if name else []
        if name is None or not found:
            return {}
        places[name] = found[:1]
    return places


def find_folder(data: object) -> Path | None:
    """Return the folder of logs that data is or was read from; None if it is anything else."""
    place = data.logs.path if isinstance(data, Dataset) and data.logs is not None else data
    if not isinstance(place, str | Path) or not Path(place).is_dir() or not has_logs(place):
        return None
    return Path(place)


def list_runs(folder: Path) -> dict[str, list[Path]]:
    """Return the log files of each run in the order of time, which is in their names; else in the order of the names."""
    files = {file for reader in LOGS.values() for file in reader().find_files(folder)}
    runs: dict[tuple[str, str], list[Path]] = {}
    for file in sorted(files):
        match = _TIME.search(file.name)
        time = match[0] if match else ""
        runs.setdefault((time, "" if match else file.relative_to(folder).as_posix()), []).append(file)
    named = {}
    for (time, name), members in sorted(runs.items()):
        commit = find_commit(members[0])
        named[f"{time or name} ({commit[:LENGTH_OF_COMMIT]})" if commit else time or name] = members
    return named


def read_runs(places: Mapping[str, Sequence[Path]], system: str | None = None) -> pl.DataFrame:
    """Return the answers of each run under its name; of several systems, those of `system`."""
    import polars as pl

    from assay.kinds.log_data import make_predictions

    frames = []
    for name, files in places.items():
        for file in files:
            joined = join_tasks(read_logs(file))
            table = make_predictions(joined)
            if joined.form != "free":
                table = table.join(joined.items.select("id", "gold"), on="id", how="left", maintain_order="left")
            systems = table["system"].unique().sort().to_list()
            if system is None and len(systems) > 1:
                fact = f"there are {len(systems)} systems: {join_names(systems)}"
                raise AssayError(fact, place=file, hint="Name the logs of one system.")
            table = table if system is None else table.filter(pl.col("system") == system)
            repeat = pl.col("repeat") if "repeat" in table.columns else pl.lit("0")
            frames.append(table.with_columns(system=pl.lit(name), repeat=repeat))
    return pl.concat(frames, how="diagonal").cast(pl.String)
