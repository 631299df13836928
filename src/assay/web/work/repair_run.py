"""Write the repaired data of a version and the log of its changes, as `assay repair` does."""

from __future__ import annotations

from typing import Any

from assay.system.files import write_together
from assay.system.json import JsonObject
from assay.web.decisions import load_decisions, to_proposals
from assay.web.store import REPAIRED, Version
from assay.web.work.sources import read_data, read_systems, write_error


def run_repair(version: Version) -> None:
    """Apply the decisions, and record how many items changed, or the error."""
    try:
        version.write("repair.json", repair_version(version))
    except Exception as error:  # the page shows one line, whatever went wrong
        version.discard_repair()
        version.write("repair.json", {"error": write_error(error, version)})


def repair_version(version: Version) -> JsonObject:
    """Write the data and the log, and return a summary with the systems' scores before and after."""
    from assay.suspects import repair
    from assay.suspects.repairs.writing import write_data, write_log

    version.discard_repair()
    data = read_data(version)
    proposals = to_proposals(load_decisions(version))
    predictions = read_systems(version, data) if data.labels is not None else None
    result = repair(data, suspects=proposals, drop=["retire"], relabel=data.labels is not None, predictions=predictions)
    assert result.data is not None
    with write_together():
        write_data(version.folder / choose_name(version, result.data), result.data)
        write_log(version.folder / "changes.tsv", result)
    systems = [[row.system, row.before, row.after, row.rank_before, row.rank_after] for row in result.systems]
    counts = {name: getattr(result, name) for name in ("n_before", "n_after", "n_dropped", "n_relabelled")}
    return {**counts, "notes": result.notes, "systems": systems[:200], "error": None}


def choose_name(version: Version, table: Any) -> str:
    """Return the name of the repaired data: in the format of the data, or JSON lines if TSV cannot hold it."""
    import polars as pl

    files = version.files("data")
    stored = files[0]["file"] if len(files) == 1 else ""
    name = next((name for name in REPAIRED if f"{name.removeprefix('repaired')}" in stored), "repaired.tsv")
    has_breaks = table.select(pl.any_horizontal(pl.col(pl.String).str.contains(r"[\t\r\n]").any())).item()
    return "repaired.jsonl" if name == "repaired.tsv" and has_breaks else name
