"""The skill for coding agents: what it says about commands is true, and installing it overwrites nothing."""

from __future__ import annotations

import functools
import json
import operator
import re
import shlex

import click
import pytest

from assay.cli.main import assay, status
from assay.integrations.skill import install_skill, read_skill

yaml = pytest.importorskip("yaml", reason="needs PyYAML, which comes with mkdocs and pre-commit")
COMMANDS = [line for line in re.findall(r"`(assay [^`]+)`", read_skill()) if len(line.split()) > 3]


def test_the_front_matter_follows_the_specification():
    _, front, body = read_skill().split("---\n", 2)
    fields = yaml.safe_load(front)
    assert fields.keys() <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert fields["name"] == "assay"  # that of its folder
    assert len(fields["description"]) <= 1024
    assert len(fields["compatibility"]) <= 500
    assert len(body.splitlines()) < 500


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_skill_exists(line):
    group = click.Context(assay)
    words = shlex.split(line)[1:]
    if words[0].startswith("-"):
        return
    name, command, arguments = assay.resolve_command(group, words)
    command.make_parser(click.Context(command, info_name=name, parent=group)).parse_args(arguments)


def test_every_field_of_the_skill_is_in_the_json_of_audits_with_and_without_data(tmp_path):
    (tmp_path / "data.tsv").write_text("text\tlabel\n" + "good film\tx\nbad film\ty\n" * 20)
    (tmp_path / "scores.csv").write_text("model,mmlu,arc\na,70.1,60\nb,65.2,61.5\n")
    fields = re.findall(r"^\| `(result[^`]*?)(?:\[\])?` \|", read_skill(), re.MULTILINE)
    assert len(fields) == 6
    for source in (["data.tsv", "--only", "profile"], ["--scores", "scores.csv"]):
        words = [str(tmp_path / word) if (tmp_path / word).exists() else word for word in source]
        assert status(["audit", *words, "--json", str(tmp_path / "audit.json")]) == 0
        document = json.loads((tmp_path / "audit.json").read_text(encoding="utf-8"))
        for name in fields:
            assert functools.reduce(operator.getitem, name.split("."), document) is not None


def test_it_is_installed_where_the_agent_looks(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".claude").mkdir()
    assert status(["skill", "--install"]) == 0
    assert (tmp_path / ".claude" / "skills" / "assay" / "SKILL.md").read_text(encoding="utf-8") == read_skill()
    assert "Wrote" in capsys.readouterr().out
    assert status(["skill", "--install", "mine"]) == 0
    assert (tmp_path / "mine" / "assay" / "SKILL.md").exists()


def test_an_edited_skill_is_not_overwritten(tmp_path, capsys):
    path, is_written = install_skill(tmp_path)
    assert is_written
    assert install_skill(tmp_path) == (path, False)
    path.write_text("mine", encoding="utf-8")
    assert status(["skill", "--install", str(tmp_path)]) == 1
    assert "Replace it with --overwrite." in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "mine"
    assert status(["skill", "--install", str(tmp_path), "--overwrite"]) == 0
    assert path.read_text(encoding="utf-8") == read_skill()
