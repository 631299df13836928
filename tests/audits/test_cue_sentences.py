"""The sentence about a cue, recomputed by a model that sees exactly what the sentence says."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest

import assay
from assay.audits.flagged import mark_items
from assay.checks.information.rules import name_cue_limit, name_word_limit
from assay.data.bundled import find_bundled
from assay.information.cues.search import Cue
from assay.information.cues.selection import INSERTED, CueGroup, WordCue
from assay.statistics import wilson


def cross_validate_majority(seen: list[object], labels: list[str], n_folds: int = 10) -> float:
    """Return how often the most frequent label of what is seen, in the other folds, is the label."""
    folds = np.random.default_rng(0).permutation(len(labels)) % n_folds
    right = 0
    for fold in range(n_folds):
        counts: dict[object, dict[str, int]] = {}
        for view, label, place in zip(seen, labels, folds, strict=True):
            if place != fold:
                counts.setdefault(view, {}).setdefault(label, 0)
                counts[view][label] += 1
        for view, label, place in zip(seen, labels, folds, strict=True):
            right += place == fold and max(counts[view], key=counts[view].__getitem__) == label
    return right / len(labels)


def has_word(text: str, word: str) -> bool:
    return word in re.findall(r"\w+", text.lower())


def find_cue(result):
    return next(finding for finding in result.findings if finding.code == "A401")


@pytest.mark.slow
def test_the_headline_of_the_demo_is_what_a_model_that_sees_which_text_contains_not_scores():
    data = assay.read(find_bundled())
    result = assay.audit(data, only=["information"])
    cue = find_cue(result)
    assert 'the first text alone, the second text alone, or neither of them alone contains "not"' in cue.claim
    first, second = (side.to_list() for side in data.sides)
    pairs = [(has_word(a, "not"), has_word(b, "not")) for a, b in zip(first, second, strict=True)]
    alone = ["first" if a and not b else "second" if b and not a else "neither" for a, b in pairs]
    stated = float(re.search(r"scores (\d+)%", cue.claim).group(1))
    assert 100 * cross_validate_majority(alone, data.labels.to_list()) == pytest.approx(stated, abs=1.5)
    listed = mark_items(cue, result.items, result.details.texts, result.details.sides)
    assert listed.to_list() == [name != "neither" for name in alone]


def make_pairs(place: str, n: int = 400) -> dict[str, list[str]]:
    """Return pairs in which "never" at one place goes with the label "no" in 60 of 80 items."""
    rng = np.random.default_rng(3)
    words = "the of and to in is that it for was on as with by at from this have are be river stone house tree".split()
    first, second = ([" ".join(rng.choice(words, 8)) for _ in range(n)] for _ in range(2))
    labels = ["no" if row % 2 else "yes" for row in range(n)]
    for row in [*range(1, 140, 2), *range(0, 20, 2)]:
        if place in ("first", "both"):
            first[row] += " never"
        if place in ("second", "both"):
            second[row] += " never"
    return {"text_a": first, "text_b": second, "label": labels}


@pytest.mark.parametrize("place", ["first", "second"])
def test_a_cue_names_its_side_and_counts_the_items_that_have_it_there(place):
    data = make_pairs(place)
    result = assay.audit(data, only=["information"])
    cue = find_cue(result)
    other = {"first": "second", "second": "first"}[place]
    assert f"the {place} text" in cue.claim
    assert f"whether the {other} text" not in cue.claim
    stated = float(re.search(r"scores (\d+)%", cue.claim).group(1))
    seen = [has_word(text, "never") for text in data[{"first": "text_a", "second": "text_b"}[place]]]
    assert 100 * cross_validate_majority(seen, data["label"]) == pytest.approx(stated, abs=0.6)
    assert int(mark_items(cue, result.items, result.details.texts, result.details.sides).sum()) == sum(seen) == 80
    assert "of the 80 items that have it there" in cue.evidence["the first of them"]


def test_the_items_of_a_saved_audit_are_those_of_the_run():
    result = assay.audit(make_pairs("second"), only=["information"])
    cue, details = find_cue(result), result.details
    run = mark_items(cue, result.items, details.texts, details.sides)
    assert mark_items(cue, result.items, details.texts).equals(run)


def test_the_chart_of_cues_names_the_text():
    from assay.checks.information.charts import draw_cues

    result = assay.audit(make_pairs("second"), only=["information"])
    names = [bar.name for bar in draw_cues(result.evidence.information).points if bar.token == "never"]
    assert any("in the second text" in name for name in names)


def test_copies_of_items_are_no_shortcut():
    """Every text occurs three times and every first word in one text, so random folds would show it to the baseline."""
    rng = np.random.default_rng(4)
    words = "the of and to in is that it for was on as with by at from this have are be".split()
    texts = [" ".join([f"name{row}", *rng.choice(words, 7)]) for row in range(80)]
    labels = rng.choice(["yes", "no"], 80).tolist()
    result = assay.audit({"text": texts * 3, "label": labels * 3}, only=["information"], cache=False)
    assert not [finding for finding in result.findings if finding.code == "A403"]
    assert result.overview.find_row("shortcuts").status != "warning"


def make_cue(n_items: int, n_right: int, p: float, word_kind: str = "function word") -> WordCue:
    cue = Cue("no", "word in b", "c", 0.1, p, n_right / n_items, n_items / 600, n_items)
    return WordCue(cue, wilson(n_right, n_items), 0.33, 0.33, suspicious=True, word_kind=word_kind, place="b")


@pytest.mark.parametrize(
    ("cue", "limit"),
    [
        (make_cue(30, 24, 1e-9), ""),
        (make_cue(30, 24, 3e-4), "0.001 in the test of a word for a warning"),  # 3e-4 to the power of 0.8 is 0.0015
        (make_cue(30, 24, 1e-4), ""),
        (make_cue(30, 19, 1e-9), "10 points of precision for a warning"),  # 15 of 24 items: from 0.43 on
        (make_cue(40, 40, 1e-9, INSERTED), ""),
        (make_cue(35, 35, 1e-9, INSERTED), "30 items with a word for a warning"),
        (make_cue(50, 48, 1e-9, INSERTED), "85% precision of a word for a warning"),  # 38 of 40 items: from 0.83 on
    ],
)
def test_a_word_that_fewer_items_would_not_show_is_close_to_a_threshold(cue, limit):
    assert name_cue_limit(cue) == limit


def test_a_group_of_words_is_close_to_a_threshold_if_all_its_words_are():
    strong, weak = make_cue(30, 24, 1e-9), make_cue(30, 24, 3e-4)
    group = CueGroup(("no",), ("b",), None)
    for cues, limit in (([weak], "0.001 in the test of a word for a warning"), ([strong], ""), ([weak, strong], "")):
        assert name_word_limit(SimpleNamespace(word_cues=cues), group) == limit


@pytest.mark.parametrize(("word", "is_warned"), [("not", True), ("7", False)])
def test_a_number_that_only_one_of_two_texts_has_is_a_difference_of_the_texts(word, is_warned):
    rng = np.random.default_rng(5)
    words = "river stone house tree bird cloud road lamp glass paper ship horse".split()
    first, second = ([" ".join(rng.choice(words, 8)) for _ in range(400)] for _ in range(2))
    labels = ["no" if row % 2 else "yes" for row in range(400)]
    for row in range(360):  # in both texts, in one of them, or in none
        labels[row] = "yes" if row % 7 == 1 else labels[row]
        if row % 4 in (0, 1):
            second[row] += f" {word}"
        if row % 4 in (0, 3):
            first[row] += f" {word}"
    result = assay.audit({"text_a": first, "text_b": second, "label": labels}, only=["information"])
    warned = [finding for finding in result.findings if finding.code == "A401" and finding.severity == "warning"]
    assert bool(warned) == is_warned
