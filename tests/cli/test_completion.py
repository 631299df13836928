"""Shells complete commands, options and files."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

RUN = "import sys; sys.argv[0] = 'assay'; from assay.cli.main import main; main()"


def complete(instruction: str, **variables: str) -> str:
    environment = {**os.environ, "_ASSAY_COMPLETE": instruction, **variables}
    return subprocess.run([sys.executable, "-c", RUN], env=environment, capture_output=True, text=True).stdout


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_script_for_the_shell_is_printed(shell):
    assert "_ASSAY_COMPLETE" in complete(f"{shell}_source")


@pytest.mark.parametrize(
    ("words", "expected"),
    [("assay sus", "plain,suspects"), ("assay audit --priv", "plain,--private"), ("assay profile fil", "file,fil")],
)
def test_commands_options_and_files_are_completed(words, expected):
    n_words = str(len(words.split()) - 1)
    assert complete("bash_complete", COMP_WORDS=words, COMP_CWORD=n_words).split() == [expected]
