from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.example_audit import EVIDENCE, compare_example, make_audit, make_sections

from assay.audits import Audit, Section, make_private
from assay.base.codec import to_json
from assay.checks import CHECKS
from assay.models.split_studies.held_out import FoldLabel
from assay.report import render_page
from assay.report.page import MAX_BYTES


def unpack_items(page):
    """Return the items inside a page, as its script reads them."""
    (data,) = re.findall(r'<template class="item-data">(.*?)</template>', page)
    return json.loads(zlib.decompress(base64.b64decode(data)))


class Reader(HTMLParser):
    """Collects elements, ids and links of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.ids, self.links = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.tags.append((tag, values))
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values[name] for name in ("href", "src") if name in values]


def test_a_page_opens_with_the_verdict_then_the_findings_then_the_sections(page):
    places = [page.index("Do not trust scores"), page.index('id="findings-title"')]
    places += [page.index(f'id="{name}-title"') for name in CHECKS]
    assert places == sorted(places)


def test_a_finding_shows_severity_claim_interval_evidence_action_and_anchor(page):
    assert '<li class="finding warning">' in page
    assert 'id="A401" tabindex="-1"' in page
    assert 'id="A401-2" tabindex="-1"' in page
    for text in (
        '<bdi class="token">not</bdi>',
        "10 points [5, 15]",
        "item-2",
        "Balance the words over the labels",
    ):
        assert text in page


def test_every_number_of_a_section_says_how_it_was_measured(page):
    for facts in re.findall(r'<dl class="facts">(.*?)</dl>', page, re.S):
        assert facts.count("<dt>") == facts.count('<details class="how">') > 0
    figures = re.findall(r"<figure.*?</figure>", page, re.S)
    assert len(figures) == 27
    assert all('<details class="how">' in one and "<table>" in one and "aria-label=" in one for one in figures)


def test_nothing_is_loaded_and_only_our_own_style_and_script_run(page):
    reader = Reader(page)
    assert all(link.startswith("#") for link in reader.links)
    forbidden = {"link", "iframe", "object", "embed", "img", "base", "foreignobject"}
    assert {tag for tag, _ in reader.tags}.isdisjoint(forbidden)
    policy = next(attrs["content"] for _, attrs in reader.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    for kind in ("style", "script"):
        (content,) = re.findall(f"<{kind}>(.*?)</{kind}>", page, re.S)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert not [attrs for _, attrs in reader.tags if "style" in attrs or any(name.startswith("on") for name in attrs)]


def test_links_have_targets_ids_are_unique_and_landmarks_exist(page):
    reader = Reader(page)
    assert len(reader.ids) == len(set(reader.ids))
    assert {link[1:] for link in reader.links} <= set(reader.ids)
    assert {"header", "nav", "main", "footer", "h1", "h2"} <= {tag for tag, _ in reader.tags}
    assert [tag for tag, _ in reader.tags].count("h1") == 1


def test_only_data_has_a_fingerprint(audit):
    assert audit.data.fingerprint in render_page(audit)
    without = replace(audit, data=replace(audit.data, rows=0))
    assert audit.data.fingerprint not in render_page(without)


def test_text_of_the_data_is_escaped(hostile_page):
    assert hostile_page.count("<script") == 1
    assert "<img" not in hostile_page
    assert "{{ 7*7 }}" in hostile_page  # shown as it is, never evaluated
    assert not set(hostile_page) & set("\x00\x01\x1b\x7f\u202e\u2066")


def test_a_page_stays_small_whatever_the_data(page, hostile):
    wide = "𝔘&\"'<" * 300
    splits = replace(
        hostile.evidence.splits,
        comparisons={wide: compare_example({}, 2_000)},
        fold_labels=tuple(FoldLabel(wide + str(n), n, str(n), 1) for n in range(2_000)),
    )
    large = replace(
        hostile,
        items_top=(replace(hostile.items_top[0], id=wide, text=wide, reasons=wide),) * 500,
        findings=hostile.findings * 400,
        sections={**hostile.sections, "splits": Section("splits", "done", None, splits)},
    )
    text = render_page(large)
    assert len(text.encode()) <= MAX_BYTES
    assert 'id="chart-scatter"' in text
    assert len(page.encode()) < 400_000


@pytest.mark.parametrize("when", ["in the audit", "in the page"])
def test_a_private_page_contains_no_text_of_the_items(when):
    assert "secret text" in render_page(make_audit())
    page = render_page(make_audit(private=True)) if when == "in the audit" else render_page(make_audit(), private=True)
    assert not re.findall(r"secret\w*", page)
    items = unpack_items(page)
    assert "item-3" in items["id"]
    assert "text" not in items
    assert "secret" not in str(items)
    assert "contains no text of the items" in page
    assert '<bdi class="token">not</bdi>' in page  # a function word says nothing about an item


def test_the_same_audit_gives_the_same_page(audit, page):
    assert render_page(audit) == page


def test_halves_of_surrogate_pairs_in_a_saved_audit_are_shown_as_question_marks(audit, tmp_path):
    plain = json.loads(to_json({"result": audit}))
    plain["result"]["items_top"][0]["id"] = "half \ud800"
    (tmp_path / "audit.json").write_text(json.dumps(plain))
    assert "half ?" in render_page(Audit.from_json(tmp_path / "audit.json"))


def test_the_page_of_an_audit_read_from_json_is_the_same(audit, page, tmp_path):
    (tmp_path / "audit.json").write_text(to_json({"assay": "0.2.0", "command": "audit", "result": audit}))
    restored = Audit.from_json(tmp_path / "audit.json")
    assert restored == audit
    again = render_page(restored)
    data = r'<template class="item-data">.*?</template>'
    assert re.sub(data, "", again) == re.sub(data, "", page)
    assert sorted(unpack_items(again)["id"]) == sorted(unpack_items(page)["id"])


def test_all_items_are_in_the_page_with_their_findings(audit, page):
    items = unpack_items(page)
    assert sorted(items["id"]) == sorted(f"item-{n}" for n in range(10))
    assert items["text"][items["id"].index("item-3")] == "secret text 3 "
    for finding in audit.findings:
        if finding.code == "A108":
            assert {items["id"][row] for row in items["findings"]["A108"]} >= {"item-4"}


def test_a_section_that_was_not_measured_says_why():
    sections = make_sections()
    sections["forecast"] = Section("forecast", "skipped", "No <features>.")
    sections["splits"] = Section("splits", "failed", "Too few items.")
    page = render_page(make_audit(sections=sections))
    assert "Not checked.</b> <bdi>No &lt;features&gt;.</bdi>" in page
    assert "Could not be measured.</b> <bdi>Too few items.</bdi>" in page


def test_an_audit_without_sections_still_makes_a_page():
    page = render_page(make_audit(sections={}))
    assert "No finding: the measurements support no claim." in page


def test_a_value_outside_its_interval_is_shown_next_to_chance(audit):
    finding = replace(audit.findings[0], value=0.33, low=-0.2, high=0.1)
    assert "[by chance −0.20 to 0.10]" in render_page(replace(audit, findings=(finding,)))


def test_every_section_of_an_audit_has_a_view():
    assert [name for name, check in CHECKS.items() if not check.views] == []
    assert set(EVIDENCE) <= set(CHECKS)


def test_making_an_audit_private_twice_changes_nothing(audit):
    once = make_private(audit)
    assert make_private(once) == once
    assert "secret" not in to_json(once)


def test_hostile_texts_go_through_a_real_audit(hostile):
    from assay.audits import audit as run_audit

    bad = hostile.items_top[3].text.replace("\ud800", "")
    texts = [bad, "<b>" + "word " * 200_000, "good film", "bad film", "\u202eevil\u202c", "{{ config }}"] * 3
    page = render_page(run_audit({"text": texts, "label": [bad, "b", "a"] * 6}, only=["profile"]))
    assert page.count("<script") == 1
    assert len(page.encode()) < MAX_BYTES


def test_without_a_script_the_page_has_a_table_of_the_items_with_something_against_them(page):
    (table,) = re.findall(r'<table id="item-table".*?</table>', page, re.S)
    assert table.count("<tr class=") == 6
    assert '<tr class="retire">' in table
    assert '<tr class="repair">' in table
    assert '<tr class="keep">' not in table
