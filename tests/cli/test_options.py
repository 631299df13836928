"""Options that several commands share."""

from __future__ import annotations

from importlib import import_module

import click
import pytest

import assay
from assay.cli.main import VERBS, status

READS_DATA = (
    *("audit", "compare", "difficulty", "discriminate", "evaluate"),
    *("forecast", "information", "profile", "split", "train"),
)
IN_ONE_PROCESS = ("difficulty",)


def option_names(command: str) -> set[str]:
    parameters = getattr(import_module(VERBS[command][0]), command).params
    return {name for parameter in parameters if isinstance(parameter, click.Option) for name in parameter.opts}


@pytest.mark.parametrize("command", READS_DATA)
def test_commands_that_read_data_take_the_task_and_its_roles(command):
    assert {"--task", "--text", "--label", "--split"} <= option_names(command)


@pytest.mark.parametrize("command", READS_DATA)
def test_only_commands_that_run_in_parallel_take_jobs(command):
    expected = set() if command in IN_ONE_PROCESS else {"--jobs", "--backend"}
    assert option_names(command) & {"--jobs", "--backend"} == expected


@pytest.mark.parametrize("command", READS_DATA)
def test_analyses_take_json_and_seed(command):
    assert {"--json", "--seed"} <= option_names(command)


def test_the_task_decides_how_forecast_reads_data(tmp_path, run):
    (tmp_path / "data.tsv").write_text("text\tlabel\n" + "a b\tx\nc d\ty\n" * 20)
    done = run("forecast", tmp_path / "data.tsv", "--task", "pairs")
    assert done.returncode != 0
    assert "pair" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["forecast", "--recommend", "0"], 2, "--recommend must be at least 1, not 0."),
        (["watch", "nowhere"], 1, "nowhere: there is no such file or folder."),
        (["diff", "data.tsv", "data.tsv"], 1, "An audit is what assay audit --json FILE writes."),
        (["split", "data.tsv"], 2, "Choose one of: bootstrap, k-means, length,"),
        (["evaluate", "data.tsv", "--predictions", "data.tsv"], 1, "or the columns system, id and predicted."),
        (["evaluate", "data.tsv", "--predictions", "labels.tsv"], 1, "or the columns system, id and predicted."),
    ],
)
def test_errors_say_what_to_do(tmp_path, monkeypatch, capsys, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.tsv").write_text("text\tlabel\n" + "good film\tx\nbad film\ty\n" * 20)
    (tmp_path / "labels.tsv").write_text("text\tlabel\n" + "good film\tx\nbad film\ty\n" * 20)
    assert status(arguments) == code
    assert message in capsys.readouterr().err


def test_the_corpus_is_looked_for_before_the_data_is_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file matches"):
        assay.find_contamination({"text": []}, str(tmp_path / "*.jsonl"))
