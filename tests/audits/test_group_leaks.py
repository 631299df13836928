"""Groups on both sides of a split."""

from __future__ import annotations

from assay.audits import audit
from assay.kinds import read


def test_items_of_a_group_that_train_has_too_are_counted_and_named():
    rows = {"id": list("abcde"), "text": ["one", "two", "three", "four", "five"], "label": list("01010")}
    rows |= {"split": ["train", "train", "test", "test", "dev"], "thread": ["x", "y", "y", "z", None]}
    found = audit(read(rows, group="thread"), only=["profile"])
    (one,) = [one for one in found.findings if one.code == "A109"]
    assert one.evidence == {"ids": ["c"], "n": 2, "count": 1, "part": "test"}
    assert '1 group that stands in train too, such as "y"' in one.claim
    assert not [one for one in audit(read(rows), only=["profile"]).findings if one.code == "A109"]
