"""Audit fresh runs of the last releases of inspect and lm-evaluation-harness, each in an environment of its own.

The wheel of assay is built and installed next to each release. inspect runs a task and an eval set with the hook switched
on; lm-evaluation-harness runs its dummy model, and `assay watch --once` follows. Each must print a short audit and write
a report. Needs the package index; takes a few minutes.

    python -m scripts.check_harnesses [--releases 3] [--markdown]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
N_ITEMS = 40
INSPECT_RUN = """
import sys
import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

def answer(number):
    output = ModelOutput.from_content("mockllm/model", str(2 * number if number % 3 else 1))
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output

samples = [Sample(input=f"What is {n} + {n}?", target=str(2 * n), id=n) for n in range(40)]
task = Task(name="sums", dataset=samples, solver=generate(), scorer=match())
for kind, run in (("run", inspect_ai.eval), ("set", inspect_ai.eval_set)):
    model = get_model("mockllm/model", custom_outputs=[answer(n) for n in range(40)], memoize=False)
    run(task, model=model, log_dir=f"logs-{kind}", display="plain", max_samples=1)
"""
LM_EVAL_TASK = """task: quiz
dataset_path: json
dataset_kwargs:
  data_files: {test: quiz.jsonl}
test_split: test
output_type: multiple_choice
doc_to_text: "Question: {{question}}\\nAnswer:"
doc_to_target: "{{answer}}"
doc_to_choice: "{{choices}}"
metric_list:
  - metric: acc
metadata:
  version: 1.0
"""
AUDITED = re.compile(r"(\d+) items of (\d+) tasks? audited in (\d+) s")


@dataclass(frozen=True)
class Harness:
    """A harness: its package, what is installed with it, and its command."""

    package: str
    extras: tuple[str, ...] = ()


HARNESSES = (Harness("inspect-ai"), Harness("lm-eval", ("datasets", "transformers")))  # release 0.4.11 imports both


@dataclass(frozen=True)
class Check:
    """What a release did."""

    package: str
    version: str
    outcome: str
    reports: int = 0
    seconds: float = 0.0


def main() -> int:
    """Check all releases; return 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--releases", type=int, default=3, metavar="N", help="How many releases of each.  [3]")
    parser.add_argument("--only", choices=[harness.package for harness in HARNESSES], help="One harness only.")
    parser.add_argument("--release", metavar="VERSION", help="This release only.")
    parser.add_argument("--markdown", action="store_true", help="Print the table of the documentation.")
    options = parser.parse_args()
    checks = []
    with tempfile.TemporaryDirectory(prefix="assay-harnesses-") as folder:
        wheel = build_wheel(Path(folder))
        for harness in HARNESSES:
            if options.only in (None, harness.package):
                releases = [options.release] if options.release else list_releases(harness.package)
                for version in releases[: options.releases]:
                    checks.append(check(harness, version, wheel, Path(folder) / f"{harness.package}-{version}"))
                    print(checks[-1], flush=True)
    if options.markdown:
        print(write_table(checks))
    return 0 if all(check.outcome == "audited" for check in checks) else 1


def list_releases(package: str) -> list[str]:
    """Return the releases of a package that were not yanked, the newest first."""
    with urllib.request.urlopen(f"https://pypi.org/pypi/{package}/json", timeout=60) as answer:
        releases = json.load(answer)["releases"]
    dates = {
        version: min(file["upload_time"] for file in files)
        for version, files in releases.items()
        if files and not any(file["yanked"] for file in files) and re.fullmatch(r"[\d.]+", version)
    }
    return sorted(dates, key=lambda version: (dates[version], version), reverse=True)


def build_wheel(folder: Path) -> Path:
    """Build the wheel of the working copy."""
    run(ROOT, sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--out-dir", str(folder), str(ROOT))
    (wheel,) = folder.glob("*.whl")
    return wheel


def check(harness: Harness, version: str, wheel: Path, folder: Path) -> Check:
    """Install a release and audit its runs."""
    uv = (sys.executable, "-m", "uv")
    python = folder / "bin" / "python"
    start = 0.0
    try:
        run(ROOT, *uv, "venv", "--quiet", "--python", sys.executable, str(folder))
        packages = (f"{harness.package}=={version}", *harness.extras, str(wheel))
        run(ROOT, *uv, "pip", "install", "--quiet", "--python", str(python), *packages)
        start = time.monotonic()
        text = (run_inspect if harness.package == "inspect-ai" else run_lm_eval)(python, folder)
    except subprocess.CalledProcessError as error:
        lines = [line for line in (error.stderr or error.stdout or "").strip().splitlines() if line.strip()]
        return Check(harness.package, version, f"failed: {lines[-1] if lines else error.returncode}")
    expected = 2 if harness.package == "inspect-ai" else 1
    reports = [*folder.glob("logs-*/*.html"), *folder.glob("runs/*.html")]
    audited = AUDITED.findall(text)
    is_right = len(reports) == len(audited) == expected and all(int(row[0]) == N_ITEMS for row in audited)
    seconds = time.monotonic() - start
    return Check(harness.package, version, "audited" if is_right else "not audited", len(reports), seconds)


def run_inspect(python: Path, folder: Path) -> str:
    """Run a task and an eval set with the hook switched on."""
    return run(folder, str(python), "-c", INSPECT_RUN, ASSAY_INSPECT="1")


def run_lm_eval(python: Path, folder: Path) -> str:
    """Run the dummy model with samples, and audit what it wrote."""
    rows = [
        {"question": f"{n} + 1?", "choices": [str(n + step) for step in (1, 2, 3)], "answer": 0} for n in range(N_ITEMS)
    ]
    (folder / "quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "tasks").mkdir()
    (folder / "tasks" / "quiz.yaml").write_text(LM_EVAL_TASK)
    options = "--model dummy --tasks quiz --include_path tasks --output_path runs --log_samples".split()
    run(folder, str(python), "-m", "lm_eval", *options, HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1")
    return run(folder, str(python.with_name("assay")), "watch", "--once", "runs")


def run(folder: Path, *command: str, **variables: str) -> str:
    """Run a command and return its output; raise if it fails."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "ASSAY_INSPECT")}
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=folder, env={**environment, **variables}
    )
    return done.stdout


def write_table(checks: list[Check]) -> str:
    """Return the table of the documentation."""
    rows = [f"| {row.package} | {row.version} | {row.outcome} | {row.reports} |" for row in checks]
    return "\n".join(["| harness | release | outcome | reports |", "|---|---|---|---|", *rows])


if __name__ == "__main__":
    sys.exit(main())
