"""Responses of HELM and lighteval, and logs of inspect that are too large to be read as a whole."""

from __future__ import annotations

import json
import random

import polars as pl
import pytest

import assay
from assay.base.errors import AssayError
from assay.logs.readers import large_json
from assay.system.json import RepeatedKeys

TEXTS = ["The answer is (B).", "First we look at the", "", "The answer is (A)."]
CHOICES = ["3", "4", "5"]


def test_completions_of_helm_have_states(tmp_path):
    home = tmp_path / "sums:model=org_one"
    home.mkdir()
    reasons = ["stop", "length", "content_filter", "endoftext"]
    states, stats = [], []
    for n, (text, reason) in enumerate(zip(TEXTS, reasons, strict=True)):
        references = [{"output": {"text": choice}, "tags": ["correct"] * (choice == "4")} for choice in CHOICES]
        instance = {"id": f"id{n}", "input": {"text": f"What is 2 + 2, number {n}?"}, "references": references}
        completion = {"text": text, "finish_reason": {"reason": reason}}
        states.append({"instance": instance, "result": {"success": True, "completions": [completion]}})
        score = {"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": float(n == 0)}
        stats.append({"instance_id": f"id{n}", "train_trial_index": 0, "stats": [score | {"mean": score["sum"]}]})
    failed = {"instance": states[0]["instance"] | {"id": "id9", "input": {"text": "?"}}, "result": {"success": False}}
    (home / "scenario_state.json").write_text(json.dumps({"request_states": [*states, failed]}))
    (home / "per_instance_stats.json").write_text(json.dumps(stats))
    (home / "run_spec.json").write_text(json.dumps({"name": home.name, "adapter_spec": {"model": "org/one"}}))
    (row,) = assay.audit_responses(tmp_path).systems
    assert row.states == {"complete": 2, "truncated": 1, "refusal": 1}
    assert (row.graded.value, row.read.value) == (0.25, 0.25)


def test_generated_texts_of_lighteval_have_states(tmp_path):
    date = "2025-04-02T10-00-00.000000"
    home = tmp_path / "details" / "org/one" / date
    home.mkdir(parents=True)
    docs = [
        {"id": str(n), "query": f"q{n}", "choices": CHOICES, "gold_index": 1, "task_name": "sums"}
        for n in range(len(TEXTS))
    ]
    rows = [
        {"doc": doc, "model_response": {"text": [text]}, "metric": {"em": float(n == 0)}}
        for n, (doc, text) in enumerate(zip(docs, TEXTS, strict=True))
    ]
    pl.DataFrame(rows).write_parquet(home / f"details_custom|sums|0_{date}.parquet")
    (row,) = assay.audit_responses(tmp_path).systems
    assert row.states == {"complete": 2, "truncated": 1, "empty": 1}
    assert (row.graded.value, row.read.value) == (0.25, 0.25)


def make_value(draw: random.Random, depth: int):
    kind = draw.randrange(5)
    if kind == 0:
        return draw.choice(['a"]}', "\\", '\\\\\\"', "{[", "]}", '"samples": [', "é🙂\\"])
    if kind == 1 and depth < 4:
        return [make_value(draw, depth + 1) for _ in range(draw.randrange(4))]
    if kind == 2 and depth < 4:
        names = ["samples", "a\\", 'b"', "]"]
        return {f"{draw.choice(names)}{n or ''}": make_value(draw, depth + 1) for n in range(draw.randrange(4))}
    return draw.random()


@pytest.mark.parametrize("size", [1, 2, 7, 64, 10_000])
def test_the_list_of_a_large_object_is_read_one_by_one(tmp_path, monkeypatch, size):
    monkeypatch.setattr(large_json, "BLOCK_BYTES", size)
    draw, path = random.Random(size), tmp_path / "log.json"
    for number in range(60):
        samples = [{"id": n, "value": make_value(draw, 0)} for n in range(draw.randrange(5))]
        content = {"x": make_value(draw, 0), "y": {"samples": [{}]}, "samples": samples, "z": make_value(draw, 0)}
        path.write_text(json.dumps(content, indent=number % 3 or None, ensure_ascii=bool(number % 2)), encoding="utf-8")
        head, rows = large_json.read_list_of(path, "samples", RepeatedKeys())
        assert list(rows) == samples
        assert head == content | {"samples": []}


def test_a_large_json_log_gives_what_a_small_one_gives(shared, monkeypatch):
    path = shared("eval_logs/inspect/log_formats.json")
    small = assay.audit_responses(path)
    monkeypatch.setattr(large_json, "MIN_BYTES", 100)
    assert assay.audit_responses(path).to_dict() == small.to_dict()


def test_a_large_json_log_that_was_cut_off_is_an_error(shared, tmp_path, monkeypatch):
    content = shared("eval_logs/inspect/log_formats.json").read_bytes()
    path = tmp_path / "log.json"
    monkeypatch.setattr(large_json, "MIN_BYTES", 100)
    for share in (0.5, 0.9, 0.999):
        path.write_bytes(content[: int(share * len(content))])
        with pytest.raises(AssayError, match=r"log\.json"):
            assay.audit_responses(path)
