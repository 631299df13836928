"""Logs of inspect, lm-evaluation-harness and others: items, scores and the numbers of their headers."""

from __future__ import annotations

import numpy as np
import pytest

from assay.logs import read_logs


@pytest.mark.parametrize(
    ("name", "n", "score"),
    [
        ("2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", 10, 0.8),
        ("2025-05-12T20-28-13-04-00_popularity.json", 3, 2 / 3),
        ("mmlu-summary-choices.eval", 1, 0.0),
        ("mmlu-no-summary-choices.eval", 1, 0.0),
        ("data_arc_sonnet.json", 5, 1.0),
        ("data_arc_qwen.json", 3, 1 / 3),
    ],
)
def test_items_of_inspect_logs(shared, name, n, score):
    records = read_logs(shared(f"eval_logs/inspect/{name}")).records
    scores = [record.score for record in records]
    assert (len(scores), sum(record.is_aggregate for record in records)) == (n, 0)
    assert np.mean(scores) == pytest.approx(score)
    if n == 10:  # the header's standard error
        assert np.std(scores, ddof=1) / np.sqrt(n) == pytest.approx(0.1333, abs=5e-5)


def test_a_log_without_scores(shared):
    name = "2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval"
    records = read_logs(shared(f"eval_logs/inspect/{name}")).records
    assert [record.score for record in records] == [None] * 10


@pytest.mark.parametrize(
    ("name", "score"), [("2025-05-12T20-28-13-04-00_no-samples.json", 2 / 3), ("data_with_llm_scoring.json", 0.431)]
)
def test_logs_with_a_header_only(shared, name, score):
    (record,) = read_logs(shared(f"eval_logs/inspect/{name}")).records
    assert record.is_aggregate
    assert record.score == pytest.approx(score)


@pytest.mark.parametrize(
    ("name", "n"),
    [
        ("perturbed_math/samples_math_perturbed_full_2026-01-21T03-44-18.458309", 10),
        ("EleutherAI__pythia-14m/samples_metabench_arc_secondary_2024-11-26T10-50-23.349203", 6),
        ("EleutherAI__pythia-14m/samples_metabench_gsm8k_secondary_2024-11-26T10-50-23.349203", 6),
        ("EleutherAI__pythia-14m/samples_metabench_hellaswag_secondary_2024-11-26T10-50-23.349203", 6),
        ("EleutherAI__pythia-14m/samples_metabench_mmlu_secondary_2024-11-26T10-50-23.349203", 8),
        ("EleutherAI__pythia-14m/samples_metabench_truthfulqa_secondary_2024-11-26T10-50-23.349203", 12),
        ("EleutherAI__pythia-14m/samples_metabench_winogrande_secondary_2024-11-26T10-50-23.349203", 25),
    ],
)
def test_records_of_lm_eval_logs(shared, name, n):
    records = read_logs(shared(f"eval_logs/lm_eval/{name}.jsonl")).records
    assert len({record.item for record in records if not record.is_aggregate}) == n
