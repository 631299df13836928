"""Samples that lm-evaluation-harness writes now: answers that its filter loses are counted as they were planted."""

from __future__ import annotations

import json
import os

import pytest

import assay

lm_eval = pytest.importorskip("lm_eval", reason="needs lm_eval to write fresh logs")
pytest.importorskip("datasets", reason="lm_eval reads its documents with datasets")
pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of the harness are its own

TASK = """
task: sums
dataset_path: json
dataset_kwargs:
  data_files: {{test: {data}}}
test_split: test
output_type: generate_until
doc_to_text: "Compute sum {{{{number}}}}"
doc_to_target: "{{{{solution}}}}"
generation_kwargs: {{until: ["###"], do_sample: false}}
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
filter_list:
  - name: strict-match
    filter:
      - function: regex
        regex_pattern: "The sum is (\\\\d+)"
      - function: take_first
metadata:
  version: 1.0
"""
# By the number of the item modulo 6: extracted; lost by the filter; cut off; a loop; nothing; wrong.
REPLIES = (
    "We add both. The sum is {right}",
    "We add both.\nThe answer is {right}.",
    "First we look at the numbers and then we",
    "It is so because it is so. " * 20,
    "",
    "We add both. The sum is 7777",
)
N = 24


def make_model():
    from lm_eval.api.model import LM

    class Fake(LM):
        @property
        def tokenizer_name(self):
            return ""

        def loglikelihood(self, requests, **_):
            return [(-1.0, False) for _ in requests]

        def loglikelihood_rolling(self, requests, **_):
            return [-1.0 for _ in requests]

        def generate_until(self, requests, **_):
            numbers = [int(request.args[0].rsplit("sum ", 1)[1]) for request in requests]
            return [REPLIES[number % 6].format(right=number + 1000) for number in numbers]

    return Fake()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from lm_eval import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    home = tmp_path_factory.mktemp("lm-eval")
    (home / "tasks").mkdir()
    rows = [{"number": number, "solution": str(number + 1000)} for number in range(N)]
    (home / "sums.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (home / "tasks" / "sums.yaml").write_text(TASK.format(data=home / "sums.jsonl"))
    patch = pytest.MonkeyPatch()
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        patch.setitem(os.environ, name, "1")
    patch.setattr("lm_eval.evaluator.add_env_info", lambda _results: None)  # it lists all installed packages
    patch.setattr("lm_eval.evaluator.add_tokenizer_info", lambda _results, _model: None)  # which is downloaded
    try:
        tracker = EvaluationTracker(output_path=str(home / "runs"))
        manager = TaskManager(include_path=str(home / "tasks"), include_defaults=False)
        tracker.general_config_tracker.model_name_sanitized = "org__fake"
        results = simple_evaluate(model=make_model(), tasks=["sums"], task_manager=manager, log_samples=True)
        samples = results.pop("samples")
        tracker.general_config_tracker.model_name_sanitized = "org__fake"
        tracker.save_results_aggregated(results=results, samples=samples)
        for task, own in samples.items():
            tracker.save_results_samples(task_name=task, samples=own)
    finally:
        patch.undo()
    return home / "runs"


def test_states_and_lost_answers_are_those_that_were_planted(folder):
    (row,) = assay.audit_responses(folder).systems
    assert row.states == {"complete": 12, "truncated": 4, "looping": 4, "empty": 4}
    assert (row.recovered, row.contradicted, row.invented) == (4, 0, 0)
    assert row.graded.value == pytest.approx(4 / N)
    assert row.read.value == pytest.approx(8 / N)


def test_converted_responses_give_the_same_result(folder, tmp_path):
    assay.convert(folder, tmp_path)
    logs = assay.audit_responses(folder)
    files = assay.audit_responses(tmp_path / "data.parquet", tmp_path / "responses.parquet")
    assert files.systems[0].states == logs.systems[0].states
    assert files.systems[0].read == logs.systems[0].read
    assert files.systems[0].graded == logs.systems[0].graded
