"""Faults of files, disks and pipes end in one line, and never in a traceback."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys

import pytest

from assay.cli.main import status
from assay.tasks import TaskCache

DEEP = '{"a":' * 3_000 + "1" + "}" * 3_000
ROWS = "id\ttext\tlabel\n" + "".join(f"{n}\tthe {'good' if n % 2 else 'bad'} film {n}\t{n % 2}\n" for n in range(30))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "data.tsv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def check_one_line(capsys, *words):
    lines = capsys.readouterr().err.strip().splitlines()
    (message,) = [line for line in lines if line.startswith("Error: ")]
    assert message == lines[-1]
    assert len(message) <= 520
    assert all(word in message for word in words)


@pytest.mark.parametrize("name", ["deep.json", "deep.jsonl"])
def test_json_nested_thousands_deep(tmp_path, capsys, name):
    (tmp_path / name).write_text(DEEP, encoding="utf-8")
    for command in (["profile"], ["evaluate", "--predictions"], ["discriminate"]):
        assert status([*command, str(tmp_path / name)]) == 1
        check_one_line(capsys, name)


def test_logs_nested_thousands_deep(tmp_path, capsys):
    for name in ("per_instance_stats.json", "a_samples.jsonl"):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / name).write_text(DEEP.replace('"a"', '"evaluation_name"', 1), encoding="utf-8")
        assert status(["discriminate", str(folder)]) == 1
        check_one_line(capsys)


@pytest.mark.parametrize("fold", ["nan", "NaN", "inf", "1e400", "9" * 5_000])
def test_folds_that_are_no_numbers(table, tmp_path, capsys, fold):
    (tmp_path / "folds.tsv").write_text("id\tfold\n" + "".join(f"{n}\t{fold}\n" for n in range(30)), encoding="utf-8")
    assert status(["compare", str(table), str(tmp_path / "folds.tsv")]) == 1
    check_one_line(capsys, "folds.tsv", "fold must be a whole number from 0 on")


def test_a_score_table_without_scores(tmp_path, capsys):
    (tmp_path / "scores.csv").write_text("system,RTE,SST\na,,\nb,,\n", encoding="utf-8")
    assert status(["discriminate", str(tmp_path / "scores.csv")]) == 1
    check_one_line(capsys, "scores.csv: no score in any cell")


@pytest.mark.parametrize("seed", ["inf", "nan", "1e400"])
def test_a_seed_that_is_no_whole_number(table, tmp_path, capsys, seed):
    (tmp_path / "plan.toml").write_text(f'[audit]\ndata = "{table}"\nseed = {seed}\n', encoding="utf-8")
    assert status(["audit", "--plan", str(tmp_path / "plan.toml"), "--only", "profile"]) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_a_damaged_archive_is_damaged_and_not_interrupted(shared, tmp_path, capsys):
    source = shared("eval_logs/inspect/log_formats.eval")
    content = source.read_bytes()
    for place in range(400, len(content), len(content) // 12):
        (tmp_path / "x.eval").write_bytes(content[:place] + bytes(40) + content[place + 40 :])
        code = status(["discriminate", str(tmp_path / "x.eval")])
        assert "Interrupted" not in capsys.readouterr().err
        assert code in (0, 1)


def test_the_end_of_a_damaged_file_is_no_interruption(table, monkeypatch, capsys):
    def end(*_, **__):
        raise EOFError

    monkeypatch.setattr("assay.cli.commands.profile.run_profile", end, raising=False)
    monkeypatch.setattr("assay.kinds.reading.load_tables", end)
    assert status(["profile", str(table)]) == 1
    assert "Error: a file ends too early" in capsys.readouterr().err


def test_a_truncated_gzip_file_is_named(tmp_path, capsys):
    (tmp_path / "x.tsv.gz").write_bytes(gzip.compress(ROWS.encode(), mtime=0)[:-20])
    assert status(["profile", str(tmp_path / "x.tsv.gz")]) == 1
    check_one_line(capsys, "x.tsv.gz: the file is cut off")


def test_a_closed_pipe_ends_quietly(table):
    command = f"{sys.executable} -m assay profile {table} --json - | true; exit ${{PIPESTATUS[0]}}"
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("needs bash")
    done = subprocess.run([shell, "-c", command], capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_full_cache_disk_does_not_end_the_audit(table, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(TaskCache, "_write", full)
    output = tmp_path / "audit.json"
    arguments = ["audit", str(table), "--only", "splits", "--cache", str(tmp_path / "cache"), "--json", str(output)]
    assert status(arguments) == 0
    assert output.stat().st_size > 0
    assert not list((tmp_path / "cache").rglob("*.entry"))


def test_a_private_audit_leaves_nothing_in_the_cache(table, tmp_path):
    arguments = [
        "audit",
        str(table),
        "--only",
        "information",
        "--cache",
        str(tmp_path / "cache"),
        "--json",
        str(tmp_path / "a"),
    ]
    assert status([*arguments, "--private"]) == 0
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert status(arguments) == 0
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]  # which is what was left out


@pytest.mark.parametrize("option", ["--label", "--" + "x" * 300_000, "--text"])
def test_messages_stay_short(table, capsys, option):
    assert status(["profile", str(table), option, "y" * 100_000]) in (1, 2)
    assert len(capsys.readouterr().err) < 1_200
