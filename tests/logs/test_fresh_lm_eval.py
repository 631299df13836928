"""Samples that lm-evaluation-harness writes now: scores and standard errors equal to its own."""

from __future__ import annotations

import json
import math

import pytest

import assay
from assay.discrimination import build_log_outcomes
from assay.logs import read_logs

lm_eval = pytest.importorskip("lm_eval", reason="needs lm_eval to write fresh logs")
pytest.importorskip("datasets", reason="lm_eval reads its documents with datasets")
pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of the harness are its own

TASK = """
task: quiz
dataset_path: json
dataset_kwargs:
  data_files: {{test: {data}}}
test_split: test
output_type: multiple_choice
doc_to_text: "Question: {{{{question}}}}\\nAnswer:"
doc_to_target: "{{{{answer}}}}"
doc_to_choice: "{{{{choices}}}}"
fewshot_split: test
metric_list:
  - metric: acc
  - metric: acc_norm
metadata:
  version: 1.0
"""


def run_quiz(folder, *, n_items=30, n_shots=0, seed=0, copies=0):
    from lm_eval import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    rows = [
        {"question": f"What is {number} + 1?", "choices": [str(number + step) for step in (1, 2, 3)], "answer": 0}
        for number in range(n_items)
    ]
    rows += rows[:copies]
    home = folder / "tasks"
    home.mkdir(exist_ok=True)
    (home / "quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (home / "quiz.yaml").write_text(TASK.format(data=home / "quiz.jsonl"))
    tracker = EvaluationTracker(output_path=str(folder / "runs"))
    results = simple_evaluate(
        model="dummy",
        tasks=["quiz"],
        num_fewshot=n_shots,
        task_manager=TaskManager(include_path=str(home), include_defaults=False),
        evaluation_tracker=tracker,
        log_samples=True,
        random_seed=seed,
        bootstrap_iters=10,  # the error of a mean is not bootstrapped
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    tracker.save_results_samples(task_name="quiz", samples=samples["quiz"])
    return results["results"]["quiz"]


def test_scores_and_standard_errors_are_those_of_the_harness(tmp_path):
    own = run_quiz(tmp_path)
    outcomes = {entry.metric: entry for entry in build_log_outcomes(read_logs(tmp_path / "runs"))}
    for metric in ("acc,none", "acc_norm,none"):
        scores = outcomes[metric].table[0]
        assert len(scores) == 30
        assert scores.mean() == pytest.approx(own[metric], abs=1e-12)
    accuracy = outcomes["acc,none"].table[0]
    error = accuracy.std(ddof=1) / math.sqrt(len(accuracy))
    assert error == pytest.approx(own["acc_stderr,none"], abs=1e-12)


def test_the_most_likely_choice_gives_the_accuracy_of_the_harness(tmp_path):
    own = run_quiz(tmp_path)
    result = assay.evaluate(tmp_path / "runs")
    assert result.systems[0].metrics["accuracy"].value == pytest.approx(own["acc,none"], abs=1e-12)
    assert result.n_items == 30
    assert not any("scored otherwise" in note for note in result.notes)


def test_equal_documents_stay_apart(tmp_path):
    run_quiz(tmp_path, copies=5)
    (outcomes, *_) = build_log_outcomes(read_logs(tmp_path / "runs"))
    assert outcomes.table.shape[1] == 35


def test_other_numbers_of_examples_are_runs_of_their_own(tmp_path):
    run_quiz(tmp_path, n_shots=0)
    run_quiz(tmp_path, n_shots=2)
    systems = read_logs(tmp_path / "runs").systems
    assert len(systems) == 2
    assert all("n-shot" in system for system in systems)
