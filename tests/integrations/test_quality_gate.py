"""The pre-commit hook and the GitHub Action run what they say, on a benchmark with a plan file."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import assay

yaml = pytest.importorskip("yaml", reason="needs PyYAML, which comes with mkdocs and pre-commit")
ROOT = Path(__file__).resolve().parents[2]
HOOK = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[0]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
SCRIPT = next(step["run"] for step in ACTION["runs"]["steps"] if step.get("id") == "audit")


@pytest.fixture
def benchmark(tmp_path):
    """Write a benchmark whose test items are in training, a plan, and a command `assay`."""
    (tmp_path / "data").mkdir()
    for part in ("train", "test"):
        rows = "".join(f"text number {n} of them\t{n % 2}\n" for n in range(20))
        (tmp_path / "data" / f"{part}.tsv").write_text(f"text\tlabel\n{rows}")
    (tmp_path / "assay.toml").write_text('[audit]\ndata = "data"\nonly = "profile"\n')
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "assay"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m assay "$@"\n')
    command.chmod(0o755)
    return tmp_path


def run_in(folder, *command, **variables):
    environment = {
        **os.environ,
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "ASSAY_CACHE": str(folder / "cache"),
        "PYTHONPATH": str(Path(assay.__file__).parents[1]),
        **variables,
    }
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_the_hook_fails_on_a_leak_and_passes_when_it_is_accepted(benchmark):
    assert HOOK["pass_filenames"] is False
    done = run_in(benchmark, *shlex.split(HOOK["entry"]))
    assert done.returncode == 1, done.stderr
    assert "A101" in done.stdout
    with (benchmark / "assay.toml").open("a") as plan:
        plan.write('ignore = ["A101=a test of the hook"]\n')
    assert run_in(benchmark, *shlex.split(HOOK["entry"])).returncode == 0


@pytest.mark.parametrize("path", ["assay.toml", "data/train.tsv", "a/b.jsonl.gz", "c.parquet"])
def test_the_hook_runs_for_data(path):
    assert re.search(HOOK["files"], path)
    assert not re.search(HOOK["files"], "README.md")


def test_the_manifest_is_valid_for_pre_commit():
    clientlib = pytest.importorskip("pre_commit.clientlib", reason="needs pre-commit: make test installs it")
    assert clientlib.load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))[0]["id"] == "assay-audit"


def test_the_action_annotates_and_writes_the_report(benchmark):
    inputs = {"ASSAY_DATA": "", "ASSAY_FAIL_ON": "", "ASSAY_ARGUMENTS": "", "ASSAY_REPORT": "page.html"}
    done = run_in(benchmark, "bash", "-e", "-c", SCRIPT, **inputs)
    assert done.returncode == 1, done.stderr
    assert re.search(r"::error .*title=A101.*::20 items of 20 in test", done.stdout)
    assert (benchmark / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_inputs_of_the_action_are_never_run(benchmark):
    hostile = "$(touch exploited); touch exploited"
    inputs = {"ASSAY_DATA": hostile, "ASSAY_FAIL_ON": hostile, "ASSAY_ARGUMENTS": hostile, "ASSAY_REPORT": ""}
    assert run_in(benchmark, "bash", "-e", "-c", SCRIPT, **inputs).returncode in (1, 2)
    assert not (benchmark / "exploited").exists()
    assert "${{" not in SCRIPT


def test_the_inputs_reach_the_command(benchmark):
    inputs = {
        "ASSAY_DATA": "data/test.tsv",
        "ASSAY_FAIL_ON": "A101 A102",
        "ASSAY_ARGUMENTS": "--only profile",
        "ASSAY_REPORT": "",
    }
    done = run_in(benchmark, "bash", "-e", "-c", SCRIPT, **inputs)
    assert done.returncode == 0, done.stderr  # one part alone has no leak
    variables = next(step["env"] for step in ACTION["runs"]["steps"] if step.get("id") == "audit")
    names = set(re.findall(r"inputs\.([\w-]+)", " ".join(variables.values())))
    assert names == {"data", "fail-on", "arguments", "report"}
    assert names <= set(ACTION["inputs"])


DECIDE = next(step["run"] for step in ACTION["runs"]["steps"] if step.get("name") == "Decide")


@pytest.mark.parametrize(
    ("candidate", "strict", "status"),
    [("good", "true", 0), ("bad", "false", 1), ("alike", "false", 0), ("alike", "true", 3)],
)
def test_the_action_decides_and_writes_the_step_summary(benchmark, candidate, strict, status):
    columns = {"old": (1, 0, 0, 1), "good": (1, 1, 0, 1), "bad": (0, 0, 0, 1), "alike": (0, 1, 0, 1)}
    rows = ["\t".join([str(n), *(str(values[n % 4]) for values in columns.values())]) for n in range(200)]
    (benchmark / "answers.tsv").write_text("\n".join(["id\t" + "\t".join(columns), *rows]) + "\n")
    done = run_in(
        benchmark, "bash", "-e", "-c", DECIDE, ASSAY_DATA="answers.tsv", ASSAY_REQUIRE="not-worse", ASSAY_STRICT=strict,
        ASSAY_ARGUMENTS=f"--baseline old --candidate {candidate}", GITHUB_STEP_SUMMARY=str(benchmark / "summary.md"),
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    assert f"{candidate} not worse than old" in (benchmark / "summary.md").read_text()
    assert ("::warning" in done.stdout) == (status == 0 and candidate == "alike")
