"""Audits of scores, votes and verdicts alone, and of logs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import assay
from assay.audits import Audit
from assay.base.errors import AssayError, UsageError
from assay.report import render_page

SCORES = {"model": ["x", "y", "z"], "RTE": [60, 80, 90], "SST-2": [97.1, 97.2, 97.3], "Rank": [3, 2, 1]}
VOTES = {"model_a": list("xxxxyyyy"), "model_b": list("yyyyzzzz"), "winner": list("aaabaabb")}
VERDICTS = {"id": list("123456"), "gold": list("ababab"), "one": list("ababab"), "two": list("aababb")}


@pytest.mark.parametrize(
    ("inputs", "section"),
    [
        ({"scores": SCORES}, "discrimination"),
        ({"predictions": {"x": [1, 0, 1, 1], "y": [0, 0, 1, 1]}}, "discrimination"),
        ({"votes": VOTES}, "votes"),
        ({"verdicts": VERDICTS}, "judges"),
    ],
)
def test_a_table_alone_gives_a_page(inputs, section):
    result = assay.audit(**inputs)
    systems = ["discrimination", "leaderboard"]
    assert list(result.sections) == (systems if section in systems else [section])
    assert {each.status for each in result.sections.values()} == {"done"}
    assert f'id="{section}-title"' in render_page(result)
    assert Audit.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_votes_may_be_given_as_data():
    assert assay.audit(VOTES).sections["votes"].evidence == assay.audit(votes=VOTES).sections["votes"].evidence


def test_nothing_cannot_be_audited():
    with pytest.raises(UsageError, match="nothing to audit"):
        assay.audit()


def test_data_without_votes_or_verdicts_has_no_such_sections():
    data = {"text": ["a good film", "a bad film"], "label": ["pos", "neg"]}
    assert not {"votes", "judges"} & set(assay.audit(data, skip=["forecast", "splits", "information"]).sections)


def test_verdicts_are_part_of_the_audit_of_data():
    data = {"text": ["a good film", "a bad film"], "label": ["pos", "neg"]}
    result = assay.audit(data, verdicts=VERDICTS, only=["profile", "judges"])
    assert list(result.sections) == ["profile", "judges"]


@pytest.mark.parametrize("name", ["inspect/data_arc_sonnet.json", "lm_eval/perturbed_math", "helm"])
def test_converted_logs_give_the_same_audit(name, shared, tmp_path):
    path = shared(f"eval_logs/{name}")
    files = assay.convert(path, tmp_path)
    only = ["profile", "discrimination"]
    from_logs, from_files = assay.audit(path, only=only), assay.audit(files.data, files.predictions, only=only)
    task = from_logs.data.name
    plain = [
        replace(row, claim=row.claim.replace(task, "data"), subject=row.subject.replace(task, "data"))
        for row in from_logs.findings
    ]
    assert plain == list(from_files.findings)
    evidence = [audit.sections["discrimination"].evidence for audit in (from_logs, from_files)]
    assert [row.rank_low for row in evidence[0].systems] == [row.rank_low for row in evidence[1].systems]
    assert from_logs.data.fingerprint == from_files.data.fingerprint
    assert render_page(from_logs)


def test_the_command_takes_tables_alone(run, tmp_path):
    rows = [",".join(row) for row in zip(*VOTES.values(), strict=True)]
    (tmp_path / "votes.csv").write_text("\n".join([",".join(VOTES), *rows]))
    done = run("audit", tmp_path / "votes.csv", "--no-cache", "--json", "-")
    assert done.returncode == 0, done.stderr
    assert list(json.loads(done.stdout)["result"]["sections"]) == ["votes"]
    (tmp_path / "scores.csv").write_text("model,RTE,SST-2\nx,60,97.1\ny,80,97.2\nz,90,97.3\n")
    page = tmp_path / "page.html"
    done = run("audit", "--scores", tmp_path / "scores.csv", "--no-cache", "-o", page)
    assert done.returncode == 0, done.stderr
    assert "discrimination-title" in page.read_text(encoding="utf-8")
    assert run("audit", "--no-cache").returncode == 2


def test_items_without_gold_are_left_out_of_answers_in_memory():
    data = {"text": ["one", "two", "three", "four"] * 10, "label": ["a", "b", "-", "b"] * 10}
    answers = {"x": ["a", "b", "a", "b"] * 10, "y": ["a", "a", "a", "b"] * 10}
    result = assay.audit(data, answers, only=["discrimination"])
    assert result.sections["discrimination"].status == "done"
    assert result.evidence.discrimination.n_test == 30


def test_preferences_of_a_judge_contradict_no_gold_label():
    scores = {f"s{number}": [0.3, 0.9, 0.1, 0.7 + number / 100] * 10 for number in range(6)}
    assert assay.audit(predictions=scores, only=["discrimination"]).evidence.discrimination.suspects is None


def test_totals_of_logs_are_a_table_of_scores(tmp_path):
    for number, model in enumerate(("a", "b", "c")):
        about = {"run_id": "r", "task": "quiz", "model": model}
        results = {"scores": [{"name": "choice", "metrics": {"accuracy": {"value": 0.5 + number / 10}}}]}
        log = {"version": 2, "status": "success", "eval": about, "results": results}
        (tmp_path / f"{model}.json").write_text(json.dumps(log), encoding="utf-8")
    with pytest.raises(AssayError, match=r"no items\. Use assay discriminate, or assay audit with scores"):
        assay.audit(tmp_path)
    result = assay.audit(scores=tmp_path)
    assert {row.system for row in result.evidence.discrimination.systems} == {"a", "b", "c"}


def test_scores_beyond_shares_have_no_points():
    losses = [
        {"id": str(n), "system": s, "score": -5.0 - n % 3 - (s == "y") * (n % 2)} for n in range(30) for s in "xy"
    ]
    result = assay.audit(predictions=losses)
    claim = next(finding.claim for finding in result.findings if finding.code == "A507")
    assert "points" not in claim
    assert "They are 0.5 apart" in claim
    assert "points" not in result.verdict


def test_one_system_is_not_ranked():
    answers = [{"id": str(n), "system": "x", "score": n % 2} for n in range(30)]
    result = assay.audit(predictions=answers)
    claim = next(finding.claim for finding in result.findings if finding.code == "A507")
    assert claim.startswith("Two systems like this one, with unrelated errors, must differ by")
    assert result.overview.find_row("ranking").reason == "Only one system was given. This needs at least two."
    assert result.overview.find_row("difficulty").reason == "Fewer than 5 systems have predictions."
