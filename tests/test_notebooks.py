"""The notebooks run from top to bottom, and are in the repository with small outputs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def code_cells(path: Path) -> list[dict]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_there_are_five():
    names = ["01_analysis", "02_splits", "03_performance", "04_leaderboard", "05_shortcuts"]
    assert [path.stem for path in NOTEBOOKS] == names


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path):
    pytest.importorskip("nbclient", reason="needs nbclient: make test installs it")
    copy = Path(shutil.copy(path, tmp_path))
    command = [sys.executable, str(FOLDER / "execute.py"), str(copy)]
    # Small matrices gain nothing from threads, and lose much where other tests run next to.
    alone = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path, env=alone)
    assert done.returncode == 0, done.stderr[-3000:]
    fresh, kept = code_cells(copy), code_cells(path)
    assert [cell["source"] for cell in fresh] == [cell["source"] for cell in kept]
    assert [read_outputs(cell) for cell in fresh] == [read_outputs(cell) for cell in kept], "run notebooks/execute.py"


def read_outputs(cell: dict) -> list[dict[str, str]]:
    """Return the text of the outputs of a cell; pictures differ with the fonts of a machine."""
    return [
        {kind: "".join(text) for kind, text in output["data"].items() if kind != "image/png"}
        for output in cell["outputs"]
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_kept_small_and_free_of_errors_and_paths(path):
    cells = code_cells(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    kinds = {output["output_type"] for cell in cells for output in cell["outputs"]}
    assert kinds <= {"execute_result", "display_data"}
    assert path.stat().st_size < 200_000
    written = json.dumps([cell["outputs"] for cell in cells])
    assert not any(place in written for place in ("/work/", "/tmp/", "/home/", "/root/"))


def test_the_marimo_notebook_runs(tmp_path):
    pytest.importorskip("marimo", reason="needs marimo: make test installs it")
    code = (
        "import runpy; app = runpy.run_path('marimo_audit.py')['app']; outputs, names = app.run(); "
        "print(type(outputs[2]).__name__, len(names['audit'].findings) > 0)"
    )
    shutil.copy(FOLDER / "marimo_audit.py", tmp_path)
    alone = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path, env=alone)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == ["Audit", "True"]
