"""Verdicts that are written into a plan one by one."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import assay
from assay.base.errors import AssayError
from assay.reviews import record_verdict
from assay.reviews.recording import ItemVerdict, put_verdict
from assay.web.reviews import LabelReview, tabulate_review

N = 200
DATA = pl.DataFrame(
    {"id": [f"q{n}" for n in range(N)], "text": [f"text {n}" for n in range(N)], "label": ["x", "y"] * (N // 2)}
)
SUSPICION = pl.DataFrame({"id": DATA["id"], "suspicion": [0.9 - n / (2 * N) for n in range(N)]})


@pytest.fixture(scope="module")
def plan() -> pl.DataFrame:
    return assay.plan_review(DATA, SUSPICION, budget=30).items


def test_verdicts_one_by_one_are_the_same_as_a_filled_in_file(plan):
    verdicts = ["wrong label" if row % 5 == 0 else "ok" for row in range(30)]
    table = plan
    for name, verdict in zip(plan["id"], verdicts, strict=True):
        table = record_verdict(table, name, verdict)
    whole = plan.with_columns(verdict=pl.Series(verdicts))
    assert_frame_equal(table, whole)
    assert assay.estimate_review(DATA, table, suspects=False) == assay.estimate_review(DATA, whole, suspects=False)


@pytest.mark.parametrize("reviewer", [None, "Ann"])
def test_a_verdict_is_replaced_and_taken_back(plan, reviewer):
    first, second = plan["id"][:2].to_list()
    before = record_verdict(plan, first, "ok", reviewer=reviewer)
    table = record_verdict(before, second, "wrong label", right_label="y", reviewer=reviewer)
    table = record_verdict(table, second, "ok", reviewer=reviewer)
    assert table.filter(id=second).select("verdict", "right_label").row(0) == ("ok", None)
    assert_frame_equal(record_verdict(table, second, None, reviewer=reviewer), before)


def test_reviewers_have_a_verdict_each(plan):
    table = plan
    names = plan["id"][:6].to_list()
    for name in names:
        table = record_verdict(table, name, "ok", reviewer="Ann")
    for name in names[:4]:
        table = record_verdict(table, name, "bad" if name == names[0] else "ok", reviewer="Ben")
    result = assay.estimate_review(DATA, table, suspects=False)
    assert (result.n_reviewed, result.n_left) == (6, 24)
    assert [(each.reviewers, each.n) for each in result.agreement] == [(("Ann", "Ben"), 4)]
    assert result.agreement[0].agreement.value == 0.75
    without_ann = record_verdict(table, names[0], None, reviewer="Ann")
    assert without_ann["id"].to_list()[:3] == [names[0], names[1], names[1]]  # items keep their order
    alone = record_verdict(table, names[0], None, reviewer="Ben")
    assert len(alone.filter(id=names[0])) == 1
    assert record_verdict(alone, names[0], None, reviewer="Cem").equals(alone)


@pytest.mark.parametrize(
    ("id_", "options", "message"),
    [
        ("q0?", {"verdict": "ok"}, "is not in the plan"),
        (None, {"verdict": "unsure"}, "neither ok nor bad"),
        (None, {"verdict": None, "right_label": "y"}, "a right label and no verdict"),
    ],
)
def test_what_cannot_be_recorded_is_an_error(plan, id_, options, message):
    with pytest.raises(AssayError, match=message):
        record_verdict(plan, id_ or plan["id"][0], **options)


def test_reviewers_of_one_item_have_to_be_named(plan):
    name = plan["id"][0]
    table = record_verdict(record_verdict(plan, name, "ok", reviewer="Ann"), name, "bad", reviewer="Ben")
    with pytest.raises(AssayError, match="several reviewers"):
        record_verdict(table, name, "ok")
    with pytest.raises(AssayError, match="no column 'draw_probability'"):
        record_verdict(table.drop("draw_probability"), name, "ok")


def test_a_comment_is_its_reviewers_own(plan):
    name = plan["id"][0]
    table = record_verdict(plan.with_columns(comment=pl.lit(None, pl.String)), name, "ok", reviewer="Ann")
    table = table.with_columns(comment=pl.when(pl.col("id") == name).then(pl.lit("see the rules")))
    table = record_verdict(table, name, "wrong label", reviewer="Ben")
    assert table.filter(id=name)["comment"].to_list() == ["see the rules", None]


def test_the_web_page_writes_the_same_table(plan):
    words = [
        (0, "Ann", "ok", ""),
        (1, "Ann", "bad", "y"),
        (1, "Ben", "ok", ""),
        (0, "Ann", "bad", ""),
        (2, "Ben", None, ""),
    ]
    columns = ["id", "draw_probability", "label", "suggested", "reasons"]
    table, verdicts = plan.select(*columns, "verdict"), {}
    items = [{**row, "texts": {}, "batch": 1, "options": ["x", "y"]} for row in plan.select(columns).to_dicts()]
    for row, reviewer, word, label in words:
        id_ = plan["id"][row]
        table = record_verdict(table, id_, word, right_label=label or None, reviewer=reviewer)
        verdicts = put_verdict(verdicts, id_, reviewer, None if word is None else ItemVerdict(word, label))
    page = tabulate_review(LabelReview(items, verdicts=verdicts))
    assert_frame_equal(page.select(table.columns), table)
    assert verdicts[plan["id"][0]]["Ann"].number == 4
