"""The page in a real browser: from the verdict to the text of an item, with mouse and keyboard, and no harm done."""

from __future__ import annotations

import json
import re
import struct
import zlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from tests.answered_kinds import KINDS
from tests.example_audit import DISCRIMINATION, make_audit, make_comparison, make_rank, make_sections
from tests.logs.example_logs import write_quiz

import assay
from assay.report import render_page, render_suite

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pages are not opened")
HOSTILE = "</script><img src=x onerror=\"document.title='PWNED'\"> \u202eevil\u202c \x00 🙂 {{ 7*7 }} שלום"
TEXTS = [f"sentence number {n} about thing {n * 7}" for n in range(120)]
DATA = {
    "id": [f"i{n}" for n in range(160)],
    "text": [*TEXTS, *TEXTS[:36], HOSTILE, HOSTILE + " again", "short one", "short two"],
    "label": ["yes", "no"] * 80,
    "split": ["train"] * 120 + ["test"] * 40,
}


READ_ROWS = """
[...document.querySelectorAll('.row')].map((row) => ['.row-id', '.row-text'].map((part) => row.querySelector(part).innerText))
"""
SCROLL_ON = (
    "((list) => { const top = list.scrollTop; list.scrollTop += 300; return list.scrollTop > top })(window.list)"
)


@pytest.fixture(scope="session")
def leaky():
    """An audit of leaked test items with three systems, one of them with a hostile name."""
    answers = [None] * 120 + DATA["label"][120:]
    turned = [None if label is None else {"yes": "no", "no": "yes"}[label] for label in answers]
    systems = {"good": answers, "bad": turned, HOSTILE: [*answers[:140], *turned[140:]]}
    return assay.audit(DATA, systems, only=["profile", "discrimination"])


@pytest.fixture(scope="session")
def address(leaky, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render_page(leaky), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def visit(chromium, address):
    """Open the page and wait for its items; nothing may be written to the console."""
    contexts, messages = [], []

    def go(hash_="", *, width=1200, url=address, wait=True, **options):
        context = chromium.new_context(viewport={"width": width, "height": 850}, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: messages.append(message.text))
        tab.on("pageerror", lambda error: messages.append(str(error)))
        tab.goto(url + hash_)
        if wait:
            tab.wait_for_selector("html[data-items]", state="attached", timeout=60_000)
        return tab

    yield go
    for context in contexts:
        context.close()
    assert messages == []


def await_filter(tab, expected, *, prefix=False):
    """Wait until the part of the address after # is as expected (the page may not evaluate text as code)."""

    def holds(url):
        found = unquote(url.partition("#")[2])
        return found.startswith(expected) if prefix else found == expected

    tab.wait_for_url(holds)


def await_text(tab, selector, text):
    playwright.expect(tab.locator(selector)).to_have_text(text)


def test_two_clicks_lead_from_the_first_screen_to_the_text_of_any_flagged_item(visit, leaky):
    tab = visit()
    tab.click("#topic-leakage .more a")
    await_filter(tab, "A101")
    tab.click("#A101 .all-items")
    await_filter(tab, "items?finding=A101")
    flagged = leaky.items.filter(leaky.items["leak"] == "exact")["id"].to_list()
    await_text(tab, "#found", f"{len(flagged)} of 160 items")
    seen = {}
    for _ in range(60):
        seen |= dict(tab.evaluate(READ_ROWS))
        if not tab.evaluate(SCROLL_ON):
            break
        tab.wait_for_timeout(60)
    texts = dict(zip(DATA["id"], DATA["text"], strict=True))
    assert {name: seen.get(name) for name in flagged} == {name: texts[name] for name in flagged}


def test_a_row_opens_a_drawer_with_text_gold_answers_and_the_item_it_repeats(visit):
    tab = visit("#items?finding=A101")
    tab.click(".row >> nth=0")
    await_text(tab, "#drawer-title", "Item i120")
    drawer = tab.inner_text("#drawer")
    for text in (
        "sentence number 0 about thing 0",
        "gold label",
        "also in training",
        "Repeats i0",
        "✓ right",
        "✕ wrong",
    ):
        assert text in drawer
    await_filter(tab, "items?finding=A101&item=i120")
    tab.click("#drawer >> text=Next")
    await_text(tab, "#drawer-title", "Item i121")
    tab.keyboard.press("Escape")
    playwright.expect(tab.locator("#drawer")).to_be_hidden()
    await_filter(tab, "items?finding=A101")


def test_an_address_opens_the_same_item_again(visit):
    tab = visit("#items?part=test&item=i130")
    await_text(tab, "#drawer-title", "Item i130")
    assert tab.input_value("#by-part") == "test"


def test_fields_filter_and_the_address_follows(visit):
    tab = visit()
    tab.fill("#search", '"number 7 ABOUT"')
    await_text(tab, "#found", "2 of 160 items")
    await_filter(tab, 'items?q="number 7 ABOUT"')
    tab.select_option("#by-part", "test")
    await_text(tab, "#found", "1 of 160 items")
    tab.click("#clear")
    await_text(tab, "#found", "160 items")
    tab.select_option("#by-wrong", "bad")
    await_text(tab, "#found", "40 of 160 items")
    tab.select_option("#by-label", "yes")
    await_text(tab, "#found", "20 of 160 items")
    await_filter(tab, "items?label=yes&wrong=bad")


def test_everything_can_be_reached_with_the_keyboard(visit):
    tab = visit()
    tab.focus("#topic-leakage .more a")
    tab.keyboard.press("Enter")
    tab.focus("#A101 .all-items")
    tab.keyboard.press("Enter")
    await_text(tab, "#found", "36 of 160 items")  # the list of the finding has replaced the list of all items
    tab.focus("#list")
    tab.keyboard.press("Tab")
    focused = tab.locator(".row:focus .row-id")
    for step in range(1, 13):  # farther than the rows that are drawn at first
        tab.keyboard.press("ArrowDown")
        playwright.expect(focused).to_have_text(f"i{120 + step}")
    tab.keyboard.press("Enter")
    await_text(tab, "#drawer-title", "Item i132")
    tab.keyboard.press("Escape")
    playwright.expect(focused).to_have_text("i132")


def test_the_focus_stays_in_the_list_when_it_is_drawn_again(visit):
    tab = visit("#items?finding=A101")
    await_text(tab, "#found", "36 of 160 items")
    tab.focus(".row >> nth=2")
    tab.set_viewport_size({"width": 900, "height": 700})
    playwright.expect(tab.locator(".row:focus")).to_have_count(1)


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(visit, width, scheme):
    tab = visit("#items?finding=A101", width=width, color_scheme=scheme)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.click(".row >> nth=0")
    assert tab.evaluate("document.getElementById('drawer').scrollWidth <= innerWidth")


def test_hostile_texts_do_no_harm(visit):
    tab = visit("#items?q=evil")
    await_text(tab, "#found", "2 of 160 items")
    tab.click(".row >> nth=0")
    assert "⟨U+202E⟩evil" in tab.inner_text("#drawer")
    assert tab.locator("img").count() == 0
    assert tab.locator("script").count() == 1
    assert "PWNED" not in tab.title()
    tab = visit("#items?wrong=" + quote("</script><b>"))
    await_text(tab, "#found", "160 items")


def test_a_hostile_audit_does_no_harm(visit, hostile_page, tmp_path):
    (tmp_path / "hostile.html").write_text(hostile_page, encoding="utf-8")
    tab = visit(url=(tmp_path / "hostile.html").as_uri())
    assert not tab.title().startswith("PWNED")
    assert tab.locator("script").count() == 1
    assert tab.locator("img").count() == 0


def test_scripts_that_slip_in_would_not_run(chromium, page, tmp_path):
    spoiled = page.replace("</main>", "<script>document.title = 'PWNED'</script></main>")
    (tmp_path / "spoiled.html").write_text(spoiled, encoding="utf-8")
    tab, messages = chromium.new_page(), []
    tab.on("console", lambda message: messages.append(message.text))
    tab.goto((tmp_path / "spoiled.html").as_uri())
    assert tab.title() == "toy · audit"
    assert any("Content Security Policy" in message for message in messages)  # the console is really watched
    tab.close()


def test_without_a_script_flagged_items_are_in_a_table_and_links_lead_to_them(visit):
    tab = visit(java_script_enabled=False, wait=False)
    tab.click("#A101 .all-items")
    assert tab.is_visible("#item-table")
    assert not tab.is_visible("#browser")
    assert "sentence number 0 about thing 0" in tab.inner_text("#item-table")


def test_a_cell_of_a_chart_leads_to_its_items(visit):
    tab = visit()
    tab.locator("#chart-outcome-map [data-items]").first.click()
    await_filter(tab, "items?wrong=", prefix=True)
    playwright.expect(tab.locator("#found")).to_contain_text("right for")


def test_paper_has_the_table_and_not_the_list(visit):
    tab = visit()
    assert not tab.is_visible("#item-table")
    tab.emulate_media(media="print")
    assert tab.is_visible("#item-table")
    assert not tab.is_visible("#browser")


def test_a_link_to_checks_that_could_not_be_made_opens_their_list(visit):
    tab = visit("#not-checked")
    assert tab.evaluate("document.getElementById('not-checked').open")


CHECK_NAMES = """
[...document.querySelectorAll('a, button, input, select, summary, [role=region], [role=img], dialog[open]')].filter((one) => {
  const label = one.getAttribute('aria-label') || one.innerText || (one.labels && one.labels[0] && one.labels[0].innerText)
    || (one.getAttribute('aria-labelledby') && document.getElementById(one.getAttribute('aria-labelledby')).innerText);
  return one.checkVisibility() && !(label || '').trim();
}).map((one) => one.outerHTML.slice(0, 120))
"""


def test_controls_have_names_headings_have_no_gaps_and_landmarks_exist(visit):
    tab = visit("#items?finding=A101")
    assert tab.evaluate(CHECK_NAMES) == []
    levels = tab.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map((one) => +one.tagName[1])")
    assert levels[0] == 1
    assert all(next_ - level <= 1 for level, next_ in pairwise(levels))
    for landmark in ("header", "nav", "main", "footer"):
        assert tab.locator(landmark).count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("hash_", ["", "#items?finding=A101&item=i120"])
def test_axe_finds_no_violation(visit, find_violations, scheme, hash_):
    tab = visit(hash_, color_scheme=scheme)
    tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    assert find_violations(tab) == []


def test_the_page_of_json_alone_still_lists_its_items(visit, leaky, tmp_path):
    from assay.audits import Audit
    from assay.base.codec import to_json

    (tmp_path / "audit.json").write_text(to_json({"result": leaky}))
    text = render_page(Audit.from_json(tmp_path / "audit.json"))
    (tmp_path / "again.html").write_text(text, encoding="utf-8")
    tab = visit("#items?finding=A101", url=(tmp_path / "again.html").as_uri())
    assert re.match(r"\d+ of 160 items", tab.inner_text("#found"))


@pytest.fixture(scope="module")
def suite_address(tmp_path_factory):
    """The page of two tasks with four systems; the last question of each repeats an earlier one of the same subject."""
    folder = tmp_path_factory.mktemp("suite")
    for task in ("one", "two"):
        write_quiz(folder / "logs", task, {f"model-{n}": float(n) for n in range(4)}, n_items=31)
        for path in (folder / "logs").rglob(f"samples_{task}_*.jsonl"):
            text = path.read_text().replace(f"Question 30 of {task}", f"Question 20 of {task}")
            for option in range(4):
                text = text.replace(f"answer {120 + option}", f"answer {80 + option}")
            path.write_text(text)
    page = render_suite(assay.audit_suite(folder / "logs", only=["profile", "discrimination"]))
    (folder / "suite.html").write_text(page, encoding="utf-8")
    return (folder / "suite.html").as_uri()


def test_two_clicks_lead_from_the_tasks_to_the_texts_of_a_finding(visit, suite_address):
    tab = visit(url=suite_address)
    link = tab.locator(".all-items").first
    anchor = link.locator("xpath=ancestor::section").get_attribute("id")
    tab.locator(f".matrix a[href='#{anchor}']").first.click()
    await_filter(tab, anchor)
    link.click()
    await_filter(tab, f"items?task={anchor}&finding=", prefix=True)
    playwright.expect(tab.locator("#by-task")).to_have_value(anchor)
    assert tab.locator(".row-text").first.inner_text()


def test_the_items_of_every_task_can_be_chosen(visit, suite_address):
    tab = visit(url=suite_address)
    tab.select_option("#by-task", "task-2")
    await_filter(tab, "items?task=task-2")
    playwright.expect(tab.locator("#found")).to_have_text(re.compile("31 items$"))
    tab.click(".row >> nth=0")
    await_filter(tab, "items?task=task-2&item=", prefix=True)
    playwright.expect(tab.locator("#drawer")).to_be_visible()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
def test_axe_finds_no_violation_on_the_page_of_several_tasks(visit, find_violations, suite_address, scheme, width):
    tab = visit(url=suite_address, color_scheme=scheme, width=width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    assert find_violations(tab) == []


def save_chart(tab, chart: str, format_: str) -> bytes:
    with tab.expect_download() as waiting:
        tab.click(f"#chart-{chart} .save >> text={format_}")
    return Path(waiting.value.path()).read_bytes()


def test_charts_are_saved_for_one_column_of_a_paper(visit):
    tab = visit(accept_downloads=True)
    svg = save_chart(tab, "label_counts", "SVG").decode()
    width, height = (float(re.search(rf' {name}="([\d.]+)in"', svg)[1]) for name in ("width", "height"))
    assert width == 3.35
    assert "data-items" not in svg
    png, chunks, at = save_chart(tab, "label_counts", "PNG"), {}, 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        name, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length)[0] == zlib.crc32(name + content)
        chunks.setdefault(name, content)
        at += 12 + length
    size = struct.unpack_from(">II", chunks[b"IHDR"])
    assert size == (2010, pytest.approx(600 * height, abs=1))
    assert struct.unpack(">IIB", chunks[b"pHYs"]) == (23622, 23622, 1)  # pixels per metre: 600 per inch
    pdf = save_chart(tab, "label_counts", "PDF")
    start = int(re.search(rb"startxref\n(\d+)", pdf)[1])
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n", pdf[start:])]
    assert [pdf[place : place + 7] for place in places] == [b"%d 0 obj" % number for number in range(1, 6)]
    assert b"/MediaBox[0 0 241.20 " in pdf
    length = int(re.search(rb"/FlateDecode/Length (\d+)", pdf)[1])
    packed = pdf[pdf.rindex(b"stream\n", 0, pdf.rindex(b"endstream")) + 7 :][:length]
    pixels = zlib.decompress(packed)
    assert len(pixels) == 3 * size[0] * size[1]
    assert pixels[:3] == b"\xff\xff\xff"  # a white ground
    assert len({pixels[at : at + 3] for at in range(0, len(pixels), 3)}) > 20
    assert save_chart(tab, "label_counts", "CSV").startswith(b"label,part,items")


def drag_over(tab, locators, *, shift=False):
    boxes = [locator.bounding_box() for locator in locators]
    if shift:
        tab.keyboard.down("Shift")
    tab.mouse.move(min(box["x"] for box in boxes) + 1, min(box["y"] for box in boxes) + 1)
    tab.mouse.down()
    ends = (max(box["x"] + box["width"] for box in boxes), max(box["y"] + box["height"] for box in boxes))
    tab.mouse.move(ends[0] - 1, ends[1] - 1, steps=4)
    tab.mouse.up()
    if shift:
        tab.keyboard.up("Shift")


def test_a_drag_over_a_chart_selects_the_items_of_its_marks_and_with_shift_zooms(visit):
    tab = visit()
    chart = tab.locator("#chart-label_counts")
    width = chart.locator("svg").bounding_box()["width"]
    tab.click("#chart-label_counts >> text=Enlarge")
    playwright.expect(chart).to_have_class("large")
    assert chart.locator("svg").bounding_box()["width"] > 1.6 * width
    bars = chart.locator("[data-items]")
    bars.first.scroll_into_view_if_needed()
    whole, size = chart.locator("svg").get_attribute("viewBox"), chart.locator("svg").bounding_box()
    drag_over(tab, [bars.first], shift=True)
    playwright.expect(chart.locator("svg")).not_to_have_attribute("viewBox", whole)
    assert chart.locator("svg").bounding_box()["height"] == pytest.approx(size["height"], abs=1)
    chart.get_by_role("button", name="Show the whole chart").click()
    playwright.expect(chart.locator("svg")).to_have_attribute("viewBox", whole)
    links = [link for link in (bars.nth(n).get_attribute("data-items") for n in range(4)) if "part=test" in link]
    assert len(links) == 2
    drag_over(tab, [chart.locator(f'[data-items="{link}"]') for link in links[:1]])
    await_filter(tab, unquote(f"items?{links[0]}"))
    await_text(tab, "#found", "20 of 160 items")
    bars.first.scroll_into_view_if_needed()
    drag_over(tab, [bars.nth(n) for n in range(4)])
    await_filter(tab, "items?any=", prefix=True)
    await_text(tab, "#found", "160 items selected in a chart")
    tab.click("#clear")
    await_text(tab, "#found", "160 items")


PAIRS = [f"{text} again" for text in TEXTS]
OTHER_KINDS = {
    "pairs": {"text_a": TEXTS[:40], "text_b": PAIRS[:40], "label": ["yes", "no"] * 20},
    "graded": {"text": TEXTS[:40], "score": [str(n % 7) for n in range(40)]},
    **{kind: columns for kind, (columns, _, _) in KINDS.items() if kind != "classification"},
    "retrieval": None,
}


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_axe_finds_no_violation_in_a_report_of_any_kind(visit, find_violations, tmp_path, kind):
    data = OTHER_KINDS[kind]
    if data is None:
        data = write_collection(tmp_path)
    audit = assay.audit(data, only=["profile", "task"], task="graded" if kind == "graded" else None)
    scheme = ("light", "dark")[list(OTHER_KINDS).index(kind) % 2]
    check_schemes(visit, find_violations, tmp_path, audit, scheme)


def test_axe_finds_no_violation_with_every_section(visit, find_violations, tmp_path):
    """The example has scores, votes, judges, responses and all other sections."""
    check_schemes(visit, find_violations, tmp_path, make_audit(), "light", "dark")


def write_collection(folder: Path) -> Path:
    (folder / "qrels").mkdir()
    write = {
        "corpus.jsonl": [{"_id": f"d{n}", "title": "", "text": text} for n, text in enumerate(TEXTS)],
        "queries.jsonl": [{"_id": f"q{n}", "text": f"where is thing {n * 7}"} for n in range(20)],
    }
    for name, rows in write.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = [f"q{n}\td{n}\t1" for n in range(20)]
    (folder / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *lines]) + "\n")
    return folder


def check_schemes(visit, find_violations, folder: Path, audit, *schemes: str) -> None:
    (folder / "report.html").write_text(render_page(audit), encoding="utf-8")
    tab = visit(url=(folder / "report.html").as_uri(), wait=False)
    tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    for scheme in schemes:
        tab.emulate_media(color_scheme=scheme)
        assert find_violations(tab) == [], scheme


MANY = tuple(f"organisation/model-{n:02}-instruct" for n in range(22))
TEXT_SIZES = """
[...document.querySelectorAll('.chart svg')].flatMap((chart) => [...chart.querySelectorAll('text')].map((text) => [
  chart.closest('figure').id, text.textContent,
  parseFloat(text.getAttribute('font-size')) * chart.getBoundingClientRect().width / chart.viewBox.baseVal.width,
]))
"""


@pytest.fixture(scope="module")
def crowded_address(tmp_path_factory):
    """The page of 22 systems with long names."""
    comparisons = [
        make_comparison(first, second, 0.02, -0.01, 0.05, 0.2)
        for n, first in enumerate(MANY)
        for second in MANY[n + 1 :]
    ]
    evidence = replace(
        DISCRIMINATION,
        systems=tuple(make_rank(name, 1, 22, n, 90.0 - n) for n, name in enumerate(MANY)),
        comparisons=tuple(comparisons),
    )
    path = tmp_path_factory.mktemp("crowded") / "report.html"
    path.write_text(render_page(make_audit(sections=make_sections(discrimination=evidence))), encoding="utf-8")
    return path.as_uri()


def test_texts_of_charts_can_be_read_on_a_phone(visit, crowded_address):
    tab = visit(url=crowded_address, width=390)
    sizes = tab.evaluate(TEXT_SIZES)
    assert {name for name, _, _ in sizes} >= {"chart-differences", "chart-ranks", "chart-lambdas"}
    assert [row for row in sizes if row[2] < 10] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    wide = tab.locator("#chart-differences .chart")
    assert wide.evaluate("node => node.scrollWidth > node.clientWidth")
    wide.focus()
    tab.keyboard.press("ArrowRight")
    playwright.expect(wide).not_to_have_js_property("scrollLeft", 0)


def test_a_chart_is_enlarged_on_a_phone(visit, crowded_address):
    tab = visit(url=crowded_address, width=390)
    chart = tab.locator("#chart-lambdas")
    width = chart.locator("svg").bounding_box()["width"]
    chart.get_by_role("button", name="Enlarge").click()
    assert chart.locator("svg").bounding_box()["width"] > 1.6 * width
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


def test_nothing_is_cut_on_paper(visit, crowded_address):
    tab = visit(url=crowded_address, width=703)  # A4 without the margins
    tab.emulate_media(media="print")
    cut = "[...document.querySelectorAll('.scroll, .chart')].filter((each) => each.scrollWidth > each.clientWidth + 1)"
    shown = ".filter((each) => each.checkVisibility()).map((each) => each.getAttribute('aria-label'))"
    assert tab.evaluate(cut + shown) == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= 703


def test_tables_that_go_on_have_a_shade_at_their_edge(visit, crowded_address):
    tab = visit(url=crowded_address, width=390)
    assert "gradient" in tab.locator(".block > .scroll").first.evaluate(
        "node => getComputedStyle(node).backgroundImage"
    )


def test_the_questions_of_every_task_are_whole_on_paper(visit, suite_address):
    tab = visit(url=suite_address, width=703)
    tab.emulate_media(media="print")
    matrix = tab.locator(".matrix")
    assert matrix.evaluate("node => node.scrollWidth - node.clientWidth") <= 1
    assert tab.evaluate("document.documentElement.scrollWidth") <= 703
    assert "needs JavaScript" not in tab.locator("main").inner_text()
