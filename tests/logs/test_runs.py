"""Runs and repeats, retries, invalid samples, copies of documents, directions, unknown schemas."""

from __future__ import annotations

import json
import zipfile

import pytest

from assay.base.errors import AssayError
from assay.discrimination import build_log_outcomes, build_log_scores
from assay.logs import is_lower_better, read_logs


def write_samples(folder, model, rows, date="2025-03-01T12-00-00.123456", task="arc", results=None):
    home = folder / model
    home.mkdir(parents=True, exist_ok=True)
    path = home / f"samples_{task}_{date}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if results is not None:
        (home / f"results_{date}.json").write_text(json.dumps(results), encoding="utf-8")
    return path


def row(doc_id, score, text=None, **extra):
    document = {"question": text or f"question {doc_id}", "choices": ["yes", "no"], "answer": 0}
    content = {
        "doc_id": doc_id,
        "doc": document,
        "target": "0",
        "arguments": {"gen_args_0": {"arg_0": "Q", "arg_1": " yes"}, "gen_args_1": {"arg_0": "Q", "arg_1": " no"}},
        "filtered_resps": [["-1.0", "True"], ["-2.0", "False"]] if score else [["-2.0", "False"], ["-1.0", "True"]],
        "filter": "none",
        "metrics": ["acc"],
        "doc_hash": f"hash of {text or doc_id}",
        "acc": score,
    }
    return content | extra


def eval_log(path, samples, **about):
    header = {"version": 2, "status": "success", "eval": {"run_id": "r", "task": "arc", "model": "m", **about}}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        for sample in samples:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))


def sample(number, value, epoch=1, **extra):
    scores = {} if value is None else {"choice": {"value": value, "answer": "A"}}
    content = {"id": number, "epoch": epoch, "input": f"q{number}", "choices": ["a", "b"], "target": "A"}
    return content | {"scores": scores, "uuid": f"u{number}-{epoch}"} | extra


def test_runs_with_other_settings_are_not_repeats(tmp_path):
    for shots, date in ((0, "2025-03-01T12-00-00.1"), (5, "2025-03-02T12-00-00.1")):
        results = {"n-shot": {"arc": shots}, "model_name": "org/m"}
        write_samples(tmp_path, "org__m", [row(0, 1.0), row(1, float(shots > 0))], date, results=results)
    logs = read_logs(tmp_path)
    assert logs.systems == ["org/m (n-shot 0)", "org/m (n-shot 5)"]
    assert {record.repeat for record in logs.records} == {0}
    assert "arc: org/m was run with 2 settings, which are runs of their own." in logs.notes


def test_the_same_settings_again_are_repeats(tmp_path):
    for date in ("2025-03-01T12-00-00.1", "2025-03-02T12-00-00.1"):
        write_samples(tmp_path, "org__m", [row(0, 1.0)], date, results={"n-shot": {"arc": 5}})
    logs = read_logs(tmp_path)
    assert logs.systems == ["org/m"]
    assert [record.repeat for record in logs.records] == [0, 1]


def test_generation_parameters_and_task_arguments_of_inspect_separate_runs(tmp_path):
    eval_log(tmp_path / "a.eval", [sample(1, "C")], model_generate_config={"temperature": 0.0}, task_args={"level": 1})
    eval_log(tmp_path / "b.eval", [sample(1, "I", uuid="v")], model_generate_config={"temperature": 1.0})
    systems = read_logs(tmp_path).systems
    assert systems == [
        "m (temperature 0.0, level 1)",
        "m (temperature 1.0, level default)",
    ]


def test_invalid_samples_are_left_out(tmp_path):
    invalid = sample(2, "C", invalidation={"author": "x", "reason": "leak"})
    eval_log(tmp_path / "a.eval", [sample(1, "C"), invalid])
    logs = read_logs(tmp_path)
    assert [record.score for record in logs.records] == [1.0]
    assert "1 sample declared invalid is left out." in logs.notes


def test_a_sample_that_a_retry_copied_counts_once(tmp_path):
    eval_log(tmp_path / "1.eval", [sample(1, "C"), sample(2, None, error={"message": "timeout"})], task_id="t")
    eval_log(tmp_path / "2.eval", [sample(1, "C"), sample(2, "I", uuid="new")], task_id="t")
    logs = read_logs(tmp_path)
    assert [(record.metric, record.score, record.repeat) for record in logs.records] == [
        ("choice", 1.0, 0),
        ("choice", 0.0, 0),
    ]
    assert "2 samples logged again by a retry are counted once." in logs.notes


def test_a_second_run_is_not_a_retry(tmp_path):
    eval_log(tmp_path / "1.eval", [sample(1, "C")], task_id="t")
    eval_log(tmp_path / "2.eval", [sample(1, "I", uuid="v")], task_id="u")
    assert [record.repeat for record in read_logs(tmp_path).records] == [0, 1]


def test_documents_with_the_same_text_stay_apart(tmp_path):
    rows = [row(0, 1.0, "same"), row(1, 0.0, "same"), row(2, 1.0, "other")]
    write_samples(tmp_path, "a", rows)
    write_samples(tmp_path, "b", rows[::-1])
    (outcomes,) = build_log_outcomes(read_logs(tmp_path))
    assert outcomes.table.shape == (2, 3)
    eval_log(tmp_path / "x.eval", [sample(1, "C", input="same"), sample(2, "I", input="same")])
    assert build_log_outcomes(read_logs(tmp_path / "x.eval"))[0].table.tolist() == [[1.0, 0.0]]


def test_the_direction_of_a_metric_comes_from_the_log_or_its_name(tmp_path):
    results = {"higher_is_better": {"arc": {"acc": False}}, "model_name": "m"}
    write_samples(tmp_path, "m", [row(0, 1.0)], results=results)
    assert build_log_outcomes(read_logs(tmp_path))[0].lower_is_better
    assert is_lower_better("word_perplexity,none")
    assert not is_lower_better("exact_match")


def test_perplexities_have_a_loss_per_item_and_corpus_metrics_their_total(tmp_path):
    rows = [
        row(n, 1.0, metrics=["word_perplexity", "bleu"], word_perplexity=[-20.0, 10.0], bleu=["reference", "output"])
        for n in range(2)
    ]
    results = {"results": {"arc": {"bleu,none": 31.5}}, "higher_is_better": {"arc": {"bleu": True}}}
    write_samples(tmp_path, "m", rows, results=results)
    logs = read_logs(tmp_path)
    (outcomes,) = build_log_outcomes(logs)
    assert (outcomes.metric, outcomes.table.tolist(), outcomes.lower_is_better) == (
        "log_word_perplexity,none",
        [[2.0, 2.0]],
        True,
    )
    (measurement,) = build_log_scores(logs).measurements
    assert (measurement.metric, measurement.scores.tolist()) == ("bleu,none", [31.5])


def test_a_log_without_samples_gives_its_totals(shared):
    logs = read_logs(shared("eval_logs/inspect/data_with_llm_scoring.json"))
    totals = {record.metric: record.score for record in logs.records}
    assert all(record.is_aggregate for record in logs.records)
    assert any(score == pytest.approx(0.431) for score in totals.values())


def test_an_empty_file_is_named(tmp_path):
    write_samples(tmp_path, "m", [row(0, 1.0)])
    write_samples(tmp_path, "n", [])
    assert any("1 file without a sample or a score: samples_arc" in note for note in read_logs(tmp_path).notes)


def test_only_some_metrics_scored_is_not_all(tmp_path):
    rows = [row(0, 1.0, metrics=["acc", "f1"], f1=1.0), row(1, 0.0, metrics=["acc", "f1"], f1=None)]
    write_samples(tmp_path, "m", rows)
    assert any("scored only in part: m 1" in note for note in read_logs(tmp_path).notes)


def test_an_unknown_version_is_refused_by_name(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("header.json", json.dumps({"version": 9, "eval": {"task": "t", "model": "m"}}))
    with pytest.raises(AssayError, match=r"a\.eval: version 9 of the log format of inspect is not known"):
        read_logs(tmp_path)
    line = {"schema_version": "1.0.0", "evaluation_name": "x", "model_id": "m", "evaluation": {"score": 1}}
    (tmp_path / "u_samples.jsonl").write_text(json.dumps(line))
    with pytest.raises(AssayError, match=r"version 1\.0\.0 of the Every Eval Ever schema is not known"):
        read_logs(tmp_path / "u_samples.jsonl")


def test_the_layout_with_a_folder_per_sample_is_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {"task": "t", "model": "m"}}))
        archive.writestr("samples/1_epoch_1/sample.json", json.dumps(sample(1, "C")))
        archive.writestr("samples/1_epoch_1/events/0.json", json.dumps({"event": "x"}))
    assert [record.score for record in read_logs(tmp_path).records] == [1.0]


def test_a_link_or_a_copy_of_a_log_is_not_a_repeat(tmp_path):
    path = write_samples(tmp_path / "runs", "org__m", [row(0, 1.0), row(1, 0.0)])
    (tmp_path / "runs" / "backup").mkdir()
    (tmp_path / "runs" / "backup" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "runs" / "latest").symlink_to(path.parent)
    logs = read_logs(tmp_path / "runs")
    assert {record.repeat for record in logs.records} == {0}
    assert len(logs.records) == 2
    assert "2 copies of a file that was read are not used." in logs.notes


def test_linked_folders_are_entered_once(tmp_path, monkeypatch):
    write_samples(tmp_path / "elsewhere", "org__m", [row(0, 1.0)])
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "runs" / "loop").symlink_to(tmp_path / "runs")
    with pytest.raises(AssayError, match="runs/link: this link leads out of the folder"):
        read_logs(tmp_path / "runs")
    monkeypatch.setenv("ASSAY_FOLLOW_LINKS", "1")
    assert len(read_logs(tmp_path / "runs").records) == 1


def test_the_noise_between_repeats_is_that_of_items_with_all_repeats(tmp_path):
    for number, rows in enumerate(([row(0, 1.0), row(1, 0.0)], [row(n, float(n < 2)) for n in range(10)])):
        write_samples(tmp_path, "org__m", rows, f"2025-03-0{number + 1}T12-00-00.123456")
    note = next(note for note in read_logs(tmp_path).notes if "between repeats" in note)
    assert "moves by 0.354 between repeats" in note  # 0.5 and 1 on the first two items


def test_seeds_and_ways_to_run_are_not_settings(tmp_path):
    for number, arguments in enumerate(
        ("pretrained=org/m,dtype=float16,batch_size=8", {"dtype": "float16", "seed": 3})
    ):
        results = {"model_name": "org/m", "config": {"model_args": arguments, "gen_kwargs": f"seed={number}"}}
        write_samples(
            tmp_path, f"run{number}", [row(0, 1.0)], f"2025-03-0{number + 1}T12-00-00.123456", results=results
        )
    logs = read_logs(tmp_path)
    assert logs.systems == ["org/m"]
    assert [record.repeat for record in logs.records] == [0, 1]


def test_long_settings_are_shortened_in_names(tmp_path):
    for number in range(2):
        config = {"system_message": f"You are a helpful assistant of a kind number {number}."}
        eval_log(tmp_path / f"{number}.eval", [sample(1, "C", uuid=str(number))], model_generate_config=config)
    systems = read_logs(tmp_path).systems
    assert len(set(systems)) == 2
    assert all(len(system) < 70 for system in systems)


def test_the_scores_of_the_chosen_metric_count(tmp_path):
    """The most likely choice is right by acc, and wrong by acc_norm."""
    from assay.logs import join_tasks

    rows = [row(n, 1.0, metrics=["acc", "acc_norm"], acc_norm=float(n == 0)) for n in range(4)]
    write_samples(tmp_path, "org__m", rows)
    joined = join_tasks(read_logs(tmp_path), metric="acc_norm,none")
    assert joined.answers["predicted"].to_list() == ["A", "(no answer)", "(no answer)", "(no answer)"]
    assert any("4" not in note and "3 answers scored otherwise" in note for note in joined.notes)


def test_partly_right_choices_are_free_answers(tmp_path):
    from assay.logs import join_tasks

    write_samples(tmp_path, "org__m", [row(n, 1.0, acc=0.25) for n in range(4)])
    joined = join_tasks(read_logs(tmp_path))
    assert joined.form == "free"
    assert joined.answers["score"].to_list() == [0.25] * 4
    assert joined.items["references"].to_list() == [["yes"]] * 4


def test_runs_without_a_common_item_are_pointed_out(tmp_path):
    from assay.logs import join_tasks

    write_samples(tmp_path, "a", [row(0, 1.0), row(1, 0.0)])
    write_samples(tmp_path, "b", [row(2, 1.0), row(3, 0.0)])
    assert any("no item has an answer of every run" in note for note in join_tasks(read_logs(tmp_path)).notes)
    write_samples(tmp_path, "b", [row(1, 1.0), row(3, 0.0)])
    assert not any("no item has an answer" in note for note in join_tasks(read_logs(tmp_path)).notes)


def test_equal_files_without_a_time_are_two_runs(tmp_path):
    for model in ("a", "b"):
        path = write_samples(tmp_path, model, [row(0, 1.0)])
        path.rename(path.with_name("samples_arc.jsonl"))
    assert read_logs(tmp_path).systems == ["a", "b"]
