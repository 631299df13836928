"""Every way to a terminal, a pipe or a log: other encodings, closed streams, hostile names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from assay.cli.main import status

ESCAPE = "\x1b[2J"
SYSTEM = f"[red]{ESCAPE}\u202e::error::sys"


@pytest.fixture
def files(tmp_path):
    """Write data and predictions whose names, ids and labels are hostile."""
    labels = (f"x{ESCAPE}", "##[group]")
    rows = "".join(f"::error::{n}{ESCAPE}\tthe film {n}\t{labels[n % 2]}\n" for n in range(20))
    answers = "".join(f"::error::{n}{ESCAPE}\t{labels[n % 3 % 2]}\n" for n in range(20))
    data, predictions = tmp_path / f"data{ESCAPE}.tsv", tmp_path / "predictions.tsv"
    data.write_text(f"id\ttext\tlabel\n{rows}", encoding="utf-8")
    predictions.write_text(f"id\t{SYSTEM}\n{answers}", encoding="utf-8")
    return data, predictions


def run(*words, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "assay", *map(str, words)],
        capture_output=True,
        timeout=300,
        env={**environment, **variables},
    )


def run_in_shell(redirection, *words):
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("needs bash")
    command = [shell, "-c", f'"$@" {redirection}', "bash", sys.executable, "-m", "assay", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def check_harmless(text):
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "##[" not in text
    assert not [line for line in text.split("\n") if line.strip().startswith("::")]


def test_hostile_names_reach_no_terminal(files, capsys):
    data, predictions = files
    assert status(["evaluate", str(data), "--predictions", str(predictions)]) == 0
    captured = capsys.readouterr()
    check_harmless(captured.out + captured.err)
    assert "[red]\\x1b[2J\\u202e::error::sys" in captured.out


@pytest.mark.parametrize(
    "words",
    [
        ["profile", f"missing{ESCAPE}\n::error::x.tsv"],
        [f"pro{ESCAPE}file"],
        ["profile", "DATA", f"--no{ESCAPE}\n::error::x"],
        ["profile", "DATA", "--label", f"no{ESCAPE}\n::error::x"],
        ["audit", "DATA", "--plan", "PLAN"],
    ],
)
def test_hostile_words_in_errors_reach_no_terminal(files, tmp_path, capsys, words):
    (tmp_path / "plan.toml").write_text('[audit]\n"a\\u001b[2J\\n::error::b" = 1\n', encoding="utf-8")
    places = {"DATA": str(files[0]), "PLAN": str(tmp_path / "plan.toml")}
    assert status([places.get(word, word) for word in words]) in (1, 2)
    captured = capsys.readouterr()
    check_harmless(captured.out + captured.err)
    assert "\\x1b[2J" in captured.err


def test_json_on_standard_output_keeps_the_data_and_is_harmless(files, capsys):
    data, predictions = files
    assert status(["evaluate", str(data), "--predictions", str(predictions), "--json", "-"]) == 0
    output = capsys.readouterr().out
    check_harmless(output)
    assert json.loads(output)["result"]["systems"][0]["system"] == SYSTEM


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1"])
def test_terminals_that_are_not_utf8(files, tmp_path, encoding):
    scores = tmp_path / "scores.csv"
    scores.write_text("system,α,b\n漢,1,2\nb,2,3\nc,3,1\n", encoding="utf-8")
    done = run("discriminate", scores, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    output = done.stdout.decode(encoding)
    assert "lambda" in output
    assert "\\u6f22" in output
    result = run("discriminate", scores, "--json", "-", PYTHONIOENCODING=encoding)
    assert "漢" in json.dumps(json.loads(result.stdout.decode(encoding)), ensure_ascii=False)


def test_the_c_locale(files):
    data, predictions = files
    variables = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = run("evaluate", data, "--predictions", predictions, **variables)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("redirection", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "2>&1 | head -1", "2>&1 | true"])
def test_files_are_complete_without_anyone_who_reads_the_output(files, tmp_path, redirection):
    data, predictions = files
    target = tmp_path / "result.json"
    done = run_in_shell(redirection, "evaluate", data, "--predictions", predictions, "--json", target)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert json.loads(target.read_text(encoding="utf-8"))["command"] == "evaluate"


def test_a_full_disk_behind_standard_output_is_an_error(files):
    if not os.path.exists("/dev/full"):  # noqa: PTH110
        pytest.skip("needs /dev/full")
    done = run_in_shell("> /dev/full", "profile", files[0])
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "Error: standard output: No space left on device."


def test_tables_in_a_pipe_have_at_most_100_columns(files):
    data, predictions = files
    lines = run("evaluate", data, "--predictions", predictions).stdout.decode().splitlines()
    tables = [line for line in lines if line.startswith(("│", "┃"))]
    assert tables
    assert max(map(len, tables)) <= 100


def fail(error):
    def raise_error(*_, **__):
        raise error

    return raise_error


def test_a_bug_is_one_line(files, monkeypatch, capsys):
    monkeypatch.setattr("assay.kinds.reading.load_tables", fail(KeyError(f"x{ESCAPE}\n" + "y" * 5_000)))
    monkeypatch.delenv("ASSAY_TRACEBACK", raising=False)
    assert status(["profile", str(files[0])]) == 70
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("Error: This is a bug in assay ")
    assert "KeyError: 'x\\" in line
    assert line.endswith("ASSAY_TRACEBACK=1 shows the traceback.")
    assert len(line) < 600
    monkeypatch.setenv("ASSAY_TRACEBACK", "1")
    assert status(["profile", str(files[0])]) == 70
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "words"), [(MemoryError(), "not enough memory"), (RecursionError(), "nested too deeply")]
)
def test_memory_and_depth_have_lines_of_their_own(files, monkeypatch, capsys, error, words):
    monkeypatch.setattr("assay.kinds.reading.load_tables", fail(error))
    assert status(["profile", str(files[0])]) == 70
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


def test_a_panic_of_a_compiled_library_is_one_line(files, monkeypatch, capsys):
    monkeypatch.setattr("assay.kinds.reading.load_tables", fail(BaseException("panic")))
    assert status(["profile", str(files[0])]) == 70
    assert "Please report: BaseException: panic." in capsys.readouterr().err


def test_ids_with_line_breaks_are_refused_before_the_work(tmp_path, monkeypatch, capsys):
    data = tmp_path / "data.csv"
    data.write_text("id,text,label\n" + "".join(f'"a\n{n}",film {n},{n % 2}\n' for n in range(20)), encoding="utf-8")
    monkeypatch.setattr("assay.audits.audit", fail(AssertionError("the audit ran")))
    monkeypatch.setattr("assay.splits.split", fail(AssertionError("the split ran")))
    monkeypatch.setattr("assay.models.train", fail(AssertionError("the training ran")))
    for words in (["audit", "--folds-out"], ["split", "--method=random", "-o"], ["train", "-o"]):
        assert status([words[0], str(data), *words[1:], str(tmp_path / "out.tsv")]) == 1
        assert "20 ids contain a tab or a line break" in capsys.readouterr().err
