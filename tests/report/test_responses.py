"""Responses on the page: with the span that was read, filtered by state, safe whatever they hold, withheld if private."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace

import pytest

import assay
from assay.report import render_page
from assay.report.content import describe_subject
from assay.responses.reading.excerpts import cut_excerpt

N = 12
EVIL = "</script></template><img src=x onerror=\"document.title='PWNED'\">\x00\x1b[2J\u202egnp.exe\ud800 {{ 7*7 }} "
ITEMS = {
    "id": [f"q{n}" for n in range(N)],
    "question": [f"What is {n} + {n}?" for n in range(N)],
    "choices": [[str(2 * n + d) for d in (1, 0, 2, 3)] for n in range(N)],
    "answer": ["B"] * N,
}
RESPONSES = {
    0: "We add both.\n\nThis gives the sum, or (B).",  # not extracted
    1: "First we look at all of the numbers that are",  # cut off
    2: EVIL + "The answer is (B).",
    3: "x " * 500_000 + "The answer is (B).",
    4: "The answer is (B). " + "<b>" * 400_000,
}


def make_audit(**options):
    rows = [
        {
            "system": "<b>evil</b>\u202e",
            "id": f"q{n}",
            "response": RESPONSES.get(n, "The answer is (B)."),
            "extracted": None if n < 2 else "B",
        }
        for n in range(N)
    ]
    return assay.audit(ITEMS, responses=rows, only=["profile", "responses"], **options)


@pytest.fixture(scope="module")
def audit():
    return make_audit()


def unpack(page):
    data = page.partition('<template class="item-data">')[2].partition("</template>")[0]
    return json.loads(zlib.decompress(base64.b64decode(data)))


def test_excerpts_show_the_span_and_say_where_text_is_left_out():
    excerpt = cut_excerpt("a" * 1000 + "The answer is (B)" + "c" * 1000, 1000, 1017)
    assert excerpt.span == "The answer is (B)"
    assert excerpt.before == "…" + "a" * 320
    assert excerpt.after == "c" * 160 + "…"
    assert cut_excerpt("x" * 5000, 0, 5000).span == "x" * 240 + "…"
    assert cut_excerpt(" \n", 0, 1) is None


def test_the_page_has_every_response_with_the_span_that_was_read(audit):
    page = render_page(audit)
    assert len(page.encode()) < 1_000_000
    assert "<img src=x" not in page
    items = unpack(page)
    responses = items["responses"]
    assert sorted(items["id"][row] for row in responses["at"]) == sorted(ITEMS["id"])
    place = {items["id"][row]: n for n, row in enumerate(responses["at"])}
    assert responses["span"][place["q0"]] == "or (B)."
    assert responses["before"][place["q0"]] == "We add both.\n\nThis gives the sum, "
    assert "answer is (B" in responses["span"][place["q3"]]
    assert max(map(len, responses["before"])) <= 330
    text = responses["before"][place["q2"]]
    assert "\x00" not in text
    assert "\u202e" not in text
    assert (responses["graded"][place["q0"]], responses["right"][place["q0"]]) == ("0", "1")


def test_a_private_page_has_states_and_no_text(audit):
    for private in (make_audit(private=True), audit):
        page = render_page(private, private=True)
        responses = unpack(page)["responses"]
        assert {*responses["before"], *responses["span"], *responses["after"]} == {""}
        assert set(responses["state"]["names"]) >= {"complete", "truncated"}
    assert all(row.excerpt is None for row in make_audit(private=True).evidence.responses.responses)


def test_an_audit_without_responses_has_no_filter_of_states():
    data = {"id": ["1", "2"], "text": ["a", "b"], "label": ["x", "y"]}
    page = render_page(assay.audit(data, only=["profile"]))
    assert 'id="by-state"' not in page
    assert "responses" not in unpack(page)


def test_a_browser_filters_by_state_and_marks_what_was_read(audit, chromium, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(render_page(audit), encoding="utf-8")
    tab = chromium.new_page()
    messages = []
    tab.on("console", lambda message: messages.append(message.text))
    tab.on("pageerror", lambda error: messages.append(str(error)))
    tab.goto(path.as_uri())
    tab.wait_for_selector("html[data-items]", state="attached", timeout=60_000)
    tab.select_option("#by-state", "truncated")
    tab.wait_for_url(lambda url: url.endswith("#items?state=truncated"))
    assert tab.inner_text("#found") == "1 of 12 items"
    tab.select_option("#by-state", "recovered")
    tab.click(".row >> nth=0")
    drawer = tab.inner_text("#drawer")
    for text in ("Item q0", "recovered", "extracted nothing", "as graded: ✕ wrong", "as read: ✓ right"):
        assert text in " ".join(drawer.split())
    assert tab.inner_text("#drawer mark") == "or (B)."
    tab.keyboard.press("Escape")
    tab.goto(path.as_uri() + "#items?item=q2")
    tab.wait_for_selector("#drawer mark")
    assert "<img src=x" in tab.inner_text("#drawer")
    assert tab.locator("#drawer img").count() == 0
    assert "PWNED" not in tab.title()
    assert messages == []
    tab.close()


def test_the_subtitle_counts_the_systems_that_responded():
    audit = make_audit()
    assert describe_subject(audit) == f"{N} questions · responses of 1 system"
    answered = replace(audit, settings=replace(audit.settings, systems=("a", "b")))
    assert describe_subject(answered) == f"{N} questions"  # the page counts these itself
