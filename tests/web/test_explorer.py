"""Written filters, groups, columns and marked words of the table of items."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import polars as pl
import pytest

from assay.base.errors import UsageError
from assay.web.items.expressions import parse_expression

FRAME = pl.DataFrame(
    {"id": ["1", "2", "3"], "text": ["A Cat", "a dog", None], "label": ["x y", "b", "b"], "suspicion": [0.9, 0.2, None]}
)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ('label = "x y"', "1"),
        ("label != b", "1"),
        ("text ~ CAT or id = 3", "13"),
        ("suspicion >= 0.2 and not (label = b)", "1"),
        ("suspicion<0.5", "2"),
        ("not text ~ a", "3"),
        ("label = b and id = 2 or id = 1", "12"),
    ],
)
def test_filters_select_what_they_say(text, ids):
    assert "".join(FRAME.filter(parse_expression(text, FRAME.columns))["id"]) == ids


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("labl = b", "no column 'labl'"),
        ("label", "lacks a comparison"),
        ("label = b c", "after its end"),
        ("(label = b", "lacks a '\\)'"),
        ("suspicion > much", "is not a number"),
        ('label = "b', "cannot be read at"),
        ("(" * 200 + "label = b", "nested too deeply"),
        ("x" * 600, "at most 500"),
    ],
)
def test_wrong_filters_say_what_is_wrong(text, message):
    with pytest.raises(UsageError, match=message):
        parse_expression(text, FRAME.columns)


def test_the_address_has_filter_groups_and_columns(client, audit):
    def get(**values):
        return client.get(f"{audit}/items?{urlencode({**values, 'fragment': 1})}")

    page = get(where='label = sport and text ~ "w"', group="part", columns="text,label")
    assert "part=test" in page
    assert [title for title in ("proposal", "gold label") if f">{title}</a>" in page] == ["gold label"]
    assert "There is no column &#39;labl&#39;" in get(where="labl = food")
    assert "<mark>w13</mark>" in get(q="W13")
    assert "No item matches the search <b><bdi>absent</bdi></b>" in get(q="absent")
    assert "There is no finding <bdi>A999</bdi>" in get(finding="A999")
    scores = get(group="system")
    assert re.search(r"great model</bdi></th><td>20</td><td>\d+\.\d%", scores)
