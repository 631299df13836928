"""Tables and paragraphs on a narrow terminal."""

import re
from types import SimpleNamespace

import pytest
from tests.example_audit import make_audit

from assay.cli.commands.benchmark.audit import print_audit
from assay.cli.output import print_sentence, show_table
from assay.system.terminal import has_colour

NAME = "organisation/model-with-a-long-name-{:02}-instruct"
COLUMNS = ["system", "score", "rank", "simultaneous", "marginal", "ties", "bands", "P(best)", "and", "one", "more"]
ROWS = [[NAME.format(n), "81.2 [79.1, 83.3]", 3, "1–10", "2–4", 1, "1–2", 0.25, 1, 2, 3] for n in range(3)]


@pytest.mark.parametrize("width", [80, 200])
def test_no_word_is_broken(capsys, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    show_table("Systems", COLUMNS, ROWS)
    output = capsys.readouterr().out
    for row in ROWS:
        assert row[0] in output
    assert output.count("79.1,") == 3
    assert max(map(len, output.splitlines())) <= width


def test_findings_are_paragraphs_and_the_verdict_is_last(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    audit = make_audit()
    print_audit(audit, "text")
    output = capsys.readouterr().out
    lines = output.splitlines()
    assert max(map(len, lines)) <= 80
    words = " ".join(output.split())
    assert words.endswith(" ".join(audit.verdict.split()))
    assert all(" ".join(finding.claim.split()) in words for finding in audit.findings)


def test_severities_and_the_verdict_have_colours_in_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("assay.cli.output.has_colour", lambda _: True)
    audit = make_audit()
    print_audit(audit, "text")
    output = capsys.readouterr().out
    codes = {"error": 31, "warning": 33, "note": 36}
    for finding in audit.findings:
        assert re.search(rf"^\x1b\[{codes[finding.severity]}m\x1b\[1m{finding.severity.upper()}", output, re.M)
    assert f"\x1b[{codes[audit.findings[0].severity]}m\x1b[1m{audit.verdict[:20]}" in output


def test_there_are_no_colours_in_a_pipe_or_with_no_color(monkeypatch, capsys):
    print_audit(make_audit(), "text")
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colour(SimpleNamespace(isatty=lambda: True))
    monkeypatch.delenv("NO_COLOR")
    assert has_colour(SimpleNamespace(isatty=lambda: True))


def test_sentences_are_wrapped_between_words_on_a_terminal_only(capsys, monkeypatch):
    sentence = "words " * 30
    monkeypatch.delenv("COLUMNS", raising=False)
    print_sentence(sentence)
    assert capsys.readouterr().out.count("\n") == 1
    monkeypatch.setenv("COLUMNS", "80")
    print_sentence(sentence)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 80 for line in lines)
