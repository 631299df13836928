"""Run the commands and examples of a page, in order, as a reader who copies them would: `python copied_commands.py`.

Standard input is a JSON list of pages, each a folder and its steps; the last line of the output is a JSON list of the
[exit status, output] of the steps of each. Commands of assay run in this process, because starting Python for each would
take most of the time.
"""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import subprocess
import sys
import tempfile
import traceback
from typing import Any

from assay.cli.main import status

SHELL = set("|<>$;&`(")


def run_step(kind: str, text: str, names: dict[str, Any]) -> tuple[int, str]:
    """Return the exit status and the output of a line of a shell, or of a block of Python."""
    if kind == "python":
        return run_python(text, names)
    words = shlex.split(text, comments=True)
    if words[0] == "assay" and not SHELL & set(text.partition("  #")[0]):
        return run_command(words[1:])
    done = subprocess.run(
        ["bash", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120
    )
    return done.returncode, done.stdout


def run_command(words: list[str]) -> tuple[int, str]:
    """Run a command of assay; its output goes through a file, as in a shell."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        with contextlib.redirect_stdout(file), contextlib.redirect_stderr(file):
            code = find_status(words)
        file.seek(0)
        return code, file.read()


def find_status(words: list[str]) -> int:
    """Return the exit status of a command, also of one that exits by itself."""
    try:
        return status(words)
    except SystemExit as request:
        return int(request.code or 0)


def run_python(text: str, names: dict[str, Any]) -> tuple[int, str]:
    """Run a block in the names of the earlier ones."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(text, "<page>", "exec"), names)
        except Exception:
            output.write(traceback.format_exc())
            return 1, output.getvalue()
    return 0, output.getvalue()


def run_page(folder: str, steps: list[tuple[str, str]]) -> list[tuple[int, str]]:
    """Run the steps of a page in a folder."""
    names: dict[str, Any] = {}
    with contextlib.chdir(folder):
        return [run_step(kind, text, names) for kind, text in steps]


if __name__ == "__main__":
    print(json.dumps([run_page(folder, steps) for folder, steps in json.load(sys.stdin)]))
