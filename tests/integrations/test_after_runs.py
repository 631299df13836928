"""Short audits after runs: the hook of inspect, and the watcher of folders."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.logs.example_logs import write_quiz

import assay
from assay.cli.main import status
from assay.integrations.short_audits import MAX_FINDINGS, audit_runs
from assay.integrations.watching import list_log_files, wait_for_runs

SOURCE = Path(assay.__file__).parents[1]
PYPROJECT = SOURCE.parent / "pyproject.toml"
RUN = """
import sys
import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

def answer(number):
    output = ModelOutput.from_content("mockllm/model", str(2 * number if number % 3 else 1))
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # counting tokens needs a download
    return output

samples = [Sample(input=f"What is {n} + {n}?", target=str(2 * n), id=n) for n in range(30)]
task = Task(name="sums", dataset=samples, solver=generate(), scorer=match())
model = get_model("mockllm/model", custom_outputs=[answer(n) for n in range(30)], memoize=False)
options = {"model": model, "log_dir": sys.argv[2], "display": "plain", "max_samples": 1}
if sys.argv[1] == "set":
    done, _ = inspect_ai.eval_set(task, **options)
else:
    (log,) = inspect_ai.eval(task, **options)
    done = log.status == "success"
print("the run succeeded" if done else "the run failed", "numpy" in sys.modules)
"""


def run_inspect(tmp_path, kind, **variables):
    """Run inspect in a process in which the entry point of assay is installed."""
    pytest.importorskip("inspect_ai", reason="needs inspect_ai")
    entries = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["entry-points"]["inspect_ai"]
    info = tmp_path / "site" / "hooked-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hooked\nVersion: 1\n")
    lines = "".join(f"{name} = {module}\n" for name, module in entries.items())
    (info / "entry_points.txt").write_text(f"[inspect_ai]\n{lines}")
    environment = {
        **{name: value for name, value in os.environ.items() if name != "ASSAY_INSPECT"},
        "PYTHONPATH": os.pathsep.join([str(SOURCE), str(tmp_path / "site")]),
        **variables,
    }
    command = [sys.executable, "-c", RUN, kind, str(tmp_path / "logs")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert "the run succeeded" in done.stdout, done.stderr
    return done


@pytest.mark.parametrize(("kind", "pattern"), [("run", "*.assay.html"), ("set", "assay-report.html")])
def test_a_run_and_an_eval_set_of_inspect_are_audited(tmp_path, kind, pattern):
    done = run_inspect(tmp_path, kind, ASSAY_INSPECT="1")
    (report,) = (tmp_path / "logs").glob(pattern)
    assert report.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "30 items of 1 task audited" in done.stdout
    assert report.name in done.stdout.replace("\n", "")


def test_without_the_variable_nothing_is_registered_and_nothing_heavy_imported():
    pytest.importorskip("inspect_ai", reason="needs inspect_ai")
    code = (
        "import inspect_ai.hooks, sys\nbefore = set(sys.modules)\nimport assay.integrations.inspect_hook\n"
        "from inspect_ai.hooks._hooks import get_all_hooks\n"
        "print([hook for hook in get_all_hooks() if 'assay' in type(hook).__module__], *({*sys.modules} - before))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "ASSAY_INSPECT"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    registered, *loaded = done.stdout.splitlines()[-1].split()
    assert registered == "[]"
    assert not {"numpy", "polars", "click", "numba"} & set(loaded)


@pytest.mark.parametrize(
    ("log", "cause"), [("missing.eval", "there is no such file or folder"), ("s3://logs/a.eval", "remote storage")]
)
def test_a_failed_audit_is_one_warning(caplog, log, cause):
    pytest.importorskip("inspect_ai", reason="needs inspect_ai")
    import anyio

    from assay.integrations.inspect_hook import print_audit

    anyio.run(print_audit, [log])
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert cause in record.getMessage()


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    for task in ("sums", "rivers"):
        write_quiz(folder, task, {"org/a": 0.5, "org/b": -0.5}, n_items=24)
    return folder


def test_several_tasks_make_one_report_with_the_most_serious_findings(tmp_path, logs):
    result = audit_runs([logs], only=["profile", "task"], cache=None)
    assert len(result.tasks) > 1
    assert (logs / "assay-report.html").exists()
    assert len(result.findings) <= MAX_FINDINGS
    assert [row.severity for row in result.findings] == sorted(row.severity for row in result.findings)


def test_log_files_are_audited_together(tmp_path, logs):
    files = sorted(logs.rglob("samples_*.jsonl"))
    result = audit_runs(files, tmp_path / "page.html", only=["profile"], cache=None)
    assert (len(files), result.n_items, sorted(result.tasks)) == (4, 48, ["rivers", "sums"])
    assert (tmp_path / "page.html").exists()


def test_the_command_audits_once_and_names_its_mistakes(capsys, logs):
    assert status(["watch", "--once", "--only", "profile", str(logs)]) == 0
    assert "the report with" in capsys.readouterr().out
    (file, *_) = sorted(logs.rglob("samples_*.jsonl"))
    assert status(["watch", str(file)]) == 2
    assert "LOGS: needs one folder of logs. Audit files with --once." in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_named_before_the_audit(monkeypatch, logs):
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr("assay.integrations.short_audits.read_tasks", None)
    with pytest.raises(assay.AssayError, match=r"cannot be written into this folder\. Name another file"):
        audit_runs([logs])


def test_a_run_is_reported_when_its_files_have_settled(tmp_path, logs):
    folder = tmp_path / "watched"
    folder.mkdir()
    steps = iter(range(100))

    def sleep(_seconds):
        step = next(steps)
        if step < 3:  # a file that grows
            write_quiz(folder, "quiz", {"org/a": 0.5}, n_items=step + 1)
        if step == 10:
            raise TimeoutError

    states = wait_for_runs(folder, every=1, settle=2, sleep=sleep)
    state = next(states)
    (samples,) = (Path(path) for path, _size, _time in state if path.endswith(".jsonl"))
    assert len(samples.read_text().splitlines()) == 3
    assert list_log_files(folder) == state
    with pytest.raises(TimeoutError):  # not again without a change
        next(states)
