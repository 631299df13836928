"""The package is built as ARCHITECTURE.md says."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import assay

HOME = Path(assay.__file__).parent
# Each package imports only from the packages before it.
LAYERS = [
    "base",
    "data",
    "text",
    "statistics",
    "tasks",
    "kinds",
    "features",
    "splits",
    "difficulty",
    "evaluation",
    "logs",
    "discrimination",
    "votes",
    "judges",
    "models",
    "information",
    "forecast",
    "studies",
    "audits",
    "report",
    "web",
    "cli",
]
HEAVY = ["numpy", "polars", "sklearn", "numba", "torch", "pyarrow", "scipy", "altair"]


def imported_packages(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    parts = [name.split(".") for name in names if name.startswith("assay.")]
    return {part[1] for part in parts} & set(LAYERS)


@pytest.mark.parametrize("path", sorted(HOME.rglob("*.py")), ids=lambda path: str(path.relative_to(HOME)))
def test_a_package_imports_only_from_packages_before_it(path):
    package = path.relative_to(HOME).parts[0].removesuffix(".py")
    if package in ("__init__", "__main__"):
        return
    allowed = set(LAYERS[: LAYERS.index(package)]) | {package}
    assert imported_packages(path) <= allowed


def test_every_folder_is_a_known_package():
    folders = {path.name for path in HOME.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(LAYERS)


def modules_after(code: str) -> set[str]:
    report = f"import sys\n{code}\nprint(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_help_loads_nothing_heavy():
    loaded = modules_after("from assay.cli.main import status\nstatus(['--help'])")
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.parametrize(
    "name", ["assay", *(f"assay.{package}" for package in "data kinds text models statistics tasks web".split())]
)
def test_it_imports_without_polars(name):
    assert "polars" not in modules_after(f"import {name}")


def test_modules_stay_small():
    long = {path.name: n for path in HOME.rglob("*.py") if (n := len(path.read_text().splitlines())) > 300}
    assert not long
