"""Responses on the web page: with the span that was read, filtered by state, and safe whatever they hold."""

from __future__ import annotations

import json

import pytest
from tests.report.test_responses import ITEMS, RESPONSES, N

from assay.web.items.table import ItemTable, parse_query
from assay.web.items.writing import RESPONSES as FILE


@pytest.fixture(scope="module")
def audited(client):
    address = client.create()
    rows = [dict(zip(ITEMS, row, strict=True)) for row in zip(*ITEMS.values(), strict=True)]
    client.upload(address, "data", "items.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    answers = [
        {
            "system": "<b>evil</b>",
            "id": f"q{n}",
            "response": RESPONSES.get(n, "The answer is (B)."),
            "extracted": None if n < 2 else "B",
        }
        for n in range(N)
    ]
    client.upload(address, "responses", "answers.jsonl", "".join(json.dumps(row) + "\n" for row in answers))
    client.get(address)
    client.post(f"{address}/start", depth="quick", sections=["profile", "responses"], seed="3")
    assert client.wait(address)["status"] == "done"
    return address


def test_items_are_filtered_by_the_state_of_their_responses(client, audited):
    page = client.get(f"{audited}/items")
    assert '<option value="truncated">truncated (1)</option>' in page
    assert "<b>1</b> of 12 items" in client.get(f"{audited}/items?state=truncated")
    assert "<b>1</b> of 12 items" in client.get(f"{audited}/items?state=other+score+as+read")
    assert "<b>0</b> of 12 items" in client.get(f"{audited}/items?state=no+such+state")


def test_the_drawer_shows_what_was_read_and_escapes_it(client, audited):
    details = client.get(f"{audited}/items/0?fragment=1")
    assert "We add both.\n\nThis gives the sum, <mark>or (B).</mark>" in details
    assert "as graded: ✕ wrong" in details
    assert "as read: ✓ right" in details
    hostile = client.get(f"{audited}/items/2?fragment=1")
    assert "&lt;img src=x" in hostile
    assert "<img" not in hostile
    assert "<b>evil" not in hostile
    assert not {"\x00", "\x1b", "\u202e"} & set(hostile)
    for row in (3, 4):  # responses of a megabyte
        assert len(client.get(f"{audited}/items/{row}?fragment=1")) < 10_000


def test_a_damaged_file_of_responses_costs_only_them(client, audited):
    folder = client.server.store.folder / audited.rpartition("/")[2]
    path = next(folder.rglob(FILE))
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    try:
        table = ItemTable(path.parent)
        assert (table.responses, table.states, table.find_responses(0)) == (None, [], [])
        assert len(table.select(parse_query({"state": "truncated"}))) == 0
        assert len(table.select(parse_query({}))) == N
    finally:
        path.write_bytes(content)
