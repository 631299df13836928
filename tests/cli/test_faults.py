"""Faults of files, disks and pipes end in one line, and never in a traceback."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys

import pytest
from tests.example_audit import make_audit

from assay.cli.main import status

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
def test_folds_that_are_not_numbers(table, tmp_path, capsys, fold):
    (tmp_path / "folds.tsv").write_text("id\tfold\n" + "".join(f"{n}\t{fold}\n" for n in range(30)), encoding="utf-8")
    assert status(["compare", str(table), str(tmp_path / "folds.tsv")]) == 1
    check_one_line(capsys, "folds.tsv", "fold must be a whole number from 0 on")


def test_a_score_table_without_scores(tmp_path, capsys):
    (tmp_path / "scores.csv").write_text("system,RTE,SST\na,,\nb,,\n", encoding="utf-8")
    assert status(["discriminate", str(tmp_path / "scores.csv")]) == 1
    check_one_line(capsys, "scores.csv: no score in any cell")


@pytest.mark.parametrize("seed", ["inf", "nan", "1e400"])
def test_a_seed_that_is_not_a_whole_number(table, tmp_path, capsys, seed):
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


def test_the_end_of_a_damaged_file_is_not_an_interruption(table, monkeypatch, capsys):
    def end(*_, **__):
        raise EOFError

    monkeypatch.setattr("assay.cli.commands.data.profile.run_profile", end, raising=False)
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
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("assay.tasks.cache.open_for_writing", full)
    output = tmp_path / "audit.json"
    arguments = ["audit", str(table), "--only", "profile", "--cache", str(tmp_path / "cache"), "--json", str(output)]
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


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_damaged_archives_are_one_line_in_an_audit(tmp_path, capsys, suffix):
    pack = gzip.compress if suffix == ".gz" else pytest.importorskip("zstandard").compress
    content = pack(ROWS.encode() * 20)
    path = tmp_path / f"x.tsv{suffix}"
    for damaged in (content[:12], content[:-10], content[:20] + bytes(40) + content[60:], b"\x00\xff" * 500):
        path.write_bytes(damaged)
        assert status(["audit", str(path), "--no-cache"]) == 1
        check_one_line(capsys, path.name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.conll", b"EU B-ORG\n\xe9\xff O\n\n"),
        ("qrels.txt", b"q1 0 d\xff 1\n"),
        ("t/topics.txt", b"<top><num>1</num><title>\xff</title></top>"),
        ("t/topics.txt", b"1\ta\xff\n"),
    ],
)
def test_text_that_is_not_utf8_is_named(tmp_path, capsys, name, content):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    if path.parent != tmp_path:
        (path.parent / "qrels.txt").write_text("1 0 d1 1\n", encoding="utf-8")
    assert status(["profile", str(path.parent if path.parent != tmp_path else path)]) == 1
    check_one_line(capsys, path.name, "is not UTF-8")


def test_a_run_that_is_not_utf8_is_named(tmp_path, capsys):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 0\n", encoding="utf-8")
    (tmp_path / "x.run").write_bytes(b"q1 Q0 d1 1 2.0 t\nq2 Q0 d\xff 1 1 t\n")
    assert status(["evaluate", str(tmp_path / "qrels.txt"), "--predictions", str(tmp_path / "x.run")]) == 1
    check_one_line(capsys, "x.run", "is not UTF-8")


@pytest.mark.parametrize("grade", ["inf", "-inf", "nan", "1e400", "1e30", "9" * 5_000])
def test_grades_that_are_not_numbers(tmp_path, capsys, grade):
    (tmp_path / "qrels.txt").write_text(f"q1 0 d1 1\nq2 0 d2 {grade}\n", encoding="utf-8")
    assert status(["profile", str(tmp_path / "qrels.txt")]) == 1
    check_one_line(capsys, "qrels.txt, line 2", "the grade is")


@pytest.mark.parametrize("questions", ["true", "{}", "[1]", "null", "1", '"x"'])
def test_squad_files_of_another_shape(tmp_path, capsys, questions):
    path = tmp_path / "x.json"
    for place in ('{"context": "c", "qas": %s}', "%s"):
        path.write_text('{"data": [{"paragraphs": [' + place % questions + "]}]}", encoding="utf-8")
        if place == "%s":
            path.write_text('{"data": [{"paragraphs": ' + questions + "}]}", encoding="utf-8")
        assert status(["profile", str(path)]) == 1
        check_one_line(capsys, "must be a list of objects")


@pytest.mark.parametrize(
    "encoding", ["rot13", "zlib", "base64", "hex", "bz2", "uu", "quopri", "idna", "unicode_escape"]
)
def test_only_text_encodings_are_accepted(table, capsys, encoding):
    assert status(["profile", str(table), "--encoding", encoding]) == 2
    check_one_line(capsys, f"'{encoding}', which is not a text encoding")


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ("system,score,score", 1),
        ("system,score,other", 0),
        ("model,main_score,other", 0),
        ("system,dataset,Score", 0),
        ("dataset,score,system b", 0),
        ("system,,column 2", 1),
    ],
)
def test_score_tables_with_names_of_our_own_columns(tmp_path, capsys, columns, code):
    (tmp_path / "scores.csv").write_text(f"{columns}\na,1,2\nb,2,3\nc,3,1\n", encoding="utf-8")
    assert status(["discriminate", str(tmp_path / "scores.csv")]) == code
    assert "bug" not in capsys.readouterr().err


@pytest.mark.parametrize("value", ["9" * 5_000, "0x" + "f" * 6_000, "[" * 3_000, 2**32])
def test_plans_with_values_that_python_refuses(table, tmp_path, capsys, value):
    (tmp_path / "plan.toml").write_text(f"[audit]\nseed = {value}\n", encoding="utf-8")
    assert status(["audit", str(table), "--plan", str(tmp_path / "plan.toml"), "--no-cache"]) in (1, 2)
    check_one_line(capsys)


def change_audit(**values):
    from assay.base.codec import to_plain

    result = {**to_plain(make_audit()), **values}
    return json.dumps({"command": "audit", "result": result}).replace('"HUGE"', "9" * 5_000)


@pytest.mark.parametrize(
    "values",
    [
        {"sections": []},
        {"sections": True},
        {"sections": {"x": 1}},
        {"sections": {"nothing": {"name": "nothing", "status": "done", "evidence": 1}}},
        {"items_summary": []},
        {"items_summary": "x"},
        {"items_summary": {"retire": "x"}},
        {"items_top": [1]},
        {"items_top": 1},
        {"findings": "HUGE"},
        {"verdict": None},
    ],
)
def test_audits_of_another_shape(table, tmp_path, capsys, values):
    path = tmp_path / "audit.json"
    path.write_text(change_audit(**values), encoding="utf-8")
    assert status(["diff", str(path), str(path)]) == 1
    check_one_line(capsys, "audit.json")
    if values.keys() & {"items_summary", "items_top"} or "HUGE" in values.values():
        words = ["--audit", str(path), "--drop", "retire", "-o", str(tmp_path / "out.tsv")]
        assert status(["repair", str(table), *words]) == 1
        check_one_line(capsys)


def test_verdicts_without_any_known_column(tmp_path, capsys):
    (tmp_path / "verdicts.tsv").write_text("1\t2\n3\t4\n", encoding="utf-8")
    assert status(["judges", str(tmp_path / "verdicts.tsv")]) in (0, 1)
    assert "bug" not in capsys.readouterr().err


# Every option that takes a file, with the other words of its command.
FILE_OPTIONS = [
    ["profile", "FILE"],
    ["profile", "--train", "FILE", "--test", "DATA"],
    ["evaluate", "DATA", "--predictions", "FILE"],
    ["evaluate", "DATA", "--predictions", "PREDICTIONS", "--folds", "FILE"],
    ["evaluate", "DATA", "--predictions", "PREDICTIONS", "--item-scores", "FILE"],
    ["compare", "DATA", "FILE"],
    ["train", "DATA", "--folds", "FILE", "-o", "OUT"],
    ["suspects", "DATA", "--predictions", "FILE"],
    ["suspects", "DATA", "--probabilities", "FILE"],
    ["information", "DATA", "--predictions", "FILE"],
    ["repair", "DATA", "--audit", "FILE", "--drop", "retire", "-o", "OUT"],
    ["repair", "DATA", "--suspects", "FILE", "--relabel", "-o", "OUT"],
    ["diff", "FILE", "FILE"],
    ["discriminate", "FILE"],
    ["discriminate", "--predictions", "PREDICTIONS", "--data", "FILE"],
    ["judges", "FILE"],
    ["convert", "FILE", "-o", "OUT"],
    ["audit", "--scores", "FILE", "--no-cache"],
    ["audit", "--votes", "FILE", "--no-cache"],
    ["audit", "--verdicts", "FILE", "--no-cache"],
    ["audit", "--predictions", "FILE", "--no-cache"],
    ["audit", "DATA", "--plan", "FILE", "--no-cache"],
    ["forecast", "FILE"],
]
DAMAGED = {
    "empty.tsv": b"",
    "empty.json": b"",
    "random.tsv": bytes(range(256)) * 8,
    "random.parquet": b"PAR1" + bytes(range(256)) * 8 + b"PAR1",
    "list.json": b"[]",
    "number.json": b"1",
    "types.json": b'{"result": {"findings": 1, "sections": [], "verdict": 1, "items_top": [1]}}',
    "rows.jsonl": b'{"id": 1}\n[1]\n"x"\n3\n',
    "latin.tsv": b"id\tsystem\tscore\n\xe9\t\xff\t1\n",
}


@pytest.mark.parametrize("words", FILE_OPTIONS, ids=" ".join)
def test_no_file_of_any_option_ends_in_a_traceback(table, tmp_path, capsys, words):
    (tmp_path / "predictions.tsv").write_text(
        "id\ta\tb\n" + "".join(f"{n}\t{n % 2}\t{n % 3 % 2}\n" for n in range(30)), encoding="utf-8"
    )
    (tmp_path / "folder").mkdir()
    for name, content in DAMAGED.items():
        (tmp_path / name).write_bytes(content)
    places = {"DATA": table, "PREDICTIONS": tmp_path / "predictions.tsv", "OUT": tmp_path / "out"}
    for name in [*DAMAGED, "folder", "missing.tsv"]:
        code = status([str({**places, "FILE": tmp_path / name}.get(word, word)) for word in words])
        assert code in (1, 2), name
        check_one_line(capsys)


def test_names_of_columns_with_a_nul_are_read(tmp_path, capsys):
    rows = "".join(f"text\0 {n} of many\t{'ab'[n % 2]}\n" for n in range(20))
    (tmp_path / "data.tsv").write_text("te\0xt\tla\0bel\n" + rows)
    assert status(["audit", str(tmp_path / "data.tsv"), "--only", "profile,splits", "--no-cache"]) == 0
    capsys.readouterr()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_pipes_are_not_waited_for(tmp_path, capsys):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    (tmp_path / "data.tsv").write_text("text\tlabel\nx y\ta\nz\tb\n")
    for words in (["discriminate", str(pipe)], ["audit", str(tmp_path / "data.tsv"), "--plan", str(pipe)]):
        assert status(words) == 1
        assert "not a file" in capsys.readouterr().err
