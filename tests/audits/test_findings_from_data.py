"""One planted defect per finding code: audited with the public function, next to the same data without the defect."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay.audits import FINDINGS, Audit
from assay.data.bundled import find_bundled

Rows = dict[str, list[Any]]
Inputs = dict[str, Any]

WORDS = [f"w{number}" for number in range(300)]
OTHER_WORDS = [f"v{number}" for number in range(300)]
TOPICS = {"yes": "sun sand wave surf".split(), "no": "snow ice frost hail".split()}
NEW_TOPICS = {"yes": "oak elm ash fir".split(), "no": "cod eel ray bass".split()}
OTHER = {"yes": "no", "no": "yes"}
SEED = 0


def draw_texts(n: int, n_words: int = 12, words: list[str] | None = None) -> list[str]:
    """Draw texts of distinct random words that have nothing to do with any label."""
    rng = np.random.default_rng(SEED)
    return [" ".join(rng.choice(WORDS if words is None else words, n_words, replace=False)) for _ in range(n)]


def make_noise(n: int = 400) -> Rows:
    """Make blocks of four rows of one label, three in train and one in test; labels alternate between blocks."""
    labels = [("yes", "no")[row // 4 % 2] for row in range(n)]
    parts = [("train", "train", "train", "test")[row % 4] for row in range(n)]
    return {"id": [f"i{row}" for row in range(n)], "text": draw_texts(n), "label": labels, "split": parts}


def make_topics(n: int = 400, topics: dict[str, list[str]] | None = None) -> Rows:
    """Make noise in which two of twelve words are about the label."""
    rows, rng = make_noise(n), np.random.default_rng(SEED + 1)
    topics = TOPICS if topics is None else topics
    for row, label in enumerate(rows["label"]):
        rows["text"][row] = put_words(rows["text"][row], rng.choice(topics[label], 2, replace=False), rng)
    return rows


def put_words(text: str, words: Any, rng: np.random.Generator) -> str:
    """Replace random words of a text."""
    kept = text.split()
    for place, word in zip(rng.choice(len(kept), len(words), replace=False), words, strict=True):
        kept[place] = str(word)
    return " ".join(kept)


def rows_of(rows: Rows, part: str) -> list[int]:
    """Return the rows of a part."""
    return [row for row, name in enumerate(rows["split"]) if name == part]


# Profile: labels, copies, odd texts, groups.


def plant_copies() -> Inputs:
    """Plant 5 exact and 4 near copies of train in test, and in train 9 copies, 3 of them under another label."""
    rows = make_noise()
    text = rows["text"]
    for block in range(5):
        text[4 * block + 3] = text[4 * block]
    for block in range(5, 9):  # 11 of 12 words and 10 of 11 word pairs stay: 21 of 25 are shared
        text[4 * block + 3] = f"{text[4 * block].rpartition(' ')[0]} new{block}"
    for block in range(10, 16):
        text[4 * block + 1] = text[4 * block]
    for block in (20, 22, 24):  # the next block has the other label
        text[4 * block] = text[4 * block + 4]
    return {"data": rows, "only": ["profile"]}


def take_noise_profile() -> Inputs:
    return {"data": make_noise(), "only": ["profile"]}


def make_rare_labels() -> Inputs:
    """Give 360 of 400 items one label; of the others, test has 12 of one label and 3 of another."""
    rows = make_noise()
    train, test = rows_of(rows, "train"), rows_of(rows, "test")
    rows["label"] = ["yes"] * 400
    for row in [*test[:12], *train[:5]]:
        rows["label"][row] = "no"
    for row in [*test[12:15], *train[5:25]]:
        rows["label"][row] = "rare"
    return {"data": rows, "only": ["profile"]}


def make_rare_label_without_parts() -> Inputs:
    """Give 3 of 400 items a label of their own, and name no parts."""
    rows = make_noise()
    rows["label"][:3] = ["rare"] * 3
    del rows["split"]
    return {"data": rows, "only": ["profile"]}


def make_one_label() -> Inputs:
    """Give all items the same label."""
    return {"data": {**make_noise(), "label": ["yes"] * 400}, "only": ["profile"]}


def plant_odd_texts() -> Inputs:
    """Lose 3 texts of 400, and leave markup in 5."""
    rows = make_noise()
    for row in range(3):
        rows["text"][row] = ""
    for row in range(10, 15):
        rows["text"][row] = f"<p>{rows['text'][row]}</p>"
    return {"data": rows, "only": ["profile"]}


def share_groups(n_shared: int) -> Inputs:
    """Give every item its own group, but put the first test items into two groups of train, one after the other."""
    rows = make_noise()
    rows["group"] = [f"g{row}" for row in range(400)]
    for number, row in enumerate(rows_of(rows, "test")[:n_shared]):
        rows["group"][row] = ("g0", "g1")[number % 2]
    return {"data": assay.read(rows, group="group"), "only": ["profile"]}


# Splits: differences between the parts, and between what a model scores on them.


def plant_drift(*, planted: bool) -> Inputs:
    """Let test have other words, 14 (75 items) or 6 words where train has 10, and 80% of one label."""
    rows = make_noise()
    here, there = draw_texts(400, 10), draw_texts(400, 14, OTHER_WORDS)
    rows["text"] = list(here)
    if planted:
        for number, row in enumerate(rows_of(rows, "test")):
            rows["text"][row] = " ".join(there[row].split()[: 14 if number < 75 else 6])
            rows["label"][row] = "yes" if number < 80 else "no"
    return {"data": rows, "only": ["splits"]}


def swap_test_labels(*, planted: bool) -> Inputs:
    """Swap the two labels in test."""
    rows = make_topics()
    if planted:
        for row in rows_of(rows, "test"):
            rows["label"][row] = OTHER[rows["label"][row]]
    return {"data": rows, "only": ["splits"]}


def change_topics(rows: Rows, chosen: range, topics: dict[str, list[str]]) -> Inputs:
    """Let other words than elsewhere tell the label of some rows, all of them longer by four words."""
    fresh = make_topics(len(rows["id"]), topics)["text"]
    for row in chosen:
        rows["text"][row] = fresh[row] + " a b c d"
    del rows["split"]
    return {"data": rows, "only": ["splits"]}


def change_long_texts(*, planted: bool) -> Inputs:
    """Let the longest fifth of the texts tell the label by words of its own."""
    return change_topics(make_topics(), range(320, 400), NEW_TOPICS if planted else TOPICS)


def change_late_texts(*, planted: bool) -> Inputs:
    """Date the items in their order, and let the last fifth tell the label by words of its own."""
    inputs = change_long_texts(planted=planted)
    first = np.datetime64("2020-01-01")
    inputs["data"]["date"] = [str(first + row) for row in range(400)]
    return inputs


def date_few_items() -> Inputs:
    """Date 100 items that a model knows: too few to see a small drop."""
    rows = make_topics(100)
    del rows["split"]
    rows["date"] = [str(np.datetime64("2020-01-01") + row) for row in range(100)]
    return {"data": rows, "only": ["splits"]}


# Difficulty: pairs whose shared words give the answer away or not.


def make_pairs(n_obvious: int, n_right: tuple[int, int]) -> Inputs:
    """Make 100 pairs with 7 of 8 words in common and 100 with none; in `n_obvious` of them that gives the label.

    The system "reader" is right on as many obvious and non-obvious pairs as `n_right` says, another on nine of ten.
    """
    first, second = draw_texts(200, 8), draw_texts(200, 8, OTHER_WORDS)
    near = [row < 100 for row in range(200)]
    other = [f"{a.rpartition(' ')[0]} {b.split()[0]}" if n else b for a, b, n in zip(first, second, near, strict=True)]
    obvious = [row % 100 < n_obvious / 2 for row in range(200)]
    labels = ["yes" if close == plain else "no" for close, plain in zip(near, obvious, strict=True)]
    right = mark_correct(obvious, n_right)
    answers = {
        "reader": [label if hit else OTHER[label] for label, hit in zip(labels, right, strict=True)],
        "other": [label if row % 10 else OTHER[label] for row, label in enumerate(labels)],
    }
    data = {"id": [f"i{row}" for row in range(200)], "text_a": first, "text_b": other, "label": labels}
    return {"data": data, "predictions": answers, "only": ["difficulty"]}


def mark_correct(obvious: list[bool], n_right: tuple[int, int]) -> list[bool]:
    """Mark the first `n_right` obvious items, and the first `n_right` other items, as answered correctly."""
    counts = {True: 0, False: 0}
    right = []
    for kind in obvious:
        counts[kind] += 1
        right.append(counts[kind] <= n_right[0 if kind else 1])
    return right


# Information: what gives labels away, and labels that are wrong.


def flip_labels(*, planted: bool) -> Inputs:
    """Give 80 of 800 items the other label."""
    rows = make_topics(800)
    if planted:
        for row in range(0, 800, 10):
            rows["label"][row] = OTHER[rows["label"][row]]
    return {"data": rows, "only": ["information"]}


def plant_function_words() -> Inputs:
    """Put "not" into all 200 items of one label, and "and" into all 200 of the other."""
    rows, rng = make_noise(), np.random.default_rng(SEED)
    for row, label in enumerate(rows["label"]):
        rows["text"][row] = put_words(rows["text"][row], ["and" if label == "yes" else "not"], rng)
    return {"data": rows, "only": ["information"]}


def plant_token() -> Inputs:
    """Put a new word into 60 of the 200 items of one label."""
    rows, rng = make_noise(), np.random.default_rng(SEED)
    for row in [row for row, label in enumerate(rows["label"]) if label == "no"][:60]:
        rows["text"][row] = put_words(rows["text"][row], ["qzxv"], rng)
    return {"data": rows, "only": ["profile", "information"]}


def plant_one_sided_word() -> Inputs:
    """Make pairs that both have "very" or both lack it (label "yes"), or of which one has it (100 pairs each way)."""
    rows = make_noise()
    second = draw_texts(400, 12, OTHER_WORDS)
    for row, label in enumerate(rows["label"]):
        in_first = row // 8 % 2 == 0
        rows["text"][row] += " very" * in_first
        second[row] += " very" * (in_first == (label == "yes"))
    data = {"text_a": rows["text"], "text_b": second, "label": rows["label"], "split": rows["split"]}
    return {"data": data, "only": ["profile", "information"]}


def plant_known_sides() -> Inputs:
    """Copy into 40 of 100 test pairs the first side of a training pair, and into 20 of them both sides of two pairs."""
    rows, second = make_noise(), draw_texts(400, 12, OTHER_WORDS)
    train, test = rows_of(rows, "train"), rows_of(rows, "test")
    for number in range(40):
        rows["text"][test[number]] = rows["text"][train[number]]
        if number < 20:
            second[test[number]] = second[train[number + 100]]
    data = {"text_a": rows["text"], "text_b": second, "label": rows["label"], "split": rows["split"]}
    return {"data": data, "only": ["profile"]}


def add_bad_system() -> Inputs:
    """Give 200 items of which 120 are "yes", two systems that are right on 160, and one that is right on 60."""
    labels = ["yes"] * 120 + ["no"] * 80
    data = {"id": [f"i{row}" for row in range(200)], "text": draw_texts(200), "label": labels}
    answers = {
        f"good {number}": [OTHER[label] if row % 5 == number else label for row, label in enumerate(labels)]
        for number in range(2)
    }
    answers["bad"] = [label if row % 10 < 3 else OTHER[label] for row, label in enumerate(labels)]
    return {"data": data, "predictions": answers, "only": ["discrimination"]}


def score_two_winners() -> Inputs:
    """Give 200 items of which 180 are "yes", a system that always says so, and one that finds "no" at the price of "yes"."""
    labels = ["yes"] * 180 + ["no"] * 20
    data = {"id": [f"i{row}" for row in range(200)], "text": draw_texts(200), "label": labels}
    finder = ["no"] * 30 + ["yes"] * 150 + ["no"] * 20
    return {"data": data, "predictions": {"constant": ["yes"] * 200, "finder": finder}, "only": ["discrimination"]}


def make_few_topics() -> Inputs:
    """Make 400 items of which every sixth has a word of its label."""
    rows, topics = make_noise(), make_topics()
    for block in range(0, 100, 6):
        for row in range(4 * block, min(4 * block + 4, 400)):
            rows["text"][row] = topics["text"][row]
    return {"data": rows, "only": ["information"]}


def add_good_system() -> Inputs:
    """Take noise, and a system that is right on 380 of 400 items all the same."""
    rows = make_noise()
    answers = make_answers(rows["label"], mark_first(380, n_items=400))
    return {"data": rows, "predictions": answers, "only": ["information", "discrimination"]}


def take_noise() -> Inputs:
    return {"data": make_noise(), "only": ["information"]}


def take_topics() -> Inputs:
    return {"data": make_topics(), "only": ["information"]}


def make_first_words(*, planted: bool) -> Inputs:
    """Make pairs whose first text begins with one of two words, which goes with the label or is random."""
    rows = make_noise()
    marks = [label == "yes" for label in rows["label"]]
    if not planted:
        marks = np.random.default_rng(SEED).permutation(marks).tolist()
    first = [f"{'alpha' if mark else 'omega'} {text}" for text, mark in zip(rows["text"], marks, strict=True)]
    second = draw_texts(400, 8, OTHER_WORDS)
    data = {"id": rows["id"], "text_a": first, "text_b": second, "label": rows["label"], "split": rows["split"]}
    return {"data": data, "only": ["information"]}


def shorten_texts() -> Inputs:
    """Cut every text of one label to half of its words."""
    rows = make_noise()
    for row, label in enumerate(rows["label"]):
        if label == "no":
            rows["text"][row] = " ".join(rows["text"][row].split()[:6])
    return {"data": rows, "only": ["information"]}


def take_much_noise() -> Inputs:
    """Take enough noise to show that a model knows nothing."""
    return {"data": make_noise(4000), "only": ["information"]}


# Discrimination: what systems answer, and tables of their scores.


def make_answers(labels: list[str], right: Any) -> dict[str, list[str]]:
    """Return answers that are right where a table of systems × items says so."""
    return {
        f"s{number}": [label if hit else OTHER[label] for label, hit in zip(labels, row, strict=True)]
        for number, row in enumerate(np.asarray(right, dtype=bool).tolist())
    }


def make_systems(right: Any, wrong_labels: Any = ()) -> Inputs:
    """Audit systems that are right where a table says so, then give some items the wrong label."""
    right = np.asarray(right)
    rows = make_noise(right.shape[1])
    inputs = {"data": rows, "predictions": make_answers(rows["label"], right), "only": ["discrimination"]}
    for row in wrong_labels:
        rows["label"][row] = OTHER[rows["label"][row]]
    return inputs


def mark_first(*n_right: int, n_items: int) -> Any:
    """Let each system be right on its first `n_right` items, so that better systems know all that others know."""
    return np.arange(n_items) < np.array(n_right)[:, None]


def mark_apart(*n_wrong: int, n_items: int) -> Any:
    """Return which items each system has right, if no two are wrong on the same item."""
    right = np.ones((len(n_wrong), n_items), dtype=bool)
    for row, (start, n) in enumerate(zip(np.cumsum([0, *n_wrong[:-1]]), n_wrong, strict=True)):
        right[row, start : start + n] = False
    return right


def score_alike() -> Inputs:
    """Score three systems 91, 90 and 89 of 100, each wrong on items of its own."""
    return make_systems(mark_apart(90, 100, 110, n_items=1000))


def score_apart() -> Inputs:
    """Score three systems 90, 70 and 50 of 100."""
    return make_systems(mark_first(900, 700, 500, n_items=1000))


def score_close() -> Inputs:
    """Score three systems 77, 74 and 71 of 100, each wrong on items of its own: far apart, but not beyond chance."""
    return make_systems(mark_apart(23, 26, 29, n_items=100))


def tie_first_two(*, planted: bool) -> Inputs:
    """Let the first two of three systems differ on two of 100 items, one each way, or on 20 items."""
    right = mark_first(95, 95 if planted else 75, 55, n_items=100)
    if planted:
        right[1, [0, 99]] = [False, True]
    return make_systems(right)


def make_uninformative(*, planted: bool) -> Inputs:
    """Let all of five systems be right on 60 and wrong on 10 of 100 items, or on no item alike."""
    right = np.array([[(row + item) % 5 < 3 for item in range(100)] for row in range(5)])
    if planted:
        right[:, :60], right[:, 60:70] = True, False
    return make_systems(right)


def make_ladder(wrong_labels: Any = ()) -> Inputs:
    """Let 25 systems of rising skill meet 96 items that all know, and four of each of 24 levels of difficulty."""
    skill, level = np.arange(25)[:, None], np.concatenate([np.full(96, -1), np.repeat(np.arange(24), 4)])
    return make_systems(skill > level, wrong_labels)


def swap_systems(n_swapped: int) -> Inputs:
    """Swap the answers of the first of four systems, each right on 190 of 200 items before."""
    right = np.array([[(7 * row + item) % 20 > 0 for item in range(200)] for row in range(4)])
    right[:n_swapped] = ~right[:n_swapped]
    return make_systems(right)


def make_uncorrelated() -> Inputs:
    """Let 32 systems answer 25 items of which any two are uncorrelated, so that alpha is 0: parities of their bits."""
    bits = np.array([[system >> bit & 1 for bit in range(5)] for system in range(32)])
    chosen = [places for size in (1, 2, 3) for places in combinations(range(5), size)]
    return make_systems(np.column_stack([bits[:, places].sum(axis=1) % 2 for places in chosen]))


def score_two() -> Inputs:
    """Let two systems differ on 50 of 400 items, 35 of them for the better one."""
    right = mark_first(335, 300, n_items=400)
    right[0, :15] = False
    return make_systems(right)


def score_none() -> Inputs:
    return {"data": make_topics(), "only": ["discrimination"]}


def make_score_table(*, planted: bool) -> Inputs:
    """Score five systems on a dataset: the best four lie within a point of 99.6, or far apart."""
    scores = [99.6, 99.5, 99.1, 98.8, 70.0] if planted else [90.0, 80.0, 70.0, 60.0, 50.0]
    rows = [{"dataset": "d", "system": f"s{number}", "score": score} for number, score in enumerate(scores)]
    return {"data": make_noise(40), "scores": rows, "only": ["discrimination"]}


def make_equal_scores(score: float) -> Inputs:
    """Score three systems alike on one dataset, and apart on another."""
    rows = [{"dataset": "d", "system": f"s{number}", "score": score} for number in range(3)]
    rows += [{"dataset": "e", "system": f"s{number}", "score": 90 - 10 * number} for number in range(3)]
    return {"data": make_noise(40), "scores": rows, "only": ["discrimination"]}


def make_score_tables() -> Inputs:
    """Score three systems on five datasets, alike on the first four."""
    bases = {"a": 1, "b": 1, "c": 1, "d": 1, "e": 20}
    rows = [
        {"dataset": name, "system": f"s{number}", "score": 90 - step * number}
        for name, step in bases.items()
        for number in range(3)
    ]
    return {"data": make_noise(40), "scores": rows, "only": ["discrimination"]}


def make_deviating_table(*, planted: bool) -> Inputs:
    """Score 30 systems on five datasets in one order, or on the last one in an order of its own."""
    order = np.random.default_rng(SEED).permutation(30) if planted else np.arange(30)
    columns = {name: 40 + np.arange(30) + number for number, name in enumerate("abcd")}
    scores = {"system": [f"s{number}" for number in range(30)], **columns, "other": 40 + order}
    return {"scores": scores, "only": ["leaderboard"]}


def contradict_labels(*, planted: bool) -> Inputs:
    """Let twelve systems err on 8% of 400 items, each by itself, and flip the labels of 20 items."""
    right = np.random.default_rng(SEED).random((12, 400)) > 0.08
    return make_systems(right, range(20) if planted else ())


# Forecast: real texts with their own labels, or with words that make the labels easy.


def take_real_texts() -> Inputs:
    return {"data": find_bundled(), "only": ["forecast"]}


def make_easy_texts() -> Inputs:
    """Add to the beginnings of real texts four of thirty words that belong to the label, in 2% to the other."""
    data, rng = assay.read(find_bundled()), np.random.default_rng(SEED)
    assert data.labels is not None
    rows: Rows = {"text": [], "label": data.labels.to_list()}
    for text, label in zip(data.texts.to_list(), rows["label"], strict=True):
        topic = label if rng.random() > 0.02 else next(name for name in rows["label"] if name != label)
        words = [f"word{topic}{number}" for number in rng.choice(30, 4, replace=False)]
        rows["text"].append(" ".join([*text.split()[:12], *words]))
    return {"data": rows, "only": ["forecast"]}


def add_systems_to_easy_texts() -> Inputs:
    """Add the answers of two systems to easy texts: what is measured precedes a forecast."""
    inputs = make_easy_texts()
    labels = inputs["data"]["label"]
    answers = {"a": labels, "b": [labels[0]] * len(labels)}
    return {**inputs, "predictions": answers, "only": ["discrimination", "forecast"]}


def take_nonsense() -> Inputs:
    return {"data": make_topics(), "only": ["forecast"]}


# Kinds of task: options, positions, lengths, contexts.


def make_tags(n_known: int) -> Inputs:
    """Sentences with one name each; so many of the twenty names in test are also in train."""
    names = [f"Name{number}" for number in range(60)]
    tested = [*names[:n_known], *(f"Other{number}" for number in range(20 - n_known))]
    rows = [
        {"tokens": ["we", "saw", name], "tags": ["O", "O", "B-per"], "split": part}
        for part, listed in (("train", names), ("test", tested))
        for name in listed
    ]
    return {"data": rows, "only": ["task"]}


def make_label_sets(*, drifted: bool) -> Inputs:
    """Sets of labels; with drift, one of them is on twice as many test items."""
    rows = [
        {
            "text": f"text {row} of words",
            "labels": [
                "long" if row % 2 else "short",
                *(["new"] if row % 4 == 0 or (drifted and row % 2 == 0) else []),
            ],
            "split": "train",
        }
        for row in range(400)
    ]
    clean = [{**row, "text": f"{row['text']} again", "split": "test"} for row in rows[:200]]
    train = make_label_sets(drifted=False)["data"][:400] if drifted else rows
    return {"data": [*train, *clean], "only": ["splits"]}


def make_quiz(defect: str = "") -> Inputs:
    """Make 400 questions of four options, three quarters of them in train, with one planted defect."""
    rng = np.random.default_rng(SEED)
    rows: Rows = {"context": [], "question": [], "choices": [], "answer": [], "split": []}
    for number in range(400):
        options = [" ".join(rng.choice(WORDS, 4, replace=False)) for _ in range(4)]
        key = 2 if defect == "position" else number % 4
        if defect == "wording" and number % 5 < 3:
            options[key] += " certainly"  # and four words, like the others
            options[key] = options[key].partition(" ")[2]
        longest = key if defect == "length" and number % 5 < 3 else int(rng.integers(4))
        options[longest] += " and more"
        rows["context"].append(" ".join(rng.choice(OTHER_WORDS, 12, replace=False)))
        rows["question"].append(f"question {number}?")
        rows["choices"].append(options)
        rows["answer"].append(key)
        rows["split"].append(("train", "train", "train", "test")[number // 4 % 4])
    if defect == "options":
        for number in range(6):
            rows["choices"][number][3] = rows["choices"][number][1].upper()
    if defect == "contexts":
        train, test = rows_of(rows, "train"), rows_of(rows, "test")
        for one, other in zip(test[:10], train, strict=False):
            rows["context"][one] = rows["context"][other]
    return {"data": rows, "only": ["task"]}


def ask_quiz(defect: str = "") -> Inputs:
    """Make the quiz again for quick models; with "asked" the question names a word of the right option."""
    rows = make_quiz(defect)["data"]
    if defect == "asked":
        for number, (options, key) in enumerate(zip(rows["choices"], rows["answer"], strict=True)):
            rows["question"][number] = f"question {number} {options[key].split()[1]}?"
    return {"data": rows, "only": ["model"]}


def make_grades(defect: str = "") -> Inputs:
    """Make 400 graded texts of ten subjects; grades go by three of 40 words, by length, or by the subject's words."""
    rng = np.random.default_rng(SEED)
    rows: Rows = {"text": [], "score": [], "subject": []}
    for number in range(400):
        subject, strength = number % 10, int(rng.integers(4))
        n_words = int(rng.integers(5, 30)) if defect == "length" else 12
        words = [*rng.choice(WORDS, n_words, replace=False)]
        words += [f"u{strength}{place}" for place in rng.choice(40, 3, replace=False)]
        if defect == "subjects":
            words += [f"v{subject}{place}" for place in range(4)]
        noise = float(rng.normal(0, 0.3))
        grade = {"length": n_words / 4, "subjects": (7 * subject) % 10}.get(defect, 2 * strength)
        rows["text"].append(" ".join(words))
        rows["score"].append(f"{grade + noise:.2f}")
        rows["subject"].append(f"s{subject}")
    return {"data": rows, "only": ["model"]}


# Judges and votes: tables of their own, without data.


def judge_pairs(*, biased: bool) -> Inputs:
    """Make verdicts of a sound judge, and of one that mostly takes what is shown first and is longer, in both orders."""
    rng = np.random.default_rng(SEED)
    rows: Rows = {name: [] for name in ("id", "judge", "order", "verdict", "gold", "length_a", "length_b")}
    for item in range(150):
        gold, longer = rng.choice(["a", "b"]), rng.choice(["a", "b"])
        for order in ("ab", "ba"):
            for judge, is_biased in (("sound", False), ("other", biased)):
                verdict = gold
                if is_biased:
                    verdict = order[0] if item % 3 else longer
                values = (item, judge, order, verdict, gold, 20 if longer == "a" else 10, 20 if longer == "b" else 10)
                for name, value in zip(rows, values, strict=True):
                    rows[name].append(str(value))
    return {"verdicts": rows, "only": ["judges"]}


def judge_constant(*, fooled: bool) -> Inputs:
    """Make scores of four systems, one of which always gives an answer of the same length."""
    rng = np.random.default_rng(SEED)
    rows: Rows = {name: [] for name in ("id", "judge", "system", "verdict", "length")}
    for system, share in (("a", 0.7), ("b", 0.5), ("c", 0.6), ("constant", 0.9 if fooled else 0.1)):
        for item in range(100):
            verdict = "1" if rng.random() < share else "0"
            length = 50 if system == "constant" else 40 + item
            for name, value in zip(rows, (item, "judge", system, verdict, length), strict=True):
                rows[name].append(str(value))
    return {"verdicts": rows, "only": ["judges"]}


def judge_family(*, loyal: bool) -> Inputs:
    """Make verdicts of two judges on pairs of a GPT and a Llama answer; one of them may favour its own family."""
    rows: Rows = {name: [] for name in ("id", "judge", "model_a", "model_b", "verdict")}
    for item in range(100):
        for judge in ("gpt-4", "claude-3"):
            better = "ab"[item % 2]
            verdict = "a" if loyal and judge == "gpt-4" else better
            for name, value in zip(rows, (item, judge, "gpt-3.5", "llama-2", verdict), strict=True):
                rows[name].append(str(value))
    return {"verdicts": rows, "only": ["judges"]}


def make_votes(share: float, *, stranger: bool = False) -> Inputs:
    """Make 60 votes for each pair of three systems: x beats y, and y beats z, in a share of them."""
    rows: Rows = {name: [] for name in ("model_a", "model_b", "winner")}
    pairs = [("x", "y", share), ("y", "z", share), ("x", "z", share)]
    pairs += [("p", "q", 0.5)] if stranger else []
    for first, second, chance in pairs:
        for number in range(60):
            winner = "model_a" if number < 60 * chance else "model_b"
            for name, value in zip(rows, (first, second, winner), strict=True):
                rows[name].append(value)
    return {"votes": rows, "only": ["votes"]}


def search_corpus(*, planted: bool) -> Inputs:
    """Make questions with answers in words, and a corpus with 4 of the 100 test questions, 3 of them with the answer."""
    rng = np.random.default_rng(SEED)
    parts = [("train", "train", "train", "test")[row % 4] for row in range(400)]
    rows = {"id": [f"i{row}" for row in range(400)], "question": draw_texts(400), "split": parts}
    rows["answer"] = [" ".join(rng.choice(OTHER_WORDS, 3, replace=False)) for _ in range(400)]
    documents = [" ".join(rng.choice(OTHER_WORDS, 50)) for _ in range(200)]
    tested = [row for row, part in enumerate(parts) if part == "test"]
    for number, row in enumerate(tested[:4] if planted else []):
        answer = rows["answer"][row] if number else ""
        documents[number] += f" {rows['question'][row].upper()} {answer} and so on"
    return {"data": rows, "corpus": pl.Series("web", documents), "only": ["contamination"]}


INPUTS: dict[str, Callable[[], Inputs]] = {
    "items in the corpus": lambda: search_corpus(planted=True),
    "other items in the corpus": lambda: search_corpus(planted=False),
    "quiz": make_quiz,
    "blind quiz": lambda: ask_quiz("wording"),
    "asked quiz": lambda: ask_quiz("asked"),
    "grades by words": make_grades,
    "grades by length": lambda: make_grades("length"),
    "grades by subject": lambda: make_grades("subjects"),
    "telling words": lambda: make_quiz("wording"),
    "key always C": lambda: make_quiz("position"),
    "long right options": lambda: make_quiz("length"),
    "equal options": lambda: make_quiz("options"),
    "copied contexts": lambda: make_quiz("contexts"),
    "known entities": lambda: make_tags(18),
    "new entities": lambda: make_tags(2),
    "drifted label sets": lambda: make_label_sets(drifted=True),
    "label sets": lambda: make_label_sets(drifted=False),
    "biased judge": lambda: judge_pairs(biased=True),
    "sound judges": lambda: judge_pairs(biased=False),
    "constant answer wins": lambda: judge_constant(fooled=True),
    "constant answer loses": lambda: judge_constant(fooled=False),
    "loyal judge": lambda: judge_family(loyal=True),
    "fair judges": lambda: judge_family(loyal=False),
    "clear votes": lambda: make_votes(0.8),
    "even votes": lambda: make_votes(0.5),
    "strangers": lambda: make_votes(0.8, stranger=True),
    "copies": plant_copies,
    "clean profile": take_noise_profile,
    "few labels": make_rare_labels,
    "rare label": make_rare_label_without_parts,
    "one label": make_one_label,
    "odd texts": plant_odd_texts,
    "shared groups": lambda: share_groups(10),
    "own groups": lambda: share_groups(0),
    "drift": lambda: plant_drift(planted=True),
    "no drift": lambda: plant_drift(planted=False),
    "swapped test labels": lambda: swap_test_labels(planted=True),
    "right test labels": lambda: swap_test_labels(planted=False),
    "long texts differ": lambda: change_long_texts(planted=True),
    "long texts alike": lambda: change_long_texts(planted=False),
    "late texts differ": lambda: change_late_texts(planted=True),
    "late texts alike": lambda: change_late_texts(planted=False),
    "few dated items": date_few_items,
    "obvious pairs": lambda: make_pairs(160, (152, 16)),
    "mixed pairs": lambda: make_pairs(100, (90, 90)),
    "flipped labels": lambda: flip_labels(planted=True),
    "right labels": lambda: flip_labels(planted=False),
    "function words": plant_function_words,
    "token": plant_token,
    "one-sided word": plant_one_sided_word,
    "known sides": plant_known_sides,
    "bad system": add_bad_system,
    "two winners": score_two_winners,
    "few topics": make_few_topics,
    "noise and a good system": add_good_system,
    "noise": take_noise,
    "topics": take_topics,
    "first word": lambda: make_first_words(planted=True),
    "any first word": lambda: make_first_words(planted=False),
    "short texts": shorten_texts,
    "no signal": take_much_noise,
    "alike": score_alike,
    "apart": score_apart,
    "close": score_close,
    "tied": lambda: tie_first_two(planted=True),
    "not tied": lambda: tie_first_two(planted=False),
    "uninformative items": lambda: make_uninformative(planted=True),
    "informative items": lambda: make_uninformative(planted=False),
    "wrong labels": lambda: make_ladder([140, 144, 148]),
    "ladder": make_ladder,
    "swapped system": lambda: swap_systems(1),
    "swapped systems": lambda: swap_systems(3),
    "sound systems": lambda: swap_systems(0),
    "uncorrelated items": make_uncorrelated,
    "two systems": score_two,
    "no systems": score_none,
    "saturated table": lambda: make_score_table(planted=True),
    "open table": lambda: make_score_table(planted=False),
    "five tables": make_score_tables,
    "unsolved table": lambda: make_equal_scores(0.0),
    "solved table": lambda: make_equal_scores(100.0),
    "equal table": lambda: make_equal_scores(62.5),
    "deviating dataset": lambda: make_deviating_table(planted=True),
    "agreeing datasets": lambda: make_deviating_table(planted=False),
    "contradicted labels": lambda: contradict_labels(planted=True),
    "agreed labels": lambda: contradict_labels(planted=False),
    "easy texts": make_easy_texts,
    "easy texts and systems": add_systems_to_easy_texts,
    "real texts": take_real_texts,
    "nonsense": take_nonsense,
}


@dataclass(frozen=True)
class Case:
    """What the audit of a planted defect must say: the severity, the value, and numbers that the claim must name."""

    code: str
    defect: str
    control: str
    severity: str
    value: float
    within: float = 1e-9
    low: float | None = None
    high: float | None = None
    names: tuple[str, ...] = ()


CASES = [
    Case("A101", "copies", "clean profile", "error", 5 / 100, names=("5",)),
    Case("A102", "copies", "clean profile", "warning", 4 / 100, names=("4",)),
    Case("A103", "copies", "clean profile", "warning", 9 / 400, names=("9", "400")),
    Case("A104", "copies", "clean profile", "warning", 6 / 400, names=("6", "400")),
    Case("A105", "few labels", "clean profile", "warning", 360 / 400),
    Case("A105", "one label", "clean profile", "error", 1.0),
    Case("A106", "few labels", "clean profile", "note", 1, names=("1", "3")),
    Case("A106", "rare label", "clean profile", "note", 1, names=("1", "3")),
    Case("A107", "odd texts", "clean profile", "note", 3 / 400, names=("3",)),
    Case("A108", "flipped labels", "right labels", "warning", 80 / 800, within=0.05),
    Case("A109", "shared groups", "own groups", "warning", 10 / 100, names=("10", "2")),
    # Half of the long, or late, items are right by chance.
    Case("A110", "known sides", "one-sided word", "warning", 40 / 100, names=("40", "20", "100")),
    Case("A201", "long texts differ", "long texts alike", "warning", 0.5, within=0.1),
    # A classifier that tells the parts apart without error has an A-distance of 2.
    Case("A202", "drift", "no drift", "warning", 2.0, names=("100",)),
    Case("A203", "drift", "no drift", "warning", 75 / 100, names=("12.0", "10.0")),
    Case("A204", "drift", "no drift", "warning", 0.8 - 0.5, names=("50", "80")),
    Case("A205", "late texts differ", "late texts alike", "warning", 0.5, within=0.1),
    Case("A205", "few dated items", "late texts alike", "note", 0.0),
    Case("A206", "swapped test labels", "right test labels", "error", -1.0, within=0.05),
    Case("A301", "obvious pairs", "mixed pairs", "warning", 152 / 160 - 16 / 40, names=("95", "40")),
    # Wilson's interval of 160 in 200.
    Case("A302", "obvious pairs", "mixed pairs", "note", 160 / 200, low=0.7391, high=0.8495),
    # Wilson's lower end of n in n is n / (n + 1.96²).
    # A model that sees only the words is always right, the most frequent label on half of the items.
    Case("A401", "function words", "noise", "warning", 0.5, names=("100", "50")),
    Case("A401", "token", "noise", "warning", 1.0, low=60 / 63.8415, high=1.0, names=("60",)),
    Case("A401", "one-sided word", "noise", "warning", 0.5, names=("100", "50")),
    # Words of a topic call for each other, and may be the task.
    Case("A401", "right labels", "noise", "note", 1.0),
    Case("A402", "first word", "any first word", "warning", 1 - 50 / 100),
    Case("A403", "first word", "any first word", "warning", 1 - 50 / 100),
    Case("A404", "function words", "topics", "warning", 0.0, within=0.01),
    Case("A405", "no signal", "topics", "warning", 0.0, within=0.04),
    Case("A405", "noise", "topics", "warning", 0.0, within=0.1),
    # The system is right on 380 of 400 items, both labels equally frequent: (0.95 - 0.5) / (1 - 0.5).
    Case("A405", "noise and a good system", "topics", "note", 0.0, within=0.1, names=("0.90",)),
    Case("A406", "function words", "noise", "note", 1.0, low=100 / 103.8415, high=1.0, names=("100",)),
    Case("A407", "short texts", "noise", "warning", math.log(2), within=0.01),
    Case("A410", "telling words", "quiz", "error", 0.75, within=0.15),
    Case("A411", "key always C", "quiz", "error", 1.0, names=("25",)),
    # Words of a subject tell its grade, until the subject is new.
    Case("A207", "grades by subject", "asked quiz", "warning", 0.95, within=0.05),
    Case("A415", "grades by length", "grades by words", "warning", 0.95, within=0.05),
    Case("A416", "blind quiz", "asked quiz", "note", 0.0, within=0.01),
    # A random option is the longest in the other two fifths.
    Case("A412", "long right options", "quiz", "error", 0.6 + 0.4 / 4, within=0.1),
    Case("A413", "equal options", "quiz", "warning", 6 / 400, names=("6", "400")),
    Case("A414", "copied contexts", "quiz", "warning", 10 / 100, names=("10",)),
    Case("A417", "known entities", "new entities", "warning", 18 / 20, names=("90",)),
    Case("A204", "drifted label sets", "label sets", "warning", 0.5 - 0.25, names=("25", "50")),
    Case("A501", "alike", "apart", "warning", float(np.std([91, 90, 89], ddof=1)), names=("3",)),
    Case("A501", "close", "apart", "note", float(np.std([77, 74, 71], ddof=1)), names=("3",)),
    Case("A501", "five tables", "open table", "note", 4, names=("4", "5")),
    # All quick models know everything.
    Case("A501", "no systems", "apart", "note", 0.0, names=("4",)),
    Case("A502", "tied", "not tied", "note", 2, names=("2", "3")),
    Case("A503", "uninformative items", "informative items", "note", (60 + 10) / 100, names=("60", "10")),
    Case("A504", "wrong labels", "ladder", "note", 3 / 96, names=("3", "96")),
    Case("A504", "alike", "ladder", "note", 0.0, names=("3",)),
    # Right on 10 of 200 items, both labels equally frequent in gold and answers: (0.05 - 0.5) / (1 - 0.5).
    Case("A505", "swapped system", "sound systems", "warning", -0.9),
    Case("A505", "swapped systems", "sound systems", "error", -0.9, names=("3", "4")),
    # Feldt's interval: 1 - F(0.975) and 1 - F(0.025) of 31 and 744 degrees of freedom.
    Case("A506", "uncorrelated items", "ladder", "warning", 0.0, low=1 - 1.57597, high=1 - 0.56150, names=("25", "32")),
    # (1.96 + 0.84) standard errors of the mean of 400 differences (35 are 1, 15 are -1): 0.04909.
    Case("A507", "two systems", "no systems", "note", 0.04909, within=1e-5, names=("4.9", "5.0", "400")),
    Case("A508", "saturated table", "open table", "warning", 0.996, names=("99.6", "3")),
    Case("A509", "contradicted labels", "agreed labels", "note", 20 / 400, within=0.03, names=("400",)),
    Case("A510", "bad system", "sound systems", "warning", 0.3, names=("60", "30")),
    # By accuracy the system that always says "yes" wins, by macro-F1 the other one.
    Case("A511", "two winners", "sound systems", "note", 2),
    Case("A512", "unsolved table", "open table", "warning", 0, names=("3", "0")),
    Case("A512", "solved table", "open table", "warning", 100, names=("3",)),
    Case("A512", "equal table", "open table", "note", 62.5, names=("3", "62.5")),
    Case("A521", "deviating dataset", "agreeing datasets", "note", 1, names=("1", "5")),
    # The number of features outside of what the forecast was learnt from; one is enough.
    Case("A601", "nonsense", "real texts", "note", 8, within=7),
    # λ_var below the threshold of 3, with its interval.
    Case("A602", "easy texts", "real texts", "note", 1.5, within=1.5, names=("3",)),
    # Two thirds of the verdicts follow the position, and so are right by half, and so are those that follow length.
    Case("A701", "biased judge", "sound judges", "warning", 0.5, within=0.06),
    Case("A702", "biased judge", "sound judges", "error", 100 / 150),
    # The first wins all verdicts by position and half of those by length.
    Case("A703", "biased judge", "sound judges", "warning", 2 / 3 + 1 / 6),
    Case("A704", "biased judge", "sound judges", "warning", 1 / 3 + 1 / 3, within=0.06),
    Case("A705", "constant answer wins", "constant answer loses", "error", 0.9, within=0.06),
    Case("A706", "biased judge", "sound judges", "warning", 0.0, within=0.2),
    Case("A707", "loyal judge", "fair judges", "warning", 1.0, names=("50",)),
    Case("A721", "strangers", "clear votes", "warning", 2, names=("2", "5")),
    Case("A722", "even votes", "clear votes", "note", 3, names=("3",)),
    Case("A801", "items in the corpus", "other items in the corpus", "warning", 4 / 100, names=("4", "100")),
    Case("A802", "items in the corpus", "other items in the corpus", "warning", 3 / 100, names=("3", "100")),
    Case("A723", "even votes", "clear votes", "note", 0.4, within=0.25),
]


# Quick models say nothing of ranks or saturation, a forecast nothing if systems are measured or out of its range.
SILENT = [
    ("A108", "few topics"),  # a model that is too weak doubts no label
    ("A404", "noise"),
    ("A502", "no systems"),
    ("A503", "no systems"),
    ("A508", "no systems"),
    ("A602", "easy texts and systems"),
    ("A602", "nonsense"),
]


@pytest.fixture(scope="module")
def audits() -> Callable[[str], Audit]:
    """Return a function that audits an input by its name, once."""

    @cache
    def run(name: str) -> Audit:
        inputs = INPUTS[name]()
        if "forecast" in inputs["only"]:
            pytest.importorskip("lightgbm")
        audit = assay.audit(**inputs, quick=True, random_state=SEED)
        assert {section.status for section in audit.sections.values()} == {"done"}
        return audit

    return run


def test_every_case_has_a_rule_and_every_input_is_used():
    assert {case.code for case in CASES} <= set(FINDINGS)
    assert {name for case in CASES for name in (case.defect, case.control)} | {name for _, name in SILENT} == set(
        INPUTS
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code} {case.defect}")
def test_a_planted_defect_is_found_and_measured(audits, case):
    findings = audits(case.defect).findings
    first = next((finding for finding in findings if finding.code == case.code), None)
    assert first is not None, f"{case.code} is not among {[finding.code for finding in findings]}"
    assert first.severity == case.severity
    assert first.value == pytest.approx(case.value, abs=case.within)
    for end, expected in ((first.low, case.low), (first.high, case.high)):
        assert expected is None or end == pytest.approx(expected, abs=1e-4)
    numbers = re.findall(r"\d+(?:\.\d+)?", first.claim.replace(",", ""))
    assert set(case.names) <= set(numbers), first.claim


@pytest.mark.parametrize(("code", "name"), sorted({(case.code, case.control) for case in CASES} | set(SILENT)))
def test_data_without_the_defect_do_not_raise_the_code(audits, code, name):
    assert code not in {finding.code for finding in audits(name).findings}
