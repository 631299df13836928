"""The page of reproductions: every table, figure and claim of the five papers has a verdict and a source."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reproductions.md").read_text(encoding="utf-8")
PAPERS = ("xiao_2022", "wecker_2020", "peinelt_2019", "zhu_2021", "sogaard_2021")


def read_rows(paper):
    """Return the cells of a paper's table on the page, without its header."""
    name = f"rows-{paper.replace('_', '-')}"
    table = PAGE.partition(f"<!-- {name} -->")[2].partition(f"<!-- end {name} -->")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_row_has_a_verdict(paper):
    rows = importlib.import_module("benchmarks.papers.rows")
    listed = importlib.import_module(f"benchmarks.papers.{paper}").ROWS
    on_page = read_rows(paper)
    assert [row[0] for row in on_page] == [row.where for row in listed]
    for row in on_page:
        assert len(row) == 6, row
        assert row[3].strip("*") in rows.VERDICTS, row
        assert row[5] in rows.SOURCES, row
        assert row[2] != "", row


@pytest.mark.parametrize(
    ("paper", "tables", "figures"),
    [("xiao_2022", 5, 3), ("wecker_2020", 3, 5), ("peinelt_2019", 8, 2), ("zhu_2021", 1, 6), ("sogaard_2021", 5, 3)],
)
def test_every_table_and_figure_of_the_paper_is_listed(paper, tables, figures):
    places = " ".join(row[0] for row in read_rows(paper))
    for kind, count in (("Table", tables), ("Figure", figures)):
        named = set()
        for match in re.finditer(rf"{kind}s? (\d+)(?:(?: and | to )(\d+))?", places):
            first, last = int(match[1]), int(match[2] or match[1])
            named |= set(range(first, last + 1))
        assert named >= set(range(1, count + 1)), (paper, kind)


def hide_names(text):
    """Return a text without code, links, names of years and datasets, and numbers written as words."""
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|(?:SemEval|CoNLL|WMT)[- ]\d+", "", text)
    return re.sub(r"\b(?:19|20)\d\d\b", "", text)


@pytest.mark.parametrize("paper", PAPERS)
def test_numbers_of_ours_are_computed(paper):
    rows = importlib.import_module("benchmarks.papers.rows")
    for row in importlib.import_module(f"benchmarks.papers.{paper}").ROWS:
        if isinstance(row.ours, rows.Finding):
            assert row.source == rows.NONE, row.where
            assert not re.search(r"\d", hide_names(row.ours.text)), row.where
        else:
            assert row.source != rows.NONE, row.where
        if isinstance(row.why, str):
            assert not re.search(r"\d[.,]\d", hide_names(row.why)), row.where


def test_no_number_of_the_page_is_typed_outside_its_tables():
    prose = re.sub(r"<!-- ([\w-]+) -->.*?<!-- end \1 -->", "", PAGE, flags=re.DOTALL)
    assert re.findall(r"\d+\.\d+", hide_names(prose)) == []


def test_every_stored_result_has_a_command():
    rows = importlib.import_module("benchmarks.papers.rows")
    results = Path(rows.RESULTS)
    assert [name for name in rows.COMMANDS if not (results / name).exists()] == []
    made = {(results / name).resolve() for name in rows.COMMANDS}
    known = {path for path in results.rglob("*") if path.is_file()}
    beside = {"gpu/folds.json", "gpu/information.npz"}  # written with the arrays and scores of the same name
    for path in known:
        name = path.relative_to(results).as_posix()
        assert name in beside or any(path.resolve() == each or each in path.resolve().parents for each in made), name
    for commands, _ in rows.COMMANDS.values():
        for command in commands.split("; "):
            assert importlib.util.find_spec(command.split()[2]) is not None, command


def test_no_mark_is_left_empty():
    assert not re.findall(r"<!-- ([\w-]+) -->\s*<!-- end \1 -->", PAGE)


def test_a_row_without_a_known_verdict_is_refused():
    rows = importlib.import_module("benchmarks.papers.rows")
    with pytest.raises(AssertionError, match="Table 9"):
        rows.Row("Table 9", "printed", rows.Finding("ours", "perhaps"), "").find()
