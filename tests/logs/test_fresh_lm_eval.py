"""Samples that lm-evaluation-harness writes now: scores and standard errors equal to its own."""

from __future__ import annotations

import json
import math

import pytest

import assay
from assay.discrimination import build_log_outcomes
from assay.integrations.short_audits import audit_runs
from assay.logs import list_tasks, read_logs

lm_eval = pytest.importorskip("lm_eval", reason="needs lm_eval to write fresh logs")
pytest.importorskip("datasets", reason="lm_eval reads its documents with datasets")
pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of the harness are its own

N_ITEMS, N_COPIES = 30, 5
TASKS = ["quiz", "sums", "subjects"]
QUIZ = """
task: {name}
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
SUMS = """
task: sums
dataset_path: json
dataset_kwargs:
  data_files: {{test: {data}}}
test_split: test
output_type: generate_until
doc_to_text: "Compute: {{{{question}}}}"
doc_to_target: "{{{{solution}}}}"
generation_kwargs: {{until: ["\\n"], do_sample: false}}
fewshot_split: test
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
filter_list:
  - name: strict-match
    filter:
      - function: regex
        regex_pattern: "sum is (\\\\d+)"
      - function: take_first
  - name: flexible-extract
    filter:
      - function: regex
        group_select: -1
        regex_pattern: "(\\\\d+)"
      - function: take_first
metadata:
  version: 2.0
"""
GROUP = """
group: subjects
task:
  - subjects_law
  - subjects_art
aggregate_metric_list:
  - metric: acc
    weight_by_size: true
metadata:
  version: 1.0
"""


def make_rows(kind, n_items):
    return [
        {
            "question": f"{kind} {number} + 1?",
            "choices": [str(number + step) + " " * (step % 2) for step in (1, 2, 3)],
            "answer": 0,
            "solution": str(number + 1),
        }
        for number in range(n_items)
    ]


def write_tasks(home):
    home.mkdir()
    sizes = {"quiz": N_ITEMS, "sums": N_ITEMS, "subjects_law": 8, "subjects_art": 12}
    for name, n_items in sizes.items():
        rows = make_rows(name, n_items)
        rows += rows[:N_COPIES] if name == "quiz" else []
        path = home / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        (home / f"{name}.yaml").write_text((SUMS if name == "sums" else QUIZ).format(name=name, data=path))
    (home / "subjects.yaml").write_text(GROUP)


def make_model():
    """Return a model whose answers follow from the prompt: right to about two of three questions."""
    import zlib

    from lm_eval.api.model import LM

    class Fake(LM):
        @property
        def tokenizer_name(self):
            return ""

        def loglikelihood(self, requests, **_):
            return [(-1.0 - zlib.crc32(repr(request.args).encode()) % 97 / 10, False) for request in requests]

        def loglikelihood_rolling(self, requests, **_):
            return [-10.0 for _ in requests]

        def generate_until(self, requests, **_):
            answers = []
            for request in requests:
                number = int(request.args[0].rsplit("sums ", 1)[1].split()[0]) + 1
                wrong = zlib.crc32(request.args[0].encode()) % 3
                answers.append((f"The sum is {number}", f"It must be {number}", f"The sum is {number + 7}")[wrong])
            return answers

    return Fake()


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """Run the tasks with two numbers of examples; return the folder of logs and the harness's own results."""
    import os

    patch = pytest.MonkeyPatch()
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        patch.setitem(os.environ, name, "1")
    patch.setattr("lm_eval.evaluator.add_env_info", lambda _results: None)  # it lists all installed packages
    patch.setattr("lm_eval.evaluator.add_tokenizer_info", lambda _results, _model: None)  # which is downloaded
    folder = tmp_path_factory.mktemp("lm-eval")
    write_tasks(folder / "tasks")
    results = {}
    try:
        for n_shots in (0, 2):
            results[n_shots] = run_tasks(folder, n_shots)
    finally:
        patch.undo()
    return folder / "runs", results


def run_tasks(folder, n_shots):
    from lm_eval import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    tracker = EvaluationTracker(output_path=str(folder / "runs"))
    tracker.general_config_tracker.model_name_sanitized = "org__fake"
    results = simple_evaluate(
        model=make_model(),
        tasks=TASKS,
        num_fewshot=n_shots,
        task_manager=TaskManager(include_path=str(folder / "tasks"), include_defaults=False),
        evaluation_tracker=tracker,
        log_samples=True,
        bootstrap_iters=10,  # the error of a mean is not bootstrapped
    )
    samples = results.pop("samples")
    tracker.general_config_tracker.model_name = "org/fake"
    tracker.general_config_tracker.model_name_sanitized = "org__fake"
    tracker.save_results_aggregated(results=results, samples=samples)
    for task, rows in samples.items():
        tracker.save_results_samples(task_name=task, samples=rows)
    return results


def test_scores_and_standard_errors_are_those_of_the_harness(fresh):
    folder, results = fresh
    outcomes = build_log_outcomes(read_logs(folder))
    checked = 0
    for entry in outcomes:
        for system, scores in zip(entry.systems, entry.table, strict=True):
            own = results[2 if "n-shot 2" in system else 0]["results"][entry.dataset]
            metric, _, name = entry.metric.partition(",")
            assert scores.mean() == pytest.approx(own[entry.metric], rel=1e-12)
            error = scores.std(ddof=1) / math.sqrt(len(scores))
            assert error == pytest.approx(own[f"{metric}_stderr,{name}"], rel=1e-12)
            assert f"{error:.4f}" == f"{own[f'{metric}_stderr,{name}']:.4f}"
            checked += 1
    assert checked == 2 * (2 + 2 + 4)  # settings × (quiz: acc, acc_norm; sums: two filters; two subjects)


def test_evaluate_gives_the_accuracy_of_the_harness(fresh):
    folder, results = fresh
    result = assay.evaluate(folder, log_task="quiz")
    own = {f"org/fake (n-shot {n})": results[n]["results"]["quiz"]["acc,none"] for n in (0, 2)}
    assert {row.system: row.metrics["accuracy"].value for row in result.systems} == pytest.approx(own, rel=1e-12)
    assert not any("scored otherwise" in note for note in result.notes)


def test_generated_answers_are_scored_by_the_strict_filter(fresh):
    folder, results = fresh
    result = assay.evaluate(folder, log_task="sums")
    own = {f"org/fake (n-shot {n})": results[n]["results"]["sums"]["exact_match,strict-match"] for n in (0, 2)}
    assert {row.system: row.value for row in result.systems} == pytest.approx(own, rel=1e-12)


def test_equal_documents_stay_apart(fresh):
    data = assay.read(fresh[0], log_task="quiz")
    assert len(data) == N_ITEMS + N_COPIES


def test_other_numbers_of_examples_are_runs_of_their_own(fresh):
    systems = set(read_logs(fresh[0]).systems)
    assert systems == {"org/fake (n-shot 0)", "org/fake (n-shot 2)"}


def test_a_group_of_the_harness_is_one_task_with_its_score(fresh):
    folder, results = fresh
    tasks = list_tasks(read_logs(folder))
    assert tasks == {"quiz": ("quiz",), "subjects": ("subjects_art", "subjects_law"), "sums": ("sums",)}
    result = assay.evaluate(folder, log_task="subjects")
    own = {f"org/fake (n-shot {n})": results[n]["groups"]["subjects"]["acc,none"] for n in (0, 2)}
    assert result.n_items == 20
    assert {row.system: row.metrics["accuracy"].value for row in result.systems} == pytest.approx(own, rel=1e-12)


def test_the_audit_of_fresh_logs_is_a_suite_with_the_scores_of_the_harness(fresh):
    folder, results = fresh
    suite = assay.audit_suite(folder, only=["profile", "discrimination"])
    assert [(row.task, row.n_items, row.n_systems) for row in suite.tasks] == [
        ("quiz", 35, 2),
        ("subjects", 20, 2),
        ("sums", 30, 2),
    ]
    scores = {row.system: row.scores for row in suite.comparison.systems}
    for n in (0, 2):
        own = results[n]
        expected = [
            own["results"]["quiz"]["acc,none"],
            own["groups"]["subjects"]["acc,none"],
            own["results"]["sums"]["exact_match,strict-match"],
        ]
        assert scores[f"org/fake (n-shot {n})"] == pytest.approx([100 * value for value in expected])


def test_results_without_samples_are_totals(fresh, tmp_path):
    import shutil

    folder, results = fresh
    for path in folder.rglob("results_*.json"):
        (tmp_path / path.parent.name).mkdir(exist_ok=True)
        shutil.copy(path, tmp_path / path.parent.name / path.name)
    totals = read_logs(tmp_path).group_aggregates()
    tasks = {
        "quiz": ["acc,none", "acc_norm,none"],
        "sums": ["exact_match,strict-match", "exact_match,flexible-extract"],
    }
    tasks |= {name: ["acc,none", "acc_norm,none"] for name in ("subjects_law", "subjects_art")}
    assert {key[1:] for key in totals} == {(task, metric) for task, metrics in tasks.items() for metric in metrics}
    for (_, task, metric), records in totals.items():
        own = {f"org/fake (n-shot {n})": results[n]["results"][task][metric] for n in (0, 2)}
        assert {record.system: record.score for record in records} == pytest.approx(own)


def test_the_finished_runs_get_a_short_audit(fresh):
    folder, _ = fresh
    result = audit_runs([folder], only=["profile", "task"], cache=None)
    assert sorted(result.tasks) == ["quiz", "subjects", "sums"]
    assert (folder / "assay-report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
