"""Items that are copies, or near copies, of training items."""

from __future__ import annotations

from itertools import pairwise

from assay.audits import audit


def similarity(one: str, other: str) -> float:
    first, second = ({*text.split(), *pairwise(text.split())} for text in (one, other))
    return len(first & second) / len(first | second)


def test_the_ends_of_a_chain_of_near_duplicates_are_not_leaks_of_each_other():
    words = [f"w{number}" for number in range(23)]
    texts = [" ".join(words[start : start + 20]) for start in range(4)]
    assert similarity(texts[0], texts[1]) >= 0.8 > similarity(texts[0], texts[3])
    data = {"id": list("abcd"), "text": texts, "label": list("0001"), "split": ["train", "test", "test", "test"]}
    report = audit(data, only=["profile"])
    near = [row for row in range(1, 4) if similarity(texts[0], texts[row]) >= 0.8]
    assert report.items["near_copy"].all()
    assert report.items.filter(report.items["leak"] == "near")["id"].to_list() == ["abcd"[row] for row in near]


def test_near_copies_with_another_label_are_a_note():
    """Pairs that differ in a word on purpose teach a system nothing that it could repeat."""
    texts = [" ".join(f"w{number}-{word}" for word in range(20)) for number in range(10)]
    changed = [text.replace("-0", "-x") for text in texts]
    data = {"text": texts + changed, "split": ["train"] * 10 + ["test"] * 10}
    for labels, severity in ((["a"] * 10 + ["b"] * 10, "note"), (["a", "b"] * 10, "error")):
        report = audit({**data, "label": labels}, only=["profile"])
        (finding,) = [row for row in report.findings if row.code == "A102"]
        assert finding.severity == severity
        assert report.overview.find_row("leakage").number == ("0%" if severity == "note" else "100%")
        assert ("that has another label" in finding.claim) == (severity == "note")


def test_short_items_without_classes_recur_without_being_copied():
    words = ["Applause", "Thank you very much"]
    data = {
        "source": [f"sentence {number} about many things of the world" for number in range(30)] + words * 2,
        "reference": [f"Satz {number}" for number in range(30)] + ["Beifall", "Vielen Dank"] * 2,
        "split": ["train"] * 30 + ["train"] * 2 + ["test"] * 2,
    }
    report = audit(data, task="generation", only=["profile"])
    assert [(row.code, row.value) for row in report.findings if row.code == "A101"] == [("A101", 0.5)]


def test_leaks_of_test_come_before_leaks_of_dev():
    data = {"id": list("abc"), "text": ["one two"] * 3, "label": list("010"), "split": ["train", "dev", "test"]}
    report = audit(data, only=["profile"])
    assert [finding.subject for finding in report.findings if finding.code == "A101"] == ["test", "dev"]


def test_dev_replaces_a_missing_train():
    data = {"id": list("abc"), "text": ["one two", "one two", "three"], "label": list("010")}
    report = audit({**data, "split": ["dev", "test", "test"]}, only=["profile"])
    (leak,) = [finding for finding in report.findings if finding.code == "A101"]
    assert "in test" in leak.claim
    assert leak.claim.endswith("are also in dev, verbatim.") or leak.claim.endswith("is also in dev, verbatim.")
    other = audit({**data, "split": ["dev"] * 3}, only=["profile"])
    assert not [finding for finding in other.findings if finding.code == "A101"]
