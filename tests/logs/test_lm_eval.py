import json

import pytest

from assay.base.errors import AssayError
from assay.discrimination import build_log_outcomes
from assay.logs import read_logs


def sample(doc_id, score, filter_="strict-match", **extra):
    row = {
        "doc_id": doc_id,
        "doc": {"question": f"q{doc_id}", "answer": "4"},
        "target": "4",
        "arguments": {"gen_args_0": {"arg_0": "Q:", "arg_1": {}}},
        "resps": [["4"]],
        "filtered_resps": ["4"],
        "filter": filter_,
        "metrics": ["exact_match"],
        "doc_hash": f"hash{doc_id}",
        "prompt_hash": "p",
        "target_hash": "t",
        "exact_match": score,
    }
    return row | extra


def write(folder, model, rows, task="gsm8k"):
    home = folder / model
    home.mkdir(parents=True, exist_ok=True)
    path = home / f"samples_{task}_2025-03-01T12-00-00.123456.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_every_filter_is_a_metric_of_its_own(tmp_path):
    rows = [sample(n, float(n > 0), f) for n in range(3) for f in ("strict-match", "flexible-extract")]
    write(tmp_path, "org__model", rows)
    table = read_logs(tmp_path)
    assert [(entry.dataset, entry.metric) for entry in build_log_outcomes(table)] == [
        ("gsm8k", "exact_match,strict-match"),
        ("gsm8k", "exact_match,flexible-extract"),
    ]
    assert build_log_outcomes(table)[0].table.tolist() == [[0.0, 1.0, 1.0]]
    assert table.systems == ["org/model"]


def test_items_are_matched_by_their_hash_in_any_order(tmp_path):
    write(tmp_path, "a", [sample(0, 1.0), sample(1, 0.0)])
    write(tmp_path, "b", [sample(1, 1.0), sample(0, 0.0)])
    assert build_log_outcomes(read_logs(tmp_path))[0].table.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_the_key_of_items_without_hash_is_the_document(tmp_path):
    rows = [{key: value for key, value in sample(n, 1.0).items() if key != "doc_hash"} for n in range(2)]
    write(tmp_path, "a", rows)
    write(tmp_path, "b", rows[::-1])
    assert build_log_outcomes(read_logs(tmp_path))[0].table.shape == (2, 2)


def test_the_same_run_on_two_days_is_two_repeats(tmp_path):
    first = write(tmp_path, "a", [sample(0, 1.0)])
    first.rename(first.with_name("samples_gsm8k_2025-02-01T12-00-00.123456.jsonl"))
    write(tmp_path, "a", [sample(0, 0.0)])
    table = read_logs(tmp_path)
    assert [(record.repeat, record.score) for record in table.records] == [(0, 1.0), (1, 0.0)]


def test_a_task_name_with_underscores_is_kept(tmp_path):
    write(tmp_path, "a", [sample(0, 1.0)], task="mmlu_abstract_algebra")
    assert build_log_outcomes(read_logs(tmp_path))[0].dataset == "mmlu_abstract_algebra"


def test_metrics_of_the_whole_corpus_are_not_item_scores(tmp_path):
    write(tmp_path, "a", [sample(0, 1.0, metrics=["exact_match", "bleu"], bleu=[["ref"], "pred"])])
    assert [entry.metric for entry in build_log_outcomes(read_logs(tmp_path))] == ["exact_match,strict-match"]


def test_a_truncated_line_is_an_error_with_its_number(tmp_path):
    path = write(tmp_path, "a", [sample(0, 1.0)])
    path.write_text(path.read_text() + '{"doc_id": 1, "do', encoding="utf-8")
    with pytest.raises(AssayError, match="line 2: not JSON"):
        read_logs(tmp_path)


def test_real_logs_have_the_items_of_their_files(shared):
    outcomes = build_log_outcomes(read_logs(shared("eval_logs/lm_eval/EleutherAI__pythia-14m")))
    counts = {entry.dataset.split("_")[1]: entry.table.shape[1] for entry in outcomes}
    assert counts == {"arc": 6, "gsm8k": 6, "hellaswag": 6, "mmlu": 8, "truthfulqa": 12, "winogrande": 25}


def test_a_row_whose_score_is_damaged_is_a_failed_run(shared, tmp_path):
    name = "EleutherAI__pythia-14m/samples_metabench_gsm8k_secondary_2024-11-26T10-50-23.349203.jsonl"
    rows = [json.loads(line) for line in shared(f"eval_logs/lm_eval/{name}").read_text(encoding="utf-8").splitlines()]
    whole = rows[:6]
    metric = next(key for key, value in whole[0].items() if key not in ("doc_id",) and isinstance(value, (int, float)))
    for damage in (None, "x", [1], {}):
        damaged = [{**row, metric: damage} if number == 0 else row for number, row in enumerate(whole)]
        folder = tmp_path / "org__model"
        folder.mkdir(exist_ok=True)
        text = "".join(json.dumps(row) + "\n" for row in damaged)
        (folder / "samples_gsm.jsonl").write_text(text, encoding="utf-8")
        records = [record for record in read_logs(tmp_path).records if record.metric.startswith(metric)]
        assert len({record.item for record in records if not record.is_aggregate}) == 6
        assert sum(record.error for record in records) == 1


def test_a_log_likelihood_under_the_name_perplexity_is_a_loss(tmp_path):
    """The harness aggregates exp(-mean): the system with the larger log-likelihood has the lower perplexity."""
    for model, likelihood in (("better", -1.0), ("worse", -5.0)):
        write(tmp_path, model, [sample(n, 0.0, metrics=["perplexity"], perplexity=likelihood) for n in range(4)])
    (outcomes,) = build_log_outcomes(read_logs(tmp_path))
    assert outcomes.lower_is_better
    assert dict(zip(outcomes.systems, outcomes.table.mean(axis=1), strict=True)) == {"better": 1.0, "worse": 5.0}


def test_answers_that_only_the_corpus_metric_scores_are_texts(tmp_path):
    import assay

    for model in ("a", "b"):
        rows = [sample(n, 0.0, metrics=["bleu"], bleu=["4", "4"], filtered_resps=[model]) for n in range(3)]
        write(tmp_path, model, rows)
    data = assay.read(tmp_path)
    assert data.predictions.columns == ["system", "id", "predicted"]
    assert set(data.predictions["predicted"]) == {"a", "b"}
    assert any("no answer has a score of its own" in note for note in data.notes)


def test_totals_that_are_not_used_next_to_items_are_named(tmp_path):
    import assay

    for number, model in enumerate(("a", "b")):
        write(tmp_path, model, [sample(n, float(n > number)) for n in range(4)])
        write(tmp_path, model, [sample(0, 0.0, metrics=["bleu"], bleu=["4", "4"])], task="talk")
        results = {"results": {"talk": {"bleu,strict-match": 20.0 + number}}}
        (tmp_path / model / "results_2025-03-01T12-00-00.123456.json").write_text(json.dumps(results))
    notes = assay.discriminate(scores=tmp_path).notes
    assert "Scores of whole tasks are not used next to those of items: talk." in notes
