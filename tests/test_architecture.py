"""The house stands as ARCHITECTURE.md says."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import assay

HOME = Path(assay.__file__).parent
BASE = ["errors", "registry", "results", "files"]
ROOMS = [
    "data",
    "text",
    "statistics",
    "tasks",
    "features",
    "splits",
    "difficulty",
    "evaluation",
    "discrimination",
    "models",
    "information",
    "forecast",
    "audits",
    "report",
    "web",
    "cli",
]
PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
DISTRIBUTIONS = {"sklearn": "scikit-learn", "vl_convert": "vl-convert-python"}  # where the import has another name
HEAVY = ["numpy", "polars", "sklearn", "numba", "torch", "pyarrow", "scipy", "altair"]


def imported_names(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def imported_rooms(path: Path) -> set[str]:
    parts = [name.split(".") for name in imported_names(path) if name.startswith("assay.")]
    return {part[1] for part in parts} & set(ROOMS)


MODULES = sorted({*HOME.rglob("*.py")} - {HOME / "__init__.py", HOME / "__main__.py"})


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(HOME)))
def test_a_room_imports_only_from_rooms_before_it(path):
    room = path.relative_to(HOME).parts[0].removesuffix(".py")
    allowed = set(ROOMS[: ROOMS.index(room)]) | {room} if room in ROOMS else set()
    assert imported_rooms(path) <= allowed


def test_every_folder_is_a_known_room():
    folders = {path.name for path in HOME.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(ROOMS)


def modules_after(code: str) -> set[str]:
    report = f"import sys\n{code}\nprint(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_help_loads_nothing_heavy():
    loaded = modules_after("from assay.cli.main import status\nstatus(['--help'])")
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.parametrize("name", ["assay", *(f"assay.{room}" for room in "text models statistics tasks web".split())])
def test_it_imports_without_polars(name):
    assert "polars" not in modules_after(f"import {name}")


def test_modules_stay_small():
    long = {path.name: n for path in HOME.rglob("*.py") if (n := len(path.read_text().splitlines())) > 300}
    assert not long


def test_every_imported_package_is_declared():
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = project["dependencies"] + [line for name, lines in extras.items() if name != "dev" for line in lines]
    declared = {re.match(r"[\w-]+", line)[0] for line in lines}
    modules = {name.partition(".")[0] for path in HOME.rglob("*.py") for name in imported_names(path)}
    modules -= {"assay", *sys.stdlib_module_names}
    assert {DISTRIBUTIONS.get(module, module) for module in modules} <= declared
