"""Items and answers joined from logs: content, answers that agree with the harness, notes."""

from __future__ import annotations

import json

import pytest

from assay.base.errors import AssayError
from assay.logs import LOGS, join_tasks, read_logs

PYTHIA = "eval_logs/lm_eval/EleutherAI__pythia-14m"


@pytest.mark.parametrize("task", ["arc", "hellaswag", "mmlu", "truthfulqa", "winogrande"])
def test_the_most_likely_choice_is_right_where_the_harness_says_so(task, shared):
    joined = join_tasks(read_logs(shared(PYTHIA)), f"metabench_{task}_secondary")
    gold = dict(zip(joined.items["id"], joined.items["gold"], strict=True))
    assert joined.form == "choices"
    for _, item, _, predicted, score in joined.answers.iter_rows():
        assert (predicted == gold[item]) == (score == 1.0)
    assert joined.items["text"].null_count() == 0
    assert joined.items["choices"].list.len().min() > 1


def test_items_of_pythia_are_those_of_the_documents(shared):
    joined = join_tasks(read_logs(shared(PYTHIA)), "metabench_arc_secondary")
    first = joined.items.row(0, named=True)
    assert first["text"].startswith("A group of engineers wanted to know how different building designs")
    assert first["choices"][1] == "buildings will be made safer"
    assert first["gold"] == "B"


def test_generated_answers_are_free(shared):
    joined = join_tasks(read_logs(shared("eval_logs/lm_eval/perturbed_math")))
    assert (joined.form, joined.items.height) == ("free", 10)
    assert joined.metrics == {"math_perturbed_full": "exact_match,none"}


def test_tasks_of_another_form_are_left_out_with_a_note(shared):
    joined = join_tasks(read_logs(shared(PYTHIA)))
    assert joined.items.height == 57
    assert "1 task with free answers left out: metabench_gsm8k_secondary." in joined.notes
    assert joined.items["subject"].n_unique() > 5  # subjects of MMLU, and the names of the other tasks


def test_a_real_run_of_helm_has_texts_choices_and_answers(shared):
    joined = join_tasks(read_logs(shared("eval_logs/helm")))
    first = joined.items.row(0, named=True)
    assert first["text"].startswith("What does the notion of")
    assert (first["choices"][2], first["gold"]) == ("internalmeaning", "C")
    assert set(joined.answers["predicted"]) <= set("ABCD")
    gold = dict(zip(joined.items["id"], joined.items["gold"], strict=True))
    for _, item, _, predicted, score in joined.answers.iter_rows():
        assert (predicted == gold[item]) == (score == 1.0)


def test_a_few_gold_answers_are_labels(shared):
    joined = join_tasks(read_logs(shared("eval_logs/inspect")), "popularity")
    assert joined.form == "labels"
    assert set(joined.items["gold"]) == {"Yes", "No"}


def test_models_are_joined_by_content(shared):
    logs = read_logs(shared("eval_logs/inspect"))
    joined = join_tasks(logs, "inspect_evals/arc_easy")
    counts = dict(joined.answers.group_by("system").len().rows())
    assert joined.items.height == 5
    assert counts == {"anthropic/claude-sonnet-4-0": 5, "ollama/qwen2.5:0.5b": 3}


def test_an_unknown_task_or_metric_lists_what_there_is(shared):
    logs = read_logs(shared(PYTHIA))
    with pytest.raises(AssayError, match="no task 'arc'; tasks are metabench_arc_secondary"):
        join_tasks(logs, "arc")
    with pytest.raises(AssayError, match="no metric 'f1'; metrics are acc,none, acc_norm,none"):
        join_tasks(logs, "metabench_arc_secondary", "f1")


def test_logs_without_texts_are_refused(tmp_path):
    (tmp_path / "m").mkdir()
    line = {"doc_hash": "h", "filter": "none", "metrics": ["acc"], "acc": 1.0}
    (tmp_path / "m" / "samples_arc.jsonl").write_text(json.dumps(line))
    with pytest.raises(AssayError, match="no texts of items"):
        join_tasks(read_logs(tmp_path))


def test_every_reader_shares_the_content_of_items(shared):
    reader = LOGS["lm-evaluation-harness"]()
    path = next(shared(PYTHIA).glob("samples_metabench_arc*.jsonl"))
    first, second = (list(reader.read_records(path)) for _ in range(2))
    assert all(a.content is b.content for a, b in zip(first, second, strict=True))
