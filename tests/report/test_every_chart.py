"""The laws of all charts."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from assay.report.charts import CHARTS
from assay.report.sections import CHAPTERS
from assay.report.svg import inline, rendered
from assay.report.theme import DARK

every = pytest.mark.parametrize("drawing", CHARTS.values(), ids=list(CHARTS))


@every
def test_it_is_drawn_from_the_points_of_an_audit(drawing, audit):
    drawn = ElementTree.fromstring(inline(rendered(drawing.chart(audit)), drawing.name))
    assert [
        one for one in drawn.iter() if one.tag in ("path", "circle", "line", "rect") and one.get("stroke-width") != "0"
    ]
    assert drawn.get("viewBox")


@every
def test_without_its_data_there_is_no_chart(drawing, audit):
    audit["sections"][drawing.section]["result"]["charts"] = {}
    assert drawing.chart(audit) is None
    assert drawing.chart({"sections": {}}) is None
    assert drawing.chart({"sections": {drawing.section: {"status": "failed", "result": {}}}}) is None


@every
def test_hostile_names_are_text_and_nothing_else(drawing, hostile):
    drawn = ElementTree.fromstring(inline(rendered(drawing.chart(hostile)), drawing.name))
    assert {one.tag for one in drawn.iter()} <= {
        "svg",
        "g",
        "path",
        "line",
        "text",
        "rect",
        "circle",
        "defs",
        "clipPath",
        "tspan",
    }
    names = {name for one in drawn.iter() for name in one.attrib}
    assert not [name for name in names if name.startswith("on") or name in ("style", "href")]


@every
def test_it_says_how_its_numbers_were_had_and_belongs_to_a_section(drawing, audit):
    assert drawing.section in CHAPTERS
    assert drawing.how.endswith(".")
    assert set(drawing.rows(audit)[0]) & set(drawing.columns)


@every
def test_every_colour_has_a_dark_partner(drawing, audit):
    drawn = rendered(drawing.chart(audit))
    used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{3,6})"', drawn))
    assert used <= set(DARK)


def test_ids_of_charts_do_not_clash(audit):
    found = [re.findall(r' id="([^"]+)"', inline(rendered(one.chart(audit)), one.name)) for one in CHARTS.values()]
    flat = [name for names in found for name in names]
    assert len(flat) == len(set(flat))


def test_bins_of_different_width_are_drawn_by_density(audit):
    bins = [{"label": "a", "low": 0, "high": 1, "count": 5}, {"label": "a", "low": 1, "high": 3, "count": 10}]
    audit["sections"]["profile"]["result"]["charts"]["length_histogram"] = bins
    drawn = CHARTS["length_histogram"].chart(audit).to_dict()
    values = drawn["datasets"][drawn["layer"][0]["data"]["name"]]
    assert values[0]["tall"] == pytest.approx(values[1]["tall"])
