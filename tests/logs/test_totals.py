"""Totals of a harness are compared with the items of its logs; versions and splits."""

from __future__ import annotations

import json

import polars as pl
import pytest
from tests.logs.test_helm import instance, stat
from tests.logs.test_inspect import HEADER, sample
from tests.logs.test_inspect import write as write_inspect
from tests.logs.test_lm_eval import sample as lm_sample
from tests.logs.test_lm_eval import write as write_lm_eval

import assay
from assay.base.errors import AssayError
from assay.discrimination import build_log_outcomes, build_log_scores
from assay.logs import read_logs

DATE = "2025-03-01T12-00-00.123456"


def make_header(value, reducer=None, **extra):
    score = {"name": "choice", "scorer": "choice", "scored_samples": 3, "metrics": {"accuracy": {"value": value}}}
    score |= {"reducer": reducer} if reducer else {}
    return {**HEADER, "results": {"total_samples": 3, "completed_samples": 3, "scores": [score]}, **extra}


def get_differences(folder):
    return [(row.metric, row.value, row.total) for row in read_logs(folder).differences]


def test_totals_of_inspect(tmp_path):
    samples = [sample(1, "C"), sample(2, "I")]
    write_inspect(tmp_path / "a.eval", samples, make_header(0.5))
    assert get_differences(tmp_path) == []
    write_inspect(tmp_path / "a.eval", samples, make_header(0.9))
    assert get_differences(tmp_path) == [("choice", 0.5, 0.9)]
    assert any(
        "choice of openai/gpt-x is 0.5 over 2 items of 3 of the log, the harness reports 0.9" in note
        for note in read_logs(tmp_path).notes
    )


@pytest.mark.parametrize(("reducer", "total"), [("mean", 0.5), ("mode", 1.0), ("at_least_2", 1.0), ("at_least_3", 0.0)])
def test_repeats_are_reduced_as_inspect_does(tmp_path, reducer, total):
    samples = [sample(1, value, epoch) for epoch, value in enumerate("CCII" if reducer == "mean" else "CCI", start=1)]
    write_inspect(tmp_path / "a.eval", samples, make_header(total, reducer))
    assert get_differences(tmp_path) == []


def test_totals_of_lm_eval(tmp_path):
    path = write_lm_eval(tmp_path, "m", [lm_sample(0, 1.0), lm_sample(1, 0.0)])
    totals = {"exact_match,strict-match": 0.7, "exact_match_stderr,strict-match": 0.1}
    results = {"results": {"gsm8k": totals}, "model_name": "m", "n-samples": {"gsm8k": {"effective": 10}}}
    (path.parent / f"results_{DATE}.json").write_text(json.dumps(results), encoding="utf-8")
    (difference,) = read_logs(tmp_path).differences
    assert (difference.value, difference.total, difference.n_items, difference.n_total) == (0.5, 0.7, 2, 10)


def test_totals_of_lighteval(tmp_path):
    home = tmp_path / "details" / "org" / "m" / DATE
    home.mkdir(parents=True)
    rows = [
        {"doc": {"id": "", "query": f"q{n}", "choices": ["a", "b"], "gold_index": 0}, "metric": {"acc": float(n)}}
        for n in range(2)
    ]
    pl.DataFrame(rows).write_parquet(home / f"details_arc|0_{DATE}.parquet")
    results = tmp_path / "results" / "org" / "m"
    results.mkdir(parents=True)
    totals = {"results": {"arc|0": {"acc": 0.25, "acc_stderr": 0.1}}}
    (results / f"results_{DATE}.json").write_text(json.dumps(totals), encoding="utf-8")
    assert get_differences(tmp_path) == [("acc", 0.5, 0.25)]


def write_helm(folder, model, rows, totals=(), name="mmlu:subject=law,model={}", groups=("mmlu",)):
    home = folder / name.format(model.replace("/", "_")).replace(":", "-")
    home.mkdir(parents=True)
    spec = {"name": name.format(model.replace("/", "_")), "adapter_spec": {"model": model}, "groups": list(groups)}
    texts = [
        {"id": f"id{n}", "input": {"text": f"q{n}"}, "references": [{"output": {"text": "yes"}}]} for n in range(9)
    ]
    files = {"per_instance_stats": rows, "stats": list(totals), "run_spec": spec, "instances": texts}
    for file, content in files.items():
        (home / f"{file}.json").write_text(json.dumps(content), encoding="utf-8")


def test_splits_and_totals_of_helm(tmp_path):
    rows = [instance(0, 1.0), instance(1, 0.0)]
    rows.append({**instance(2, 0.0), "stats": [stat("exact_match", 0.0, split="valid")]})
    totals = [stat("exact_match", 0.5), stat("exact_match", 0.0, split="valid")]
    write_helm(tmp_path, "org/m", rows, totals)
    logs = read_logs(tmp_path)
    assert build_log_outcomes(logs)[0].table.tolist() == [[1.0, 0.0]]
    assert (logs.differences, [(entry.what, entry.n) for entry in logs.left_out]) == ((), [("items", 1)])
    assert any("1 item of the split valid left out" in note for note in logs.notes)
    write_helm(tmp_path / "other", "org/m", rows, [stat("exact_match", 0.9)])
    assert get_differences(tmp_path / "other") == [("exact_match", 0.5, 0.9)]


def test_all_systems_of_a_folder_of_helm_are_one_task(tmp_path):
    for model in ("org/a", "org/b"):
        name = "boolq:model={0},model_deployment={0}"
        write_helm(tmp_path, model, [instance(0, 1.0), instance(1, 0.0)], name=name, groups=("boolq",))
    (outcomes,) = build_log_outcomes(read_logs(tmp_path))
    assert (outcomes.dataset, outcomes.systems) == ("boolq", ("org/a", "org/b"))


def test_the_metric_of_helm_is_that_of_its_scenario(tmp_path):
    rows = [{**instance(n, 0.0), "stats": [stat("exact_match", 0.0), stat("rouge_2", 0.5 * n)]} for n in range(3)]
    write_helm(tmp_path, "org/m", rows, name="summarization_xsum:model={}", groups=("summarization_xsum",))
    data = assay.read(tmp_path)
    assert data.predictions["score"].to_list() == [0.0, 0.5, 1.0]


def test_logs_of_version_3_are_read(tmp_path):
    """Version 3 keeps messages of events in a pool next to them; the sample itself is as before."""
    pool = [{"role": "user", "content": "question 1", "id": "m1"}]
    events = [{"event": "model", "input": [], "input_refs": [[0, 1]]}]
    rows = [{**sample(1, "C"), "message_pool": pool, "call_pool": [], "events": events, "messages": pool}]
    write_inspect(tmp_path / "a.eval", rows, {**make_header(1.0), "version": 3})
    assert [record.score for record in read_logs(tmp_path).records] == [1.0]


def test_an_unknown_version_is_skipped_and_counted(tmp_path):
    write_inspect(tmp_path / "a.eval", [sample(1, "C")], HEADER)
    write_inspect(tmp_path / "b.eval", [sample(1, "C")], {**HEADER, "version": 99})
    logs = read_logs(tmp_path)
    assert [(entry.what, entry.n) for entry in logs.left_out] == [("files", 1)]
    assert any("version 99 of the log format of inspect is not known" in note for note in logs.notes)
    with pytest.raises(AssayError, match="version 99"):
        read_logs(tmp_path, strict=True)


def test_a_version_that_only_inspect_knows_is_read_by_it(tmp_path, monkeypatch):
    inspect_log = pytest.importorskip("inspect_ai.log", reason="needs inspect_ai")
    path = write_inspect(tmp_path / "a.eval", [sample(1, "C")], {**HEADER, "version": 99})

    class Log:
        def model_dump(self, **options):
            return {**HEADER, "samples": [sample(1, "C")]}

    monkeypatch.setattr(inspect_log, "read_eval_log", lambda path, **options: Log())
    assert [record.score for record in read_logs(path).records] == [1.0]


def test_perplexities_of_the_harness_keep_their_value(tmp_path):
    likelihoods = {"word_perplexity": [-20.0, 10.0], "bits_per_byte": [-20.0, 40.0]}
    rows = [lm_sample(n, 0.0, "none", metrics=list(likelihoods), **likelihoods) for n in range(2)]
    path = write_lm_eval(tmp_path, "m", rows, task="wikitext")
    totals = {"word_perplexity,none": 7.389, "word_perplexity_stderr,none": "N/A", "bits_per_byte,none": 0.7213}
    results = {"results": {"wikitext": totals}, "model_name": "m"}
    (path.parent / f"results_{DATE}.json").write_text(json.dumps(results), encoding="utf-8")
    logs = read_logs(tmp_path)
    items = {outcomes.metric: outcomes.table[0].tolist() for outcomes in build_log_outcomes(logs)}
    assert items["log_word_perplexity,none"] == [2.0, 2.0]
    assert items["item_bits_per_byte,none"] == pytest.approx([0.7213, 0.7213], abs=1e-4)
    scores = {row.metric: row.scores.tolist() for row in build_log_scores(logs).measurements}
    assert scores == {"word_perplexity,none": [7.389], "bits_per_byte,none": [0.7213]}


def test_an_audit_reports_totals_that_differ(tmp_path):
    samples = [sample(number, "C" if number % 2 else "I") for number in range(12)]
    write_inspect(tmp_path / "a.eval", samples, make_header(0.9))
    result = assay.audit(tmp_path / "a.eval", only=["profile"])
    (finding,) = [finding for finding in result.findings if finding.code == "A112"]
    assert "is 0.5 over 12 items, the harness reports 0.9" in finding.claim
    write_inspect(tmp_path / "a.eval", samples, make_header(0.5))
    assert "A112" in [rule.code for rule in assay.audit(tmp_path / "a.eval", only=["profile"]).passed]
