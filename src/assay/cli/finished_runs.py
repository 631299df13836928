"""Finished runs of a command: what it printed and wrote, repeated while everything that it depends on is the same.

A run is named by the code of this package, the installed packages, the options, the environment and the content of the
files that it reads. A run is kept with a code that only this user can make, as its files may hold scripts and its
output control characters: an entry that somebody else wrote counts as missing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import shutil
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.base.plugins import find_plugins
from assay.cli.paths import TABLE_FILES, InputPath, OutputFolder, expand_pattern, find_paths, is_device
from assay.cli.verbosity import get_level
from assay.system.terminal import SafeStream, record_output, repeat_output

Command = TypeVar("Command", bound=Callable[..., object])
MAX_BYTES = 1 << 28  # of the inputs; to read larger ones again takes longer than a second
MAX_SIBLINGS = 10_000
# A single file of another format may name files anywhere.
SUFFIXES = {".tsv", ".csv", ".txt", ".jsonl", ".ndjson", ".parquet", ".toml"}
PACKED = {".gz", ".bz2", ".xz", ".zst"}
VARIABLES = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TERM", "COLORTERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
UNREPEATABLE = ("private", "no_cache", "budget", "step_summary", "figures", "backend")
_FACTS = ("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino")
_REFUSED = "assay.run_is_not_kept"  # in the context of a command


class CannotKeepError(Exception):
    """Raised when a run depends on more than can be checked."""


@dataclass
class FinishedRun:
    """The output of a run, the files it wrote, and its exit status."""

    output: list[tuple[str, str]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    status: int = 0

    def encode(self, secret: bytes, key: str) -> bytes:
        """Return the run as bytes, after the code that proves who wrote it."""
        files = {path: base64.b64encode(content).decode() for path, content in self.files.items()}
        body = zlib.compress(json.dumps([self.output, files, self.status]).encode("utf-8", "surrogatepass"), 1)
        return _sign(secret, key, body) + body

    @classmethod
    def decode(cls, content: bytes, secret: bytes, key: str) -> FinishedRun | None:
        """Return the run; None if it is damaged or was not written with this secret under this key."""
        if not hmac.compare_digest(content[:32], _sign(secret, key, content[32:])):
            return None
        output, files, status = json.loads(zlib.decompress(content[32:]).decode("utf-8", "surrogatepass"))
        written = {path: base64.b64decode(text) for path, text in files.items()}
        return cls([(name, text) for name, text in output], written, status)


def repeat_finished_runs(command: Command) -> Command:
    """Let a command repeat its finished run instead of running again."""

    @wraps(command)
    def run(**options: Any) -> None:
        context = click.get_current_context()
        try:
            secret, key = read_secret(), identify_run(context)
        except (CannotKeepError, OSError):
            command(**options)
            return
        from assay.tasks.cache import find_code_folder

        path = find_code_folder(options["cache"] or True) / "runs" / f"{key}.run"
        known = _read_run(path, secret, key)
        if known is not None:
            _repeat(context, known)
            return
        before = {out: _identify_version(out) for out in find_outputs(context)}
        with record_output() as output:
            status = _run(command, options)
        try:
            is_same = _REFUSED not in context.meta and identify_run(context) == key
        except (CannotKeepError, OSError):
            is_same = False
        if is_same:
            files = {
                out: Path(out).read_bytes() for out, version in before.items() if _identify_version(out) != version
            }
            _keep_run(path, FinishedRun(output, files, status).encode(secret, key))
        if status:
            raise SystemExit(status)

    return run  # type: ignore[return-value]


def refuse_keeping() -> None:
    """Say that the running command must not be repeated, because a part of it failed."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_REFUSED] = True


def identify_run(context: click.Context) -> str:
    """Return a name that changes with everything that the output of a run depends on."""
    options = context.params
    has_effects = any(options.get(name) for name in UNREPEATABLE) or "ASSAY_RESULT_HTML" in os.environ
    is_guarded = isinstance(sys.stdout, SafeStream) and isinstance(sys.stderr, SafeStream)
    if has_effects or not is_guarded or get_level() == "verbose" or find_plugins():
        raise CannotKeepError
    # The files with tables are taken from the context while the command runs.
    tables = context.meta.setdefault(f"{TABLE_FILES}.all", dict(context.meta.get(TABLE_FILES, {})))
    outputs = find_outputs(context)
    inputs = [argument.path for argument in find_paths(context) if isinstance(argument.kind, InputPath)]
    facts = [
        str(Path.cwd()),
        sorted((name, repr(value)) for name, value in options.items()),
        sorted(tables.items()),
        get_level(),
        _describe_environment(),
        list(_describe_inputs(inputs, {os.path.realpath(path) for path in outputs})),
    ]
    return hashlib.sha256(json.dumps(facts).encode("utf-8", "surrogatepass")).hexdigest()[:40]


def find_outputs(context: click.Context) -> list[str]:
    """Return the files that a run writes; one that is a folder or a device cannot be kept."""
    tables = context.meta.get(f"{TABLE_FILES}.all", {})
    outputs = [argument for argument in find_paths(context) if not isinstance(argument.kind, InputPath)]
    paths = [path for path in (*(argument.path for argument in outputs), *tables.values()) if path != "-"]
    if any(isinstance(argument.kind, OutputFolder) for argument in outputs) or any(map(is_device, paths)):
        raise CannotKeepError
    return sorted(set(paths))


def read_secret() -> bytes:
    """Return this user's secret, which is apart from the cache; it is made when it is first needed."""
    base = os.environ.get("XDG_STATE_HOME")
    path = (Path(base) if base else Path.home() / ".local" / "state") / "assay" / "secret"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = path.with_name(f"secret-{secrets.token_hex(4)}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(32))
        temporary.replace(path)
    secret = path.read_bytes()
    if len(secret) < 32:
        raise CannotKeepError
    return secret


def _describe_environment() -> list[object]:
    """Return the packages, the streams and the variables of this process."""
    folders = [Path(folder) for folder in sys.path if folder.endswith("-packages")]
    packages = [(str(folder), folder.stat().st_mtime_ns) for folder in folders if folder.is_dir()]
    streams = [(stream.isatty(), stream.encoding) for stream in (sys.stdout, sys.stderr)]
    size = tuple(shutil.get_terminal_size()) if any(is_terminal for is_terminal, _ in streams) else None
    own = {name: value for name, value in os.environ.items() if name.startswith("ASSAY_") or name in VARIABLES}
    return [sys.version, packages, streams, size, sorted(own.items())]


def _describe_inputs(inputs: list[str], outputs: set[str]) -> Iterator[object]:
    """Yield what is known of every file of the inputs."""
    rest = MAX_BYTES
    for source in inputs:
        names = sorted(expand_pattern(source))
        if not names:
            raise CannotKeepError
        for path in map(Path, names):
            if path.is_dir():
                entries = sorted(path.rglob("*"))
                if len(entries) > MAX_SIBLINGS or any(entry.is_symlink() for entry in entries):
                    raise CannotKeepError
                files = [entry for entry in entries if entry.is_file()]
            elif path.is_file() and _find_suffix(path) in SUFFIXES:
                files = [path]
                yield _list_siblings(path, outputs)
            else:  # an address, a column, a pipe, or a file that names others
                raise CannotKeepError
            rest -= sum(file.stat().st_size for file in files)
            if rest < 0:
                raise CannotKeepError
            for file in files:
                with file.open("rb") as content:
                    yield str(file), hashlib.file_digest(content, "blake2b").hexdigest()


def _find_suffix(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return (suffixes[-2:-1] or [""])[0] if suffixes and suffixes[-1] in PACKED else (suffixes or [""])[-1]


def _list_siblings(path: Path, outputs: set[str]) -> Sequence[object]:
    """Return the files next to a file, which may have the names of its labels, without those that the run writes."""
    with os.scandir(os.path.realpath(path.parent)) as entries:
        files = [entry for entry in entries if entry.is_file() and entry.path not in outputs and entry.name[0] != "."]
    if len(files) > MAX_SIBLINGS:
        raise CannotKeepError
    return sorted((entry.name, *(getattr(entry.stat(), name) for name in _FACTS)) for entry in files)


def _identify_version(path: str) -> tuple[int, int] | None:
    """Return what changes when a file is written; None if it does not exist."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _run(command: Callable[..., object], options: Options) -> int:
    """Run a command and return its exit status, which is 1 if a check failed; any other end is raised."""
    try:
        command(**options)
    except SystemExit as end:
        if end.code != 1:
            raise
        return 1
    return 0


def _sign(secret: bytes, key: str, body: bytes) -> bytes:
    return hmac.digest(secret, key.encode() + body, "sha256")


def _read_run(path: Path, secret: bytes, key: str) -> FinishedRun | None:
    try:
        return FinishedRun.decode(path.read_bytes(), secret, key)
    except (OSError, ValueError, zlib.error):
        return None


def _keep_run(path: Path, content: bytes) -> None:
    from assay.system.files import open_for_writing

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open_for_writing(path, "wb", at_once=True) as file:
            file.write(content)
    except (OSError, AssayError):
        return  # on a full disk or in a read-only folder the next run is a whole one


def _repeat(context: click.Context, run: FinishedRun) -> None:
    """Write the files and the output of a run again, and end with its exit status."""
    from assay.system.files import write_bytes, write_together

    with write_together():
        for path, content in run.files.items():
            write_bytes(path, content)
    context.meta.pop(TABLE_FILES, None)
    repeat_output(run.output)
    if run.status:
        raise SystemExit(run.status)
