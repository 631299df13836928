"""A whole audit: known defects come up, a clean control stays clean, and nothing breaks it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.audits import SECTIONS, audit
from assay.audits.sections import profile as profile_section
from assay.base.codec import to_json
from assay.base.errors import UsageError
from assay.data.bundled import find_bundled

LEAKS, SHORTCUTS, BACKWARDS = {"A101", "A102"}, {"A401", "A402", "A403", "A407"}, {"A206", "A504", "A505"}


def codes(found, *severities):
    return {one.code for one in found.findings if not severities or one.severity in severities}


@pytest.fixture(scope="module")
def clean(made):
    return audit(made(400))


def test_a_sound_benchmark_raises_no_leak_no_reversed_key_and_no_doubt(clean):
    assert {section.status for name, section in clean.sections.items() if name != "forecast"} == {"done"}
    assert not codes(clean) & (LEAKS | BACKWARDS | {"A103", "A104", "A405"})


def test_leaks_and_copies_are_found_and_named(made):
    data = made(300)
    train, test = (np.flatnonzero(np.array(data["split"]) == part) for part in ("train", "test"))
    for row in range(5):
        data["text"][test[row]] = data["text"][train[row]]
        data["label"][test[row]] = data["label"][train[row]]
    data["text"][train[-1]], data["label"][train[-1]] = data["text"][train[-2]], "sport"
    data["label"][train[-2]] = "food"
    found = audit(data, only=["profile"])
    told = {one.code: one for one in found.findings}
    assert told["A101"].severity == "error"
    assert told["A101"].evidence["ids"] == [data["id"][row] for row in test[:5]]
    assert {"A103", "A104"} <= set(told)
    leaked = found.items.filter(found.items["leak"] == "exact")
    assert leaked["id"].to_list() == [data["id"][row] for row in test[:5]]
    assert set(leaked["proposal"]) == {"retire"}


def test_a_planted_word_is_named(made):
    data = made(600)
    for row in [row for row, label in enumerate(data["label"]) if label == "food"][:60]:
        data["text"][row] += " zqxj"
    found = audit(data, only=["information"])
    told = [one for one in found.findings if one.code == "A401" and one.severity == "warning"]
    assert [one.evidence["token"] for one in told] == ["zqxj"]
    assert '"zqxj"' in told[0].claim


def test_flipped_labels_are_among_the_doubtful(made):
    data = made(600)
    flipped = np.random.default_rng(1).choice(600, 18, replace=False)
    for row in flipped:
        data["label"][row] = "food" if data["label"][row] == "sport" else "sport"
    found = audit(data, only=["information"])
    assert "A108" in codes(found)
    doubted = set(found.items.filter(found.items["suspected_label"].is_not_null())["id"])
    assert len(doubted & {data["id"][row] for row in flipped}) >= 10


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
    found = audit(data, predictions=answers, only=["discrimination"])
    told = {one.code: one for one in found.findings}
    assert told["A505"].evidence["system"] == "swapped"
    assert set(told["A504"].evidence["ids"]) >= {"i3", "i50", "i80"}
    assert set(found.items.filter(found.items["backwards"])["proposal"]) == {"repair"}


@pytest.mark.slow
def test_permuted_labels_raise_no_leak_shortcut_or_backwards_finding_but_no_signal(made):
    data = made(1500)
    rng = np.random.default_rng(3)
    labels, parts = np.array(data["label"]), np.array(data["split"])
    for part in ("train", "test"):
        rows = np.flatnonzero(parts == part)
        labels[rows] = rng.permutation(labels[rows])
    found = audit({**data, "label": labels.tolist()})
    assert not codes(found) & (LEAKS | SHORTCUTS | BACKWARDS | {"A108"})
    assert "A405" in codes(found)


@pytest.mark.slow
def test_the_shortcut_of_the_bundled_benchmark_is_uncovered():
    found = audit(find_bundled(), predictions=find_bundled("predictions"), only=["information", "discrimination"])
    told = [one for one in found.findings if one.code == "A401" and one.severity == "warning"]
    assert told[0].evidence["token"] == "not"
    assert '"not"' in found.verdict
    assert found.items["n_systems"].max() == 22


@pytest.mark.slow
def test_two_processes_give_the_same_json(made):
    data = made(200)
    one, two = (to_json(audit(data, n_jobs=jobs).to_dict()) for jobs in (1, 2))
    assert one == two


def test_an_interrupt_keeps_what_is_done_and_a_rerun_goes_on_from_there(made, tmp_path, monkeypatch):
    data = made(120)

    def interrupted(_case):
        raise KeyboardInterrupt

    usual = SECTIONS["difficulty"]
    monkeypatch.setitem(SECTIONS._methods, "difficulty", replace(usual, measure=interrupted))
    found = audit(data, only=["profile", "difficulty"], cache=tmp_path)
    assert found.settings["interrupted"]
    assert [section.status for section in found.sections.values()] == ["done", "skipped"]
    monkeypatch.setitem(SECTIONS._methods, "difficulty", usual)
    monkeypatch.setattr(profile_section, "profile", interrupted)  # must not be asked again
    again = audit(data, only=["profile", "difficulty"], cache=tmp_path)
    assert not again.settings["interrupted"]
    assert [section.status for section in again.sections.values()] == ["done", "done"]
    assert again.sections["profile"] == found.sections["profile"]


def test_a_spent_budget_skips_the_rest(made):
    found = audit(made(60), only=["profile", "difficulty"], budget=1e-9)
    assert found.sections["difficulty"].reason == "The budget of 1e-09 minutes was spent."


def test_a_section_that_breaks_does_not_break_the_audit(made, monkeypatch):
    def broken(_case):
        raise RuntimeError("no such luck")

    monkeypatch.setitem(SECTIONS._methods, "difficulty", replace(SECTIONS["difficulty"], measure=broken))
    found = audit(made(60), only=["profile", "difficulty"])
    assert found.sections["difficulty"].reason == "RuntimeError: no such luck"
    assert found.sections["profile"].status == "done"


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
    found = audit(data)
    assert found.sections["profile"].status == "done"
    assert not [one.reason for one in found.sections.values() if one.status == "failed"]
    assert found.items.height == len(next(iter(data.values())))


def test_a_score_table_alone_gives_verdicts_on_datasets(made):
    scores = [
        {"dataset": name, "system": f"s{n}", "score": base + spread * n}
        for name, base, spread in (("open", 50.0, 6.0), ("full", 99.2, 0.1))
        for n in range(6)
    ]
    found = audit(made(60), scores=scores, only=["discrimination"])
    wishes = {row["dataset"]: row["proposal"] for row in found.sections["discrimination"].result["proposals"]}
    assert wishes == {"open": "keep", "full": "retire"}
    assert "A508" in codes(found)
