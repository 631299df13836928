"""The commands and examples of the README, the home page and the tutorials run as written, and print what the page says."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [
    ROOT / "README.md",
    DOCS / "index.md",
    *sorted((DOCS / "users").glob("*.md")),
    *sorted((DOCS / "tutorials").glob("*.md")),
]
FENCE = re.compile(r"^```(sh|python|text)\n(.*?)^```", re.M | re.S)
# Lines that install, that configure a shell, or that do not end. Other tests run them: scripts/check_release.py,
# tests/cli/test_completion.py, tests/web and tests/integrations.
NOT_RUN = ("pip install", "make ", ". .venv/", "assay serve", "assay watch", "assay doctor")
# What a command of a gate returns if it works: the bundled data has warnings, and the example answers differ clearly.
EXIT_CODES = {"--fail-on warning": 1}


@dataclass(frozen=True)
class Step:
    """A line of a shell or a block of Python, and the lines of output that the page shows after it."""

    kind: str
    text: str
    shown: tuple[str, ...] = ()


def read_steps(text: str) -> list[Step]:
    """Return what a reader would copy, in order; the output shown belongs to all lines of the fence above."""
    steps: list[Step] = []
    for kind, body in FENCE.findall(text):
        if kind == "text":
            last = steps.pop()
            steps.append(Step(last.kind, last.text, tuple(body.splitlines())))
        elif kind == "python":
            steps.append(Step(kind, body))
        else:
            lines = [line for line in body.replace("\\\n", " ").splitlines() if line.strip()]
            steps += [Step(kind, line) for line in lines if not line.startswith(NOT_RUN) and "_COMPLETE=" not in line]
    return steps


def run_pages(pages: dict[Path, list[Step]], cache: Path) -> list[list[tuple[int, str]]]:
    """Run the steps of each page in its folder, all in one process."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    environment = {**os.environ, **alone, "PATH": path, "XDG_CACHE_HOME": str(cache), "COLUMNS": "80"}
    wanted = [(str(folder), [(step.kind, step.text) for step in steps]) for folder, steps in pages.items()]
    done = subprocess.run(
        [sys.executable, "-P", str(Path(__file__).with_name("copied_commands.py"))],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        env=environment,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def find_missing(shown: tuple[str, ...], output: str) -> list[str]:
    """Return the lines that a page shows and a command does not print, in this order; … is anything."""
    place, missing = 0, []
    written = squeeze(output)
    for line in shown:
        parts = [squeeze(part) for part in line.split("…") if part.strip()]
        for part in parts:
            found = written.find(part, place)
            if found < 0:
                missing.append(line)
                break
            place = found + len(part)
    return missing


def squeeze(text: str) -> str:
    """Make every run of white space one space."""
    return " ".join(text.split())


def write_own_files(folder: Path) -> None:
    """Write small files for the commands that a page shows with files of the reader."""
    for model in ("old", "new"):
        run = folder / "runs" / model
        run.mkdir(parents=True)
        rows = [write_sample(number, model) for number in range(40)]
        (run / "samples_arithmetic_2026-01-01.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    answers = [f"{n}\tyes\t{'no' if n % 3 else 'yes'}\t{'no' if n % 50 == 0 else 'yes'}" for n in range(200)]
    (folder / "answers.tsv").write_text("\n".join(["id\tgold\told\tnew", *answers]))
    verdicts = [f"{n}\t{'ab'[n % 2]}\t{'ab'[n % 2]}\t{'ab'[n % 3 % 2]}" for n in range(30)]
    (folder / "verdicts.tsv").write_text("\n".join(["id\tlabel\tjudge_x\tjudge_y", *verdicts]))
    texts = [f"In which year did the town of number {n} build the bridge over its river?" for n in range(20)]
    (folder / "data.tsv").write_text("\n".join(["id\ttext", *(f"{n}\t{text}" for n, text in enumerate(texts))]))
    (folder / "crawl").mkdir()
    with gzip.open(folder / "crawl" / "part.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(f"{json.dumps({'text': text})}\n" for text in [*texts[:2], "Nothing of this."])
    (folder / "reviews.csv").write_text(
        "text,label\n" + "".join(f"text {n} is {n % 7},{'ab'[n % 2]}\n" for n in range(60))
    )
    (folder / "new.tsv").write_text("id\tnewcomer\n")


def write_sample(number: int, model: str) -> dict[str, object]:
    """Return a line of lm-evaluation-harness."""
    right = number % 3 == 0 or model == "new"
    return {
        "doc_id": number,
        "doc": {"question": f"What is {number} + 1?", "answer": str(number + 1)},
        "target": str(number + 1),
        "arguments": [[f"What is {number} + 1?", {"until": ["\n"]}]],
        "resps": [[f"The answer is {number + (1 if right else 2)}"]],
        "filtered_resps": [str(number + (1 if right else 2))],
        "exact_match": float(right),
    }


@pytest.mark.slow
def test_the_pages_to_copy_from_run_as_written(tmp_path):
    """All pages are one test, so that finished sections of audits are measured once."""
    pages = {}
    for number, path in enumerate(PAGES):
        folder = tmp_path / str(number)
        folder.mkdir()
        write_own_files(folder)
        pages[folder] = read_steps(path.read_text(encoding="utf-8"))
        assert pages[folder]
    wrong = [
        problem
        for path, steps, results in zip(PAGES, pages.values(), run_pages(pages, tmp_path / "cache"), strict=True)
        for step, (code, output) in zip(steps, results, strict=True)
        if (problem := describe_problem(path, step, code, output))
    ]
    assert not wrong, "\n\n".join(wrong)


def describe_problem(path: Path, step: Step, code: int, output: str) -> str:
    """Return what is wrong with the output of a step, or nothing."""
    expected = next((status for words, status in EXIT_CODES.items() if words in step.text), 0)
    missing = find_missing(step.shown, output)
    if code == expected and not missing:
        return ""
    return f"{path.name}: {step.text}\nexit status {code}, not printed: {missing}\n{output[-2500:]}"


def test_a_command_that_fails_or_prints_something_else_is_noticed(tmp_path):
    page = "```sh\nassay profile nothing.tsv\n```\n```sh\nprintf '%s' 'a  b c'\n```\n```text\na b\n…\nd\n```\n"
    steps = read_steps(page)
    ((failed, no_file), (code, output)) = run_pages({tmp_path: steps}, tmp_path)[0]
    assert "exit status 1" in describe_problem(Path("page"), steps[0], failed, no_file)
    assert "not printed: ['d']" in describe_problem(Path("page"), steps[1], code, output)
