"""Run mutants in worker processes, each with limits on time and memory."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import random
import resource
import signal
import tempfile
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path, PurePosixPath
from typing import Any

from assay.base.errors import MAX_MESSAGE, AssayError
from benchmarks.fuzz.cases import Case, Outcome
from benchmarks.fuzz.mutant import Mutant
from benchmarks.fuzz.mutations import mutate

SECONDS = 10  # of processor time per mutant, which does not depend on what else the machine does
MAX_WAIT = 300  # seconds until a worker that does not answer is killed
MAX_BYTES = 1 << 30  # that a mutant may allocate
REFUSED, READ, FAILED = "refused", "read", "failed"
ENVIRONMENT = {
    "ASSAY_TRACEBACK": "1",
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "NO_COLOR": "1",
    "MALLOC_ARENA_MAX": "2",
    "POLARS_MAX_THREADS": "2",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


class HangError(BaseException):
    """A mutant took too long; not an Exception, so that nothing on the way catches it."""


@dataclass(frozen=True)
class Failure:
    """A mutant that ended in an unknown exception, a long message, a silent loss, a hang or a crash."""

    case: str
    mutant: Mutant
    number: int
    reason: str


@dataclass
class Report:
    """How often each case was read, refused or failed, and the failures."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def find_shortest(self) -> list[Failure]:
        """Return the shortest mutant of every failure: the same reason in the same case is one failure."""
        shortest: dict[tuple[str, str], Failure] = {}
        for failure in self.failures:
            key = failure.case, failure.reason[:60]
            if key not in shortest or len(failure.mutant.content) < len(shortest[key].mutant.content):
                shortest[key] = failure
        return sorted(shortest.values(), key=lambda failure: (failure.reason, failure.case))


def make_mutant(case: Case, seed: int, number: int) -> Mutant:
    """Return the mutant of a number, always the same."""
    generator = random.Random(f"{seed} {number}")
    if case.values:
        return Mutant("value", generator.choice(case.values))
    return mutate(PurePosixPath(case.target), case.files[case.target], generator)


def run_fuzz(
    cases: Sequence[Case],
    n: int,
    seed: int = 0,
    jobs: int = 1,
    seconds: float = SECONDS,
    on_result: Callable[[int, Failure | None], None] | None = None,
) -> Report:
    """Try n mutants of the cases in turn, each for so many seconds of processor time.

    One worker tries all mutants of a case, as it reads the undamaged files first. `on_result` gets the number of
    mutants tried so far, and the failure if the last one failed.
    """
    report, places, lock = Report(), iter(range(min(n, len(cases)))), threading.Lock()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "cases"
        path.write_bytes(pickle.dumps(list(cases)))

        def drive() -> None:
            with Worker(path, seconds) as worker:
                while True:
                    with lock:
                        place = next(places, None)
                    if place is None:
                        return
                    case = cases[place]
                    for number in range(place, n, len(cases)):
                        result, reason = worker.check(seed, number)
                        with lock:
                            report.counts[case.name, result] += 1
                            failure = None
                            if reason:
                                failure = Failure(case.name, make_mutant(case, seed, number), number, reason)
                                report.failures.append(failure)
                            if on_result is not None:
                                on_result(report.counts.total(), failure)

        threads = [threading.Thread(target=drive) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    report.failures.sort(key=lambda failure: failure.number)
    return report


class Worker:
    """A process that checks one mutant at a time; it is started again after a crash or a hang."""

    def __init__(self, cases: Path, seconds: float) -> None:
        """Remember the file with the cases; the process starts with the first mutant."""
        self._arguments = cases, seconds
        self._process: Any = None
        self._connection: Connection | None = None

    def __enter__(self) -> Worker:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Stop the process."""
        self._stop()

    def check(self, seed: int, number: int) -> tuple[str, str]:
        """Return what became of a mutant, and why it failed."""
        connection = self._connection or self._start()
        try:
            connection.send((seed, number))
            while True:
                if not connection.poll(MAX_WAIT):
                    self._stop()
                    return FAILED, f"hangs for more than {MAX_WAIT} s, and cannot be interrupted"
                answer: tuple[str, str] | None = connection.recv()
                if answer is not None:  # None: the undamaged files are read, which compiles what they need
                    return answer
        except (EOFError, ConnectionError):
            self._process.join()
            code = self._process.exitcode
            self._stop()
            return FAILED, f"the process ends with {code}"

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        self._connection, end = context.Pipe()
        self._process = context.Process(target=serve, args=(end, *self._arguments), daemon=True)
        self._process.start()
        end.close()
        return self._connection

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._connection = None


def serve(connection: Connection, path: Path, seconds: float) -> None:
    """Check the mutants whose numbers arrive."""
    os.environ.update(ENVIRONMENT)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # libraries in other languages write there
    cases: list[Case] = pickle.loads(path.read_bytes())
    signal.signal(signal.SIGPROF, _raise_hang)
    wholes: dict[int, tuple[Outcome | str, Outcome | None]] = {}
    with tempfile.TemporaryDirectory() as name:
        os.environ["ASSAY_CACHE"] = str(Path(name) / "cache")
        folder = Path(name) / "case"
        while True:
            try:
                seed, number = connection.recv()
            except EOFError:
                return
            place = number % len(cases)
            if place not in wholes:
                with _Beat(connection):
                    wholes[place] = _read_whole(cases[place], folder), _read_rest(cases[place], folder)
            mutant = make_mutant(cases[place], seed, number)
            connection.send(check_mutant(cases[place], *wholes[place], mutant, folder, seconds))


class _Beat:
    """Tell the parent every few seconds that work goes on, which takes long when loops are compiled."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._done = connection, threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_error: object) -> None:
        self._done.set()
        self._thread.join()

    def _send(self) -> None:
        while not self._done.wait(5):
            self._connection.send(None)


def _read_whole(case: Case, folder: Path) -> Outcome | str:
    """Return what the undamaged files hold, or why they cannot be read, which makes the case useless."""
    try:
        return case.run(folder)
    except Exception as error:
        return f"the undamaged files are refused: {error}"


def _read_rest(case: Case, folder: Path) -> Outcome | None:
    """Return what the files next to the target hold; None if there is nothing to read."""
    try:
        return case.run(folder, without=True)
    except Exception:  # a missing file is not a mutant
        return None


def check_mutant(
    case: Case, whole: Outcome | str, rest: Outcome | None, mutant: Mutant, folder: Path, seconds: float
) -> tuple[str, str]:
    """Return what became of a mutant (refused, read, failed) and why it failed."""
    if isinstance(whole, str):
        return FAILED, whole
    try:
        with _Limits(seconds):
            outcome = case.run(folder, mutant)
    except AssayError as error:
        message = str(error)
        if len(message) > MAX_MESSAGE or "\n" in message:
            return FAILED, f"a message of {len(message)} characters and {message.count(chr(10))} line breaks"
        return REFUSED, ""
    except HangError as error:
        return FAILED, f"hangs for more than {seconds:g} s in {_find_place(error)}"
    except BaseException as error:  # panics of other languages are no Exceptions
        return FAILED, f"{type(error).__name__} in {_find_place(error)}: {str(error)[:160]}"
    loss = outcome.find_loss(whole, rest, mutant)
    return (FAILED, f"lost without a note: {loss}") if loss else (READ, "")


def _find_place(error: BaseException) -> str:
    """Return where an exception was raised: the last line of this package, and the very last."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.name != _raise_hang.__name__]
    own = [frame for frame in frames if "/assay/" in frame.filename] or frames
    places = dict.fromkeys(f"{Path(frame.filename).name}:{frame.lineno}" for frame in (own[-1], frames[-1]))
    return " → ".join(places)


class _Limits:
    """Limits on the time and the memory of one mutant."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
        limit = pages * resource.getpagesize() + MAX_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_PROF, self._seconds)

    def __exit__(self, *_error: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def _raise_hang(_number: int, _frame: object) -> None:
    raise HangError


def save_failures(failures: Iterable[Failure], cases: Sequence[Case], folder: Path) -> None:
    """Write the files of each failure into a folder of its own, with the reason."""
    known = {case.name: case for case in cases}
    for number, failure in enumerate(failures):
        home = (folder / f"{number + 1:03}").resolve()
        home.mkdir(parents=True, exist_ok=True)
        known[failure.case].write_files(home / "files", failure.mutant)
        text = f"{failure.case}\n{failure.mutant.kind} (mutant {failure.number})\n{failure.reason}\n"
        (home / "reason.txt").write_text(text, encoding="utf-8")
