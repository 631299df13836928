"""Disturb real runs and count what goes wrong: `python -m benchmarks.faults [--rounds 20] [--only CASE …]`.

Processes are killed at random moments, disks are full or read-only, streams are closed, terminals have old encodings.
After each disturbance the same command runs undisturbed. A round fails if there is a traceback, a half-written or
missing output, a process that survives, a temporary file that is left after the next start, or another result than
that of an undisturbed run.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

TIMEOUT = 300.0
GRACE_SECONDS = 4.0  # which workers may take to see that their parent is gone
MARK = "ASSAY_FAULTS_RUN"
UPLOAD_BYTES = 12_000_000
VOLATILE = {"created", "seconds", "finished", "time", "date", "timestamp", "started"}
ENCODINGS = {
    "cp1252": {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
    "locale C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"},
}
LEFTOVERS = ("*.part", "assay-*", "joblib_*", "loky-*", "tmp*", "pymp-*")


@dataclass
class Place:
    """The folders of one round: inputs are shared, everything else is its own."""

    inputs: Path
    home: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Create the folders."""
        for name in ("out", "temporary", "cache"):
            (self.home / name).mkdir(parents=True, exist_ok=True)
        self.mark = uuid.uuid4().hex

    def start(self, words: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
        """Start assay in a session of its own, so that all its processes can be found."""
        own = {"TMPDIR": str(self.home / "temporary"), "ASSAY_CACHE": str(self.home / "cache"), MARK: self.mark}
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **options}
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "assay", *words],
            cwd=self.home / "out",
            env={**os.environ, **own, **self.environment},
            start_new_session=True,
            **options,
        )

    def run(self, words: Sequence[str], **options: Any) -> tuple[int, str]:
        """Run assay to its end; return the exit status and what it printed."""
        with self.start(words, **options) as process:
            try:
                streams = process.communicate(timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                self.kill_all()
                streams = (b"", b"Traceback: the command did not end")
        return process.returncode, b"\n".join(stream or b"" for stream in streams).decode("utf-8", "replace")

    def find_processes(self) -> list[int]:
        """Return the processes of this round that are still running."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if self.mark.encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
        return found

    def kill_all(self) -> None:
        """End every process of this round."""
        for process in self.find_processes():
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)

    def find_orphans(self) -> list[str]:
        """Return a fault if processes survive, and end them."""
        until = time.monotonic() + GRACE_SECONDS
        while self.find_processes() and time.monotonic() < until:
            time.sleep(0.1)
        orphans = self.find_processes()
        self.kill_all()
        return ["orphan process"] if orphans else []

    def find_leftovers(self) -> list[str]:
        """Return a fault if temporary files are left."""
        folders = [self.home / name for name in ("out", "temporary", "cache")]
        names = [path.name for folder in folders for pattern in LEFTOVERS for path in folder.rglob(pattern)]
        return [f"leftover {name[:60]}" for name in names[:1]]

    def read_outputs(self) -> dict[str, Any]:
        """Return the content of all outputs, without times."""
        paths = [path for path in sorted((self.home / "out").rglob("*")) if path.is_file()]
        hidden = {path for pattern in LEFTOVERS for path in (self.home / "out").rglob(pattern)}
        return {str(path.relative_to(self.home / "out")): read_content(path) for path in paths if path not in hidden}


def read_content(path: Path) -> Any:
    """Return the content of a file in a form that equal results share."""
    content = path.read_bytes()
    if path.suffix == ".json":
        try:
            return strip_times(json.loads(content))
        except ValueError:
            return "half-written"
    if path.suffix == ".html":
        return content.rstrip().endswith(b"</html>") or "half-written"
    return content


def strip_times(value: Any) -> Any:
    """Leave out what differs between two equal runs."""
    if isinstance(value, dict):
        return {name: strip_times(each) for name, each in value.items() if name not in VOLATILE}
    return [strip_times(each) for each in value] if isinstance(value, list) else value


def find_traceback(printed: str) -> list[str]:
    """Return a fault if a traceback was printed."""
    lines = [line for line in printed.splitlines() if line.strip()]
    return [f"traceback: {lines[-1][:80]}"] if "Traceback" in printed else []


@dataclass
class Command:
    """A command to disturb, and what it gives undisturbed."""

    words: list[str]
    inputs: Path
    outputs: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    def measure(self, root: Path) -> Command:
        """Run twice undisturbed: once to compile and to know the result, once to know the time."""
        for number in range(2):
            place = Place(self.inputs, root / f"undisturbed-{uuid.uuid4().hex[:8]}")
            start = time.monotonic()
            status, printed = place.run(self.words)
            self.seconds = time.monotonic() - start
            if status:
                raise SystemExit(f"The undisturbed run failed: {' '.join(self.words)}\n{printed}")
            outputs = place.read_outputs()
            if number and outputs != self.outputs:
                raise SystemExit(f"Two undisturbed runs differ: {' '.join(self.words)}")
            self.outputs = outputs
            shutil.rmtree(place.home)
        return self

    def check_outputs(self, place: Place, *, complete: bool) -> list[str]:
        """Return faults of the outputs: those that are there must be whole, and after a whole run all are there."""
        outputs = place.read_outputs()
        faults = [f"half-written {name}" for name, value in outputs.items() if value == "half-written"]
        is_interrupted = '"interrupted": true' in json.dumps(outputs.get("a.json"))  # with the sections that were done
        same = {} if is_interrupted and not complete else self.outputs
        wrong = [name for name, value in outputs.items() if same.get(name, value) != value]
        faults += [f"different {name}" for name in wrong if outputs[name] != "half-written"]
        is_partial = 0 < len(outputs) < len(self.outputs)
        if is_partial or (complete and not outputs):
            faults.append(f"missing {min(self.outputs.keys() - outputs.keys())}")
        return faults

    def check_next_run(self, place: Place) -> list[str]:
        """Run again undisturbed, and compare with the undisturbed result."""
        place.environment = {}
        status, printed = place.run(self.words)
        faults = find_traceback(printed) or ([f"next run: exit {status}"] if status else [])
        return faults + self.check_outputs(place, complete=True) + place.find_leftovers()


def end_by_signal(
    command: Command, place: Place, moment: float, *, number: signal.Signals, workers: bool = False
) -> list[str]:
    """Send a signal at a moment of the run (a share of its time), or so long after the first worker appears."""
    process = place.start(command.words)
    if workers:
        until = time.monotonic() + TIMEOUT
        while len(place.find_processes()) < 2 and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(2 * moment)
    else:
        time.sleep(moment * command.seconds)
    process.send_signal(number)
    try:
        printed = b"\n".join(process.communicate(timeout=60)).decode("utf-8", "replace")
        faults = find_traceback(printed) if number != signal.SIGKILL else []
    except subprocess.TimeoutExpired:
        faults = ["does not end"]
    faults += place.find_orphans() + command.check_outputs(place, complete=False)
    return faults + command.check_next_run(place)


def kill_upload(command: Command, place: Place, moment: float) -> list[str]:
    """Kill a server during an upload, start it again, and upload again."""
    faults: list[str] = []
    for is_disturbed in (True, False):
        process = place.start(command.words, stderr=subprocess.STDOUT)
        origin, token = read_address(process)
        if not is_disturbed:
            faults += place.find_leftovers()
            faults += check_pages(origin, token)
        thread = threading.Thread(target=upload, args=(origin, token), daemon=True)
        thread.start()
        if is_disturbed:
            time.sleep(moment * 0.5)
        else:
            thread.join(TIMEOUT)
            faults += check_uploads(place.home / "out" / "store") + check_pages(origin, token)
        process.send_signal(signal.SIGKILL if is_disturbed else signal.SIGINT)
        printed = process.communicate(timeout=60)[0].decode("utf-8", "replace")
        faults += find_traceback(printed) + place.find_orphans()
        thread.join(TIMEOUT)
    return faults


def read_address(process: subprocess.Popen[bytes]) -> tuple[str, str]:
    """Return the address and the key that the server prints."""
    assert process.stdout is not None
    for line in process.stdout:
        if match := re.search(rb"http://([\d.:]+)/\?token=(\S+)", line):
            return match[1].decode(), match[2].decode()
    raise SystemExit("The server does not start.")


def upload(origin: str, token: str) -> None:
    """Create a version and upload a large file to it; the server may be killed at any time."""
    with suppress(OSError, http.client.HTTPException, ValueError):
        address = json.loads(ask(origin, token, "POST", "/versions", b"")[1])["address"]
        row = b"the cat sat on the mat\tpos\n"
        ask(
            origin,
            token,
            "POST",
            f"{address}/files?kind=data&name=a.tsv",
            b"text\tlabel\n" + row * (UPLOAD_BYTES // len(row)),
        )


def ask(origin: str, token: str, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    """Send a request with the key."""
    line = http.client.HTTPConnection(origin, timeout=TIMEOUT)
    try:
        line.request(method, path, body, {"X-Assay-Token": token, "Accept": "application/json"})
        answer = line.getresponse()
        return answer.status, answer.read()
    finally:
        line.close()


def check_pages(origin: str, token: str) -> list[str]:
    """Return a fault if the first page or the page of a version fails."""
    status, page = ask(origin, token, "GET", "/")
    paths = re.findall(r'href="(/versions/[^"/]+)"', page.decode())
    statuses = [status, *(ask(origin, token, "GET", path)[0] for path in paths if status == 200)]
    return [f"page: HTTP {each}" for each in statuses if each != 200][:1]


def check_uploads(store: Path) -> list[str]:
    """Return a fault if a file is not listed in the record of its version, or a listed one is missing or cut off."""
    n_whole = 0
    for entry in store.glob("*/entry.json"):
        files = {file["file"]: file["bytes"] for file in json.loads(entry.read_text())["files"]}
        stored = {path.name: path.stat().st_size for path in entry.parent.glob("file-*")}
        if any(stored.get(name) != size for name, size in files.items()):
            return ["half-written upload"]
        n_whole += len(files)
    return [] if n_whole else ["missing upload"]


@contextmanager
def limit_disk(folder: Path, n_bytes: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Make a folder full at a size: a small tmpfs if this is root, else a limit on the size of files."""
    folder.mkdir(parents=True, exist_ok=True)
    options = ["mount", "-t", "tmpfs", "-o", f"size={n_bytes}", "tmpfs", str(folder)]
    if os.geteuid() == 0 and subprocess.run(options, capture_output=True, check=False).returncode == 0:
        try:
            yield "tmpfs", {}
        finally:
            subprocess.run(["umount", "-l", str(folder)], check=False)
    else:
        limits = (n_bytes, resource.RLIM_INFINITY)
        yield "RLIMIT_FSIZE", {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits)}


def fill_disk(command: Command, place: Place, moment: float, *, folder: str) -> list[str]:
    """Run with little space for outputs, for temporary files or for the cache."""
    n_bytes = 4096 * (1 + int(moment * 40))
    with limit_disk(place.home / folder, n_bytes) as (_, options):
        status, printed = place.run(command.words, **options)
        faults = find_traceback(printed) + place.find_orphans()
        faults += command.check_outputs(place, complete=status == 0)
        if status:
            errors = [line for line in printed.splitlines() if line.startswith("Error")]
            if len(errors) != 1:
                faults.append(f"{len(errors)} lines of error")
            elif folder == "cache":
                faults.append(f"stopped: {errors[0][:80]}")
            elif "/" not in errors[0] and not any(Path(name).name in errors[0] for name in command.outputs):
                faults.append(f"file not named: {errors[0][:80]}")
        faults += place.find_leftovers()
    return faults


def close_streams(command: Command, place: Place, _moment: float, *, closed: Sequence[int]) -> list[str]:
    """Run with closed streams; the files must be written all the same."""

    def close() -> None:
        for number in closed:
            os.close(number)

    streams = {name: None for number, name in ((1, "stdout"), (2, "stderr")) if number in closed}
    status, printed = place.run(command.words, preexec_fn=close, **streams)
    faults = find_traceback(printed) + ([f"exit {status}"] if status else [])
    return faults + command.check_outputs(place, complete=True) + place.find_leftovers()


def use_encoding(command: Command, place: Place, _moment: float, *, environment: Mapping[str, str]) -> list[str]:
    """Run as on a terminal that is not UTF-8."""
    place.environment = dict(environment)
    status, printed = place.run(command.words)
    faults = find_traceback(printed) + ([f"exit {status}"] if status else [])
    return faults + command.check_outputs(place, complete=True) + place.find_leftovers()


def share_cache(command: Command, place: Place, _moment: float) -> list[str]:
    """Run two processes with one cache at the same time."""
    other = Place(place.inputs, place.home / "other")
    other.environment = {"ASSAY_CACHE": str(place.home / "cache")}
    with place.start(command.words) as first, other.start(command.words) as second:
        printed = [b"\n".join(process.communicate(timeout=TIMEOUT)).decode() for process in (first, second)]
    faults = [fault for each in printed for fault in find_traceback(each)]
    faults += command.check_outputs(place, complete=True) + command.check_outputs(other, complete=True)
    shutil.rmtree(other.home)
    return faults + place.find_leftovers()


def block_cache(command: Command, place: Place, _moment: float) -> list[str]:
    """Run with a cache that cannot be written: a read-only file system if this is root, else a path below a file."""
    cache = place.home / "cache"
    mount = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(cache)]
    is_mounted = os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0
    if not is_mounted:
        (cache / "file").write_text("")
        place.environment = {"ASSAY_CACHE": str(cache / "file" / "cache")}
    try:
        status, printed = place.run(command.words)
    finally:
        if is_mounted:
            subprocess.run(["umount", "-l", str(cache)], check=False)
    faults = find_traceback(printed) + ([f"exit {status}"] if status else [])
    faults += [] if "cannot be kept" in printed else ["no note"]
    return faults + command.check_outputs(place, complete=True)


def write_inputs(folder: Path) -> None:
    """Write data, predictions, shards and a log."""
    generator = random.Random(0)
    words = [f"w{number}" for number in range(300)]
    rows = [
        (f"i{n}", " ".join(generator.choices(words, k=12)), "ab"[n % 2], "test" if n % 4 == 0 else "train")
        for n in range(400)
    ]
    (folder / "shards").mkdir(parents=True)
    lines = ["\t".join(row) for row in rows]
    head = "id\ttext\tlabel\tsplit"
    (folder / "data.tsv").write_text("\n".join([head, *lines]) + "\n")
    for number in range(4):
        (folder / "shards" / f"{number}.tsv").write_text(
            "\n".join([head, *lines[100 * number : 100 * (number + 1)]]) + "\n"
        )
    answers = [f"{system}\t{row[0]}\t{generator.choice('ab')}" for system in ("s1", "s2") for row in rows]
    (folder / "answers.tsv").write_text("\n".join(["system\tid\tpredicted", *answers]) + "\n")
    samples = [
        {
            "doc_id": n,
            "doc": {"question": row[1]},
            "target": row[2],
            "filter": "none",
            "resps": [[row[2]]],
            "doc_hash": row[0],
        }
        for n, row in enumerate(rows)
    ]
    log = "".join(json.dumps({**sample, "exact_match": float(n % 3 == 0)}) + "\n" for n, sample in enumerate(samples))
    (folder / "logs").mkdir()
    (folder / "logs" / "samples_quiz_2026-01-01T00-00-00.000001.jsonl").write_text(log)


@dataclass(frozen=True)
class Case:
    """A disturbance of a command: `disturb` takes the command, the place, and a moment from 0 to 1."""

    name: str
    command: Command
    disturb: Callable[[Command, Place, float], list[str]]


def make_cases(inputs: Path) -> list[Case]:
    """Return every case."""
    outputs = ["--json", "a.json", "--items", "items.tsv", "-o", "report.html", "--card", "card.md"]
    words = ["audit", str(inputs / "data.tsv"), "--predictions", str(inputs / "answers.tsv"), "--only"]
    audit = Command([*words, "profile,discrimination", *outputs], inputs)
    parallel = Command([*words, "profile,splits", "--jobs", "2", *outputs], inputs)
    convert = Command(["convert", str(inputs / "logs"), "-o", "converted"], inputs)
    profile = Command(["profile", str(inputs / "shards"), "--out-of-core", "--json", "p.json"], inputs)
    serve = Command(["serve", "--port", "0", "--no-open", "--folder", "store"], inputs)
    commands = {"audit": audit, "audit --jobs 2": parallel, "convert": convert, "profile --out-of-core": profile}
    cases = []
    for kind, number in (("kill -9", signal.SIGKILL), ("SIGTERM", signal.SIGTERM)):
        for name, command in commands.items():
            cases.append(Case(f"{kind}: {name}", command, partial(end_by_signal, number=number)))
        start = partial(end_by_signal, number=number, workers=True)
        cases.append(Case(f"{kind} while workers start: audit --jobs 2", parallel, start))
    cases.append(Case("kill -9: upload to assay serve", serve, kill_upload))
    for name, folder in (
        ("audit", "out"),
        ("convert", "out"),
        ("profile --out-of-core", "temporary"),
        ("audit", "cache"),
    ):
        cases.append(Case(f"full disk ({folder}): {name}", commands[name], partial(fill_disk, folder=folder)))
    cases.append(Case("read-only cache: audit", audit, block_cache))
    for closed in ((1,), (2,), (0, 1, 2)):
        title = "+".join(("input", "output", "error")[number] for number in closed)
        cases.append(Case(f"closed streams ({title}): audit", audit, partial(close_streams, closed=closed)))
    for title, environment in ENCODINGS.items():
        cases.append(Case(f"terminal in {title}: audit", audit, partial(use_encoding, environment=environment)))
    cases.append(Case("two processes, one cache: audit", audit, share_cache))
    return cases


ONCE = ("closed", "terminal", "read-only")  # the same in every round


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases and print a table of how often each was tried and failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[], help="parts of the names of cases")
    options = parser.parse_args(arguments)
    if sys.platform != "linux":
        print("Processes are found through /proc, which only Linux has.")
        return 0
    n_failed, generator = 0, random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        root = Path(folder)
        write_inputs(root / "inputs")
        disk = "a small tmpfs" if os.geteuid() == 0 else "a limit on the size of files"
        print(f"Full disk: {disk}. Rounds: {options.rounds}, seed {options.seed}.\n")
        print(f"{'case':<52} {'tried':>5} {'failed':>6}  how", flush=True)
        for case in make_cases(root / "inputs"):
            if not options.only or any(part in case.name for part in options.only):
                n_rounds = 1 if case.name.startswith(ONCE) else options.rounds
                n_failed += run_case(case, root, [generator.random() for _ in range(n_rounds)])
    return int(n_failed > 0)


def run_case(case: Case, root: Path, moments: Sequence[float]) -> int:
    """Run the rounds of a case, print its row, and return how many failed."""
    if case.command.words[0] != "serve" and not case.command.outputs:
        case.command.measure(root)
    faults: Counter[str] = Counter()
    n_failed = 0
    for moment in moments:
        place = Place(case.command.inputs, root / f"round-{uuid.uuid4().hex[:8]}")
        found = case.disturb(case.command, place, moment)
        n_failed += bool(found)
        faults.update(re.sub(r"[0-9a-f]{8,}|\d+", "…", fault) for fault in found)
        place.kill_all()
        shutil.rmtree(place.home, ignore_errors=True)
    how = "; ".join(f"{fault} ({count})" for fault, count in faults.most_common(3))
    print(f"{case.name:<52} {len(moments):>5} {n_failed:>6}  {how}", flush=True)
    return n_failed


if __name__ == "__main__":
    sys.exit(main())
