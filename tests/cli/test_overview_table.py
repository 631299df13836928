from __future__ import annotations

import re

import click
import pytest
from tests.example_audit import make_audit

from assay.cli.commands.benchmark.audit import print_audit, print_topic


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_line_is_too_long_and_no_word_is_broken(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    audit = make_audit()
    print_audit(audit, "text")
    lines = click.unstyle(capsys.readouterr().out).splitlines()
    assert max(map(len, lines)) <= min(columns, 100)
    words = " ".join(" ".join(lines).split())
    for row in audit.overview.rows:
        assert f"{row.number} {row.unit}" in words
    assert words.endswith(audit.verdict)


def test_the_verdict_comes_last_after_six_rows_and_the_actions(capsys):
    audit = make_audit()
    print_audit(audit, "text")
    text = click.unstyle(capsys.readouterr().out)
    places = [text.index(f"\n{row.status}") for row in audit.overview.rows[:1]]
    places += [text.index("Do first"), text.index(audit.overview.headline[:40])]
    assert places == sorted(places)
    assert len(re.findall(r"^(?:ok|warning|problem|not checked) +[A-Z]", text, re.M)) == 6


def test_a_status_has_its_colour_in_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("assay.cli.output.has_colour", lambda _: True)
    row = make_audit().overview.find_row("leakage")
    print_topic(1, row.status, row.title, row.text, row.code)
    assert capsys.readouterr().out.startswith("\x1b[31m\x1b[1mproblem")
