from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import assay
from assay.base.plugins import Plugin
from assay.cli.commands.tools import installation
from assay.cli.commands.tools.installation import check_cache, check_package, inspect_installation, list_requirements
from assay.cli.main import status

PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
FEW = [("click", ">=8.1", ""), ("no-such-package", ">=1", "neural"), ("rich", ">=13", "tweet")]


@pytest.fixture
def few(monkeypatch):
    """Look at three packages only: importing all takes long."""
    monkeypatch.setattr(installation, "list_requirements", lambda: FEW)
    monkeypatch.setattr(installation, "find_plugins", list)


def test_the_requirements_are_those_of_the_project(monkeypatch):
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extras = {name: lines for name, lines in project["optional-dependencies"].items() if name not in ("all", "dev")}
    lines = [*project["dependencies"], *(f"{line}; extra == '{name}'" for name, ls in extras.items() for line in ls)]
    monkeypatch.setattr(metadata, "requires", lambda _: [*lines, "ruff; extra == 'dev'"])
    rows = list_requirements()
    assert {(name, extra) for name, _, extra in rows} == {
        *((re.match(r"[\w-]+", line)[0], "") for line in project["dependencies"]),
        *((re.match(r"[\w-]+", line)[0], name) for name, ls in extras.items() for line in ls),
    }
    assert ("polars", ">=1.34", "") in rows


@pytest.mark.parametrize(
    ("requirement", "problem"),
    [
        (("click", ">=8.1", ""), ""),
        (("scikit-learn", ">=1.5", ""), ""),
        (("click", ">=99", ""), "is older than >=99"),
        (("no-such-package", "", ""), "not installed"),
    ],
)
def test_a_package_works_or_says_why_not(requirement, problem):
    found = check_package(*requirement).problem
    assert problem in found
    assert bool(found) == bool(problem)


def test_a_package_that_cannot_be_imported_does_not_work(monkeypatch, tmp_path):
    (tmp_path / "broken_module.py").write_text("raise OSError('a missing library')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(metadata, "version", lambda _: "1.0")
    assert check_package("broken-module", "", "").problem == "cannot be imported: OSError: a missing library"


def test_an_extra_that_is_missing_is_not_a_problem(few, capfd):
    assert status(["doctor"]) == 0
    output = capfd.readouterr().out
    assert f"assay {assay.__version__}, Python {sys.version.split()[0]}" in output
    assert re.search(r"neural\s+│ does not work │ no-such-package not installed", output)
    assert re.search(r"tweet\s+│ works\s+│ rich \d", output)
    assert "GPU: unknown: torch is not installed" in output


def test_a_required_package_that_is_missing_is_one(few, monkeypatch, capfd):
    monkeypatch.setattr(installation, "list_requirements", lambda: [("no-such-package", "", "")])
    with pytest.raises(SystemExit, match="1"):
        status(["doctor"])
    assert "Problem: no-such-package: not installed" in capfd.readouterr().err


def test_plugins_that_fail_are_named(few, monkeypatch):
    plugins = [Plugin("good-checks", "1.0", "json"), Plugin("bad-checks", "2.0", "no_such_module")]
    monkeypatch.setattr(installation, "find_plugins", lambda: plugins)
    result = inspect_installation()
    assert [bool(row.problem) for row in result.plugins] == [False, True]
    assert "bad-checks" in result.problems[0]


def test_the_cache_is_measured(few, monkeypatch, tmp_path, capfd):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    assert (check_cache().n_files, check_cache().is_writable) == (0, True)
    (tmp_path / "cache" / "ab").mkdir(parents=True)
    (tmp_path / "cache" / "ab" / "entry").write_bytes(b"x" * 1500)
    assert status(["doctor", "--json", "-"]) == 0
    cache = json.loads(capfd.readouterr().out)["result"]["cache"]
    assert (cache["n_files"], cache["n_bytes"], cache["folder"]) == (1, 1500, str(tmp_path / "cache"))


def test_the_version_is_printed(capfd):
    assert status(["--version"]) == 0
    assert assay.__version__ in capfd.readouterr().out
