import hashlib
import json

import pytest
from jsonschema import Draft7Validator

from assay.discrimination import build_log_outcomes, build_log_scores
from assay.logs import read_logs, write_every_eval_ever

REQUIRED = {"schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type", "input"}
REQUIRED |= {"answer_attribution", "evaluation", "output"}


def sample(number, score, model="org/m", **extra):
    row = {
        "schema_version": "0.2.2",
        "evaluation_id": "e",
        "model_id": model,
        "evaluation_name": "gsm8k",
        "evaluation_result_id": "gsm8k/accuracy",
        "sample_id": f"gsm8k_{number}",
        "sample_hash": f"hash{number}",
        "interaction_type": "single_turn",
        "input": {"raw": f"q{number}", "reference": ["4"]},
        "output": {"raw": ["4"]},
        "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": score == 1},
    }
    return row | extra


def write(folder, name, rows):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}_samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_the_key_of_a_sample_is_its_hash(tmp_path):
    write(tmp_path, "u1", [sample(0, 1.0), sample(1, 0.0)])
    write(tmp_path, "u2", [sample(1, 1.0, "org/n"), sample(0, 1.0, "org/n")])
    outcomes = build_log_outcomes(read_logs(tmp_path))[0]
    assert outcomes.table.tolist() == [[1.0, 0.0], [1.0, 1.0]]
    assert (outcomes.dataset, outcomes.metric) == ("gsm8k", "accuracy")


def test_an_error_is_not_a_wrong_answer(tmp_path):
    write(tmp_path, "u1", [sample(0, 0.0, error="timeout"), sample(1, 0.0)])
    assert [record.score for record in read_logs(tmp_path).records] == [None, 0.0]


def test_the_same_sample_twice_is_a_repeat(tmp_path):
    write(tmp_path, "u1", [sample(0, 0.0), sample(0, 1.0)])
    assert [record.repeat for record in read_logs(tmp_path).records] == [0, 1]


def test_an_aggregate_without_samples_gives_scores(tmp_path):
    log = {
        "schema_version": "0.2.2",
        "model_info": {"name": "m", "id": "org/m"},
        "evaluation_results": [
            {"evaluation_name": "mmlu", "metric_config": {"metric_name": "accuracy"}, "score_details": {"score": 0.7}}
        ],
    }
    (tmp_path / "u.json").write_text(json.dumps(log), encoding="utf-8")
    measurement = build_log_scores(read_logs(tmp_path)).measurements[0]
    assert (measurement.dataset, measurement.metric, measurement.scores.tolist()) == ("mmlu", "accuracy", [70.0])


def test_written_logs_are_read_back_unchanged(tmp_path):
    write(tmp_path / "in", "u1", [sample(0, 1.0), sample(1, 0.0), sample(1, 1.0), sample(2, 0.0, error="timeout")])
    table = read_logs(tmp_path / "in")
    write_every_eval_ever(table, tmp_path / "out")
    again = read_logs(tmp_path / "out")
    assert again.records == table.records


def test_written_files_have_the_fields_the_schema_requires(tmp_path):
    write(tmp_path / "in", "u1", [sample(0, 1.0), sample(1, 0.0)])
    log_path, samples_path = write_every_eval_ever(read_logs(tmp_path / "in"), tmp_path / "out")
    log, rows = json.loads(log_path.read_text()), [json.loads(line) for line in samples_path.read_text().splitlines()]
    assert all(set(row) >= REQUIRED for row in rows)
    assert {row["evaluation_id"] for row in rows} == {log["evaluation_id"]}
    assert {row["evaluation_result_id"] for row in rows} == {
        entry["evaluation_result_id"] for entry in log["evaluation_results"]
    }
    assert log["detailed_evaluation_results"]["checksum"] == hashlib.sha256(samples_path.read_bytes()).hexdigest()
    assert log["evaluation_results"][0]["score_details"]["score"] == 0.5


@pytest.mark.parametrize(
    "name", ["lm_eval/EleutherAI__pythia-14m", "lm_eval/perturbed_math", "inspect", "helm", "every_eval_ever"]
)
def test_written_files_are_valid_by_the_published_schemas(name, shared, tmp_path):
    folder = shared("eval_logs/every_eval_ever")
    aggregate, instance = (
        Draft7Validator(json.loads((folder / f"{schema}.schema.json").read_text()))
        for schema in ("eval", "instance_level_eval")
    )
    paths = write_every_eval_ever(read_logs(shared(f"eval_logs/{name}")), tmp_path)
    assert paths
    for log_path, samples_path in zip(paths[::2], paths[1::2], strict=True):
        log = json.loads(log_path.read_text())
        aggregate.validate(log)
        assert tmp_path / log["detailed_evaluation_results"]["file_path"] == samples_path
        for line in samples_path.read_text().splitlines():
            instance.validate(json.loads(line))


def test_texts_and_choices_survive_writing(shared, tmp_path):
    table = read_logs(shared("eval_logs/helm"))
    write_every_eval_ever(table, tmp_path)
    again = read_logs(tmp_path)
    assert [record.content for record in again.records] == [record.content for record in table.records]
    assert [record.answer for record in again.records] == [record.answer for record in table.records]


def test_the_direction_of_a_metric_is_written_and_read(tmp_path):
    write(tmp_path / "in", "u1", [sample(0, 12.0, evaluation_result_id="gsm8k/word_perplexity")])
    (path, _) = write_every_eval_ever(read_logs(tmp_path / "in"), tmp_path / "out")
    assert json.loads(path.read_text())["evaluation_results"][0]["metric_config"]["lower_is_better"] is True
    assert read_logs(tmp_path / "out").records[0].lower_is_better is True


def test_writing_twice_gives_the_same_bytes(tmp_path):
    write(tmp_path / "in", "u1", [sample(0, 1.0)])
    table = read_logs(tmp_path / "in")
    first, second = write_every_eval_ever(table, tmp_path / "a"), write_every_eval_ever(table, tmp_path / "b")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_a_failed_sample_has_no_metric_of_its_own(tmp_path):
    from tests.logs.test_runs import eval_log, sample

    from assay.logs import write_every_eval_ever

    eval_log(tmp_path / "a.eval", [sample(1, "C"), sample(2, None, error={"message": "broke"})])
    logs = read_logs(tmp_path / "a.eval")
    write_every_eval_ever(logs, tmp_path / "out")
    again = read_logs(tmp_path / "out")
    assert again.metrics == logs.metrics == ["choice"]
    assert [(record.metric, record.score) for record in again.records] == [("choice", 1.0), ("", None)]
    assert any("1 answer without a score" in note for note in again.notes)
