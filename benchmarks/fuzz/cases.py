"""A case: files, the one of them that is damaged, and how they are read."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from benchmarks.fuzz.mutant import Mutant

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
N_ROWS = 40
INTERNAL_ERROR = 70  # exit status of a command that met an exception it does not know
# A note on what is missing has one of these.
LOSS_WORDS = (
    *("left out", "without", "no score", "no gold", "missing", "not used", "dropped", "skipped", "cut off", "not in"),
    *("no metric", "unfinished", "damaged", "not scored", "incomplete", "failed", "no item", "perturb", "empty"),
)


class CommandError(AssayError):
    """A command refused its input."""


class InternalError(Exception):
    """A command or a page ended in an exception it does not know."""


@dataclass(frozen=True)
class Outcome:
    """What was read: how many rows, systems and tasks, and what the notes say; a command has no sizes."""

    n_rows: int = 0
    n_systems: int = 1
    n_tasks: int = 1
    notes: tuple[str, ...] = ()

    def find_loss(self, whole: Outcome, rest: Outcome | None, mutant: Mutant) -> str:
        """Name what disappeared in comparison with the whole file, without a note; else nothing.

        `rest` is what the other files hold: a file that is there may lose rows, but must not count for nothing.
        """
        new = [note for note in self.notes if note not in whole.notes]
        if mutant.name or any(word in note.lower() for note in new for word in LOSS_WORDS):
            return ""
        if not mutant.keeps_rows:
            same = rest is not None and self.sizes == rest.sizes != whole.sizes
            return "all that the file holds" if same else ""
        pairs = zip(("rows", "systems", "tasks"), self.sizes, whole.sizes, strict=True)
        return ", ".join(f"{name} {now} of {before}" for name, now, before in pairs if now < before)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Return the numbers of rows, systems and tasks."""
        return self.n_rows, self.n_systems, self.n_tasks


@dataclass(frozen=True)
class Case:
    """Files and how they are read; `target` is the one that is damaged.

    `read` takes the folder of the files and the name of the target. `covers` names the formats, logs, kinds of task
    and options that the case tries. `values` are the contents to try instead of mutants. `pack` turns the damaged
    content into that of the file.
    """

    name: str
    files: Mapping[str, bytes]
    target: str
    read: Callable[[Path, str], Outcome]
    covers: tuple[str, ...] = ()
    values: tuple[bytes, ...] = ()
    pack: Callable[[bytes], bytes] | None = field(default=None, repr=False)

    def run(self, folder: Path, mutant: Mutant | None = None, *, without: bool = False) -> Outcome:
        """Write the files, the target with other content or not at all, and read them."""
        self.write_files(folder, mutant, without=without)
        os.chdir(folder)
        return self.read(folder, mutant.name if mutant and mutant.name else self.target)

    def write_files(self, folder: Path, mutant: Mutant | None = None, *, without: bool = False) -> None:
        """Write the files into an empty folder."""
        os.chdir(folder.parent)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, content in self.files.items():
            if name == self.target:
                if without:
                    continue
                name = mutant.name or name if mutant else name
                content = mutant.content if mutant else content
                content = self.pack(content) if self.pack else content
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def read_path(folder: Path, target: str, *, function: Callable[[Path], Outcome]) -> Outcome:
    """Read the target alone."""
    return function(folder / target)


def read_folder(folder: Path, _target: str, *, function: Callable[[Path], Outcome]) -> Outcome:
    """Read the folder of the files."""
    return function(folder)


def run_command(_folder: Path, target: str, *, arguments: tuple[str, ...], original: str) -> Outcome:
    """Run a command in the folder of the files; the arguments name the target."""
    from assay.cli.main import main

    output, errors = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            main([target if argument == original else argument for argument in arguments])
    except SystemExit as request:
        message = errors.getvalue()
        if request.code == INTERNAL_ERROR or "Traceback" in message:
            raise InternalError(_shorten_traceback(message)) from None
        if request.code not in (0, None):
            raise CommandError(message.rstrip().rpartition("\n")[2]) from None
    return Outcome()


def _shorten_traceback(message: str) -> str:
    """Return the last line of a traceback, and where it was raised."""
    places = re.findall(r'File "([^"]+)", line (\d+)', message)
    place = f"{Path(places[-1][0]).name}:{places[-1][1]}: " if places else ""
    return place + next((line for line in reversed(message.splitlines()) if line and not line.startswith(" ")), "")


def make_command(line: str, files: Mapping[str, bytes], target: str, covers: tuple[str, ...]) -> Case:
    """Return the case of a command line, which names the target among its files."""
    arguments = tuple(line.split())
    run = partial(run_command, arguments=arguments, original=target)
    return Case(f"{line} [{target}]", files, target, run, covers)


def read_head(name: str, n_rows: int = N_ROWS) -> str | None:
    """Return the first lines of a shared file; None if it is missing."""
    path = SHARED / name
    if not path.exists():
        return None
    opener: Any = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return "".join(line for line, _ in zip(file, range(n_rows + 1), strict=False))
