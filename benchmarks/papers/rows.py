"""A row of the reproductions: a table, figure or claim of a paper, ours next to it, and a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
RESULTS = ROOT / "benchmarks" / "results"

SAME_NUMBER, SAME_DIRECTION, DIFFERENT, MISSING = VERDICTS = (
    "same number",
    "same direction",
    "different",
    "not available",
)
COMPUTED, STORED, GPU, NONE = SOURCES = ("computed", "stored", "stored, GPU", "–")

PACK = "python -m benchmarks.gpu_inputs"
EXPORT = "python -m benchmarks.export_training_inputs --data ../shared/data --out training-inputs"
INPUTS = "--data training-inputs/data --encoder training-inputs/encoder"
# Every stored result, the command that makes it again from the repository and the public data, and what it takes.
COMMANDS = {
    "forecast_tables.json": ("python -m benchmarks.forecast_tables --write", "CPU"),
    "forecast_families.json": ("python -m benchmarks.forecast_families --write", "CPU"),
    "perplexity_feature.json": ("python -m benchmarks.forecast_families --perplexity --write", "CPU"),
    "information_studies.json": ("python -m benchmarks.information_studies --write", "CPU"),
    "new_samples.json": ("python -m benchmarks.new_samples --write", "CPU"),
    "sds_folds.json": ("python -m benchmarks.sds_folds --write", "CPU"),
    "split_studies.json": ("python -m benchmarks.split_studies --write", "CPU"),
    "stress_kinds.json": ("python -m benchmarks.stress_kinds --write", "CPU"),
    "paper_003/tsi.json": ("python -m benchmarks.paper_003_table --write", "CPU"),
    "paper_003/sizes.json": ("python -m benchmarks.paper_003_table --sizes --write", "CPU"),
    "gpu/folds.npz": (f"{PACK}; python -m benchmarks.gpu_papers folds --out benchmarks/results/gpu", "GPU"),
    "gpu/information.json": (
        f"{PACK}; python -m benchmarks.gpu_papers information --out benchmarks/results/gpu",
        "GPU",
    ),
    "gpu/perplexity.npz": (
        f"{PACK} --model SmolLM2-135M-Instruct.Q4_1.gguf; python -m benchmarks.gpu_papers perplexity --out "
        "benchmarks/results/gpu",
        "GPU",
    ),
    "gpu/toy.json": ("python -m benchmarks.gpu_papers toy --out benchmarks/results/gpu", "GPU"),
    "paper_000": (
        f"{EXPORT}; python -m benchmarks.paper_000_models {INPUTS} --vectors training-inputs/vectors.npz --out OUT",
        "GPU",
    ),
    "paper_003": (
        f"{EXPORT}; python -m benchmarks.paper_003_encoder {INPUTS} --out benchmarks/results/paper_003",
        "GPU",
    ),
}


@dataclass(frozen=True)
class Finding:
    """What we find: the cell in words and numbers, and whether it is what the paper prints."""

    text: str
    verdict: str


@dataclass(frozen=True)
class Row:
    """One table, figure or claim; `ours` and `why` are computed where they hold numbers of ours."""

    where: str
    printed: str
    ours: Callable[[], Finding] | Finding
    why: str | Callable[[], str]
    source: str = COMPUTED

    def find(self) -> Finding:
        finding = self.ours if isinstance(self.ours, Finding) else self.ours()
        assert finding.verdict in VERDICTS, self.where
        assert self.source in SOURCES, self.where
        return finding

    def explain(self) -> str:
        return self.why if isinstance(self.why, str) else self.why()


def missing(text: str = "–") -> Finding:
    return Finding(text, MISSING)


def judge(text: str, is_same: bool) -> Finding:
    """Return a finding about a claim: what is larger, smaller or in which order."""
    return Finding(text, SAME_DIRECTION if is_same else DIFFERENT)


def judge_number(text: str, is_same: bool) -> Finding:
    """Return a finding about printed numbers, which are found again up to rounding."""
    return Finding(text, SAME_NUMBER if is_same else DIFFERENT)


def write_table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def write_rows(rows: Sequence[Row]) -> str:
    """Return the table of a paper: where, printed, ours, verdict, why, and how ours comes about."""
    cells = []
    for row in rows:
        finding = row.find()
        cells.append([row.where, row.printed, finding.text, f"**{finding.verdict}**", row.explain(), row.source])
    return write_table(["where", "the paper", "ours", "verdict", "why, or what differs", "how"], cells)


def write_commands() -> str:
    """Return the table of stored results and the commands that make them again."""
    rows = [[f"`{name}`", f"`{command}`", machine] for name, (command, machine) in COMMANDS.items()]
    rows.append(["`evidence.parquet`", "five commands, in [forecast](forecast.md#the-evidence)", "GPU"])
    return write_table(["stored result", "made by", "on"], rows)


def read_json(name: str) -> Any:
    """Read a stored result."""
    import json

    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


@cache
def read_table(path: str) -> Any:
    """Read a table of the public data with all columns as text."""
    import polars as pl

    return pl.read_csv(DATA / path, separator="\t", quote_char=None, infer_schema_length=0)
