"""What other installers read agrees with pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_conda_recipe_has_the_same_requirements():
    yaml = pytest.importorskip("yaml", reason="needs PyYAML, which comes with mkdocs and pre-commit")
    recipe = yaml.safe_load((ROOT / "scripts" / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    run = [line.replace(" ", "") for line in recipe["requirements"]["run"]]
    assert run == [f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]]
    assert recipe["build"]["python"]["entry_points"] == [f"assay = {PROJECT['scripts']['assay']}"]


def test_the_extra_all_is_complete_and_every_dependency_has_a_lower_bound():
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    named = set(re.search(r"\[(.*)\]", everything)[1].split(","))
    assert named == extras.keys() - {"all", "dev"}
    published = PROJECT["dependencies"] + [line for name in named for line in extras[name]]
    assert [line for line in published if ">=" not in line] == []
