"""Logs as data: every command takes them, and converted files give the same result."""

from __future__ import annotations

import json

import polars as pl
import pytest

import assay
from assay.base.errors import AssayError, UsageError
from assay.kinds import KINDS
from assay.system.files import write_bytes

LOGS = [
    ("inspect/data_arc_sonnet.json", None),
    ("inspect", "*"),
    ("lm_eval/EleutherAI__pythia-14m", "*"),
    ("lm_eval/EleutherAI__pythia-14m", "metabench_arc_secondary"),
    ("lm_eval/perturbed_math", None),
    ("helm", None),
]


def without_notes(result):
    return {name: value for name, value in result.to_dict().items() if name != "notes"}


@pytest.mark.parametrize(("name", "task"), LOGS)
def test_converted_files_give_the_same_evaluation(name, task, shared, tmp_path):
    path = shared(f"eval_logs/{name}")
    files = assay.convert(path, tmp_path / "out", log_task=task)
    from_logs, from_files = assay.evaluate(path, log_task=task), assay.evaluate(files.data, files.predictions)
    assert without_notes(from_logs) == without_notes(from_files)
    assert assay.read(path, log_task=task).fingerprint == assay.read(files.data).fingerprint


def test_accuracies_are_those_of_the_logs(shared):
    folder = shared("eval_logs/inspect")
    accuracy = {}
    for name in ("data_arc_sonnet.json", "data_arc_qwen.json"):
        (system,) = assay.evaluate(folder / name).systems
        accuracy[name] = (system.metrics["accuracy"].value, system.n)
    assert accuracy == {"data_arc_sonnet.json": (1.0, 5), "data_arc_qwen.json": (pytest.approx(1 / 3), 3)}
    popularity = assay.evaluate(folder / "2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval")
    assert (popularity.systems[0].metrics["accuracy"].value, popularity.n_items) == (0.8, 10)


def test_notes_say_what_was_joined(shared):
    data = assay.read(shared("eval_logs/lm_eval/EleutherAI__pythia-14m"), log_task="*")
    assert "EleutherAI__pythia-14m: 6 lm-evaluation-harness files, 1 system." in data.notes
    assert any(note.startswith("joined 5 tasks by content: 57 items, 1 run; scored by acc,none") for note in data.notes)
    assert data.predictions.columns == ["system", "id", "predicted"]


def test_choices_are_kept_where_a_kind_knows_them(shared):
    data = assay.read(shared("eval_logs/inspect/data_arc_sonnet.json"))
    assert data.labels.to_list() == ["A", "B", "D", "D", "B"]
    if "multiple-choice" in KINDS:
        assert data.task == "multiple-choice"
    else:
        assert data.texts[0].splitlines()[1] == "Sunlight is the source of energy for nearly all ecosystems."


def test_a_folder_without_logs_is_data(tmp_path):
    (tmp_path / "train.csv").write_text("text,label\none,a\ntwo,b\n")
    (tmp_path / "samples_train.jsonl").write_text('{"text": "three", "label": "a"}\n')
    data = assay.read(tmp_path / "train.csv")
    assert data.predictions is None
    assert assay.read(tmp_path / "samples_train.jsonl").labels.to_list() == ["a"]


def test_predictions_may_be_logs_next_to_data_of_its_own(shared, tmp_path):
    path = shared("eval_logs/inspect/data_arc_sonnet.json")
    samples = json.loads(path.read_text())["samples"]
    rows = {
        "id": [f"own-{number}" for number in range(5)],
        "text": [sample["input"] for sample in samples][::-1],
        "label": [sample["target"] for sample in samples][::-1],
    }
    if "multiple-choice" in KINDS:
        rows["choices"] = [json.dumps(sample["choices"]) for sample in samples][::-1]
    result = assay.evaluate(assay.read(pl.DataFrame(rows)), path)
    assert result.systems[0].metrics["accuracy"].value == 1.0


def test_samples_as_predictions_have_systems_and_no_columns_of_the_harness(shared):
    folder = shared("eval_logs/lm_eval/EleutherAI__pythia-14m")
    result = assay.evaluate(None, next(folder.glob("samples_metabench_arc*.jsonl")))
    assert [system.system for system in result.systems] == ["EleutherAI/pythia-14m"]


def test_epochs_become_repeats(tmp_path):
    samples = [
        {"id": n, "epoch": epoch, "input": f"q{n}", "target": "4", "scores": {"match": {"value": "CI"[n * epoch % 2]}}}
        for n in range(4)
        for epoch in (1, 2)
    ]
    log = {"version": 2, "eval": {"run_id": "r", "task": "sums", "model": "m"}, "samples": samples}
    (tmp_path / "log.json").write_text(json.dumps(log))
    result = assay.evaluate(tmp_path / "log.json")
    assert result.repeats.n == 2
    assert result.n_items == 4


def test_data_without_predictions_cannot_be_evaluated():
    with pytest.raises(UsageError, match="no predictions"):
        assay.evaluate({"text": ["one", "two"], "label": ["a", "b"]})


def test_several_tasks_are_refused_where_one_is_needed(run, shared, tmp_path):
    path = shared("eval_logs/lm_eval/EleutherAI__pythia-14m")
    with pytest.raises(AssayError, match=r"the logs hold 6 tasks: metabench_arc_secondary, .*log_task="):
        assay.read(path)
    done = run("profile", path)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "--log-task" in done.stderr
    done = run("profile", path, "--log-task", "metabench_arc_secondary", "--json", "-")
    assert json.loads(done.stdout)["data"]["rows"] == 6


def test_a_task_of_logs_is_not_an_option_of_other_data():
    with pytest.raises(UsageError, match="log_task is for logs"):
        assay.read({"text": ["one"], "label": ["a"]}, log_task="quiz")


def test_every_task_is_converted_to_a_folder_of_its_own(run, shared, tmp_path):
    path = shared("eval_logs/lm_eval/EleutherAI__pythia-14m")
    done = run("convert", path, "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    folders = sorted(folder.name for folder in tmp_path.iterdir())
    assert folders == sorted(
        f"metabench_{n}_secondary" for n in "arc gsm8k hellaswag mmlu truthfulqa winogrande".split()
    )
    assert len(pl.read_parquet(tmp_path / "metabench_winogrande_secondary" / "data.parquet")) == 25


def test_converted_files_are_written_together_or_not_at_all(shared, tmp_path, monkeypatch):
    def fail_for_predictions(path, content):
        if path.name == "predictions.parquet":
            raise AssayError("cannot be written: No space left on device.", place=path)
        write_bytes(path, content)

    monkeypatch.setattr("assay.kinds.log_data.write_bytes", fail_for_predictions)
    with pytest.raises(AssayError, match=r"predictions.parquet: cannot be written"):
        assay.convert(shared("eval_logs/inspect/data_arc_sonnet.json"), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_only_logs_are_converted(tmp_path):
    (tmp_path / "data.csv").write_text("text,label\none,a\n")
    with pytest.raises(AssayError, match="no log of an evaluation harness"):
        assay.convert(tmp_path / "data.csv", tmp_path / "out")


def test_the_commands_take_logs(run, shared, tmp_path):
    path = shared("eval_logs/inspect/data_arc_sonnet.json")
    done = run("convert", path, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "Wrote 5 predictions of 1 run to" in done.stderr
    files = ("evaluate", tmp_path / "out" / "data.parquet", "--predictions", tmp_path / "out" / "predictions.parquet")
    results = [json.loads(run(*command, "--json", "-").stdout)["result"] for command in (("evaluate", path), files)]
    assert results[0]["systems"] == results[1]["systems"]
    profile = run("profile", path, "--json", "-")
    assert profile.returncode == 0, profile.stderr


def test_free_answers_keep_their_texts(tmp_path):
    import polars as pl
    from tests.logs.test_inspect import sample, write

    import assay

    rows = [
        sample(
            n,
            n / 4,
            choices=None,
            target=f"a long target {n}",
            scores={"judge": {"value": n / 4, "answer": f"text {n}"}},
        )
        for n in range(4)
    ]
    write(tmp_path / "a.eval", rows)
    assay.convert(tmp_path / "a.eval", tmp_path / "out")
    predictions = pl.read_parquet(tmp_path / "out" / "predictions.parquet")
    assert sorted(predictions["response"].to_list()) == ["text 0", "text 1", "text 2", "text 3"]
    assert sorted(predictions["score"].to_list()) == [0.0, 0.25, 0.5, 0.75]
    result = assay.evaluate(tmp_path / "out" / "data.parquet", tmp_path / "out" / "predictions.parquet")
    assert [system.system for system in result.systems] == ["openai/gpt-x"]
