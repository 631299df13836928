"""Hostile strings and private data."""

from __future__ import annotations

import json

import pytest

from assay.audits import audit
from assay.audits.outputs import write_items
from assay.base.codec import to_json

NASTY = [
    "<script>alert('x')</script>",
    "</textarea><img src=x onerror=alert(1)>",
    "\u202eright to left \u2066 marks \u200b",
    "control \x01\x02\x1b[31m characters",
    "null \x00 byte",
    "'; DROP TABLE items; --",
    '=HYPERLINK("http://x")',
    "{{ 7 * 7 }} ${7*7}",
    "\ud7ff \ufffd \U0001f600" * 20,
    "a" * 100_000,
    "   ",
    "",
    '"quotes" and \\ slashes \\u0000',
    "line\nbreak\ttab\r\nmore",
]


@pytest.fixture(scope="module")
def hostile():
    texts = [f"{nasty} {number}" if number > len(NASTY) else nasty for number in range(5) for nasty in NASTY]
    labels = [NASTY[number % 2] for number in range(len(texts))]
    return {"id": [f"{n}<b>" for n in range(len(texts))], "text": texts, "label": labels}


@pytest.mark.parametrize("pair", [False, True])
def test_hostile_strings_never_break_an_audit(hostile, pair, tmp_path):
    data = dict(hostile)
    if pair:
        data = {"id": data["id"], "text_a": data["text"], "text_b": data["text"][::-1], "label": data["label"]}
    found = audit(data)
    assert {section.status for section in found.sections.values()} <= {"done", "skipped"}
    json.loads(to_json(found.to_dict()))
    assert all(len(row["text"]) <= 300 for row in found.to_dict()["items_top"])
    write_items(tmp_path / "items.tsv", found.items)
    lines = (tmp_path / "items.tsv").read_text(encoding="utf-8").split("\n")
    assert len(lines) == len(data["id"]) + 2
    assert {line.count("\t") for line in lines[:-1]} == {len(found.items.columns) - 1}


def test_private_audits_hold_no_text_of_any_item(made, tmp_path):
    data = made(300)
    for row in range(0, 300, 4):
        data["text"][row] += " hushword"
        data["label"][row] = "food"
    data["text"][7] = data["text"][9] = "a secret sentence about someone"
    found = audit(data, private=True)
    write_items(tmp_path / "items.tsv", found.items)
    write_items(tmp_path / "items.parquet", found.items)
    said = to_json(found.to_dict()) + (tmp_path / "items.tsv").read_text(encoding="utf-8")
    said += (tmp_path / "items.parquet").read_bytes().decode("latin-1")
    assert "A401" in {finding.code for finding in found.findings}
    for text in {*data["text"], "hushword", "secret", "striker", "noodle"}:
        assert text not in said
    assert "hushword" in to_json(audit(data, only=["information"]).to_dict())  # which is what was withheld
