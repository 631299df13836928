"""Text that workers print cannot control a terminal."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import os, sys, warnings
from assay.tasks import run_tasks

def shout(number):
    warnings.warn(f"warned \\x1b[2J {number}")
    print(f"printed \\x1b[2J {number}", file=sys.stderr)
    os.write(2, b"native \\x1b[2J")
    return number

print(run_tasks(shout, [(1,), (2,)], n_jobs=2))
"""


def test_control_characters_of_workers_are_visible(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.strip() == "[1, 2]"
    assert "\x1b" not in done.stderr
    assert "printed \\x1b[2J 1" in done.stderr
    assert "warned \\x1b[2J" in done.stderr
    assert "native" not in done.stderr
