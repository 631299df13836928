"""Two runs of one system, and the history of a folder of logs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.decisions import trace_history
from assay.logs import find_commit


def write_run(path: Path, share: float, seed: int, *, commit: str | None = None, n_failed: int = 0) -> Path:
    """Write a log of inspect with 60 items, 3 epochs each; a few samples end with an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    generator = np.random.default_rng(seed)
    ability = np.random.default_rng(9).beta(0.6, 0.6, 60)
    samples = []
    for item in range(60):
        for epoch in range(3):
            right = generator.random() < np.clip(ability[item] + share, 0, 1)
            sample = {
                "id": f"q{item}",
                "epoch": epoch + 1,
                "input": f"What is {item} + {item}?",
                "target": str(2 * item),
            }
            failed = len(samples) < n_failed
            done = {"error": {"message": "connection reset"}} if failed else {}
            scores = {} if failed else {"scores": {"match": {"value": "C" if right else "I", "answer": "?"}}}
            samples.append(sample | done | scores)
    about = {"run_id": path.stem, "task": "sums", "task_id": path.stem, "model": "mock/model"}
    about |= {"revision": {"type": "git", "origin": "", "commit": commit}} if commit else {}
    path.write_text(json.dumps({"version": 2, "status": "success", "eval": about, "samples": samples}))
    return path


def test_two_runs_of_one_model_are_compared_by_their_folders_or_files(tmp_path):
    old = write_run(tmp_path / "logs" / "old" / "2026-01-01T00-00-00_sums.json", 0.0, 1, n_failed=4)
    new = write_run(tmp_path / "logs" / "new" / "2026-01-02T00-00-00_sums.json", 0.25, 2)
    result = assay.decide(tmp_path / "logs", baseline="old", candidate="new")
    assert (result.verdict, result.n_repeats, result.n_items) == ("better", 3, 59)
    assert result.not_run == {"old": 1}  # an item of which all samples failed is not a loss
    alone = assay.decide(baseline=str(old), candidate=str(new))
    assert alone.difference == result.difference
    assert alone.baseline == str(old)


def test_one_system_needs_the_names_of_two_runs(tmp_path):
    write_run(tmp_path / "logs" / "2026-01-01T00-00-00_sums.json", 0.0, 1)
    with pytest.raises(assay.AssayError, match="There is only one system, 'mock/model'"):
        assay.decide(tmp_path / "logs", baseline="a", candidate="b")


def test_the_history_of_a_folder_has_one_run_per_log_in_the_order_of_time(run, tmp_path):
    commits = [f"{number}abcdef01234" for number in range(8)]
    for number, commit in enumerate(commits):  # the names of the folders are not in the order of time
        place = tmp_path / "logs" / f"night {9 - number}" / f"2026-01-0{number + 1}T00-00-00_sums.json"
        write_run(place, 0.0 if number < 5 else -0.25, number, commit=commit, n_failed=2)
    result = trace_history(tmp_path / "logs")
    assert [row.run for row in result.runs] == [f"2026-01-0{n + 1}T00-00-00 ({commits[n][:9]})" for n in range(8)]
    assert [change.place for change in result.changes] == [5]
    assert result.n_items == 60
    assert result.flaky[0].text.startswith("What is ")
    done = run("decide", tmp_path / "logs", "--history")
    assert done.returncode == 0, done.stderr
    assert 'mean-score changed with "2026-01-06T00-00-00 (5abcdef01)" by −' in done.stdout


def test_repeats_that_differ_within_a_run_are_flaky(tmp_path):
    for number in range(2):
        write_run(tmp_path / f"2026-01-0{number + 1}T00-00-00_sums.json", 0.0, 0)  # both runs have the same answers
    assert trace_history(tmp_path).n_flaky > 10


def test_the_commit_of_a_log(tmp_path):
    assert find_commit(write_run(tmp_path / "a.json", 0, 0, commit="0123abc")) == "0123abc"
    assert find_commit(write_run(tmp_path / "b.json", 0, 0)) is None
    (tmp_path / "results_2026-01-01T00-00-00.1.json").write_text('{"git_hash": "feedbeef"}')
    samples = tmp_path / "samples_arc_2026-01-01T00-00-00.1.jsonl"
    samples.write_text("{}\n")
    assert find_commit(samples) == "feedbeef"
    (tmp_path / "damaged.eval").write_bytes(b"no archive")
    assert find_commit(tmp_path / "damaged.eval") is None
