"""The reference names everything that is exported, and the pages name nothing that does not exist."""

from __future__ import annotations

import importlib
import re
from functools import reduce
from pathlib import Path

import pytest

import assay

DOCS = Path(__file__).resolve().parents[1] / "docs"
NO_MODULES = {"assay.toml", "assay.plugins"}  # a file, and a group of entry points
PAGES = [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]


@pytest.fixture
def hook(monkeypatch):
    """Return the hook that writes the pages of the packages."""
    pytest.importorskip("mkdocs", reason="needs mkdocs: make test installs it")
    monkeypatch.syspath_prepend(str(DOCS))
    return importlib.import_module("api_pages")


def test_every_exported_name_has_a_section(hook):
    packages = hook.list_packages()
    assert len(packages) > 25
    for package, modules in packages.items():
        exported = {name for module in modules for name in importlib.import_module(module).__all__}
        page = hook.write_page(package, modules)
        assert set(re.findall(r"^## (\S+)$", page, re.M)) == exported, package


def test_a_section_has_signature_parameters_methods_and_example(hook):
    page = hook.write_page("assay.decisions", ["assay.decisions"])
    assert "settings: DecisionSettings = DecisionSettings()," in page
    assert "- `baseline, candidate`: Names of the systems; one may be left out" in page
    assert "- `check()`: Return whether a requirement" in page
    assert "```pycon\n>>> scores = " in page


def test_every_top_level_name_is_on_a_page_of_its_own_words():
    pages = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("api.md", "api-audit.md"))
    described = {line.rpartition(".")[2] for line in re.findall(r"^::: (\S+)$", pages, re.M)}
    assert set(assay.__all__) - described == {"__version__"}


def find_object(name: str) -> object:
    """Return what a dotted name stands for; a module is imported."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError as error:
            if error.name is None or not name.startswith(error.name):
                raise
            continue
        return reduce(getattr, parts[length:], module)
    raise ModuleNotFoundError(name)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_names_only_what_exists(path):
    text = path.read_text(encoding="utf-8")
    names = set(re.findall(r"`(assay(?:\.\w+)+)", text)) | set(re.findall(r"^::: (\S+)$", text, re.M))
    missing = []
    for name in sorted(names - NO_MODULES):
        try:
            find_object(name)
        except (ImportError, AttributeError):
            missing.append(name)
    assert missing == []


def test_a_name_that_does_not_exist_is_noticed():
    with pytest.raises(AttributeError):
        find_object("assay.evaluation.evaluate_all")
    assert find_object("assay.evaluation.run.evaluate") is assay.evaluate
