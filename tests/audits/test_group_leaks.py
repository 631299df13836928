"""Groups on both sides of a split."""

from __future__ import annotations

from assay.audits import audit
from assay.kinds import read


def test_items_of_a_group_that_train_has_too_are_counted_and_named():
    rows = {"id": list("abcde"), "text": ["one", "two", "three", "four", "five"], "label": list("01010")}
    rows |= {"split": ["train", "train", "test", "test", "dev"], "thread": ["x", "y", "y", "z", None]}
    (finding,) = [row for row in audit(read(rows, group="thread"), only=["profile"]).findings if row.code == "A109"]
    assert (finding.items, finding.n, finding.subject) == (("c",), 2, "test")
    assert '1 group that is also in train, such as "y"' in finding.claim
    assert not [row for row in audit(read(rows), only=["profile"]).findings if row.code == "A109"]
