"""Near copies of training items themselves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from assay.audits import audit
from assay.audits.near_train import near_train
from assay.text import Corpus, near_duplicates


def chain() -> list[str]:
    """Four texts of 20 words, each near the one before it, the last not near the first."""
    words = [f"w{number}" for number in range(23)]
    return [" ".join(words[start : start + 20]) for start in range(4)]


def shares(one: str, other: str) -> float:
    first, second = ({*text.split(), *pairwise(text.split())} for text in (one, other))
    return len(first & second) / len(first | second)


def test_a_chain_of_near_copies_does_not_make_its_ends_near():
    texts = chain()
    assert shares(texts[0], texts[1]) >= 0.8 > shares(texts[0], texts[3])
    data = {"id": list("abcd"), "text": texts, "label": list("0101"), "split": ["train", "test", "test", "test"]}
    found = audit(data, only=["profile"])
    near = [row for row in range(1, 4) if shares(texts[0], texts[row]) >= 0.8]
    assert found.items["near_copy"].all()
    assert found.items.filter(found.items["leak"] == "near")["id"].to_list() == ["abcd"[row] for row in near]


def test_the_marks_are_those_of_comparing_every_pair():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(6, 12).astype(str)) for _ in range(300)] + ["", "!"]
    train = rng.random(len(texts)) < 0.5
    corpus = Corpus.from_texts(texts)
    marked = near_train(corpus, np.zeros(len(texts), np.int64), train, 0.7)
    known = np.flatnonzero(train[:300])
    expected = [
        not train[row] and any(shares(texts[row], texts[other]) >= 0.7 for other in known) for row in range(300)
    ]
    assert marked[:300].tolist() == expected
    assert 0 < sum(expected) < (~train).sum()
    assert not marked[300:].any()  # no words, nothing shared


def test_every_mark_lies_within_its_group():
    texts = [*chain(), "something else altogether"]
    corpus, train = Corpus.from_texts(texts), np.array([True, False, False, False, False])
    groups = near_duplicates(corpus)
    assert set(np.flatnonzero(near_train(corpus, groups, train))) <= set(np.flatnonzero(groups == groups[0]))


def test_leaks_of_test_are_told_before_those_of_dev():
    data = {"id": list("abc"), "text": ["one two"] * 3, "label": list("010"), "split": ["train", "dev", "test"]}
    found = audit(data, only=["profile"])
    assert [one.evidence["part"] for one in found.findings if one.code == "A101"] == ["test", "dev"]


def test_dev_stands_in_for_a_missing_train():
    data = {"id": list("abc"), "text": ["one two", "one two", "three"], "label": list("010")}
    found = audit({**data, "split": ["dev", "test", "test"]}, only=["profile"])
    (leak,) = [one for one in found.findings if one.code == "A101"]
    assert "of test" in leak.claim
    assert leak.claim.endswith("word for word in dev.")
    assert not [one for one in audit({**data, "split": ["dev"] * 3}, only=["profile"]).findings if one.code == "A101"]
