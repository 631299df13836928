import json

from assay.discrimination import build_log_outcomes
from assay.logs import read_logs


def stat(name, value, count=1, **extra):
    return {"name": {"name": name, "split": "test", **extra}, "count": count, "sum": value, "mean": value}


def instance(number, score, trial=0, **extra):
    stats = [stat("exact_match", score), stat("num_prompt_tokens", 310.0), stat("inference_runtime", 0.4)]
    return {"instance_id": f"id{number}", "train_trial_index": trial, "stats": stats, **extra}


def write(folder, model, rows, with_texts=True):
    home = folder / f"boolq:model={model.replace('/', '_')},data_augmentation=canonical"
    home.mkdir(parents=True)
    (home / "per_instance_stats.json").write_text(json.dumps(rows), encoding="utf-8")
    spec = {"name": home.name, "adapter_spec": {"model": model}}
    (home / "run_spec.json").write_text(json.dumps(spec), encoding="utf-8")
    if with_texts:
        texts = [
            {"id": f"id{n}", "input": {"text": f"q{n}"}, "references": [{"output": {"text": "yes"}}]} for n in range(9)
        ]
        (home / "instances.json").write_text(json.dumps(texts), encoding="utf-8")


def test_perturbed_copies_are_dropped_and_trials_averaged(tmp_path):
    perturbed = instance(0, 0.0, perturbation={"name": "typos"})
    write(tmp_path, "org/m", [instance(0, 1.0, 0), instance(0, 0.0, 1), instance(1, 1.0), perturbed])
    outcomes = build_log_outcomes(read_logs(tmp_path))[0]
    assert sorted(outcomes.table[0].tolist()) == [0.5, 1.0]
    assert (outcomes.dataset, outcomes.metric, outcomes.systems) == (
        "boolq:data_augmentation=canonical",
        "exact_match",
        ("org/m",),
    )


def test_stats_of_the_run_are_not_metrics(tmp_path):
    write(tmp_path, "org/m", [instance(0, 1.0)])
    assert [entry.metric for entry in build_log_outcomes(read_logs(tmp_path))] == ["exact_match"]


def test_instances_are_matched_by_content(tmp_path):
    write(tmp_path, "org/a", [instance(0, 1.0), instance(1, 0.0)])
    write(tmp_path, "org/b", [instance(1, 0.0), instance(0, 1.0)])
    first, second = build_log_outcomes(read_logs(tmp_path))[0].table.tolist()
    assert first == second


def test_the_key_of_instances_without_texts_is_their_id(tmp_path):
    write(tmp_path, "org/a", [instance(3, 1.0)], with_texts=False)
    assert read_logs(tmp_path).records[0].item == "id3"


def test_a_stat_without_count_is_an_error_and_not_a_zero(tmp_path):
    row = {"instance_id": "id0", "train_trial_index": 0, "stats": [{"name": {"name": "exact_match"}, "count": 0}]}
    write(tmp_path, "org/m", [row, instance(1, 1.0)])
    assert [record.score for record in read_logs(tmp_path).records] == [1.0, None]


def test_a_real_run_has_every_metric_on_every_instance(shared):
    table = read_logs(shared("eval_logs/helm"))
    outcomes = build_log_outcomes(table)
    assert table.systems == ["openai/gpt2"]
    assert len(outcomes) == 8
    assert {entry.table.shape for entry in outcomes} == {(1, 9)}
    assert {entry.dataset for entry in outcomes} == {"mmlu:subject=philosophy,method=multiple_choice_joint"}
