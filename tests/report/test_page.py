from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from assay.base.errors import AssayError
from assay.report import render
from assay.report.page import MOST_BYTES
from assay.report.privacy import without_texts
from assay.report.sections import CHAPTERS


class Reader(HTMLParser):
    """Collects elements, ids and links of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.ids, self.links = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append((tag, found))
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found[name] for name in ("href", "src") if name in found]


def test_a_page_opens_with_the_verdict_then_the_findings(page):
    told = ["Trust scores on this benchmark with care", "Balance the word.", *(one.title for one in CHAPTERS.values())]
    places = [page.rindex(text) if text in page else -1 for text in told[:2]] + [
        page.index(f'id="{name}-title"') for name in CHAPTERS
    ]
    assert places == sorted(places)
    assert places[0] > 0


def test_a_finding_shows_severity_claim_interval_evidence_action_and_anchor(page):
    assert '<li id="A401" class="finding warning">' in page
    assert '<li id="A401-2" class="finding note">' in page
    for text in (
        '<bdi class="token">not</bdi>',
        '0.67 <span class="span">[0.62, 0.72]</span>',
        "item-2",
        "Balance the word.",
    ):
        assert text in page


def test_every_number_of_a_section_has_a_how_note(page):
    for facts in re.findall(r'<dl class="facts">(.*?)</dl>', page, re.S):
        assert facts.count("<dt>") == facts.count('<details class="how">') > 0
    figures = re.findall(r"<figure.*?</figure>", page, re.S)
    assert len(figures) == 16
    assert all('<details class="how">' in one and "<table>" in one and "aria-label=" in one for one in figures)


def test_nothing_is_loaded_and_only_our_own_style_and_script_run(page):
    read = Reader(page)
    assert all(link.startswith("#") for link in read.links)
    assert {tag for tag, _ in read.tags}.isdisjoint(
        {"link", "iframe", "object", "embed", "img", "base", "foreignobject"}
    )
    policy = next(attrs["content"] for tag, attrs in read.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    for kind in ("style", "script"):
        (content,) = re.findall(f"<{kind}>(.*?)</{kind}>", page, re.S)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert not [attrs for _, attrs in read.tags if "style" in attrs or any(name.startswith("on") for name in attrs)]


def test_links_lead_somewhere_ids_are_unique_and_landmarks_are_there(page):
    read = Reader(page)
    assert len(read.ids) == len(set(read.ids))
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert {"header", "nav", "main", "footer", "h1", "h2"} <= {tag for tag, _ in read.tags}
    assert [tag for tag, _ in read.tags].count("h1") == 1


def test_text_of_the_data_is_escaped(hostile_page):
    page = hostile_page
    assert page.count("<script") == 1
    assert "<img" not in page
    assert "{{ 7*7 }}" in page  # shown as it is, never computed
    assert not set(page) & set("\x00\x01\x1b\x7f\u202e\u2066")


def test_a_page_stays_small_whatever_the_data(page, hostile):
    wide = "𝔘&\"'<" * 300
    hostile["items_top"] = [{**hostile["items_top"][0], "id": wide, "text": wide, "causes": wide} for _ in range(500)]
    hostile["findings"] = hostile["findings"] * 400
    charts = hostile["sections"]["splits"]["result"]["charts"]
    charts["scatter"] = [{"split": "given", "x": i % 97, "y": i % 89, "fold": wide} for i in range(2_000)]
    charts["fold_sizes"] = [{"split": wide + str(i), "fold": i, "label": str(i), "count": 1} for i in range(2_000)]
    full = render(hostile)
    assert len(full.encode()) <= MOST_BYTES
    assert 'id="chart-scatter"' in full
    assert len(page.encode()) < 400_000


@pytest.mark.parametrize("asked", ["by the caller", "by the audit"])
def test_a_private_page_holds_no_text_of_the_items(audit, asked):
    audit["settings"]["private"] = asked == "by the audit"
    assert "secret text" in render({**audit, "settings": {}})
    audit["findings"][0]["evidence"]["token"] = "secretive"
    audit["findings"][0]["claim"] = 'The word "secretive" points to "yes".'
    audit["verdict"] = 'Take care. Gravest: The word "secretive" points to "yes".'
    if asked == "by the audit":
        audit = {**without_texts(audit), "items_top": audit["items_top"]}
    page = render(audit, private=asked == "by the caller")
    assert not re.findall(r"secret\w*", page)
    assert "item-3" in page
    assert "holds no text of the items" in page


def test_the_same_audit_gives_the_same_page(audit, page):
    assert render(audit) == page


def test_a_page_is_made_again_from_a_saved_file(audit, page):
    assert render({"assay": "0.1.0", "command": "audit", "result": audit}) == page


def test_a_section_that_was_not_done_says_why(audit):
    audit["sections"]["forecast"] = {"name": "forecast", "status": "skipped", "reason": "No <features>.", "result": {}}
    audit["sections"]["splits"] = {"name": "splits", "status": "failed", "reason": "Too few items.", "result": {}}
    page = render(audit)
    assert "Not looked at.</b> <bdi>No &lt;features&gt;.</bdi>" in page
    assert "Could not be measured.</b> <bdi>Too few items.</bdi>" in page


def test_an_empty_audit_still_makes_a_page():
    page = render({"verdict": "Nothing.", "findings": [], "sections": {}, "data": {}, "settings": {}})
    assert "Nothing was found that the statistics allow to claim." in page


def test_what_is_no_audit_is_an_error():
    with pytest.raises(
        AssayError, match=r"This is no audit: it has no verdict\. Make one with assay audit DATA --json FILE\."
    ):
        render({"scores": []})


def test_a_value_outside_its_range_is_shown_beside_chance(audit):
    audit["findings"][0] |= {"value": 0.33, "low": -0.2, "high": 0.1}
    assert "[by chance −0.20 to 0.10]" in render(audit)


def test_hostile_texts_go_through_a_real_audit(hostile):
    from assay.audits import audit as made

    bad = hostile["items_top"][3]["text"].replace("\ud800", "")
    texts = [bad, "<b>" + "word " * 200_000, "good film", "bad film", "\u202eevil\u202c", "{{ config }}"] * 3
    page = render(made({"text": texts, "label": [bad, "b", "a"] * 6}, only=["profile"]))
    assert page.count("<script") == 1
    assert len(page.encode()) < MOST_BYTES
