"""Real logs of every harness: item counts and accuracies as published with them, and the same audit after `convert`."""

from __future__ import annotations

import math

import pytest

import assay
from assay.logs import join_tasks, read_logs
from assay.report import render_page

# Harness, log, task, items, accuracy and standard error as in SOURCE.md of the logs (None: not stated there).
FACTS = [
    ("inspect/2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", None, 10, 0.8, 0.1333),
    ("inspect/2025-05-12T20-28-13-04-00_popularity.json", None, 3, 0.6667, None),
    ("inspect/mmlu-summary-choices.eval", None, 1, 0.0, None),
    ("inspect/mmlu-no-summary-choices.eval", None, 1, 0.0, None),
    ("inspect/data_arc_sonnet.json", None, 5, 1.0, None),
    ("inspect/data_arc_qwen.json", None, 3, 0.3333, None),
    ("lm_eval/perturbed_math", None, 10, None, None),
    ("lm_eval/EleutherAI__pythia-14m", "metabench_arc_secondary", 6, None, None),
    ("lm_eval/EleutherAI__pythia-14m", "metabench_gsm8k_secondary", 6, None, None),
    ("lm_eval/EleutherAI__pythia-14m", "metabench_hellaswag_secondary", 6, None, None),
    ("lm_eval/EleutherAI__pythia-14m", "metabench_mmlu_secondary", 8, None, None),
    ("lm_eval/EleutherAI__pythia-14m", "metabench_truthfulqa_secondary", 12, None, None),
    ("lm_eval/EleutherAI__pythia-14m", "metabench_winogrande_secondary", 25, None, None),
]
AUDITED = [
    ("inspect/2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", None),
    ("lm_eval/EleutherAI__pythia-14m", "metabench_winogrande_secondary"),
    ("helm", None),
    ("every_eval_ever", None),
]
ONLY = ["profile", "task", "discrimination"]


@pytest.mark.parametrize(("name", "task", "n_items", "accuracy", "error"), FACTS)
def test_items_and_accuracy_are_those_stated_with_the_logs(name, task, n_items, accuracy, error, shared):
    joined = join_tasks(read_logs(shared(f"eval_logs/{name}")), task)
    scores = joined.answers["score"].to_list()
    assert joined.items.height == len(scores) == n_items
    mean = sum(scores) / n_items
    if accuracy is not None:
        assert round(mean, 4) == accuracy
    if error is not None:
        variance = sum((score - mean) ** 2 for score in scores) / (n_items - 1)
        assert round(math.sqrt(variance / n_items), 4) == error


def test_a_log_without_samples_has_the_totals_of_its_header(shared):
    records = read_logs(shared("eval_logs/inspect/data_with_llm_scoring.json")).records
    assert [round(record.score, 3) for record in records if record.metric.endswith("/accuracy")] == [0.431]


@pytest.mark.parametrize(("name", "task"), AUDITED)
def test_an_audit_of_a_log_is_that_of_its_converted_files(name, task, shared, tmp_path):
    path = shared(f"eval_logs/{name}")
    files = assay.convert(path, tmp_path, log_task=task)
    from_logs = assay.audit(assay.read(path, log_task=task), only=ONLY)
    from_files = assay.audit(files.data, files.predictions, only=ONLY)
    assert from_logs.findings == from_files.findings
    assert from_logs.items.equals(from_files.items)
    only_logs = {"A112"}  # totals of the harness
    assert [rule.code for rule in from_logs.passed if rule.code not in only_logs] == [
        rule.code for rule in from_files.passed
    ]
    systems = [audit.evidence.discrimination.systems for audit in (from_logs, from_files)]
    assert systems[0] == systems[1]
    page = render_page(from_logs)
    assert 'id="discrimination-title"' in page


def test_folders_of_several_tasks_give_the_same_audits_after_conversion(shared, tmp_path):
    path = shared("eval_logs/lm_eval/EleutherAI__pythia-14m")
    suite = assay.audit_suite(path, only=["profile", "discrimination"])
    for files in assay.convert_tasks(path, tmp_path):
        again = assay.audit(files.data, files.predictions, only=["profile", "discrimination"])
        expected = suite.audits[files.task].findings
        assert [strip_name(row, "data") for row in again.findings] == [strip_name(row, files.task) for row in expected]


def strip_name(finding, name):
    """Return the claim, subject and numbers of a finding; converted data has the name of its file."""
    claim, subject = (text.replace(f'"{name}"', '"data"') for text in (finding.claim, f'"{finding.subject}"'))
    return finding.code, finding.severity, claim, subject, finding.value, finding.n, finding.items


def test_the_folder_of_inspect_is_one_suite(shared):
    suite = assay.audit_suite(shared("eval_logs/inspect"), only=["profile"])
    sizes = {row.task: (row.n_items, row.n_systems) for row in suite.tasks}
    assert sizes["inspect_evals/arc_easy"] == (5, 2)
    assert sizes["popularity"][0] >= 10
