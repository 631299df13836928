"""Audits of several tasks: overview, sections, JSON, page, exit status."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.logs.example_logs import write_quiz

import assay
from assay.audits import SuiteAudit
from assay.base.errors import AssayError, UsageError
from assay.cli.main import status
from assay.discrimination import Outcomes
from assay.discrimination.suites import compare_tasks
from assay.report import render_suite

ONLY = ["profile", "discrimination"]
ABILITIES = {f"org/model-{number}": -1.5 + 0.75 * number for number in range(5)}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    write_quiz(folder, "easy", ABILITIES, n_items=120)
    write_quiz(folder, "coin", dict.fromkeys(ABILITIES, 0.0), n_items=60)
    for subject in ("law", "art"):
        write_quiz(folder, f"mmlu_{subject}", ABILITIES, n_items=40, group="mmlu")
    return folder


@pytest.fixture(scope="module")
def suite(runs):
    return assay.audit_suite(runs, only=ONLY)


def test_every_task_has_a_row_and_an_audit(suite):
    rows = {row.task: row for row in suite.tasks}
    assert list(rows) == list(suite.audits) == ["coin", "easy", "mmlu"]
    assert [(row.n_items, row.n_systems) for row in suite.tasks] == [(60, 5), (120, 5), (80, 5)]
    assert rows["easy"].discriminates == rows["mmlu"].discriminates == "discriminates"
    assert rows["coin"].discriminates != "discriminates"
    assert "2 of 3 tasks tell the systems apart." in suite.verdict


def test_tasks_of_a_group_are_one_task_with_subjects(suite):
    assert suite.audits["mmlu"].data.rows == 80
    assert any("joined 2 tasks by content: 80 items, 5 runs" in note for note in suite.audits["mmlu"].data.notes)
    assert not any("easy" in note for note in suite.audits["mmlu"].data.notes)


def test_the_mean_over_tasks_and_the_ranks_are_those_of_the_scores(suite):
    names = [row.system for row in suite.comparison.systems]
    assert names[0] == "org/model-4"
    for row in suite.comparison.systems:
        assert row.score == pytest.approx(np.mean(row.scores))
        assert row.n_tasks == 3
    means = {row.task: row.mean for row in suite.tasks}
    for number, task in enumerate(suite.comparison.tasks):
        assert means[task.task] == pytest.approx(np.mean([row.scores[number] for row in suite.comparison.systems]))


def test_an_audit_of_a_suite_is_that_of_its_task_alone(suite, runs):
    alone = assay.audit(assay.read(runs, log_task="easy"), only=ONLY)
    assert alone.findings == suite.audits["easy"].findings
    assert alone.data.fingerprint == suite.audits["easy"].data.fingerprint


def test_a_suite_comes_back_from_json(suite, tmp_path):
    path = tmp_path / "suite.json"
    path.write_text(json.dumps({"result": suite.to_dict()}))
    again = SuiteAudit.from_json(path)
    assert again == suite
    assert 'data-task="task-3"' in render_suite(again)  # with the items that the JSON has
    with pytest.raises(AssayError, match=r"audit of several tasks\. Make one of a single task with: .*--log-task NAME"):
        assay.Audit.from_json(path)
    path.write_text('{"result": {}}')
    with pytest.raises(AssayError, match="not an audit of several tasks"):
        SuiteAudit.from_json(path)


def test_the_page_has_the_overview_first_and_a_section_for_every_task(suite):
    page = render_suite(suite)
    places = [page.index(f">{title}<") for title in ("Overview", "Tasks", "Systems over all tasks")]
    places += [page.index(f'id="task-{number}"') for number in (1, 2, 3)]
    assert places == sorted(places)
    assert page.count('class="finding ') == len(suite.findings)
    assert "http://" not in page
    assert page.count("<script") == 1
    assert len(page.encode()) <= 2_000_000


def test_names_from_the_logs_are_escaped(tmp_path):
    write_quiz(tmp_path, "one", {"<b>x": 0.0, "y": 1.0}, n_items=10)
    write_quiz(tmp_path, "two", {"<b>x": 0.0, "y": 1.0}, n_items=10)
    assert "<b>x" not in render_suite(assay.audit_suite(tmp_path, only=["profile"]))


def test_a_task_without_texts_is_left_out_with_the_reason(tmp_path):
    write_quiz(tmp_path, "one", {"x": 0.0}, n_items=10)
    write_quiz(tmp_path, "two", {"x": 0.0}, n_items=10)
    line = {"doc_hash": "h", "filter": "none", "metrics": ["acc"], "acc": 1.0}
    (tmp_path / "x" / "samples_bare.jsonl").write_text(json.dumps(line))
    suite = assay.audit_suite(tmp_path, only=["profile"])
    assert suite.left_out == {"bare": "the logs hold scores and no texts of items"}
    assert "Left out: bare." in suite.verdict


def test_several_datasets_by_name_are_a_suite():
    data = {"text": ["a good film", "a bad film", "a dull film"], "label": ["pos", "neg", "neg"]}
    suite = assay.audit_suite({"films": data, "same": data}, only=["profile"])
    assert [(row.task, row.n_items, row.n_systems) for row in suite.tasks] == [("films", 3, 0), ("same", 3, 0)]
    assert suite.comparison is None
    with pytest.raises(UsageError, match="a mapping from names to data"):
        assay.audit_suite([data])


def test_rank_correlations_of_tasks_by_hand():
    systems = ("a", "b", "c", "d")
    rows = np.tril(np.ones((4, 4)))  # scores 25, 50, 75, 100
    swapped = rows[[1, 0, 2, 3]]
    tables = {"one": rows, "two": rows, "three": swapped}
    comparison = compare_tasks([Outcomes("x", name, "accuracy", systems, table) for name, table in tables.items()])
    values = {(pair.first, pair.second): pair.value for pair in comparison.pairs}
    assert values == pytest.approx({("one", "two"): 1.0, ("one", "three"): 0.8, ("two", "three"): 0.8})
    assert [row.mean for row in comparison.tasks] == [62.5] * 3
    assert [row.system for row in comparison.systems] == ["d", "c", "b", "a"]


def test_the_command_recognises_several_tasks(run, runs, tmp_path):
    page, file, items = tmp_path / "report.html", tmp_path / "suite.json", tmp_path / "items.tsv"
    options = ("--no-cache", "--only", "profile,discrimination")
    done = run("audit", runs, "-o", page, "--json", file, "--items", items, *options, "--fail-on", "note")
    assert done.returncode == 1, done.stderr
    assert "Tasks that rank systems alike" in done.stdout
    assert list(SuiteAudit.from_json(file).audits) == ["coin", "easy", "mmlu"]
    assert page.read_text(encoding="utf-8").count("<h2 ") == 5  # overview, items, three tasks
    lines = items.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 260
    assert lines[0].startswith("task\tid\t")


def test_options_for_one_task_are_refused(runs, tmp_path, capsys):
    assert status(["audit", str(runs), "--card", str(tmp_path / "card.md"), "--no-cache"]) == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert "--card is for one task" in message
    assert "--log-task" in message
