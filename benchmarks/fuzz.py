"""Damage real files of every reader: each mutant must be read, or refused with one short line.

A mutant that is read with fewer rows, systems or tasks than the whole file must have a note that says so.
Run with `python -m benchmarks.fuzz [number of mutants] [seed]`.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from assay import read
from assay.base.errors import MAX_MESSAGE, AssayError
from assay.discrimination import read_scores
from assay.evaluation import read_predictions
from assay.logs import read_logs
from assay.splits import read_folds
from benchmarks.mutations import Mutant, mutate

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
N_ROWS = 40
# A note on what is missing has one of these.
LOSS_WORDS = (
    "left out",
    "without",
    "no score",
    "no gold",
    "missing",
    "not used",
    "dropped",
    "skipped",
    "cut off",
    "not in",
)
LOSS_WORDS += (
    "no metric",
    "unfinished",
    "damaged",
    "not scored",
    "incomplete",
    "failed",
    "no item",
    "perturb",
    "empty",
)


@dataclass(frozen=True)
class Outcome:
    """What was read from a file: how many rows, systems and tasks, and what the notes say."""

    n_rows: int
    n_systems: int = 1
    n_tasks: int = 1
    notes: tuple[str, ...] = ()

    def lost(self, whole: Outcome, rest: Outcome | None, mutant: Mutant) -> str:
        """Name what disappeared in comparison with the whole file, without a note; else nothing.

        `rest` is what the other files hold: a file that is there may lose rows, but must not count for nothing.
        """
        new = [note for note in self.notes if note not in whole.notes]
        if any(word in note.lower() for note in new for word in LOSS_WORDS):
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
    """A reader with the files it reads; `target` is the one that is damaged, `source` what the reader is given."""

    name: str
    files: dict[str, bytes]
    target: str
    read: Callable[[Path], Outcome]
    source: str = ""

    def run(self, folder: Path, content: bytes | None = None, *, without: bool = False) -> Outcome:
        """Write the files, the target with other content or not at all, and read them."""
        shutil.rmtree(folder, ignore_errors=True)
        for name, whole in self.files.items():
            if content is None and without and name == self.target:
                continue
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if content is not None and name == self.target else whole)
        return self.read(folder / (self.source or self.target) if self.source != "." else folder)


@dataclass(frozen=True)
class Failure:
    """A mutant that ended in a traceback, a long message or a silent loss."""

    case: str
    mutant: str
    number: int
    reason: str


def read_data(path: Path) -> Outcome:
    """Read a dataset."""
    data = read(path)
    return Outcome(len(data), notes=data.notes)


def read_answers(path: Path) -> Outcome:
    """Read a file of predictions."""
    predictions = read_predictions(path)
    return Outcome(len(predictions), len(predictions.systems), notes=predictions.notes)


def read_score_table(path: Path) -> Outcome:
    """Read a table of scores."""
    table = read_scores(path)
    systems = {system for measurement in table.measurements for system in measurement.systems}
    n_scores = sum(len(measurement.systems) for measurement in table.measurements)
    return Outcome(n_scores, len(systems), len(table.measurements), table.notes)


def read_fold_file(path: Path) -> Outcome:
    """Read a folds file."""
    return Outcome(read_folds(path).frame.height)


def read_log_folder(path: Path) -> Outcome:
    """Read a folder of logs."""
    table = read_logs(path)
    tasks = {(record.benchmark, record.task) for record in table.records}
    return Outcome(len(table.records), len(table.systems), len(tasks), table.notes)


def read_vote_table(path: Path) -> Outcome:
    """Read a table of votes."""
    from assay.votes import read_votes  # type: ignore[import-not-found,unused-ignore]

    votes = read_votes(path, winner="majority")
    return Outcome(len(votes), len(votes.systems), notes=tuple(votes.notes))


def list_cases() -> list[Case]:
    """Return all readers with real files; those whose files are not at hand are left out."""
    return [*_list_tables(), *_list_logs()]


def _list_tables() -> Iterable[Case]:
    text = _read_head("sst2/sst2.tsv.gz")
    if text is None:
        return
    frame = pl.read_csv(text.encode(), separator="\t", quote_char=None, infer_schema=False)
    for name, content in _write_formats(frame).items():
        yield Case(f"data {name}", {name: content}, name, read_data)
    folds = "id\tfold\n" + "".join(f"{row}\t{number % 5 + 1}\n" for number, row in enumerate(frame["id"]))
    yield Case("folds", {"folds.tsv": folds.encode()}, "folds.tsv", read_fold_file)
    pairs = _read_head("msrp/msrp.tsv.gz")
    if pairs is not None:
        yield Case("data pairs", {"pairs.tsv": pairs.encode()}, "pairs.tsv", read_data)
    answers = _read_head("explainaboard/sst2_test_preds.tsv.gz")
    if answers is not None:
        yield Case("predictions", {"p.tsv": answers.encode()}, "p.tsv", read_answers)
    wide = "id\tgold\tone\ttwo\n" + "".join(f"{n}\t{n % 2}\t{n % 3 // 2}\t{n % 2}\n" for n in range(N_ROWS))
    yield Case("predictions wide", {"p.tsv": wide.encode()}, "p.tsv", read_answers)
    scores = _read_head("leaderboards/leaderboards.tsv.gz")
    if scores is not None:
        yield Case("scores", {"s.tsv": scores.encode()}, "s.tsv", read_score_table)
    table = "system,RTE,SST,CoLA\n" + "".join(f"s{n},{60 + n},{90 + n / 10},{40 + 2 * n}\n" for n in range(8))
    yield Case("scores wide", {"s.csv": table.encode()}, "s.csv", read_score_table)
    votes = _read_head("pandalm_votes/votes.tsv.gz") if _has_votes() else None
    if votes is not None:
        yield Case("votes", {"votes.tsv": votes.encode()}, "votes.tsv", read_vote_table)


def _list_logs() -> Iterable[Case]:
    logs = SHARED / "eval_logs"
    if not logs.exists():
        return
    samples = "EleutherAI__pythia-14m/samples_metabench_gsm8k_secondary_2024-11-26T10-50-23.349203.jsonl"
    lines = (logs / "lm_eval" / samples).read_bytes().splitlines(keepends=True)[:12]
    second = b"".join(lines)
    files = {samples: second, samples.replace("EleutherAI__pythia-14m", "other__model"): second}
    yield Case("lm-eval", files, samples, read_log_folder, ".")
    evals = ["log_formats.eval", "mmlu-summary-choices.eval"]
    archives = {f"logs/{name}": (logs / "inspect" / name).read_bytes() for name in evals}
    yield Case("inspect eval", archives, f"logs/{evals[0]}", read_log_folder, ".")
    one = (logs / "inspect" / "log_formats.json").read_bytes()
    both = {"a.json": one, "b.json": (logs / "inspect" / "2025-05-12T20-28-13-04-00_popularity.json").read_bytes()}
    yield Case("inspect json", both, "a.json", read_log_folder, ".")
    yield from _list_helm(logs / "helm")
    eee = {path.name: path.read_bytes() for path in sorted((logs / "every_eval_ever").glob("*-*.json*"))}
    for target in eee:
        yield Case(f"every-eval-ever {target[-13:]}", eee, target, read_log_folder, ".")
    yield from _list_lighteval(lines)
    raw = sorted((SHARED / "mteb_results").glob("raw_*.json"))
    mteb = {f"results/e5/rev/{path.name.split('_')[-1]}": path.read_bytes() for path in raw}
    if mteb:
        yield Case("mteb", mteb, next(iter(mteb)), read_log_folder, ".")


def _list_helm(folder: Path) -> Iterable[Case]:
    run = next(path for path in folder.iterdir() if path.is_dir())
    stats = json.dumps(json.loads((run / "per_instance_stats.json").read_bytes())[:6]).encode()
    name = "mmlu:subject=philosophy,model=openai_gpt2"
    files = {f"{name}/per_instance_stats.json": stats, f"{name}/run_spec.json": (run / "run_spec.json").read_bytes()}
    for target in files:
        yield Case(f"helm {Path(target).stem}", files, target, read_log_folder, ".")


def _list_lighteval(lines: list[bytes]) -> Iterable[Case]:
    rows = [json.loads(line) for line in lines]
    frame = pl.DataFrame(
        {
            "doc": [{"query": str(row["doc"]), "choices": [str(row["target"])], "gold_index": 0} for row in rows],
            "metric": [{"em": float(number % 2)} for number in range(len(rows))],
        }
    )
    sink = io.BytesIO()
    frame.write_parquet(sink)
    date = "2025-04-02T10-00-00.000000"
    files = {f"details/m{n}/{date}/details_gsm_{date}.parquet": sink.getvalue() for n in (1, 2)}
    yield Case("lighteval", files, next(iter(files)), read_log_folder, ".")


def _write_formats(frame: pl.DataFrame) -> dict[str, bytes]:
    import zstandard

    sinks = {name: io.BytesIO() for name in ("d.csv", "d.tsv", "d.jsonl", "d.parquet", "d.arrow")}
    frame.write_csv(sinks["d.csv"])
    frame.write_csv(sinks["d.tsv"], separator="\t")
    frame.write_ndjson(sinks["d.jsonl"])
    frame.write_parquet(sinks["d.parquet"])
    frame.write_ipc(sinks["d.arrow"])
    files = {name: sink.getvalue() for name, sink in sinks.items()}
    files["d.json"] = json.dumps(frame.to_dicts(), ensure_ascii=False).encode()
    files["d.tsv.gz"] = gzip.compress(files["d.tsv"], mtime=0)
    files["d.csv.zst"] = zstandard.ZstdCompressor().compress(files["d.csv"])
    return files


def _read_head(name: str) -> str | None:
    path = SHARED / name
    if not path.exists():
        return None
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return "".join(line for line, _ in zip(file, range(N_ROWS + 1), strict=False))


def _has_votes() -> bool:
    import importlib.util

    return importlib.util.find_spec("assay.votes") is not None


def read_rest(case: Case, folder: Path) -> Outcome | None:
    """Return what the files beside the target hold; None where there is nothing to read."""
    try:
        return case.run(folder, without=True)
    except AssayError:
        return None


def check_mutant(case: Case, whole: Outcome, rest: Outcome | None, mutant: Mutant, folder: Path) -> tuple[str, str]:
    """Return what became of a mutant (refused, read, failed) and why it failed."""
    try:
        outcome = case.run(folder, mutant.content)
    except AssayError as error:
        message = str(error)
        if len(message) > MAX_MESSAGE or "\n" in message:
            return "failed", f"a message of {len(message)} characters and {message.count(chr(10))} line breaks"
        return "refused", ""
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return "failed", f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno}: {str(error)[:120]}"
    lost = outcome.lost(whole, rest, mutant)
    return ("failed", f"lost without a note: {lost}") if lost else ("read", "")


def run_fuzz(n: int, seed: int = 0, cases: list[Case] | None = None) -> tuple[Counter[tuple[str, str]], list[Failure]]:
    """Damage files in turn; return how often each case was refused, read or failed, and the failures."""
    counts: Counter[tuple[str, str]] = Counter()
    failures = []
    cases = list_cases() if cases is None else cases
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "case"
        wholes = [(case.run(folder), read_rest(case, folder)) for case in cases]
        for number in range(n):
            case, (whole, rest) = cases[number % len(cases)], wholes[number % len(cases)]
            generator = random.Random(f"{seed} {number}")
            mutant = mutate(Path(case.target), case.files[case.target], generator)
            result, reason = check_mutant(case, whole, rest, mutant, folder)
            counts[case.name, result] += 1
            if reason:
                failures.append(Failure(case.name, mutant.kind, number, reason))
    return counts, failures


def main(arguments: list[Any] | None = None) -> int:
    """Run the fuzzer and print a table; 1 where a mutant failed."""
    numbers = [int(argument) for argument in (sys.argv[1:] if arguments is None else arguments)]
    n, seed = (numbers + [3_000, 0][len(numbers) :])[:2]
    counts, failures = run_fuzz(n, seed)
    for case in dict.fromkeys(name for name, _ in counts):
        row = "  ".join(f"{counts[case, result]:4} {result}" for result in ("refused", "read", "failed"))
        print(f"{case:32} {row}")
    totals = {
        result: sum(counts[key] for key in counts if key[1] == result) for result in ("refused", "read", "failed")
    }
    print(f"{n} mutants: {', '.join(f'{count} {result}' for result, count in totals.items())}")
    for failure in failures[:60]:
        print(f"  {failure.number:5} {failure.case}: {failure.mutant}: {failure.reason}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
