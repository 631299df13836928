"""`.eval_results/*.yaml` of the Hugging Face hub: read as score tables, written from logs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.logs.example_logs import write_quiz

from assay.base.errors import AssayError
from assay.cli.main import status
from assay.discrimination import read_scores
from assay.logs import read_logs, write_eval_results

yaml = pytest.importorskip("yaml", reason="needs PyYAML, which comes with datasets")
FULL = """- dataset:
    id: cais/hle
    task_id: default
    revision: 5503434ddd753f426f4b38109466949a1217c2bb
  value: 20.9
  verifyToken: token
  date: "2025-01-15"
  source: {url: "https://huggingface.co/spaces/x/y", name: Eval traces, user: x}
"""
TOOLS = "- dataset: {id: cais/hle, task_id: default}\n  value: 44.9\n  notes: With tools\n"
METRICS = (
    "- dataset: {id: openai/gsm8k, task_id: main}\n  metrics:\n"
    "    - {metric_id: accuracy, value: 80.5}\n    - {metric_id: f1, value: 81}\n"
)


def write(folder: Path, name: str, text: str) -> None:
    path = folder / ".eval_results" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_models_become_systems_and_tasks_datasets(tmp_path):
    write(tmp_path / "org" / "a", "hle.yaml", FULL)
    write(tmp_path / "org" / "a", "hle_with_tools.yaml", TOOLS)
    write(tmp_path / "org__b", "hle.yaml", FULL.replace("20.9", "18"))
    write(tmp_path / "models--org--c" / "snapshots" / "1a", "gsm8k.yml", METRICS)
    rows = read_scores(tmp_path).to_frame().sort("dataset", "metric", "system").rows()
    assert rows == [
        ("cais/hle", "cais/hle", "value", "org/a", 20.9),
        ("cais/hle", "cais/hle", "value", "org/a (With tools)", 44.9),
        ("cais/hle", "cais/hle", "value", "org/b", 18.0),
        ("openai/gsm8k", "openai/gsm8k main", "accuracy", "org/c", 80.5),
        ("openai/gsm8k", "openai/gsm8k main", "f1", "org/c", 81.0),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1", "it is not a list of results"),
        ("- value: 3", "a result has no dataset with an id"),
        ("- dataset: &x {id: a/b}\n  more: *x", "it repeats parts by reference"),
        ("- [", "it cannot be read"),
    ],
)
def test_files_that_are_not_in_the_format_are_named(tmp_path, text, problem):
    write(tmp_path, "hle.yaml", text)
    with pytest.raises(AssayError, match=problem):
        read_logs(tmp_path)


def test_what_is_written_is_read_by_the_library_of_the_hub_and_by_the_reader(tmp_path):
    hub = pytest.importorskip("huggingface_hub", reason="needs huggingface_hub")
    if not hasattr(hub, "parse_eval_result_entries"):
        pytest.skip("huggingface_hub is older than the format")
    write_quiz(tmp_path / "runs", "sums", {"org/a": 0.5, "org/b": -0.5}, n_items=20)
    table = read_logs(tmp_path / "runs")
    paths = write_eval_results(table, tmp_path / "out", "owner/Quiz")
    places = [path.relative_to(tmp_path / "out").as_posix() for path in paths]
    assert places == ["org/a/.eval_results/quiz.yaml", "org/b/.eval_results/quiz.yaml"]
    (entry,) = hub.parse_eval_result_entries(yaml.safe_load(paths[0].read_text(encoding="utf-8")))
    scores = [record.score for record in table.records if record.system == "org/a"]
    assert (entry.dataset_id, entry.task_id) == ("owner/Quiz", "sums")
    assert entry.value == pytest.approx(100 * sum(scores) / 20)
    again = read_scores(tmp_path / "out").to_frame()
    assert again["system"].to_list() == ["org/a", "org/b"]
    assert again["score"][0] == entry.value


def test_the_command_asks_for_both_options(tmp_path, capsys):
    write_quiz(tmp_path / "runs", "sums", {"org/a": 0.5, "org/b": -0.5}, n_items=20)
    assert status(["discriminate", str(tmp_path / "runs"), "--write-eval-results", str(tmp_path / "out")]) == 2
    assert "go together" in capsys.readouterr().err
    with pytest.raises(AssayError, match="OWNER/NAME"):
        write_eval_results(read_logs(tmp_path / "runs"), tmp_path, "quiz")
