"""The table of items: filters, searches, orders, decisions and proposals."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode

import numpy as np
import polars as pl
import pytest

from assay.web.decisions import ItemDecision, add_decisions, load_decisions, save_decisions, to_proposals
from assay.web.items.table import ItemQuery, ItemTable, ItemTables, parse_query
from assay.web.items.writing import find_partners, write_table
from assay.web.store import VersionStore

N = 20_000


def make_items(n: int) -> pl.DataFrame:
    generator = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "id": [f"Item-{number}" for number in range(n)],
            "part": generator.choice(["train", "test"], n),
            "label": [f"l{number % 7}" for number in range(n)],
            "proposal": generator.choice(["keep", "repair", "retire"], n),
            "reasons": generator.choice(["", "also in training", "negative discrimination; every system is wrong"], n),
            "suspicion": [None if number % 5 == 0 else number / n for number in range(n)],
            "suggested": pl.Series([None] * n, dtype=pl.String),
            "text": [f"Wörter {number} und {number * 7 % 1000}\nzweite Zeile" for number in range(n)],
            "partner": [-1] * n,
        }
    )


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("items")
    write_table(folder, make_items(N))
    return ItemTable(folder)


@pytest.mark.parametrize(
    ("query", "condition"),
    [
        (ItemQuery(), pl.lit(value=True)),
        (ItemQuery(search="WÖRTER 77 "), pl.col("text").str.contains("Wörter 77 ")),
        (ItemQuery(search="item-1999"), pl.col("id").str.contains("Item-1999")),
        (ItemQuery(search="und 7"), pl.col("text").str.contains("und 7")),
        (ItemQuery(search=".*"), pl.lit(value=False)),
        (ItemQuery(part="test", label="l3"), (pl.col("part") == "test") & (pl.col("label") == "l3")),
        (ItemQuery(reason="every system is wrong"), pl.col("reasons").str.ends_with("every system is wrong")),
        (ItemQuery(reason="no such reason"), pl.lit(value=False)),
        (ItemQuery(min_suspicion=0.99), pl.col("suspicion") >= 0.99),
        (ItemQuery(ids=frozenset({"Item-3", "Item-4", "x"})), pl.col("id").is_in(["Item-3", "Item-4"])),
        (ItemQuery(wrong=0), pl.lit(value=False)),
        (ItemQuery(solved=0), pl.lit(value=False)),
    ],
)
def test_filters_choose_the_rows_that_a_plain_scan_chooses(table, query, condition):
    expected = make_items(N).with_row_index("row").filter(condition)["row"].to_list()
    page = table.query(query)
    assert page.n_matching == len(expected)
    assert sorted(table.select(query).tolist()) == expected


def test_sorting_puts_missing_values_last_and_keeps_the_order_of_equal_ones(table):
    items = make_items(N).with_row_index("row")
    rows = table.select(ItemQuery(sort="suspicion"))
    assert rows.tolist() == items.sort("suspicion", nulls_last=True, maintain_order=True)["row"].to_list()
    first = table.query(ItemQuery(sort="proposal")).rows
    assert {row["proposal"] for row in first} == {"retire"}
    assert [row["suspicion"] for row in first] == sorted((row["suspicion"] for row in first), reverse=True)
    assert table.select(ItemQuery(sort="row", descending=True))[0] == N - 1


def test_pages_are_consecutive_and_stay_inside(table):
    pages = [table.query(ItemQuery(sort="row", page=page)) for page in (1, 2, 400, 9_999)]
    assert [row["row"] for row in pages[1].rows] == list(range(50, 100))
    assert (pages[2].page, pages[3].page) == (400, 400)
    assert table.options["label"][0][1] == 2858
    assert "search" not in pages[0].rows[0]


def test_nonsense_in_the_address_does_not_filter():
    values = {"page": "9" * 5_000, "suspicion": "nan", "sort": "search", "wrong": "-1", "desc": "yes"}
    assert parse_query(values) == ItemQuery(sort="search")  # which the table does not sort by


def test_a_table_that_was_written_again_is_opened_again(tmp_path):
    tables = ItemTables()
    assert tables.open(tmp_path) is None
    write_table(tmp_path, make_items(3))
    assert len(tables.open(tmp_path)) == 3
    (tmp_path / "browse.arrow").unlink()
    write_table(tmp_path, make_items(4))
    assert len(tables.open(tmp_path)) == 4


def test_partner_is_the_copy_or_else_the_nearest_item():
    items = pl.DataFrame({"id": ["a", "b", "c"], "copy_of": [None, "a", None], "nearest": ["c", "c", "absent"]})
    assert find_partners(items).to_list() == [2, 0, -1]


def test_decisions_are_kept_and_taken_back(tmp_path):
    version = VersionStore(tmp_path).create()
    save_decisions(version, {"a": ItemDecision("drop", "", "copy"), "b": ItemDecision("relabel", "x")})
    save_decisions(version, {"a": None})
    assert load_decisions(version) == {"b": ItemDecision("relabel", "x")}
    assert to_proposals(load_decisions(version)).to_dicts()[0]["suggested"] == "x"
    with pytest.raises(Exception, match="No label is given"):
        save_decisions(version, {"a": ItemDecision("relabel")})
    with pytest.raises(Exception, match="No action 'eat'"):
        save_decisions(version, {"a": ItemDecision("eat")})
    version.write("decisions.json", {"items": {"a": ["eat", "", ""], "b": 3}})
    assert load_decisions(version) == {}


def test_a_decision_of_somebody_else_is_not_overwritten(client, audit):
    first, second = (read_form(client.get(f"{audit}/items/70")) for _ in range(2))  # two people open the item
    client.post(f"{audit}/decide", **first, action="relabel", label="food", reason="my reason")
    page = client.post(f"{audit}/decide", **second, action="drop", status=409)
    assert "Somebody else decided this item (relabel to &#39;food&#39;, because: my reason) in the meantime" in page
    body = urlencode({"token": client.server.token, **second, "action": "drop"})
    headers = {**client.headers(), "Content-Type": "application/x-www-form-urlencoded"}
    answer, content = client.ask("POST", f"{audit}/decide?fragment=1", body, headers)
    assert answer.status == 409
    assert "relabel to 'food'" in json.loads(content)["error"]
    seen = json.loads(content)["seen"]
    assert seen == read_form(client.get(f"{audit}/items/70"))["seen"]
    client.post(f"{audit}/decide", **{**second, "seen": seen}, action="drop")  # knowingly
    client.post(f"{audit}/decide", **read_form(client.get(f"{audit}/items/70")), action="undo")
    assert "Nothing is decided yet" in client.get(f"{audit}/items/70")


def read_form(page: str) -> dict[str, str]:
    """Return the hidden fields of the form of an item."""
    form = re.search(r'<form class="fields decide".*?</form>', page, re.S)[0]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))
    return {name: fields[name] for name in ("row", "seen")}


def test_accepted_proposals_leave_decisions_as_they_are(tmp_path):
    version = VersionStore(tmp_path).create()
    save_decisions(version, {"a": ItemDecision("keep")})
    add_decisions(version, {"a": ItemDecision("drop"), "b": ItemDecision("drop")})
    assert load_decisions(version) == {"a": ItemDecision("keep"), "b": ItemDecision("drop")}


def test_items_are_filtered_opened_and_decided_over_http(client, audit):
    page = client.get(f"{audit}/items?q=w12+&sort=id")
    assert re.search(r"<b>\d+</b> of 80 items", page)
    assert 'aria-sort="ascending"' in page
    rows = re.findall(r'id="item-(\d+)"', client.get(f"{audit}/items?fragment=1&q=i79"))
    assert rows == ["79"]
    item = client.get(f"{audit}/items/76?fragment=1")
    assert "great model" in item
    assert "Answers of the systems" in item
    client.get(f"{audit}/items/80", status=404)
    client.post(f"{audit}/decide", row="76", action="relabel", label="<b>food", reason="<i>")
    assert "relabel: <bdi>&lt;b&gt;food" in client.get(f"{audit}/items?q=i76")
    assert re.search(r"<b>1</b> of 80 items", client.get(f"{audit}/items?decision=relabel"))
    client.post(f"{audit}/decide", row="99", action="drop", status=404)
    client.post(f"{audit}/decide", row="76", action="undo")
    assert "Nothing is to be changed" in client.post(f"{audit}/repair", status=400)


def test_items_that_one_system_gets_right_and_another_wrong(tmp_path):
    write_table(tmp_path, make_items(4))
    table = ItemTable(tmp_path)
    table.answers = pl.DataFrame({"score-0": [1.0, 1.0, 0.0, None], "score-1": [0.0, 1.0, 1.0, 0.0]})
    assert table.select(ItemQuery(solved=0, wrong=1, sort="row")).tolist() == [0]
    assert table.select(ItemQuery(solved=1, wrong=0, sort="row")).tolist() == [2]
    assert table.select(ItemQuery(solved=0, sort="row")).tolist() == [0, 1]


def test_texts_of_a_pair_are_apart_in_the_table(client):
    rows = "\n".join(f"{n}\tfirst side {n}\tsecond side {n}\t{n % 2}" for n in range(20))
    address = client.create()
    client.upload(address, "data", "pairs.tsv", f"id\ttext_a\ttext_b\tlabel\n{rows}\n")
    client.get(address)
    client.post(f"{address}/start", depth="quick", sections=["profile"], seed="0")
    assert client.wait(address)["status"] == "done"
    assert "first side 3 / second side 3" in client.get(f"{address}/items")
