from __future__ import annotations

from dataclasses import replace

from tests.example_audit import SPLITS, make_audit, make_sections

from assay.checks import load_charts
from assay.report import render_page
from assay.report.svg import inline_svg, render_svg
from assay.views.charts import CHARTS

load_charts()

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9">{}</svg>'
CIRCLE = "M2,0A2,2,0,1,1,-2,0A2,2,0,1,1,2,0"
MARK = f'<path role="graphics-symbol" aria-label="a &lt; b" transform="translate(1.2345,2)" d="{CIRCLE}" fill="#fff"/>'
BAR = '<path d="M0,0h9" fill="#fff"/>'


def test_the_tooltip_of_a_mark_moves_to_its_data_and_circles_shrink():
    drawn = inline_svg(SVG.format(MARK), "x")
    assert '<circle fill="#fff" data-tip="a &lt; b" cx="1.2" cy="2" r="2" />' in drawn


def test_ids_carry_the_name_of_the_chart_and_clip_paths_stay():
    clip = '<defs><clipPath id="clip0"><path d="M0,0h9"/></clipPath></defs>'
    drawn = inline_svg(SVG.format(f'<g clip-path="url(#clip0)">{BAR}</g>{clip}'), "words")
    assert 'clip-path="url(#words-clip0)"' in drawn
    assert '<clipPath id="words-clip0"><path d="M0,0h9" /></clipPath>' in drawn


def test_elements_and_attributes_that_are_not_allowed_are_removed():
    bad = BAR.replace("/>", ' onload="x()" style="a:b"/>')
    drawn = inline_svg(SVG.format(f'<script>x()</script><image href="x"/>{bad}'), "x")
    assert drawn.count("<") == 3  # the root, its path, the root's end
    assert "onload" not in drawn


def test_drawing_again_gives_the_same_bytes(audit):
    first, second = (render_svg(CHARTS["words"].plot(audit.evidence.profile).figure) for _ in range(2))
    assert first == second


def test_a_long_name_of_rare_characters_can_be_drawn():
    sizes = (replace(SPLITS.fold_labels[0], split="🙂𝔘" * 200), *SPLITS.fold_labels[1:])
    audit = make_audit(sections=make_sections(splits=replace(SPLITS, fold_labels=sizes)))
    assert "🙂" in render_svg(CHARTS["fold_sizes"].plot(audit.evidence.splits).figure)


def test_a_chart_that_cannot_be_drawn_leaves_its_numbers(audit, monkeypatch):
    def fail(chart):
        raise ValueError("no")

    monkeypatch.setattr("assay.report.svg.render_svg", fail)
    page = render_page(audit)
    assert page.count("could not be drawn") == page.count("<figure") > 0
