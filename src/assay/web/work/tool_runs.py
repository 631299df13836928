"""Runs of commands on the files of a version, each in a folder of its own, one at a time."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import AssayError, UsageError
from assay.system.files import copy_file, open_temporary
from assay.system.json import JsonObject
from assay.system.processes import make_child_environment
from assay.web.damage import read_json_object
from assay.web.errors import NotFoundError
from assay.web.store import ID_PATTERN, Version, current_time, make_id
from assay.web.tools import Tool, ToolInput, ToolOption
from assay.web.work.jobs import kill_worker
from assay.web.work.sources import find_data_files, get_encoding, link_files, make_safe_names

MAX_RUNS = 50
MAX_VALUE_LENGTH = 300
MAX_SHOWN = 200_000  # characters of the output
RESULT = "result.html"
WIDTH = "112"  # of the tables, in characters
RECOMMENDED = "recommended"
_SLASH = re.compile(r"[/\\]")
OUTPUT_NAMES = re.compile(r"[a-z]+\.(tsv|json|zip)")


@dataclass(frozen=True)
class ToolRun:
    """One run of a command, or of several in a row."""

    folder: Path

    @property
    def id(self) -> str:
        """Return the name of the folder."""
        return self.folder.name

    def record(self) -> JsonObject:
        """Return the command and how it ended."""
        return read_json_object(self.folder / "run.json") or {}

    def update(self, **values: object) -> None:
        """Change some values of the record."""
        Version(self.folder).write("run.json", {**self.record(), **values})

    def read_text(self, name: str) -> str:
        """Return what the commands printed."""
        try:
            with (self.folder / name).open(encoding="utf-8", errors="replace") as file:
                return file.read(MAX_SHOWN)
        except OSError:
            return ""

    def read_whole(self, name: str) -> str:
        """Return the content of a file; nothing if it is too long to show."""
        text = self.read_text(name)
        return text if len(text) < MAX_SHOWN else ""

    def outputs(self) -> dict[str, int]:
        """Return the files that were written, with their sizes."""
        paths = [path for path in sorted(self.folder.glob("*")) if OUTPUT_NAMES.fullmatch(path.name)]
        return {path.name: path.stat().st_size for path in paths if path.name != "run.json" and path.is_file()}


class ToolRuns:
    """Start, watch and stop runs of commands."""

    def __init__(self) -> None:
        """Start without runs."""
        self._processes: dict[str, subprocess.Popen[bytes] | None] = {}
        self._lock = threading.Lock()
        self._turn = threading.Semaphore(1)

    def start(self, run: ToolRun, title: str, commands: Sequence[tuple[Tool, list[str]]]) -> None:
        """Run commands one after the other, in a thread."""
        words = [[tool.name, *arguments] for tool, arguments in commands]
        run.update(title=title, commands=words, started=current_time(), status="running")
        with self._lock:
            self._processes[run.id] = None
        threading.Thread(target=self._run, args=(run, commands), daemon=True).start()

    def stop(self, run: ToolRun) -> None:
        """End a run at once."""
        with self._lock:
            process = self._processes.get(run.id)
            if run.id in self._processes:
                run.update(status="stopped")
            if process is not None:
                kill_worker(process)

    def stop_all(self) -> None:
        """End all runs."""
        with self._lock:
            processes = [process for process in self._processes.values() if process is not None]
        for process in processes:
            kill_worker(process)

    def stop_version(self, version: Version, timeout: float = 10.0) -> None:
        """End all runs of a version, and wait until they have ended."""
        runs = [run for run in list_runs(version) if run.id in self._processes]
        for run in runs:
            self.stop(run)
        until = time.monotonic() + timeout
        while any(run.id in self._processes for run in runs) and time.monotonic() < until:
            time.sleep(0.02)

    def status(self, run: ToolRun) -> str:
        """Return running, done, failed or stopped."""
        status = str(run.record().get("status", "stopped"))
        return "stopped" if status == "running" and run.id not in self._processes else status

    def _run(self, run: ToolRun, commands: Sequence[tuple[Tool, list[str]]]) -> None:
        try:
            with self._turn:
                failed = any(self._run_command(run, tool, arguments) for tool, arguments in commands)
            pack_folders(run)
            self._end(run, "failed" if failed else "done")
        except Exception as error:  # a full disk, or a folder that was deleted
            self._end(run, "failed", f"{type(error).__name__}: {error}")
        finally:
            with self._lock:
                self._processes.pop(run.id, None)

    def _end(self, run: ToolRun, status: str, error: str = "") -> None:
        """Record how a run ended, if its folder is still there."""
        with self._lock, suppress(AssayError, OSError):
            if run.folder.is_dir() and run.record().get("status") == "running":
                run.update(status=status, finished=current_time())
                if error:
                    with (run.folder / "notes.txt").open("a", encoding="utf-8") as notes:
                        notes.write(f"{error}\n")

    def _run_command(self, run: ToolRun, tool: Tool, arguments: list[str]) -> int:
        """Run one command; its tables go to output.txt and result.html, its notes and errors to notes.txt."""
        with (run.folder / "output.txt").open("ab") as out, (run.folder / "notes.txt").open("ab") as notes:
            with self._lock:
                if run.record().get("status") != "running":
                    return 1
                process = self._processes[run.id] = subprocess.Popen(
                    [sys.executable, "-P", "-m", "assay", tool.name, *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=notes,
                    cwd=run.folder,
                    env={**make_child_environment(), "COLUMNS": WIDTH, "NO_COLOR": "1", "ASSAY_RESULT_HTML": RESULT},
                    start_new_session=True,
                )
            return process.wait()


def create_run(version: Version) -> ToolRun:
    """Create the folder of a run."""
    home = version.folder / "runs"
    home.mkdir(exist_ok=True, mode=0o700)
    if len([*home.iterdir()]) >= MAX_RUNS:
        raise UsageError(f"At most {MAX_RUNS} runs are kept per version.", hint="Delete some first.")
    run = ToolRun(home / make_id())
    run.folder.mkdir(mode=0o700)
    return run


def get_run(version: Version, name: str) -> ToolRun:
    """Return a run by its id."""
    run = ToolRun(version.folder / "runs" / name)
    if not ID_PATTERN.fullmatch(name) or run.folder.is_symlink() or not run.folder.is_dir():
        raise NotFoundError(f"There is no run {name[:40]}.")
    return run


def list_runs(version: Version) -> list[ToolRun]:
    """Return the runs of a version, the newest first."""
    home = version.folder / "runs"
    names = [path.name for path in home.iterdir() if ID_PATTERN.fullmatch(path.name)] if home.is_dir() else []
    return [ToolRun(home / name) for name in sorted(names, reverse=True)]


def list_folds(version: Version) -> dict[str, str]:
    """Return the folds that commands can use: those of earlier runs, and those the audit recommends."""
    folds = {
        run.id: str(run.record().get("title", "split")) for run in list_runs(version) if find_folds(version, run.id)
    }
    if (version.folder / "folds.tsv").is_file():
        folds[RECOMMENDED] = "recommended by the audit"
    return folds


def find_folds(version: Version, name: str) -> Path | None:
    """Return the folds file of a run, or the one that the audit recommends."""
    path = version.folder / "folds.tsv" if name == RECOMMENDED else get_run(version, name).folder / "split.tsv"
    return path if path.is_file() else None


def write_arguments(tool: Tool, version: Version, run: ToolRun, form: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the words of the command line: inputs, columns, options and outputs; no word is a path of the user."""
    words: list[str] = []
    has_table = False  # of scores or votes, which needs no items and no answers
    for number, each in enumerate(tool.inputs):
        inputs = [] if has_table else write_input(each, version, run, form.get(f"input-{number}", []))
        has_table = has_table or bool(inputs and not each.flag and set(each.kinds) & {"scores", "votes"})
        words += inputs
    words += write_roles(tool, version)
    for option in tool.options:
        words += write_option(option, form.get(option.name, []))
    for output in tool.outputs:
        words.append(f"{output.flag}={run.folder / output.name}")
    return words


def write_input(each: ToolInput, version: Version, run: ToolRun, chosen: Sequence[str]) -> list[str]:
    """Return the words for one input; `chosen` names files of the version by their names on disk."""
    if each.kinds == ("folds",):
        paths = [path for name in chosen if name and (path := find_folds(version, name)) is not None]
    elif "data" in each.kinds:
        return write_data(each, version, run)
    elif "logs" in each.kinds:
        paths = [link_files(version, "logs")] if version.files("logs") else []
    else:
        is_used = bool(chosen) or each.is_default
        files = [file for file in version.files(*each.kinds) if not chosen or file["file"] in chosen]
        paths = list(link_inputs(version, run, files).values()) if is_used and "" not in chosen else []
    if each.is_required and not paths:
        raise UsageError(f"There is no file of {' or '.join(each.kinds)}.", hint="Upload one first.")
    return [f"{each.flag}={path}" if each.flag else str(path) for path in paths]


def write_data(each: ToolInput, version: Version, run: ToolRun) -> list[str]:
    """Return the words for the data: one file, or train, dev and test."""
    if not version.files("data", "logs"):
        return []
    paths = find_data_files(version)
    if not version.files("data"):
        return [str(paths[""])] if not each.flag else [f"{each.flag}={paths['']}"]
    links = {version.path(file): path for file, path in zip(*link_pairs(version, run), strict=True)}
    words = []
    for part, path in paths.items():
        flag = each.flag if not part else f"--{part}"
        words.append(f"{flag}={links[path]}" if flag else str(links[path]))
    return words


def link_pairs(version: Version, run: ToolRun) -> tuple[list[JsonObject], list[Path]]:
    """Return the data files and their links, in the same order."""
    files = version.files("data")
    links = link_inputs(version, run, files)
    names = make_safe_names(files)
    return [names[name] for name in links], list(links.values())


def link_inputs(version: Version, run: ToolRun, files: Sequence[JsonObject]) -> dict[str, Path]:
    """Link files into the folder of a run under safe forms of their names, which name systems and datasets."""
    folder = run.folder / "in"
    folder.mkdir(exist_ok=True, mode=0o700)
    links = {}
    for name, file in make_safe_names(files).items():
        links[name] = folder / name
        if not links[name].exists():
            try:
                links[name].hardlink_to(version.path(file))
            except OSError:
                copy_file(version.path(file), links[name])
    return links


def write_roles(tool: Tool, version: Version) -> list[str]:
    """Return the words for the columns that the user chose; what was recognised needs none."""
    record = version.record()
    roles = record.get("roles") or {}
    values = {f"--{name}": roles.get(name) or "none" for name in ("label", "id", "split", "time", "group") if roles}
    words = [f"--text={name}" for name in roles.get("text", [])] if "--text" in tool.roles else []
    words += [f"{flag}={value}" for flag, value in values.items() if flag in tool.roles]
    if "--encoding" in tool.roles and get_encoding(version) != "utf-8":
        words.append(f"--encoding={get_encoding(version)}")
    if "--task" in tool.roles and record.get("task"):
        words.append(f"--task={record['task']}")
    return words


def write_option(option: ToolOption, values: Sequence[str]) -> list[str]:
    """Return the words for one option; a default needs none.

    >>> write_option(ToolOption("metric", "--metric", "text", "", is_repeatable=True), ["f1, accuracy"])
    ['--metric=f1', '--metric=accuracy']
    """
    text = values[0].strip() if values else ""
    if option.kind == "flag":
        return [option.flag] if text else []
    if not text or text == option.default:
        return []
    if len(text) > MAX_VALUE_LENGTH or "\0" in text:
        raise UsageError(f"has more than {MAX_VALUE_LENGTH} characters.", option=option.name)
    if option.kind == "choice" and text not in option.choices:
        raise UsageError(f"is '{text[:40]}'; it must be one of {', '.join(option.choices)}.", option=option.name)
    if option.kind == "text" and (_SLASH.search(text) or text.startswith(("~", "."))):
        raise UsageError("looks like a path; only files that were uploaded can be used.", option=option.name)
    parts = [part.strip() for part in text.split(",") if part.strip()] if option.is_repeatable else [text]
    return [f"{option.flag}={part}" if option.flag.startswith("--") else f"{option.flag}{part}" for part in parts]


def pack_folders(run: ToolRun) -> None:
    """Pack each folder of results into one archive to download."""
    for folder in (run.folder / "parts", run.folder / "converted"):
        if folder.is_dir():
            with (
                open_temporary(run.folder / f"{folder.name}.zip") as packed,
                zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
            ):
                for path in sorted(folder.rglob("*")):
                    if path.is_file():
                        archive.write(path, path.relative_to(folder))
