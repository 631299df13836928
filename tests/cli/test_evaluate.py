from __future__ import annotations

import json
import os

import pytest


@pytest.fixture
def files(tmp_path):
    rows = [f"{n}\tword {'w ' * (n % 5)}\t{'ab'[n % 2]}\t2020-01-{1 + n % 28:02d}\n" for n in range(60)]
    (tmp_path / "data.tsv").write_text("id\ttext\tlabel\tdate\n" + "".join(rows))
    lines = [f"{n}\t{'ab'[n % 2]}\t{'ab'[n % 2 if n % 4 else 0]}\t{'ab'[n // 2 % 2]}\n" for n in range(60)]
    (tmp_path / "p.tsv").write_text("id\tgold\tx\ty\n" + "".join(lines))
    (tmp_path / "f.tsv").write_text("id\tfold\n" + "".join(f"{n}\t{1 + n % 3}\n" for n in range(60)))
    return tmp_path


def test_it_prints_tables_and_writes_json_and_a_product(run, files):
    out = files / "scores.tsv"
    done = run(
        "evaluate", files / "data.tsv", "--predictions", files / "p.tsv", "--folds", files / "f.tsv", "--time", "date",
        "--by", "fold", "--by", "time", "--by", "length", "--by", "label", "--by", "difficulty",
        "--json", files / "r.json", "-o", out,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Scores (60 items, intervals over items)" in done.stdout
    assert "std (ddof = 0)" in done.stdout
    written = json.loads((files / "r.json").read_text())
    assert written["command"] == "evaluate"
    assert written["data"]["rows"] == 60
    assert set(written["result"]["by"]) == {"fold", "time", "length", "label", "difficulty"}
    assert out.read_text().splitlines()[0] == "system\tmetric\tvalue\tlow\thigh\tn\tmethod"


def test_data_is_optional_where_the_predictions_have_gold(run, files):
    done = run("evaluate", "--predictions", files / "p.tsv", "--json", "-")
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    assert written["data"] is None
    assert [system["system"] for system in written["result"]["systems"]] == ["x", "y"]


def test_mistakes_are_one_line_and_a_status(run, files):
    missing = run("evaluate", "--predictions", files / "nothing.tsv")
    assert missing.returncode == 1
    assert "nothing.tsv" in missing.stderr
    assert "Traceback" not in missing.stderr
    usage = run("evaluate", "--predictions", files / "p.tsv", "--metric", "acuracy")
    assert usage.returncode == 2
    assert "Did you mean 'accuracy'?" in usage.stderr
    assert run("evaluate").returncode == 2
    needs = run("evaluate", "--predictions", files / "p.tsv", "--by", "length")
    assert needs.returncode == 2
    assert "--by length needs the data of the items. Give DATA." in needs.stderr


def test_the_same_seed_gives_the_same_bytes_whatever_the_hash_seed_and_the_number_of_processes(run, tmp_path):
    lines = [f"{n}\t{n % 3}\t{n % 2}\t{n % 3}\n" for n in range(50)]
    (tmp_path / "p.tsv").write_text("id\tgold\tx\ty\n" + "".join(lines))
    results = [
        run(
            "evaluate", "--predictions", tmp_path / "p.tsv", "--json", "-", "--jobs", jobs,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed, jobs in (("1", "1"), ("2", "2"))
    ]  # fmt: skip
    assert results[0].returncode == 0, results[0].stderr
    assert results[0].stdout == results[1].stdout
    assert json.loads(results[0].stdout)["result"]["n_items"] == 50
