"""The laws of all charts."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.example_audit import DIFFICULTY, DISCRIMINATION, PROFILE, SPLITS, SPREAD, change, make_rank

from assay.base.marks import make_text_visible
from assay.checks import CHECKS, load_charts
from assay.checks.discrimination.charts import MAX_DATASETS, draw_lambdas, draw_ranks
from assay.discrimination.lambdas.verdicts import DISCRIMINATES, DOES_NOT_DISCRIMINATE
from assay.features.profiling.part_labels import PartLabelCount
from assay.features.profiling.profiles import LabelCount
from assay.models.split_studies.held_out import FoldLabel
from assay.report.svg import inline_svg, render_svg
from assay.statistics import Interval
from assay.views.charts import CHARTS
from assay.views.theme import CATEGORIES, DARK, PAPER
from assay.views.values import Bin

load_charts()
every = pytest.mark.parametrize("chart", CHARTS.values(), ids=list(CHARTS))
ALLOWED = {"svg", "g", "path", "line", "text", "rect", "circle", "defs", "clipPath", "tspan"}


def plot_audit(chart, audit):
    return chart.plot(make_text_visible(audit.evidence.results.get(chart.section)))


def draw(chart, audit) -> str:
    return render_svg(chart.plot(make_text_visible(audit.evidence.results[chart.section])).figure)


@every
def test_it_is_drawn_from_the_evidence_of_an_audit(chart, audit):
    root = ElementTree.fromstring(inline_svg(draw(chart, audit), chart.name))
    marks = [mark for mark in root.iter() if mark.tag in ("path", "circle", "line", "rect")]
    assert [mark for mark in marks if mark.get("stroke-width") != "0"]
    assert root.get("viewBox")


@every
def test_without_its_evidence_there_is_no_chart(chart):
    assert chart.plot(None) is None


@every
def test_hostile_names_are_text_and_nothing_else(chart, hostile):
    root = ElementTree.fromstring(inline_svg(draw(chart, hostile), chart.name))
    assert {mark.tag for mark in root.iter()} <= ALLOWED
    names = {name for mark in root.iter() for name in mark.attrib}
    assert not [name for name in names if name.startswith("on") or name in ("style", "href")]


@every
def test_it_says_how_its_numbers_were_measured_and_belongs_to_a_section(chart, audit):
    assert chart.section in CHECKS
    assert chart.method.endswith(".")
    points = chart.plot(audit.evidence.results[chart.section]).points
    assert all(hasattr(points[0], name) for name in chart.columns)


@every
def test_every_colour_has_a_dark_counterpart(chart, audit):
    used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{3,6})"', draw(chart, audit)))
    assert used <= set(DARK)


def test_ids_of_charts_do_not_clash(audit):
    ids = [re.findall(r' id="([^"]+)"', inline_svg(draw(chart, audit), chart.name)) for chart in CHARTS.values()]
    flat = [name for names in ids for name in names]
    assert len(flat) == len(set(flat))


def test_bins_of_different_width_are_drawn_by_density():
    profile = replace(PROFILE, length_histogram=(Bin("a", 0, 1, 5), Bin("a", 1, 3, 10)))
    points = plot("length_histogram", profile=profile).points
    assert points[0].height == pytest.approx(points[1].height)


def test_systems_whose_long_names_share_beginning_and_end_get_a_row_each():
    names = [f"organisation/model-with-a-long-name-{n:03}-instruct-v0.3" for n in range(30)]
    systems = tuple(make_rank(name, n + 1, n + 1, n, 90.0 - n) for n, name in enumerate(names))
    evidence = replace(DISCRIMINATION, systems=systems)
    points = CHARTS["ranks"].plot(evidence).points
    assert [point.system for point in points] == names
    assert len({point.name for point in points}) == 30
    svg = render_svg(plot("ranks", discrimination=evidence).figure)
    assert all(f"{n:03}" in point.name and f">{point.name}<" in svg for n, point in enumerate(points))


def test_labels_beyond_twelve_are_summed_and_shares_stay_true():
    labels = {f"label {n}": LabelCount(10, 1 / 20) for n in range(20)}
    counts = tuple(PartLabelCount(label, "train", 10) for label in labels)
    points = plot("label_counts", profile=change(PROFILE, labels=labels, label_counts=counts)).points
    assert len(points) == 12
    assert points[0].share == pytest.approx(1 / 20)
    assert points[-1].label == "(other labels)"
    assert sum(point.count for point in points) == 200


LONG = "organisation-with-a-long-name/model-with-a-longer-name-{:03}-v2"  # 60 characters


def plot(name, **evidence):
    return CHARTS[name].plot(evidence[CHARTS[name].section])


def count_rows(figure, names):
    svg = render_svg(figure)
    return sum(f">{name}<" in svg for name in names)


def test_a_hundred_ranked_systems_are_a_hundred_rows():
    systems = tuple(make_rank(LONG.format(n), n + 1, n + 1, n) for n in range(100))
    result = plot("ranks", discrimination=replace(DISCRIMINATION, systems=systems))
    assert [point.system for point in result.points] == [row.system for row in systems]
    assert count_rows(result.figure, {point.name for point in result.points}) == 100


def test_a_hundred_systems_on_cases_are_a_hundred_rows():
    rows = tuple(replace(DIFFICULTY.systems[0], system=LONG.format(n), case="non-obvious") for n in range(100))
    result = plot("systems", difficulty=replace(DIFFICULTY, systems=rows))
    assert count_rows(result.figure, {point.name for point in result.points}) == 100


@pytest.mark.parametrize("n_datasets", [MAX_DATASETS, MAX_DATASETS + 20])
def test_many_datasets_are_rows_of_each_measure(n_datasets):
    rows = tuple(replace(DISCRIMINATION.datasets[0], dataset=LONG.format(n)) for n in range(n_datasets))
    result = plot("lambdas", discrimination=replace(DISCRIMINATION, datasets=rows))
    assert len({point.name for point in result.points}) == MAX_DATASETS
    assert count_rows(result.figure, {point.name for point in result.points}) == MAX_DATASETS


def test_folds_of_sixty_labels_keep_their_totals():
    sizes = tuple(FoldLabel("random", fold, LONG.format(n), n + 1) for fold in (1, 2) for n in range(60))
    points = plot("fold_sizes", splits=replace(SPLITS, fold_labels=sizes)).points
    assert len({point.label for point in points}) == len({point.name for point in points}) == 12
    assert sum(point.count for point in points if point.fold == 1) == sum(range(1, 61))


@pytest.mark.parametrize("name", ["length_histogram", "divergence_histogram"])
def test_outlines_of_sixty_labels_keep_their_totals(name):
    bins = tuple(Bin(LONG.format(n), low, low + 1, n + 1) for n in range(60) for low in (0, 1))
    evidence = {"profile": replace(PROFILE, length_histogram=bins)}
    if name == "divergence_histogram":
        spread = {LONG.format(n): replace(SPREAD, histogram=(n + 1,) * 2, edges=(0.0, 1.0, 2.0)) for n in range(60)}
        items = replace(DIFFICULTY.items, distribution_by_label=spread)
        evidence = {"difficulty": replace(DIFFICULTY, items=items)}
    points = plot(name, **evidence).points
    assert len({point.label for point in points}) == len({point.name for point in points}) == 8
    assert sum(point.count for point in points) == 2 * sum(range(1, 61))


def test_the_hit_rate_of_equal_systems_is_a_line():
    row = replace(DISCRIMINATION.datasets[0], lambda_hit_null=0.73)
    result = plot("lambdas", discrimination=replace(DISCRIMINATION, datasets=(row,)))
    assert "equal systems: 0.73" in render_svg(result.figure)


def test_a_chart_of_many_datasets_has_those_that_findings_are_about():
    row = DISCRIMINATION.datasets[0]
    fine = [replace(row, dataset=f"d{n}", verdict=DISCRIMINATES, headroom=40.0) for n in range(MAX_DATASETS + 50)]
    flagged = replace(row, dataset="flagged", verdict=DOES_NOT_DISCRIMINATE, lambda_var=Interval(0.1, 0.05, 0.2))
    plot = draw_lambdas(replace(DISCRIMINATION, datasets=(*fine, flagged)))
    assert "flagged" in {point.dataset for point in plot.points}


def test_a_dataset_with_two_metrics_has_a_row_for_each():
    row = DISCRIMINATION.datasets[0]
    plot = draw_lambdas(replace(DISCRIMINATION, datasets=(row, replace(row, metric="f1"))))
    assert {point.dataset for point in plot.points} == {f"{row.dataset} ({row.metric})", f"{row.dataset} (f1)"}


def test_ranks_are_in_the_order_of_scores_on_an_axis_that_ends_with_them():
    ranks = (("first", 1, 22), ("second", 1, 2), ("third", 1, 20))
    systems = tuple(
        replace(make_rank(name, low, high), rank=place, score=90.0 - place)
        for place, (name, low, high) in enumerate(ranks, start=1)
    )
    plot = draw_ranks(replace(DISCRIMINATION, systems=systems))
    assert [bar.system for bar in plot.points] == ["first", "second", "third"]
    assert list_ticks(plot)[-1] == 22


def list_ticks(plot):
    return plot.figure.to_dict()["layer"][0]["encoding"]["x"]["axis"]["values"]


@pytest.mark.parametrize("n", [1, 2, 3, 8, 20, 22, 25, 57, 200])
def test_an_axis_of_ranks_goes_from_one_to_the_number_of_systems(n):
    systems = tuple(make_rank(f"s{place:03}", max(1, place - 3), min(n, place + 3), place) for place in range(1, n + 1))
    ticks = list_ticks(draw_ranks(replace(DISCRIMINATION, systems=systems)))
    assert ticks[0] == 1
    assert ticks[-1] == n
    assert len(ticks) <= 14


HEAT_MAPS = {
    "differences": ("points", lambda cell: abs(cell.difference), float),
    "failures": ("correlation", lambda cell: abs(cell.correlation), float),
    "outcome-map": ("mean outcome", lambda cell: cell.share, lambda label: float(label.removesuffix("%")) / 100),
}

SAME_SCALE = {"field": "strength", "scale": None, "type": "quantitative"}


def is_heat_map(part):
    mark = part.get("mark", {})
    return (mark.get("type") if isinstance(mark, dict) else mark) == "rect" and "fillOpacity" in part["encoding"]


def list_parts(figure):
    yield figure
    for name in ("layer", "vconcat", "hconcat"):
        for part in figure.get(name, []):
            yield from list_parts(part)


def test_the_heat_maps_are_known(audit):
    drawn = {
        name
        for name, chart in CHARTS.items()
        if any(map(is_heat_map, list_parts(plot_audit(chart, audit).figure.to_dict())))
    }
    assert drawn == set(HEAT_MAPS)


@pytest.mark.parametrize("name", HEAT_MAPS)
def test_a_heat_map_has_a_scale_with_its_unit_that_its_cells_follow(name, audit):
    unit, read_value, read_label = HEAT_MAPS[name]
    result = plot_audit(CHARTS[name], audit)
    cells, strip = [part for part in list_parts(result.figure.to_dict()) if is_heat_map(part)]
    assert strip["encoding"]["x"]["title"] == unit
    steps = next(iter(result.figure.vconcat[1].to_dict()["datasets"].values()))
    labels, strengths = [read_label(row["label"]) for row in steps], [row["strength"] for row in steps]
    assert labels == sorted(set(labels))
    assert len(labels) >= 3
    assert cells["encoding"]["fillOpacity"] == strip["encoding"]["fillOpacity"] == SAME_SCALE
    lowest = strengths[0]  # the least visible colour
    for cell in result.points:
        expected = max(lowest, float(np.interp(read_value(cell), labels, strengths)))
        assert cell.strength == pytest.approx(expected, abs=0.04)


@pytest.mark.parametrize("n", [7, 14, 22, 30])
def test_an_axis_of_ranks_is_drawn_with_the_last_rank(n):
    systems = tuple(make_rank(f"s{place:03}", 1, n, place) for place in range(1, n + 1))
    svg = render_svg(plot("ranks", discrimination=replace(DISCRIMINATION, systems=systems)).figure)
    assert re.findall(r">(\d+)</text>", svg)[0] == "1"
    assert str(n) in re.findall(r">(\d+)</text>", svg)


def test_labels_of_data_without_parts_are_shares_of_the_items():
    counts = tuple(LabelCount(10, 1 / 2) for _ in range(2))
    whole = change(
        PROFILE,
        labels=dict(zip("ab", counts, strict=True)),
        label_counts=tuple(PartLabelCount(label, "", 10) for label in "ab"),
    )
    assert "share of the items" in render_svg(plot("label_counts", profile=whole).figure)
    assert "share of the part" in render_svg(plot("label_counts", profile=PROFILE).figure)


def test_marks_of_chance_are_opaque_and_have_a_rim(audit):
    root = ElementTree.fromstring(inline_svg(draw(CHARTS["task-positions"], audit), "p"))
    marks = [mark for mark in root.iter("path") if mark.get("fill") in (CATEGORIES[1], PAPER)]
    assert len(marks) == 2 * len(CHARTS["task-positions"].plot(audit.evidence.task).points)
    assert {mark.get("opacity") for mark in marks} <= {None, "1"}
