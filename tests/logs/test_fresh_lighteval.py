"""Details that lighteval writes now: scores and standard errors equal to its own."""

from __future__ import annotations

import math
from dataclasses import asdict

import pytest

import assay
from assay.discrimination import build_log_outcomes
from assay.logs import read_logs

pytest.importorskip("lighteval", reason="needs lighteval to write fresh logs")
pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of the harness are its own

N_ITEMS, N_COPIES = 24, 2
CHOICES = ["red", "green", "blue", "white"]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """Score documents with the metrics of lighteval, and write the details with its tracker."""
    from datasets import Dataset
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.metrics.metrics import Metrics
    from lighteval.metrics.utils.stderr import mean_stderr
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    folder = tmp_path_factory.mktemp("lighteval")
    metric = Metrics.loglikelihood_acc.value
    own = {}
    for model, period in (("org/one", 3), ("org/two", 4)):
        tracker = EvaluationTracker(output_dir=str(folder), save_details=True)
        tracker.general_config_logger.model_name = model
        rows, scores = [], []
        for number in [*range(N_ITEMS), *range(N_COPIES)]:
            doc = Doc(query=f"Question {number}?", choices=CHOICES, gold_index=number % 4, task_name="colours|0")
            best = (number + (number % period == 0)) % 4
            response = ModelResponse(logprobs=[-1.0 - (choice != best) for choice in range(4)])
            score = metric.compute_sample(doc=doc, model_response=response)
            rows.append(asdict(tracker.details_logger.Detail(doc, response, score)))
            scores.append(next(iter(score.values())))
        tracker.save_details("2026-01-01T00-00-00.000000", {"colours|0": Dataset.from_list(rows)})
        own[model] = (sum(scores) / len(scores), mean_stderr(scores))
    return folder, own


def test_scores_and_standard_errors_are_those_of_lighteval(fresh):
    folder, own = fresh
    (outcomes,) = build_log_outcomes(read_logs(folder))
    assert outcomes.dataset == "colours"
    for system, scores in zip(outcomes.systems, outcomes.table, strict=True):
        assert len(scores) == N_ITEMS + N_COPIES
        assert scores.mean() == pytest.approx(own[system][0], rel=1e-12)
        assert scores.std(ddof=1) / math.sqrt(len(scores)) == pytest.approx(own[system][1], rel=1e-12)


def test_the_most_likely_choice_gives_the_accuracy_of_lighteval(fresh):
    folder, own = fresh
    result = assay.evaluate(folder)
    assert {row.system: row.metrics["accuracy"].value for row in result.systems} == pytest.approx(
        {system: mean for system, (mean, _) in own.items()}
    )
    assert not any("scored otherwise" in note for note in result.notes)


def test_an_audit_of_fresh_details_is_that_of_its_converted_files(fresh, tmp_path):
    files = assay.convert(fresh[0], tmp_path)
    only = ["profile", "discrimination"]
    assert assay.audit(fresh[0], only=only).findings == assay.audit(files.data, files.predictions, only=only).findings
