"""A whole audit: planted defects are result, a clean control stays clean, and nothing breaks it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.audits import CHECKS, audit
from assay.base.codec import to_json
from assay.base.errors import UsageError
from assay.checks.profile import measure as profile_section
from assay.data.bundled import find_bundled

LEAKS, SHORTCUTS, BACKWARDS = {"A101", "A102"}, {"A401", "A402", "A403", "A407"}, {"A206", "A504", "A505"}


def codes(result, *severities):
    return {finding.code for finding in result.findings if not severities or finding.severity in severities}


@pytest.fixture(scope="module")
def clean(made):
    return audit(made(400))


def test_a_sound_benchmark_raises_no_leak_no_reversed_key_and_no_doubt(clean):
    assert {section.status for name, section in clean.sections.items() if name != "forecast"} == {"done"}
    assert not codes(clean) & (LEAKS | BACKWARDS | {"A103", "A104", "A405"})


def test_leaks_and_copies_are_found_and_named(made):
    data = made(300)
    train, test = (np.flatnonzero(np.array(data["split"]) == part) for part in ("train", "test"))
    for row in range(8):
        data["text"][test[row]] = data["text"][train[row]]
        data["label"][test[row]] = data["label"][train[row]]
    data["text"][train[-1]], data["label"][train[-1]] = data["text"][train[-2]], "sport"
    data["label"][train[-2]] = "food"
    result = audit(data, only=["profile"])
    findings = {finding.code: finding for finding in result.findings}
    assert findings["A101"].severity == "error"
    assert findings["A101"].items == tuple(data["id"][row] for row in test[:8])
    assert {"A103", "A104"} <= set(findings)
    leaked = result.items.filter(result.items["leak"] == "exact")
    assert leaked["id"].to_list() == [data["id"][row] for row in test[:8]]
    assert set(leaked["proposal"]) == {"retire"}


def test_a_planted_word_is_named(made):
    data = made(600)
    for row in [row for row, label in enumerate(data["label"]) if label == "food"][:60]:
        data["text"][row] += " zqxj"
    result = audit(data, only=["information"])
    cues = [finding for finding in result.findings if finding.code == "A401" and finding.severity == "warning"]
    assert [cue.subject for cue in cues] == ["zqxj"]
    assert '"zqxj"' in cues[0].claim


def test_flipped_labels_are_among_the_doubtful(made):
    data = made(600)
    flipped = np.random.default_rng(1).choice(600, 18, replace=False)
    for row in flipped:
        data["label"][row] = "food" if data["label"][row] == "sport" else "sport"
    result = audit(data, only=["information"])
    assert "A108" in codes(result)
    doubted = set(result.items.sort("suspicion", descending=True, nulls_last=True)["id"].head(20))
    assert len(doubted & {data["id"][row] for row in flipped}) >= 16


def test_a_reversed_test_key_is_an_error(made):
    data = made(400)
    other = {"sport": "food", "food": "sport"}
    pairs = zip(data["label"], data["split"], strict=True)
    data["label"] = [other[label] if part == "test" else label for label, part in pairs]
    assert "A206" in codes(audit(data, only=["splits"]), "error")


def systems(data, n_systems=24, seed=0):
    rng = np.random.default_rng(seed)
    other = {"sport": "food", "food": "sport"}
    skills = np.repeat([0.5, 0.99], n_systems // 2)  # poor systems and good ones: an item has much to tell
    hits = rng.random((n_systems, len(data["id"]))) < skills[:, None]
    return {
        f"s{number}": [label if hit else other[label] for label, hit in zip(data["label"], row, strict=True)]
        for number, row in enumerate(hits)
    }


def test_backwards_items_and_a_swapped_file_are_found(made):
    data = made(100)
    answers = systems(data, n_systems=60)
    other = {"sport": "food", "food": "sport"}
    answers["swapped"] = [other[label] for label in answers["s59"]]
    wrong_key = [3, 50, 80]
    for row in wrong_key:
        data["label"][row] = other[data["label"][row]]
    result = audit(data, predictions=answers, only=["discrimination"])
    findings = {finding.code: finding for finding in result.findings}
    assert findings["A505"].subject == "swapped"
    assert set(findings["A504"].items) >= {"i3", "i50", "i80"}
    assert set(result.items.sort("suspicion", descending=True)["id"].head(3)) == {"i3", "i50", "i80"}


@pytest.mark.slow
def test_permuted_labels_raise_no_leak_shortcut_or_backwards_finding_but_no_signal(made):
    data = made(1500)
    rng = np.random.default_rng(3)
    labels, parts = np.array(data["label"]), np.array(data["split"])
    for part in ("train", "test"):
        rows = np.flatnonzero(parts == part)
        labels[rows] = rng.permutation(labels[rows])
    result = audit({**data, "label": labels.tolist()})
    assert not codes(result) & (LEAKS | SHORTCUTS | BACKWARDS | {"A108"})
    assert "A405" in codes(result)


@pytest.mark.slow
def test_the_shortcut_of_the_bundled_benchmark_is_uncovered():
    result = audit(find_bundled(), predictions=find_bundled("predictions"), only=["information", "discrimination"])
    cues = [finding for finding in result.findings if finding.code == "A401" and finding.severity == "warning"]
    assert cues[0].subject == "not"
    assert '"not"' in result.verdict
    assert result.items["n_systems"].max() == 22


@pytest.mark.slow
def test_two_processes_give_the_same_json(made):
    data = made(200)
    serial, parallel = (to_json(audit(data, n_jobs=n_jobs)) for n_jobs in (1, 2))
    assert serial == parallel


def test_an_interrupt_keeps_what_is_done_and_a_rerun_goes_on_from_there(made, tmp_path, monkeypatch):
    data = made(120)

    def interrupted(_benchmark):
        raise KeyboardInterrupt

    usual = CHECKS["difficulty"]
    monkeypatch.setitem(CHECKS._methods, "difficulty", replace(usual, measure=interrupted))
    result = audit(data, only=["profile", "difficulty"], cache=tmp_path)
    assert result.settings.interrupted
    assert [section.status for section in result.sections.values()] == ["done", "skipped"]
    monkeypatch.setitem(CHECKS._methods, "difficulty", usual)
    monkeypatch.setattr(profile_section, "profile", interrupted)  # must not run again
    again = audit(data, only=["profile", "difficulty"], cache=tmp_path)
    assert not again.settings.interrupted
    assert [section.status for section in again.sections.values()] == ["done", "done"]
    assert again.sections["profile"] == result.sections["profile"]


def test_a_spent_budget_skips_the_rest(made):
    result = audit(made(60), only=["profile", "difficulty"], budget=1e-9)
    assert result.sections["difficulty"].reason == "The budget of 1e-09 minutes was spent."


def test_a_section_that_breaks_does_not_break_the_audit(made, monkeypatch):
    def broken(_benchmark):
        raise RuntimeError("no such luck")

    monkeypatch.setitem(CHECKS._methods, "difficulty", replace(CHECKS["difficulty"], measure=broken))
    result = audit(made(60), only=["profile", "difficulty"])
    assert result.sections["difficulty"].reason.endswith("Please report: RuntimeError: no such luck.")
    assert result.sections["profile"].status == "done"
    private = audit(made(60), only=["difficulty"], private=True)
    assert private.sections["difficulty"].reason.endswith("Please report: RuntimeError.")


def test_an_unknown_section_is_refused(topics):
    with pytest.raises(UsageError, match=r"No section 'profil'\. Did you mean 'profile'"):
        audit(topics, only=["profil"])


@pytest.mark.parametrize(
    "data",
    [
        {"text": ["one"]},
        {"text": ["one", "two"], "label": ["a", "a"]},
        {"text": ["", "x"], "label": ["a", "b"]},
        {"text": ["x"] * 30, "label": ["a", "b"] * 15},
        {"text_a": ["x"] * 12, "text_b": ["y"] * 12, "label": ["1", "0"] * 6},
        {"text": [f"text {n}" for n in range(40)], "label": [f"{n / 7:.2f}" for n in range(40)]},
    ],
)
def test_tiny_and_degenerate_data_are_audited_all_the_same(data):
    result = audit(data)
    assert result.sections["profile"].status == "done"
    assert not [section.reason for section in result.sections.values() if section.status == "failed"]
    assert result.items.height == len(next(iter(data.values())))


def test_a_score_table_alone_gives_verdicts_on_datasets(made):
    scores = [
        {"dataset": name, "system": f"s{n}", "score": base + spread * n}
        for name, base, spread in (("open", 50.0, 6.0), ("full", 99.2, 0.1))
        for n in range(6)
    ]
    result = audit(made(60), scores=scores, only=["discrimination"])
    proposals = {row.dataset: row.proposal for row in result.evidence.discrimination.datasets}
    assert proposals == {"open": "keep", "full": "retire"}
    assert "A508" in codes(result)
