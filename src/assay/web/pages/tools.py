"""The tabs that run commands on the files of a version: Splits and Tools."""

from __future__ import annotations

from assay.base.parameters import Options
from assay.checks import list_tab
from assay.web.damage import read_json_object
from assay.web.pages.tabs import render_sections, render_tab
from assay.web.server import Server
from assay.web.store import Version
from assay.web.tools import Tool
from assay.web.work.tool_runs import RESULT, ToolRun, list_folds, list_runs


def tools_page(server: Server, version: Version) -> str:
    """Render the list of tools, and what they did so far."""
    return render_tab(server, version, "tools", tools=list(server.tools.values()), runs=summarise_runs(server, version))


def tool_page(server: Server, version: Version, tool: Tool) -> str:
    """Render the form of a tool."""
    inputs = [(number, each, list_choices(version, each.kinds)) for number, each in enumerate(tool.inputs)]
    missing = [" or ".join(each.kinds) for _, each, choices in inputs if each.is_required and not choices]
    return render_tab(server, version, "tool", tool=tool, inputs=inputs, missing=missing)


def list_choices(version: Version, kinds: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the files that fit an input, by their names on disk."""
    if kinds == ("folds",):
        return list(list_folds(version).items())
    return [(file["file"], file["name"]) for file in version.files(*kinds)]


def summarise_runs(server: Server, version: Version, *, only_splits: bool = False) -> list[Options]:
    """Return the runs of a version, the newest first."""
    rows = []
    for run in list_runs(version):
        record = run.record()
        commands = record.get("commands") or [[""]]
        if only_splits and commands[0][0] != "split":
            continue
        status = server.tool_runs.status(run)
        title = str(record.get("title", "damaged run"))
        rows.append({"id": run.id, "title": title, "status": status, "started": record.get("started", "")})
    return rows


def run_page(server: Server, version: Version, run: ToolRun) -> str:
    """Render what a run printed, and its files."""
    import markupsafe

    record = run.record()
    return render_tab(
        server,
        version,
        "run",
        run=run.id,
        title=str(record.get("title", "damaged run")),
        status=server.tool_runs.status(run),
        result=markupsafe.Markup(run.read_whole(RESULT)),  # noqa: S704, the command escapes what is from the data
        output=run.read_text("output.txt"),
        notes=run.read_text("notes.txt"),
        outputs=run.outputs(),
        drift=read_drift(run),
    )


def read_drift(run: ToolRun) -> list[tuple[str, float, float, float]]:
    """Return how the parts of a split differ: each measure with the range of random splits."""
    from assay.splits.comparison.measuring import MEASURES

    content = (read_json_object(run.folder / "compare.json") or {}).get("result")
    first = next(iter(content.values()), None) if isinstance(content, dict) else None
    divergence = first.get("divergence") if isinstance(first, dict) else None
    if not isinstance(divergence, dict):
        return []
    rows = [(title, row if isinstance(row := divergence.get(name), dict) else {}) for name, title in MEASURES.items()]
    nulls = [null if isinstance(null := row.get("null"), dict) else {} for _, row in rows]
    values = [
        (title, row.get("value"), null.get("low"), null.get("high"))
        for (title, row), null in zip(rows, nulls, strict=True)
    ]
    return [row for row in values if all(isinstance(value, float) for value in row[1:])]  # type: ignore[misc]


def splits_page(server: Server, version: Version) -> str:
    """Render the splits of the audit, and a form to make others."""
    from assay.splits.registry import SPLITS

    return render_tab(
        server,
        version,
        "splits",
        fragments=render_sections(version, list_tab("splits")),
        methods=list(SPLITS),
        can_split="split" in server.tools and bool(version.files("data", "logs")),
        has_predictions=bool(version.files("predictions")),
        runs=summarise_runs(server, version, only_splits=True),
    )
