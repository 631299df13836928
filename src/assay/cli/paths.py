"""Files a command reads and writes: no output goes over an input or over another output.

A parameter says what it is by its type (`type=INPUT`, `OUTPUT` or `OutputFolder(…)`); `Verb` looks at all of them
before any work is done.
"""

from __future__ import annotations

import glob
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.types import StringParamType

from assay.base.errors import AssayError, UsageError

STANDARD_OUTPUT = "-"


class _Path(StringParamType):
    """A path, kept as it was written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what a plan may hold and a command line cannot: an empty name, a number, a table."""
        if not isinstance(value, (str, os.PathLike)) or not str(value) or "\0" in str(value):
            self.fail(f"{value!r} is not the name of a file.", param, ctx)
        return super().convert(str(value), param, ctx)


class InputPath(_Path):
    """A file, folder or glob that is read."""

    name = "input"


class OutputPath(_Path):
    """A file that is written."""

    name = "output"


class OutputFolder(_Path):
    """A folder that files are written to; `names` is the pattern of those that could also be an input."""

    name = "folder"

    def __init__(self, names: str = r"(?!)") -> None:
        """Keep the pattern; the usual one matches nothing."""
        self.names = re.compile(names)


INPUT, OUTPUT = InputPath(), OutputPath()


@dataclass(frozen=True)
class Given:
    """A path as the user gave it, and the option it was given to."""

    option: str
    path: str
    kind: click.ParamType

    def __str__(self) -> str:
        """Write it as on the command line."""
        return f"{self.option} {self.path}"


class Verb(click.Command):
    """A command that refuses to write over what it reads."""

    def invoke(self, ctx: click.Context) -> Any:
        """Check all paths, then run."""
        refuse_overwriting(list(given_paths(ctx)))
        return super().invoke(ctx)


def given_paths(context: click.Context) -> Iterator[Given]:
    """Yield every path the command line, the plan or a default gives."""
    for parameter in context.command.params:
        value = context.params.get(str(parameter.name))
        if value is None or not isinstance(parameter.type, _Path):
            continue
        shown = max(parameter.opts, key=len) if isinstance(parameter, click.Option) else parameter.make_metavar(context)
        for path in value if isinstance(value, (list, tuple)) else [value]:
            yield Given(shown.strip("[]."), path, parameter.type)


def refuse_overwriting(given: list[Given]) -> None:
    """Raise where an output is an input or another output, or can be seen not to be writable."""
    inputs = [one for one in given if isinstance(one.kind, InputPath)]
    outputs = [one for one in given if not isinstance(one.kind, InputPath) and one.path != STANDARD_OUTPUT]
    seen: dict[object, Given] = {}
    for out in outputs:
        for source in inputs:
            if goes_over(out, source):
                raise UsageError(f"{out} would write over {source}. Name another file for the output.")
        other = seen.setdefault(identity(out.path), out)
        if other is not out and not is_device(out.path):
            raise UsageError(f"{other.option} and {out.option} both name {out.path}. Give each a file of its own.")
    for out in outputs:
        refuse_unwritable(out)


def goes_over(out: Given, source: Given) -> bool:
    """Tell whether writing an output would change what an input holds."""
    if is_device(out.path):
        return False
    if identity(out.path) == identity(source.path):
        return True
    if isinstance(out.kind, OutputFolder):
        return any(_named_by(out, path) for path in matches(source.path))
    if Path(source.path).is_dir():
        return Path(out.path).is_file() and _is_read_from(source.path, out.path)
    return any(identity(path) == identity(out.path) for path in matches(source.path))


def identity(path: str | Path) -> object:
    """Return what is the same for two names of one file: its number on the disk, or its resolved name."""
    try:
        about = os.stat(path)  # noqa: PTH116, names that no Path takes are met too
    except (OSError, ValueError):
        return os.path.realpath(path)
    return about.st_dev, about.st_ino


def matches(path: str) -> list[str]:
    """Return the files an input names: itself, or those its pattern matches."""
    if Path(path).exists() or not glob.has_magic(path):
        return [path]
    return glob.glob(path, recursive=True)  # noqa: PTH207, absolute patterns too


def is_device(path: str) -> bool:
    """Tell whether a path is there but neither file nor folder, as /dev/null is."""
    there = Path(path)
    return there.exists() and not there.is_file() and not there.is_dir()


def refuse_unwritable(out: Given) -> None:
    """Raise for a folder in a file's place, for a folder that is not there, and where writing is forbidden."""
    path = Path(out.path)
    if isinstance(out.kind, OutputFolder):
        if path.exists() and not path.is_dir():
            raise UsageError(f"{out} is a file. Name a folder.")
        return
    if path.is_dir():
        raise UsageError(f"{out} is a folder. Name a file in it.")
    home = Path(os.path.realpath(path)).parent
    if not home.is_dir():
        raise UsageError(f"{out}: there is no folder {path.parent}. Make it first.")
    if not is_device(out.path):
        try_to_write(home, out)


def try_to_write(folder: Path, out: Given) -> None:
    """Make a file that vanishes at once: only trying tells whether a folder takes files."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise AssayError(f"{out} cannot be written: {error.strerror}.") from error


def _named_by(out: Given, source: str) -> bool:
    assert isinstance(out.kind, OutputFolder)
    try:
        inside = Path(os.path.realpath(source)).relative_to(os.path.realpath(out.path))
    except ValueError:
        return False
    return out.kind.names.fullmatch(inside.as_posix()) is not None


def _is_read_from(folder: str, path: str) -> bool:
    from assay.data.readers.formats import has_readable_name

    inside = Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
    return inside and has_readable_name(Path(path))
