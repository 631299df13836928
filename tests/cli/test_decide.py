"""The gate: verdicts, exit codes, and files for build servers."""

from __future__ import annotations

import json
import os
from xml.etree import ElementTree

import numpy as np
import pytest


@pytest.fixture
def answers(tmp_path):
    generator = np.random.default_rng(1)
    old = (generator.random(400) < 0.6).astype(int)
    systems = {
        "old": old,
        "better": np.where(generator.random(400) < 0.5, 1, old),
        "worse": np.where(generator.random(400) < 0.4, 0, old),
        "alike": np.where(generator.random(400) < 0.06, 1 - old, old),
    }
    rows = [f"{n}\t" + "\t".join(str(values[n]) for values in systems.values()) + "\n" for n in range(400)]
    path = tmp_path / "answers.tsv"
    path.write_text("id\t" + "\t".join(systems) + "\n" + "".join(rows))
    return path


@pytest.mark.parametrize(
    ("candidate", "require", "code", "word"),
    [
        ("better", "better", 0, "PASS"),
        ("better", "not-worse", 0, "PASS"),
        ("worse", "better", 1, "FAIL"),
        ("worse", "not-worse", 1, "FAIL"),
        ("alike", "better", 3, "UNDECIDED"),
        ("alike", "not-worse", 3, "UNDECIDED"),
    ],
)
def test_the_exit_code_is_the_answer_of_the_gate(run, answers, candidate, require, code, word):
    done = run("decide", answers, "--baseline", "old", "--candidate", candidate, "--require", require)
    assert done.returncode == code, done.stderr
    assert done.stdout.splitlines()[-1].startswith(f"{word}: {candidate} ")
    assert run("decide", answers, "--baseline", "old", "--candidate", candidate).returncode == 0


def test_json_is_all_of_standard_output_and_the_line_goes_elsewhere(run, answers):
    done = run("decide", answers, "--baseline", "old", "--candidate", "alike", "--require", "better", "--json", "-")
    assert done.returncode == 3
    written = json.loads(done.stdout)
    assert written["command"] == "decide"
    result = written["result"]
    assert result["verdict"] == "undecided"
    assert {"value", "low", "high"} <= result["difference"].keys()
    assert result["n_items"] == result["wins"] + result["losses"] + result["ties"] == 400
    assert result["items_needed"] > 400
    assert {"n_repeats", "repeats_needed", "slices"} <= result.keys()
    assert "UNDECIDED: alike" in done.stderr


def test_files_for_build_servers(run, answers, tmp_path):
    summary = tmp_path / "summary.md"
    summary.write_text("an earlier step\n")
    done = run(
        "decide", answers, "--baseline", "old", "--candidate", "worse", "--require", "not-worse",
        "--junit", tmp_path / "gate.xml", "--step-summary", "--markdown", tmp_path / "table.md",
        "--latex", tmp_path / "table.tex", "--csv", tmp_path / "table.csv",
        env={**os.environ, "GITHUB_STEP_SUMMARY": str(summary)},
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("1", "1", "0")
    assert suite[0][0].tag == "failure"
    text = summary.read_text()
    assert text.startswith("an earlier step\n**❌ FAIL: worse not worse than old")
    assert "| metric | old | worse | difference (points) | verdict |" in text
    assert (tmp_path / "table.md").read_text().startswith("| metric |")
    assert r"\begin{tabular}" in (tmp_path / "table.tex").read_text()
    assert (tmp_path / "table.csv").read_text().startswith("metric,old,worse,difference (points),")


def test_the_step_summary_says_what_the_comparison_rests_on(run, tmp_path):
    (tmp_path / "scores.csv").write_text("system,score,stderr\na,0.7,0.01\nb,0.72,0.01\n")
    summary = tmp_path / "summary.md"
    options = ("--baseline", "a", "--candidate", "b", "--require", "better", "--step-summary")
    done = run("decide", tmp_path / "scores.csv", *options, env={**os.environ, "GITHUB_STEP_SUMMARY": str(summary)})
    assert done.returncode == 3, done.stderr
    assert "\n- The scores are of whole test sets, so the comparison is unpaired" in summary.read_text()


def test_a_plan_is_written_and_followed(run, answers, tmp_path):
    lines = answers.read_text().splitlines()
    part = [
        lines[0],
        *lines[1:101],
        *(f"{line.split(chr(9))[0]}\tNA\t" + "\t".join(line.split("\t")[2:]) for line in lines[101:]),
    ]
    (tmp_path / "part.tsv").write_text("\n".join(part) + "\n")
    options = ("--baseline", "old", "--candidate", "alike", "--sequential")
    done = run("decide", tmp_path / "part.tsv", *options, "--plan", "--batch", 50, "-o", tmp_path / "plan.tsv")
    assert done.returncode == 0, done.stderr
    assert "Plan: run 50 items of the 300 that are left, once each" in done.stdout
    rows = [line.split("\t") for line in (tmp_path / "plan.tsv").read_text().splitlines()]
    assert rows[0] == ["id", "draw_probability", "run", "repeats"]
    chosen = {row[0] for row in rows[1:] if row[2] == "yes"}
    assert len(chosen) == 50
    known = [line for line in lines[1:] if line.split("\t")[0] in chosen or int(line.split("\t")[0]) < 100]
    unknown = [line for line in part[101:] if line.split("\t")[0] not in chosen]
    (tmp_path / "next.tsv").write_text("\n".join([lines[0], *known, *unknown]) + "\n")
    done = run("decide", tmp_path / "next.tsv", *options, "--draws", tmp_path / "plan.tsv", "--json", "-")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["n_items"] == 150


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--baseline", "old"), "The candidate is not named. Name it with --candidate"),
        (("--baseline", "old", "--candidate", "nobody"), "No candidate 'nobody'"),
        (("--baseline", "old", "--candidate", "worse", "--step-summary"), "GITHUB_STEP_SUMMARY is not set"),
        (("--baseline", "old", "--candidate", "worse", "--batch", "20"), "It goes with --plan."),
        (("--judge", "missing.tsv", "--gold", "human"), "missing.tsv"),
    ],
)
def test_mistakes_are_one_line(run, answers, options, message):
    environment = {name: value for name, value in os.environ.items() if name != "GITHUB_STEP_SUMMARY"}
    done = run("decide", answers, *options, env=environment)
    assert done.returncode in (1, 2)
    assert message in done.stderr
