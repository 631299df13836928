"""Cases of logs: every harness, with each of the files that a run consists of."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import polars as pl

from assay.logs import LOGS, read_logs
from benchmarks.fuzz.cases import SHARED, Case, Outcome, read_folder

Files = dict[str, bytes]
LOG_FOLDER = SHARED / "eval_logs"


def read_log_folder(path: Path) -> Outcome:
    """Read a folder of logs, and join what was read."""
    table = read_logs(path)
    tasks = {(record.benchmark, record.task) for record in table.records}
    return Outcome(len(table.records), len(table.systems), len(tasks), table.notes)


def list_log_cases() -> Iterator[Case]:
    """Yield all cases of logs: each file of an example is damaged in turn."""
    together = partial(read_folder, function=read_log_folder)
    for name in LOGS:
        for number, files in enumerate(EXAMPLES[name]() if name in EXAMPLES else [_encode_example(name)]):
            for target in _choose_targets(files):
                yield Case(
                    f"logs {name} {number + 1} {Path(target).name[-24:]}", files, target, together, (f"logs {name}",)
                )


def _choose_targets(files: Files) -> Iterator[str]:
    """Yield one file of each kind: those of other systems are the rest that must stay."""
    seen = set()
    for name in files:
        kind = (Path(name).name.split("_")[0], Path(name).suffix)
        if kind not in seen:
            yield name
        seen.add(kind)


def _make_lm_eval() -> Iterator[Files]:
    folder = LOG_FOLDER / "lm_eval" / "EleutherAI__pythia-14m"
    samples = min(folder.glob("samples_metabench_gsm8k*.jsonl"))
    lines = b"".join(samples.read_bytes().splitlines(keepends=True)[:12])
    files = {f"{model}/{samples.name}": lines for model in ("first__model", "second__model")}
    results = min(folder.glob("results*.json"), default=None)
    if results is not None:
        files[f"first__model/{results.name}"] = results.read_bytes()
    yield files


def _make_inspect() -> Iterator[Files]:
    folder = LOG_FOLDER / "inspect"
    yield {f"logs/{name}": (folder / name).read_bytes() for name in ("log_formats.eval", "mmlu-summary-choices.eval")}
    names = {"a.json": "log_formats.json", "b.json": "2025-05-12T20-28-13-04-00_popularity.json"}
    yield {name: (folder / source).read_bytes() for name, source in names.items()}


def _make_helm() -> Iterator[Files]:
    run = next(path for path in (LOG_FOLDER / "helm").iterdir() if path.is_dir())
    name = "mmlu:subject=philosophy,model=openai_gpt2"
    files = {}
    for path in sorted(run.glob("*.json")):
        content = json.loads(path.read_bytes())
        small = content[:6] if isinstance(content, list) else content
        files[f"{name}/{path.name}"] = json.dumps(small).encode()
    yield files


def _make_every_eval_ever() -> Iterator[Files]:
    yield {path.name: path.read_bytes() for path in sorted((LOG_FOLDER / "every_eval_ever").glob("*-*.json*"))}


def _make_lighteval() -> Iterator[Files]:
    doc = [{"query": f"What is {n} + {n}?", "choices": [f"{2 * n}", "0"], "gold_index": 0} for n in range(12)]
    frame = pl.DataFrame({"doc": doc, "metric": [{"em": float(number % 2)} for number in range(12)]})
    sink = io.BytesIO()
    frame.write_parquet(sink)
    date = "2025-04-02T10-00-00.000000"
    yield {f"details/m{n}/{date}/details_gsm_{date}.parquet": sink.getvalue() for n in (1, 2)}


def _make_mteb() -> Iterator[Files]:
    raw = sorted((SHARED / "mteb_results").glob("raw_*.json"))
    yield {f"results/e5/rev/{path.name.split('_')[-1]}": path.read_bytes() for path in raw}


def _encode_example(name: str) -> Files:
    return {path: text.encode() for path, text in LOGS[name].example.items()}


# Examples of formats of logs from real files; other readers have an `example` of their own.
EXAMPLES: dict[str, Callable[[], Iterator[Files]]] = {
    "every-eval-ever": _make_every_eval_ever,
    "helm": _make_helm,
    "inspect": _make_inspect,
    "lighteval": _make_lighteval,
    "lm-evaluation-harness": _make_lm_eval,
    "mteb": _make_mteb,
}
