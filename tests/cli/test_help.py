"""The help of every command, and how much commands say."""

from __future__ import annotations

import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from assay.cli.help import GROUPS, OWN_GROUP
from assay.cli.main import TOPICS, VERBS, assay, status
from assay.cli.paths import Verb
from assay.cli.results import table_options

DATA = "text,label\na good film,p\na bad film,n\nwhat a day,p\nno rain,n\n"


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "films.csv"
    path.write_text(DATA)
    return str(path)


def test_without_arguments_the_full_help_is_printed_by_topic():
    done = subprocess.run([sys.executable, "-m", "assay"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""
    topics = [line.rstrip(":") for line in done.stdout.splitlines() if re.fullmatch(r"[A-Z]\w+:", line)]
    assert topics == ["Options", "Data", "Labels", "Systems", "Benchmark", "Tools"]
    assert all(re.search(rf"^  {name} ", done.stdout, re.MULTILINE) for name in VERBS)


def test_every_command_has_one_topic():
    names = [name for verbs in TOPICS.values() for name in verbs]
    assert len(names) == len(set(names)) == len(VERBS)


@pytest.mark.parametrize("name", VERBS)
def test_the_help_of_a_command_lists_every_option_once_in_groups(name):
    shown = CliRunner().invoke(assay, [name, "--help"]).output
    headings = [line.rstrip(":") for line in shown.splitlines() if re.fullmatch(r"[A-Z]\w+:", line)]
    assert headings == [group for group in GROUPS if group in headings]
    _, _, shown = shown.partition(f"\n{headings[0]}:")
    command = assay.get_command(click.Context(assay), name)
    options = [each for each in command.params if isinstance(each, click.Option)]
    for option in options:
        assert len(re.findall(rf"^  (?:-\w, )?{re.escape(option.opts[-1])}(?![-\w])", shown, re.MULTILINE)) <= 1
    assert {"quiet", "verbose"} <= {option.name for option in options}


def test_no_option_is_in_two_groups():
    names = [name for group, options in GROUPS.items() if group != OWN_GROUP for name in options]
    assert len(names) == len(set(names))


def test_quiet_prints_no_notes(data, capsys):
    assert status(["split", data, "-m", "random", "--n-folds", "2"]) == 0
    assert "task: classification" in capsys.readouterr().err
    assert status(["split", data, "-m", "random", "--n-folds", "2", "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_quiet_still_prints_errors(tmp_path, capsys):
    assert status(["profile", str(tmp_path / "none.csv"), "--quiet"]) == 1
    assert capsys.readouterr().err.startswith("Error: ")


def test_verbose_prints_the_version_and_the_time(data, capsys):
    assert status(["split", data, "-m", "random", "--n-folds", "2", "-v"]) == 0
    shown = capsys.readouterr().err
    assert re.search(r"^assay \d", shown, re.MULTILINE)
    assert re.search(r"^Finished in \d+\.\d s\.$", shown, re.MULTILINE)


def test_quiet_and_verbose_exclude_each_other(data, capsys):
    assert status(["profile", data, "-q", "-v"]) == 2
    assert "Choose one of --quiet and --verbose" in capsys.readouterr().err


def test_a_table_that_is_not_written_is_an_error(tmp_path):
    @click.command(cls=Verb)
    @table_options
    def nothing() -> None:
        """Have no result."""

    outcome = CliRunner().invoke(nothing, ["--csv", str(tmp_path / "table.csv")])
    assert "--csv has no effect" in str(outcome.exception)


@pytest.mark.parametrize("form", ["csv", "markdown", "latex"])
@pytest.mark.parametrize("command", [["profile"], ["audit", "--only", "profile"], ["methods"], ["doctor"]])
def test_a_table_on_standard_output_is_alone_there(command, form, data, tmp_path, capsys):
    name, *options = command
    arguments = [name, *([data] if name in ("profile", "audit") else []), *options]
    status([*arguments, f"--{form}", str(tmp_path / "table")])
    capsys.readouterr()
    status([*arguments, f"--{form}", "-"])
    assert capsys.readouterr().out == (tmp_path / "table").read_text(encoding="utf-8")


def test_a_result_without_a_table_writes_its_sentence(data, tmp_path):
    files = {name: str(tmp_path / name) for name in ("suspects.csv", "clean.tsv", "table.csv")}
    (tmp_path / "suspects.csv").write_text("id,suspicion,suggested,reasons\n0,0.1,n,none\n")
    arguments = [
        "--suspects",
        files["suspects.csv"],
        "--relabel",
        "-o",
        files["clean.tsv"],
        "--csv",
        files["table.csv"],
    ]
    assert status(["repair", data, *arguments]) == 0
    assert (tmp_path / "table.csv").read_text() == 'name,value\nresult,"0 of 4 items dropped, 0 relabelled."\n'
