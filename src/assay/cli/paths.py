"""Files a command reads and writes: no output overwrites an input or another output.

The type of a parameter says which it is (`type=INPUT`, `OUTPUT` or `OutputFolder(…)`); `Verb` checks all of them
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
from click.shell_completion import CompletionItem
from click.types import StringParamType

from assay.base.errors import AssayError, UsageError
from assay.cli.help import write_options
from assay.cli.verbosity import make_options, report_compiling, report_steps

STANDARD_OUTPUT = STANDARD_INPUT = "-"
TABLE_FILES = "assay.table_files"  # of a context: files of --csv, --markdown and --latex that are not written yet
_SPOOLED = "assay.standard_input"


class AnyPath(StringParamType):
    """A path as the user wrote it."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse values that a plan can contain and a command line cannot: an empty name, a number, a table."""
        if not isinstance(value, (str, os.PathLike)) or not str(value) or "\0" in str(value):
            self.fail(f"{value!r} is not the name of a file.", param, ctx)
        return super().convert(str(value), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002, click's signature
        """Let the shell complete the names of files or folders."""
        return [CompletionItem(incomplete, type="dir" if isinstance(self, OutputFolder) else "file")]


class InputPath(AnyPath):
    """A file, folder or glob that is read; "-" is standard input, copied to a temporary file."""

    name = "input"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the path, or that of the copy of standard input, which one parameter can take."""
        path = super().convert(value, param, ctx)
        if path != STANDARD_INPUT or ctx is None or ctx.resilient_parsing:
            return path
        if _SPOOLED in ctx.meta:
            self.fail("Standard input (-) can be given only once.", param, ctx)
        from assay.inputs.standard_input import spool_standard_input

        ctx.meta[_SPOOLED] = True
        return str(ctx.with_resource(spool_standard_input()))


class OutputPath(AnyPath):
    """A file that is written."""

    name = "output"


class OutputFolder(AnyPath):
    """A folder that files are written to; `names` is the pattern of those that could also be an input."""

    name = "folder"

    def __init__(self, names: str = r"(?!)") -> None:
        """Compile the pattern; the default one matches nothing."""
        self.names = re.compile(names)


INPUT, OUTPUT = InputPath(), OutputPath()


@dataclass(frozen=True)
class PathArgument:
    """A path with its option."""

    option: str
    path: str
    kind: click.ParamType

    def __str__(self) -> str:
        """Write it as on the command line."""
        return f"{self.option} {self.path}"


class Verb(click.Command):
    """A command that refuses to overwrite its inputs, has -q and -v, and groups its options in the help."""

    def __init__(self, *values: Any, **options: Any) -> None:
        """Add the options that every command has."""
        super().__init__(*values, **options)
        self.params += make_options()

    def invoke(self, ctx: click.Context) -> Any:
        """Check all paths, then run."""
        check_paths(list(find_paths(ctx)))
        with report_steps(), report_compiling():
            outcome = super().invoke(ctx)
        for name in ctx.meta.get(TABLE_FILES, ()):
            raise UsageError(f"--{name} has no effect: there is no table to write.")
        return outcome

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in groups."""
        write_options(self, ctx, formatter)


def find_paths(context: click.Context) -> Iterator[PathArgument]:
    """Yield every path of the command line, the plan and the defaults."""
    for parameter in context.command.params:
        value = context.params.get(str(parameter.name))
        if value is None or not isinstance(parameter.type, AnyPath):
            continue
        name = max(parameter.opts, key=len) if isinstance(parameter, click.Option) else parameter.make_metavar(context)
        for path in value if isinstance(value, (list, tuple)) else [value]:
            yield PathArgument(name.strip("[]."), path, parameter.type)


def check_paths(arguments: list[PathArgument]) -> None:
    """Raise if an output is an input or another output, or is not writable."""
    inputs = [argument for argument in arguments if isinstance(argument.kind, InputPath)]
    others = [argument for argument in arguments if not isinstance(argument.kind, InputPath)]
    outputs = [argument for argument in others if argument.path != STANDARD_OUTPUT]
    targets: dict[object, PathArgument] = {}
    for out in outputs:
        for source in inputs:
            if overwrites(out, source):
                raise UsageError(f"{out} would overwrite {source}. Choose another file for the output.")
        other = targets.setdefault(identify_file(out.path), out)
        if other is not out and not is_device(out.path):
            raise UsageError(f"{other.option} and {out.option} both name {out.path}. Choose two different files.")
    for out in outputs:
        check_writable(out)


def overwrites(out: PathArgument, source: PathArgument) -> bool:
    """Return whether writing an output would change an input."""
    if is_device(out.path):
        return False
    if identify_file(out.path) == identify_file(source.path):
        return True
    if isinstance(out.kind, OutputFolder):
        return any(_is_target(out, path) for path in expand_pattern(source.path))
    if Path(source.path).is_dir():
        return Path(out.path).is_file() and _is_input_file(source.path, out.path)
    return any(identify_file(path) == identify_file(out.path) for path in expand_pattern(source.path))


def identify_file(path: str | Path) -> object:
    """Return a key that two names of one file share: its inode, or its resolved name."""
    try:
        status = os.stat(path)  # noqa: PTH116, also for names that Path refuses
    except (OSError, ValueError):
        return os.path.realpath(path)
    return status.st_dev, status.st_ino


def expand_pattern(path: str) -> list[str]:
    """Return the files of an input: itself, or those that match its pattern."""
    if Path(path).exists() or not glob.has_magic(path):
        return [path]
    return glob.glob(path, recursive=True)  # noqa: PTH207, absolute patterns too


def is_device(path: str) -> bool:
    """Return whether a path exists and is neither file nor folder, such as /dev/null."""
    target = Path(path)
    return target.exists() and not target.is_file() and not target.is_dir()


def check_writable(out: PathArgument) -> None:
    """Raise for a folder instead of a file, a missing folder, and a folder without write permission."""
    path = Path(out.path)
    if isinstance(out.kind, OutputFolder):
        if path.exists() and not path.is_dir():
            raise UsageError(f"{out} is a file. Choose a folder.")
        return
    if path.is_dir():
        raise UsageError(f"{out} is a folder. Choose a file in it.")
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise UsageError(f"{out}: there is no folder {path.parent}. Create it first.")
    if not is_device(out.path):
        try_to_write(folder, out)


def try_to_write(folder: Path, out: PathArgument) -> None:
    """Create a temporary file: only trying shows whether a folder is writable."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise AssayError(f"{out} cannot be written: {error.strerror}.") from error


def _is_target(out: PathArgument, source: str) -> bool:
    assert isinstance(out.kind, OutputFolder)
    try:
        inside = Path(os.path.realpath(source)).relative_to(os.path.realpath(out.path))
    except ValueError:
        return False
    return out.kind.names.fullmatch(inside.as_posix()) is not None


def _is_input_file(folder: str, path: str) -> bool:
    from assay.data.readers.formats import has_readable_name

    inside = Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
    return inside and has_readable_name(Path(path))
