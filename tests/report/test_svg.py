from __future__ import annotations

from assay.report import render
from assay.report.charts import CHARTS
from assay.report.svg import inline, rendered

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9">{}</svg>'
CIRCLE = "M2,0A2,2,0,1,1,-2,0A2,2,0,1,1,2,0"
MARK = f'<path role="graphics-symbol" aria-label="a &lt; b" transform="translate(1.2345,2)" d="{CIRCLE}" fill="#fff"/>'
BAR = '<path d="M0,0h9" fill="#fff"/>'


def test_what_a_mark_says_moves_to_its_tip_and_circles_shrink():
    drawn = inline(SVG.format(MARK), "x")
    assert '<circle fill="#fff" data-tip="a &lt; b" cx="1.2" cy="2" r="2" />' in drawn


def test_ids_carry_the_name_of_the_chart_and_what_they_clip_stays():
    clip = '<defs><clipPath id="clip0"><path d="M0,0h9"/></clipPath></defs>'
    drawn = inline(SVG.format(f'<g clip-path="url(#clip0)">{BAR}</g>{clip}'), "words")
    assert 'clip-path="url(#words-clip0)"' in drawn
    assert '<clipPath id="words-clip0"><path d="M0,0h9" /></clipPath>' in drawn


def test_elements_and_attributes_that_are_not_ours_go():
    bad = BAR.replace("/>", ' onload="x()" style="a:b"/>')
    drawn = inline(SVG.format(f'<script>x()</script><image href="x"/>{bad}'), "x")
    assert drawn.count("<") == 3  # the root, its path, the root's end
    assert "onload" not in drawn


def test_drawing_again_gives_the_same_bytes(audit):
    drawn = [rendered(CHARTS["words"].chart(audit)) for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_a_long_name_of_rare_characters_can_be_drawn(audit):
    audit["sections"]["splits"]["result"]["charts"]["fold_sizes"][0]["split"] = "🙂𝔘" * 200
    assert "🙂" in rendered(CHARTS["fold_sizes"].chart(audit))


def test_a_chart_that_cannot_be_drawn_leaves_its_numbers(audit, monkeypatch):
    def broken(chart):
        raise ValueError("no")

    monkeypatch.setattr("assay.report.svg.rendered", broken)
    page = render(audit)
    assert page.count("could not be drawn") == page.count("<figure") > 0
