"""The pytest plugin in a process of its own, found by the entry point that the package declares."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import assay

ROOT = Path(__file__).resolve().parents[2]
TESTS = """
ROWS = [f"text number {n} of them" for n in range(20)]
SOUND = {"text": ROWS, "label": ["a", "b"] * 10, "split": ["train"] * 10 + ["test"] * 10}

def test_sound(assay):
    assert assay.assert_benchmark(SOUND, only=["profile"]).data.rows == 20

def test_leaked(assay):
    assay.assert_benchmark({**SOUND, "text": ROWS[:10] * 2}, only=["profile"])

def test_files_are_audited_once(assay, tmp_path):
    path = tmp_path / "data.tsv"
    path.write_text("text\\tlabel\\n" + "".join(f"{text}\\tx\\n" for text in ROWS))
    assert assay.audit(path, only=["profile"]) is assay.audit(str(path), only=["profile"])
    assert assay.audit(path, only=["profile"]) is not assay.audit(path, only=["profile"], random_state=1)
"""


def declare_plugin(folder: Path) -> None:
    """Write what an installation writes: the entry points that pyproject.toml declares."""
    entries = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"][
        "pytest11"
    ]
    info = folder / "declared-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: declared\nVersion: 1.0\n")
    lines = "".join(f"{name} = {module}\n" for name, module in entries.items())
    (info / "entry_points.txt").write_text(f"[pytest11]\n{lines}")


def test_the_fixture_works_in_a_session_of_its_own(tmp_path):
    declare_plugin(tmp_path)
    (tmp_path / "test_benchmark.py").write_text(TESTS)
    source = str(Path(assay.__file__).parents[1])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-rf"]
    done = subprocess.run(
        [*command, "test_benchmark.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{tmp_path}"},
        capture_output=True,
        text=True,
    )
    assert "1 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    assert "error A101: 10 items of 10 in test" in done.stdout
    assert "Traceback" not in done.stdout
