"""Options that several commands share."""

from __future__ import annotations

from importlib import import_module

import click
import pytest

from assay.cli.main import VERBS

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
