"""The documentation keeps its word: links lead somewhere, commands parse, examples run, the site builds by itself."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
from pathlib import Path

import click
import pytest

from assay.cli.main import assay

ROOT = Path(__file__).resolve().parents[1]
TOP = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES = [*TOP, *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```([\w-]*)[^\n]*\n(.*?)^```", re.M | re.S)
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def fences(path: Path, *kinds: str) -> list[str]:
    return [body for kind, body in FENCE.findall(path.read_text(encoding="utf-8")) if kind in kinds]


def commands() -> list[tuple[str, str]]:
    """Return (page, command) for every line of a shell fence, or of one without a language, that calls assay."""
    lines = [
        (name_of(path), line.split("  #")[0].strip())
        for path in PAGES
        for body in fences(path, "sh", "bash", "console", "")
        for line in body.replace("\\\n", " ").splitlines()
    ]
    return [(page, line.removeprefix("$ ")) for page, line in lines if line.removeprefix("$ ").startswith("assay ")]


@pytest.mark.parametrize(("page", "line"), commands())
def test_a_command_of_the_documentation_has_options_that_exist(page, line):
    group = click.Context(assay)
    verb, command, arguments = assay.resolve_command(group, shlex.split(line.replace("[", "").replace("]", ""))[1:])
    context = click.Context(command, info_name=verb, parent=group)
    given, _, _ = command.make_parser(context).parse_args(arguments)
    for option in command.params:
        if isinstance(option.type, click.Choice) and isinstance(option, click.Option) and option.name in given:
            option.type_cast_value(context, given[option.name])


def test_commands_are_found():
    assert len(commands()) > 20


def test_a_wrong_option_would_be_noticed():
    command = assay.get_command(click.Context(assay), "profile")
    with pytest.raises(click.NoSuchOption):
        command.make_parser(click.Context(command)).parse_args(["data.tsv", "--lable", "x"])


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_relative_links_lead_to_files(path):
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    links = [link.partition("#")[0] for link in LINK.findall(text) if not re.match(r"[a-z]+:", link)]
    missing = [link for link in links if link and not (path.parent / link).exists() and not made_by_the_site(link)]
    assert not missing


def made_by_the_site(link: str) -> bool:
    """Tell a page that is made from a notebook."""
    return link.startswith("notebooks/") and (ROOT / link).with_suffix(".ipynb").exists()


@pytest.mark.parametrize("path", [path for path in PAGES if fences(path, "python")], ids=name_of)
def test_python_examples_import_what_exists_and_doctests_pass(path):
    for body in fences(path, "python"):
        if ">>>" in body and not body.startswith("# src/"):
            check_doctest(body, path)
        for module, names in re.findall(r"^(?:>>> )?from (assay[\w.]*) import ([\w, ]+)$", body, re.M):
            found = importlib.import_module(module)
            assert all(hasattr(found, name.strip()) for name in names.split(",")), (module, names)


def check_doctest(body: str, path: Path) -> None:
    test = doctest.DocTestParser().get_doctest(body, {}, path.name, str(path), 0)
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.DocTestRunner(optionflags=options).run(test).failed == 0


def test_the_readme_is_short_and_names_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    assert "make demo" in text
    assert "make test" in text


def test_pages_add_what_is_registered_and_not_described(monkeypatch):
    """Each page names everything once: what it does not describe comes from docstrings."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    hook = importlib.import_module("registered")
    for name, list_entries in hook.PAGES.items():
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        entries = dict(list_entries())
        assert all(len(text) > len(key) + 20 for key, text in entries.items())
        empty = hook.complete_page(name, "")
        assert all(text in empty for text in entries.values())
        added = hook.complete_page(name, page).removeprefix(page)
        assert [key for key in entries if f"`{key}`" not in page + added and f"## {key}\n" not in page + added] == []
    assert hook.complete_page("index.md", "# Home") == "# Home"


def test_pictures_are_small_and_have_a_text_for_those_who_do_not_see_them():
    pictures = list((ROOT / "docs" / "pictures").iterdir())
    assert sum(path.stat().st_size for path in pictures) < 1_500_000
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    shown = dict(re.findall(r"!\[([^\]]*)\]\((?:\.\./)?pictures/([^)]+)\)", pages))
    assert {path.name for path in pictures} == set(shown.values())
    assert all(len(text) > 20 for text in shown)


def test_the_tables_of_the_reproductions_are_those_the_script_prints(shared):
    shared("oracles/seed000_table1.csv")
    script = importlib.import_module("benchmarks.reproductions")
    page = "\n".join(path.read_text(encoding="utf-8") for path in script.PAGES)
    assert all(f"<!-- end {name} -->" in page for name in script.TABLES)
    assert set(re.findall(r"<!-- end ([\w-]+) -->", page)) == set(script.TABLES)
    slow = {"semeval-2016", "paper-002-case-sizes", "rows-peinelt-2019", "rows-xiao-2022", "graded-relations"}
    quick = [name for name in script.TABLES if name not in slow]
    for name in quick:
        assert script.marked(name, script.TABLES[name]()) in page, name
