"""The pages of a version before and during its audit."""

from __future__ import annotations

from assay.checks import CHECKS
from assay.kinds import KINDS
from assay.system.json import JsonObject
from assay.web import uploads
from assay.web.damage import find_damage
from assay.web.formatting import describe_progress
from assay.web.forms import ENCODINGS
from assay.web.pages.summaries import group_datasets
from assay.web.pages.templates import render_template
from assay.web.server import Server
from assay.web.store import Version
from assay.web.work.audit_run import get_options
from assay.web.work.jobs import load_preview
from assay.web.work.preview import EMPTY_PREVIEW
from assay.web.work.sources import get_encoding, propose_name
from assay.wording.sentences import count_noun


def home_page(server: Server) -> str:
    """Render the first page: the drop zone, and the datasets."""
    folder = server.store.folder.resolve()
    return render_template(
        "home.html",
        server,
        datasets=group_datasets(server),
        folder=folder,
        max_bytes=server.max_bytes,
        deleted=server.store.find_deleted(),
    )


def prepare_preview(server: Server, version: Version) -> JsonObject:
    """Return the preview of the files; a version without a dataset becomes one of the dataset of its name."""
    preview = {**EMPTY_PREVIEW, **(load_preview(version) if version.files() else {})}
    if server.store.take_data(version):
        preview = {**EMPTY_PREVIEW, **load_preview(version)}
    if version.files() and not version.number:
        name = version.record().get("dataset") or choose_name(server, version, preview)
        server.store.assign_dataset(version, name)
    return preview


def choose_name(server: Server, version: Version, preview: JsonObject) -> str:
    """Return a name for new data: that of its files, with a number if other data has it already."""
    name, number = propose_name(version), 2
    while any(is_other_data(preview, other) for other in server.store.versions_of(name) if other.id != version.id):
        name, number = f"{propose_name(version)} ({number})", number + 1
    return name


def is_other_data(preview: JsonObject, other: Version) -> bool:
    """Return True if another version has other data: most columns have other names, or no label is the same."""
    before = {**EMPTY_PREVIEW, **(other.read("preview.json") or {})}
    if not preview["columns"] or not before["columns"]:
        return False
    columns, known = set(preview["columns"]), set(before["columns"])
    labels, known_labels = ({label for label, _ in each["labels"]} for each in (preview, before))
    return 2 * len(columns & known) < len(columns | known) or bool(
        labels and known_labels and not labels & known_labels
    )


def setup_page(server: Server, version: Version, status: str) -> str:
    """Render the page before a run: files, columns, options."""
    preview = prepare_preview(server, version)
    outcome = version.read("outcome.json") or {}
    stopped = "It was stopped before it ended." if status in ("stopped", "damaged") else None
    findings = get_partial_findings(version)
    return render_template(
        "setup.html",
        server,
        damage=find_damage(version.folder),
        id=version.id,
        name=version.name,
        number=version.number,
        preview=preview,
        files=version.files(),
        kinds=uploads.KINDS,
        tasks={name: kind.title for name, kind in KINDS.items()},
        task=version.record().get("task") or "auto",
        log_task=version.record().get("log_task"),
        error=outcome.get("error") or stopped,
        options=get_options(version),
        inputs=describe_inputs(preview),
        added_to=version.record().get("added_to"),
        stopped=status in ("stopped", "cancelled"),
        findings=findings,
        section_views=[CHECKS[name] for name in preview["sections"] if name in CHECKS] or list(CHECKS.values()),
        max_bytes=server.max_bytes,
        encoding=get_encoding(version),
        encodings=ENCODINGS,
    )


def damaged_page(server: Server, version: Version) -> str:
    """Render a version whose record is damaged, with the data that can still be read."""
    paths = sorted(path for path in version.folder.iterdir() if path.is_file())
    return render_template(
        "damaged.html",
        server,
        id=version.id,
        damage=find_damage(version.folder),
        folder=version.folder.resolve(),
        created=f"{version.id[:4]}-{version.id[4:6]}-{version.id[6:8]}",
        stored=[(path.name, path.stat().st_size) for path in paths],
    )


def describe_inputs(preview: JsonObject) -> list[str]:
    """Count what is audited without data: answers, scores, votes and verdicts.

    >>> describe_inputs({"systems": ["a"], "n_answered": 500, "n_datasets": 0, "n_votes": 0, "n_verdicts": 0})
    ['answers of 1 system to 500 items']
    """
    described = []
    if preview["systems"]:
        systems = count_noun(len(preview["systems"]), "system")
        described.append(f"answers of {systems} to {count_noun(preview['n_answered'], 'item')}")
    if preview["n_datasets"]:
        described.append(f"scores on {count_noun(preview['n_datasets'], 'dataset')}")
    if preview["n_votes"]:
        described.append(f"{count_noun(preview['n_votes'], 'vote')} on {count_noun(preview['vote_systems'], 'system')}")
    if preview["n_verdicts"]:
        judges = count_noun(preview["n_judges"], "judge")
        described.append(f"{count_noun(preview['n_verdicts'], 'verdict')} of {judges}")
    return described or ["files that cannot be read"]


def running_page(server: Server, version: Version, status: str) -> str:
    """Render the page during a run: progress, and the findings so far."""
    sections = [(name, CHECKS[name].title) for name in chosen_sections(version)]
    return render_template(
        "running.html",
        server,
        id=version.id,
        name=version.name,
        number=version.number,
        status=status,
        sections=sections,
        progress=get_progress(status, version),
        findings=get_partial_findings(version),
    )


def findings_fragment(server: Server, version: Version) -> str:
    """Render the findings so far."""
    return render_template("partial.html", server, findings=get_partial_findings(version))


def get_partial_findings(version: Version) -> list[dict[str, str]]:
    """Return the findings of the sections that have ended."""
    rows = (version.read("partial.json") or {}).get("findings") or []
    names = ("severity", "code", "claim")
    return [{name: str(row.get(name, "")) for name in names} for row in rows if isinstance(row, dict)]


def chosen_sections(version: Version) -> list[str]:
    """Return the sections of an audit: those that run, once that is known, else all that are chosen."""
    running = (version.read("progress.json") or {}).get("sections") or []
    known = [name for name in running if isinstance(name, str) and name in CHECKS]
    applying = [name for name in (version.read("preview.json") or {}).get("sections") or [] if name in CHECKS]
    return known or get_options(version)["sections"] or applying or list(CHECKS)


def get_progress(status: str, version: Version) -> JsonObject:
    """Return the progress of an audit, as values and in words."""
    progress = version.read("progress.json") or {}
    partial = version.read("partial.json") or {}
    described = describe_progress(status, progress, chosen_sections(version))
    counts = {"n_findings": len(partial.get("findings") or []), "n_ended": len(partial.get("sections") or {})}
    return {"status": status, "sections": chosen_sections(version), **described, **counts}
