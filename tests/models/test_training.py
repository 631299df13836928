"""Training under parts and folds, and `assay train`."""

from __future__ import annotations

import csv
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import assay
from assay.base.errors import AssayError, UsageError
from assay.kinds import read
from assay.models import TrainingRun, train, write_predictions
from assay.models.fitting import resolve_settings
from assay.splits import read_folds


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture
def data(texts):
    parts = ["train"] * 50 + ["dev"] * 10 + ["test"] * 20
    return read({"text": texts[0], "label": texts[1], "split": parts, "id": [f"i{n}" for n in range(80)]})


@pytest.fixture
def file(tmp_path, texts):
    path = tmp_path / "data.tsv"
    rows = [f"i{number}\t{text}\t{label}\n" for number, (text, label) in enumerate(zip(*texts, strict=True))]
    path.write_text("id\ttext\tlabel\n" + "".join(rows), encoding="utf-8")
    return path


@pytest.fixture
def folds(tmp_path):
    path = tmp_path / "folds.tsv"
    path.write_text("id\tfold\n" + "".join(f"i{n}\t{n % 10 + 1}\n" for n in range(80)), encoding="utf-8")
    return path


def test_the_parts_of_the_data_are_train_dev_and_test(data, tmp_path):
    run_ = train(data)
    write_predictions(tmp_path / "p.tsv", run_)
    rows = rows_of(tmp_path / "p.tsv")
    assert list(rows[0]) == ["system", "id", "predicted", "prob:neg", "prob:pos"]
    assert [row["id"] for row in rows] == [f"i{number}" for number in range(60, 80)]
    assert all(abs(float(row["prob:neg"]) + float(row["prob:pos"]) - 1) < 1e-6 for row in rows)
    assert run_.fits[0].n_train == 50
    assert run_.fits[0].accuracy == 1.0


def test_other_parts_can_be_predicted(data, tmp_path):
    write_predictions(tmp_path / "p.tsv", train(data, predict=["dev", "test"]))
    assert len(rows_of(tmp_path / "p.tsv")) == 30
    with pytest.raises(AssayError, match="no part 'tset'"):
        train(data, predict=["tset"])


def test_every_fold_is_predicted_by_a_fit_without_it(data, folds, tmp_path):
    run_ = train(data, folds=read_folds(folds))
    write_predictions(tmp_path / "p.tsv", run_)
    rows = rows_of(tmp_path / "p.tsv")
    assert sorted(row["id"] for row in rows) == sorted(data.ids.to_list())
    assert {row["fold"] for row in rows} == {str(number) for number in range(1, 11)}
    assert [fit.n_train for fit in run_.fits] == [72] * 10


def test_parts_drawn_several_times_carry_their_repeat(data, tmp_path):
    path = tmp_path / "parts.tsv"
    lines = [f"i{n}\t{'test' if n % 4 == repeat else 'train'}\t{repeat}\n" for repeat in (0, 1) for n in range(80)]
    path.write_text("id\tpart\trepeat\n" + "".join(lines), encoding="utf-8")
    write_predictions(tmp_path / "p.tsv", train(data, folds=read_folds(path)))
    rows = rows_of(tmp_path / "p.tsv")
    assert "fold" not in rows[0]
    assert {row["repeat"] for row in rows} == {"0", "1"}


def test_a_run_is_a_table_of_fits_and_comes_back_from_json(data, folds):
    run_ = assay.train(data, folds=read_folds(folds))
    assert run_.to_frame()["accuracy"].to_list() == [fit.accuracy for fit in run_.fits]
    assert list(run_.to_dict()) == ["fits", "labels", "notes", "metric"]
    assert TrainingRun.from_dict(run_.to_dict()) == run_


def test_predictions_are_a_frame_with_the_columns_of_the_file(data, folds, tmp_path):
    run_ = train(data, folds=read_folds(folds))
    write_predictions(tmp_path / "p.tsv", run_)
    frame, rows = run_.to_predictions(), rows_of(tmp_path / "p.tsv")
    assert frame.columns == list(rows[0])
    assert frame["predicted"].to_list() == [row["predicted"] for row in rows]
    assert np.allclose(frame["prob:pos"], [float(row["prob:pos"]) for row in rows])


def test_data_need_not_be_read_first_and_one_model_need_no_list(texts):
    parts = ["train"] * 60 + ["test"] * 20
    assert assay.train({"text": texts[0], "label": texts[1], "split": parts}, "linear").fits[0].accuracy == 1.0


def test_a_neural_model_is_kept_in_the_cache_of_the_user(data, tmp_path, monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    settings = {"epochs": 1, "vector_size": 4, "n_filters": 2}
    first, second = (train(data, "cnn", settings=settings, cache=True) for _ in range(2))
    assert len(list((tmp_path / "cache").rglob("*.entry"))) == 1
    assert first.fits[0].prediction.probabilities.tobytes() == second.fits[0].prediction.probabilities.tobytes()


def test_jobs_do_not_change_a_byte(data, folds, tmp_path):
    for jobs in (1, 2):
        write_predictions(tmp_path / f"{jobs}.tsv", train(data, folds=read_folds(folds), n_jobs=jobs))
    assert (tmp_path / "1.tsv").read_bytes() == (tmp_path / "2.tsv").read_bytes()


def test_a_fold_with_one_class_is_named(data, tmp_path):
    path = tmp_path / "folds.tsv"
    chosen = ["test" if label == "pos" else "train" for label in data.labels]
    path.write_text("id\tpart\n" + "".join(f"i{n}\t{part}\n" for n, part in enumerate(chosen)), encoding="utf-8")
    with pytest.raises(AssayError, match=r"linear: LinearClassifier: only one class \('neg'\)"):
        train(data, folds=read_folds(path))


def test_a_label_absent_from_training_gets_probability_zero(texts, tmp_path):
    parts = ["train"] * 60 + ["test"] * 20
    data = read({"text": texts[0], "label": [*texts[1][:79], "odd"], "split": parts})
    run_ = train(data)
    assert run_.labels == ["neg", "pos"]
    assert run_.fits[0].n_right <= 19


def test_settings_reach_the_models_that_have_them():
    both = ["linear", "cnn"]
    assert resolve_settings("cnn", {"epochs": 3, "C": 1, "linear.C": 2}, both) == {"epochs": 3}
    assert resolve_settings("linear", {"epochs": 3, "C": 1, "linear.C": 2}, both) == {"C": 2}
    assert resolve_settings("lstm-attention", {"lstm_attention.hops": 3}, ["lstm-attention"]) == {"hops": 3}
    assert resolve_settings("cnn", {"preset": "xiao-2022"}, both)["learning_rate"] == 1e-4
    with pytest.raises(UsageError, match="No parameter of linear 'epoch'"):
        resolve_settings("linear", {"epoch": 3}, ["linear"])


def test_the_command_writes_predictions_that_evaluate_reads(run, file, folds, tmp_path):
    out = tmp_path / "p.tsv"
    done = run("train", file, "--folds", folds, "-o", out, "--no-cache")
    assert done.returncode == 0, done.stderr
    assert len(rows_of(out)) == 80
    done = run("evaluate", file, "--predictions", out, "--json", "-")
    assert done.returncode == 0, done.stderr


def test_an_unknown_model_is_a_usage_error(run, file):
    done = run("train", file, "--model", "lnear")
    assert done.returncode == 2
    assert "No model 'lnear'. Did you mean 'linear'?" in done.stderr


def test_killed_in_the_middle_and_started_again_it_ends_with_the_same_bytes(file, folds, tmp_path):
    def command(cache, out):
        line = [sys.executable, "-m", "assay", "train", file, "--folds", folds, "--cache", tmp_path / cache, "-o", out]
        return [str(part) for part in line]

    subprocess.run(command("whole", tmp_path / "whole.tsv"), check=True, capture_output=True)
    running = subprocess.Popen(
        command("broken", tmp_path / "broken.tsv"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    cache = tmp_path / "broken"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and running.poll() is None:
        if len(list(cache.rglob("*.entry"))) >= 3:
            running.send_signal(signal.SIGKILL)
            break
        time.sleep(0.001)
    running.wait()
    finished = {path: path.stat().st_mtime_ns for path in cache.rglob("*.entry")}
    assert finished
    subprocess.run(command("broken", tmp_path / "broken.tsv"), check=True, capture_output=True)
    assert (tmp_path / "broken.tsv").read_bytes() == (tmp_path / "whole.tsv").read_bytes()
    assert all(path.stat().st_mtime_ns == made for path, made in finished.items())
    assert len(list(cache.rglob("*.entry"))) == 10
