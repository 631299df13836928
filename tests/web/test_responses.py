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


def test_the_whole_response_is_read_from_the_files_again(chromium, client, audited):
    long = next(row for row in range(N) if "/response?" in client.get(f"{audited}/items/{row}?fragment=1"))
    context = chromium.new_context()
    page = context.new_page()
    page.goto(client.server.address)
    page.goto(f"{client.server.origin}{audited}/items?sort=row&item=")
    page.locator("tr[id] a.open").nth(long).click()
    page.click("dialog[open] >> text=Whole response")
    shown = page.locator("dialog[open] .response-text.whole")
    shown.wait_for()
    text = RESPONSES[long]
    assert shown.inner_text().startswith(text.strip()[:200])
    assert len(shown.inner_text()) > 10_000
    assert page.locator("dialog[open] >> text=Whole response").count() == 0
    context.close()
    where = f"{audited}/items/{long}/response"
    assert "There is no such response" in client.get(f"{where}?system=absent", status=404)
    assert "There is no such response" in client.get(f"{where}?system=%3Cb%3Eevil%3C/b%3E&repeat=x", status=404)
    plain = client.get(f"{where}?system=%3Cb%3Eevil%3C/b%3E&repeat=0")
    assert "<b>evil" not in plain
    assert "Back to item" in plain
