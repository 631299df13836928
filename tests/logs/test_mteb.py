import json

import pytest

from assay.discrimination import build_log_outcomes, build_log_scores, discriminate_scores
from assay.logs import read_logs


def write(folder, model, revision, tasks):
    home = folder / "results" / model.replace("/", "__") / revision
    home.mkdir(parents=True)
    (home / "model_meta.json").write_text(json.dumps({"name": model, "revision": revision}), encoding="utf-8")
    for task, values in tasks.items():
        rows = [
            {"main_score": value, "hf_subset": f"s{n}", "languages": ["eng-Latn"]} for n, value in enumerate(values)
        ]
        result = {"dataset_revision": "x", "task_name": task, "mteb_version": "1.14.0", "scores": {"test": rows}}
        (home / f"{task}.json").write_text(json.dumps(result), encoding="utf-8")


def test_the_main_score_is_averaged_over_subsets(tmp_path):
    write(tmp_path, "org/a", "r1", {"Banking77": [0.8, 0.9]})
    write(tmp_path, "org/b", "r1", {"Banking77": [0.7, 0.7]})
    measurement = build_log_scores(read_logs(tmp_path)).measurements[0]
    assert (measurement.benchmark, measurement.dataset, measurement.systems) == (
        "MTEB",
        "Banking77",
        ("org/a", "org/b"),
    )
    assert measurement.scores == pytest.approx([85, 70])


def test_revisions_are_not_mixed(tmp_path):
    write(tmp_path, "org/a", "old", {"A": [0.1]})
    write(tmp_path, "org/a", "new", {"A": [0.8], "B": [0.9]})
    assert [record.score for record in read_logs(tmp_path).records] == [0.8, 0.9]


def test_task_scores_have_lambdas_but_no_items(tmp_path):
    write(tmp_path, "org/a", "r", {"A": [0.8], "B": [0.4]})
    write(tmp_path, "org/b", "r", {"A": [0.7], "B": [0.6]})
    table = read_logs(tmp_path)
    assert build_log_outcomes(table) == []
    assert len(discriminate_scores(build_log_scores(table)).datasets) == 2
