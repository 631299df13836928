"""`--task` decides the kind of task, and every JSON result names it."""

from __future__ import annotations

import json

import pytest

from assay.kinds import KINDS


@pytest.fixture
def both(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("text,text_a,text_b,label,genre\na b,c,d,x,film\ne,f g,h,y,book\n", encoding="utf-8")
    return path


def test_a_file_of_two_kinds_is_decided_by_the_option(run, both):
    done = run("profile", both)
    assert done.returncode == 1
    assert "both.csv: the columns fit several kinds of task: classification" in done.stderr
    assert "Choose one with --task, or name the columns with --text." in done.stderr
    done = run("profile", both, "--task", "pairs", "--json", "-")
    assert done.returncode == 0
    assert done.stderr.splitlines()[0] == "task: pairs (text_a, text_b, label); not used: text, genre"
    assert json.loads(done.stdout)["data"]["task"] == "pairs"


def test_the_choices_are_the_registered_kinds(run):
    help_text = run("audit", "--help").stdout
    assert all(name in help_text for name in ("auto", *KINDS))
    done = run("profile", "x.csv", "--task", "par")
    assert done.returncode == 2
    assert "'par' is not one of" in done.stderr
