"""Written filters, groups, columns and marked words of the table of items."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import polars as pl
import pytest

from assay.base.errors import UsageError
from assay.web.items.expressions import parse_expression
from assay.web.pages.items import link_group

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
    assert [title for title in ("proposal", "gold label") if f">{title}</bdi></a>" in page] == ["gold label"]
    assert "There is no column &#39;labl&#39;" in get(where="labl = food")
    assert "<mark>w13</mark>" in get(q="W13")
    assert "No item matches the search <b><bdi>absent</bdi></b>" in get(q="absent")
    assert "There is no finding <bdi>A999</bdi>" in get(finding="A999")
    scores = get(group="system")
    assert re.search(r"great model</bdi></th><td>20</td><td>\d+\.\d%", scores)


SUBJECTS = ("law", "art & 'craft'", "maths")
ANSWERS = {"good": lambda n: n % 4 != 0, "fair": lambda n: n % 4 > 1}


@pytest.fixture(scope="module")
def explored(client):
    """Return the address of an audit of items with a subject, and the answers of two systems."""
    address = client.create()
    rows = [f"i{n}\tword {n % 7} of text {n}\t{'xy'[n % 2]}\t{SUBJECTS[n % 3]}" for n in range(60)]
    client.upload(address, "data", "exam.tsv", "\n".join(["id\ttext\tlabel\tsubject", *rows]) + "\n")
    for system, is_right in ANSWERS.items():
        given = [f"i{n}\t{'xy'[n % 2] if is_right(n) else 'yx'[n % 2]}" for n in range(60)]
        client.upload(address, "predictions", f"{system}.tsv", "\n".join(["id\tpredicted", *given]) + "\n")
    client.get(address)
    client.post(f"{address}/start", depth="quick", sections=["profile"], seed="0")
    assert client.wait(address)["status"] == "done"
    return address


def read_table(page: str, label: str) -> list[list[str]]:
    """Return the cells of the table with this label."""
    (table,) = re.findall(rf'aria-label="{label}">\s*<table.*?</table>', page, re.DOTALL)
    rows = re.findall(r"<tr[ >].*?</tr>", table.split("<tbody>")[1], re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]


def find_link(page: str, text: str) -> str:
    return re.search(rf'<a href="([^"]*)"[^>]*><bdi>{re.escape(text)}</bdi>', page)[1].replace("&amp;", "&")


def test_items_are_grouped_by_columns_of_the_file(client, explored):
    page = client.get(f"{explored}/items?group=subject&q=word")
    assert "<option selected>subject</option>" in page
    groups = read_table(page, "Groups")
    assert [row[:2] for row in groups] == [["art &amp; &#39;craft&#39;", "20"], ["law", "20"], ["maths", "20"]]
    law = client.get(find_link(page, "law"))
    assert "<b>20</b> of 60 items" in law
    assert "&#34;subject&#34; = &#34;law&#34;" in law
    assert "q=word" in law
    craft = client.get(find_link(page, "art &amp; &#39;craft&#39;"))
    assert "<b>20</b> of 60 items" in craft
    assert link_group({}, "subject", "both ' and \"") == ""
    shown = client.get(f"{explored}/items?columns=subject,label&sort=subject&desc=1&fragment=1")
    assert [row[-1] for row in read_table(shown, "Items")][:2] == ["maths", "maths"]
    assert "<dt><bdi>subject</bdi></dt><dd><bdi>law</bdi></dd>" in client.get(f"{explored}/items/0?fragment=1")


@pytest.mark.parametrize("name", ["text", "label", "id", "subject"])
def test_every_column_sorts(client, explored, name):
    pages = [client.get(f"{explored}/items?fragment=1&sort={name}&columns={name}&desc={desc}") for desc in ("", "1")]
    first, last = ([row[-1] for row in read_table(page, "Items")] for page in pages)
    assert len(first) == 50
    assert first != last
    assert 'aria-sort="ascending"' in pages[0]
    assert 'aria-sort="descending"' in pages[1]


def test_two_systems_are_contrasted(client, explored):
    page = client.get(f"{explored}/items?first=good&second=fair&group=subject")
    right = {name: {n for n in range(60) if rule(n)} for name, rule in ANSWERS.items()}
    assert [row[1] for row in read_table(page, "Two systems")] == [
        str(len(right["good"] & right["fair"])),
        str(len(right["good"] - right["fair"])),
        str(len(right["fair"] - right["good"])),
        str(60 - len(right["good"] | right["fair"])),
    ]
    assert "is right 25.0 points more often (95% interval of the difference +1" in page
    turned = client.get(f"{explored}/items?first=fair&second=good")
    assert "is right 25.0 points less often (95% interval of the difference −" in turned
    only = client.get(find_link(page, "only good"))
    assert "<b>15</b> of 60 items" in only
    assert read_table(only, "Two systems") == read_table(page, "Two systems")
    assert {tuple(row[-2:]) for row in read_table(page, "Groups")} == {("75.0%", "50.0%")}


def test_wrong_links_and_empty_results_are_explained(client, explored):
    def get(**values):
        return client.get(f"{explored}/items?{urlencode({**values, 'fragment': 1})}")

    assert "There is no system &#39;absent&#39; in this version." in get(wrong="absent")
    assert "There is no item &#39;i777&#39; in this version." in get(item="i777")
    assert "There is no system &#39;7&#39; in this version." in get(first=7, second=0)
    assert "&#39;3&#39; in the address is no range" in get(right="3")
    assert "Items cannot be grouped by &#39;texture&#39;" in get(group="texture")
    empty = get(q="word 1", label="z", where="subject = law")
    assert "On its own, search leaves 9 items, gold label leaves 0 items, filter leaves 20 items." in empty


def test_the_drawer_marks_the_searched_words(client, explored):
    assert "<mark>TEXT 3</mark>".lower() in client.get(f"{explored}/items/3?fragment=1&q=Text+3")
    assert "<mark>i3</mark>" in client.get(f"{explored}/items?fragment=1&q=i3")
