"""Shells complete the names of commands and options, the values of options, and files."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def call(**environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import sys; sys.argv[0] = 'assay'; from assay.cli.main import main; main()"]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_script(shell):
    done = call(_ASSAY_COMPLETE=f"{shell}_source")
    assert (done.returncode, done.stderr) == (0, "")
    assert "_ASSAY_COMPLETE=" in done.stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("assay au", "plain,audit"),
        ("assay audit --predic", "plain,--predictions"),
        ("assay audit --quoting no", "plain,none"),
        ("assay profile fil", "file,fil"),
    ],
)
def test_words_are_completed(words, expected):
    place = str(len(words.split()) - 1)
    done = call(_ASSAY_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=place)
    assert expected in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "place", "expected"),
    [
        ("assay au", 1, "plain\naudit\n"),
        ("assay audit --predic", 2, "plain\n--predictions\n"),
        ("assay profile fil", 2, "file\nfil\n"),
    ],
)
def test_words_are_completed_in_zsh(words, place, expected):
    done = call(_ASSAY_COMPLETE="zsh_complete", COMP_WORDS=words, COMP_CWORD=str(place))
    assert expected in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "word", "expected"),
    [("assay", "au", "audit"), ("assay audit", "--predic", "--predictions"), ("assay profile", "fil", "file")],
)
def test_words_are_completed_in_fish(words, word, expected):
    done = call(_ASSAY_COMPLETE="fish_complete", COMP_WORDS=f"{words} {word}", COMP_CWORD=word)
    assert expected in done.stdout
    assert done.stderr == ""
