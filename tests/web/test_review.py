"""Reviewing gold labels on the page: over HTTP, and in a browser with the keyboard alone."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode

import pytest

import assay
from assay.reviews.recording import ItemVerdict
from assay.web.reviews import choose_verdict, load_review, to_decisions

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pages are not opened")
ITEM = {"id": "1", "label": "b", "suggested": "a", "options": ["a", "b"]}


@pytest.fixture
def address(client, audit):
    """Return the address of a version without a review, of which the profile alone was audited."""
    yield audit
    client.post(f"{audit}/review/discard")
    (client.server.store.folder / audit.rpartition("/")[2] / "decisions.json").unlink(missing_ok=True)


def send_verdict(client, address, item, choice, *, status=200, **form):
    """Send a verdict as the script does."""
    body = urlencode({"token": client.server.token, "reviewer": "ann", "id": item, "choice": choice, **form})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer, content = client.ask("POST", f"{address}/review/verdict?fragment=1", body, {**client.headers(), **kind})
    assert answer.status == status, content
    return content.decode()


@pytest.mark.parametrize(
    ("choice", "label", "expected"),
    [
        ("label", "b", ItemVerdict("ok", "", "why")),
        ("label", "a", ItemVerdict("bad", "a", "why")),
        ("new", "a", ItemVerdict("bad", "a", "why")),
        ("bad", "", ItemVerdict("bad", "", "why")),
        ("skip", "", ItemVerdict("skip", "", "why")),
    ],
)
def test_what_buttons_stand_for(choice, label, expected):
    assert choose_verdict(ITEM, choice, label, " why ", is_new=False) == expected


def test_a_label_that_the_data_lacks_is_new_on_purpose_only():
    with pytest.raises(ValueError, match="not a label of the data"):
        choose_verdict(ITEM, "new", "banana", "", is_new=False)
    assert choose_verdict(ITEM, "new", "banana", "", is_new=True) == ItemVerdict("bad", "banana")


def test_a_review_of_two_people_is_estimated_and_read_by_the_library(client, address, small, tmp_path):
    assert "Draw items and begin" in client.get(f"{address}/review")
    client.post(f"{address}/review/start", reviewer="ann", size="500000", status=400)
    assert client.post(f"{address}/review/start", reviewer="ann", size="6") == f"{address}/review?reviewer=ann"
    version = client.server.store.get(address.rpartition("/")[2])
    ids = [item["id"] for item in load_review(version).items]
    labels = {item["id"]: item["label"] for item in load_review(version).items}
    assert len(set(ids)) == 6
    assert "is estimated when the batch is complete" in client.get(f"{address}/review?reviewer=ann")
    for id_ in ids[:4]:
        send_verdict(client, address, id_, f"label {labels[id_]}", seen="")
    wrong = {"sport": "food", "food": "sport"}[labels[ids[4]]]
    answer = json.loads(send_verdict(client, address, ids[4], "new", new_label="<b>", seen="", status=400))
    assert "not a label of the data" in answer["error"]
    send_verdict(client, address, ids[4], f"label {wrong}", seen="", comment="<i>\tsee the rules")
    # A second window that still shows the item does not overwrite the verdict.
    answer = json.loads(send_verdict(client, address, ids[4], "ok", seen="", status=409))
    assert "is now bad" in answer["error"]
    assert "6 items reviewed" in send_verdict(client, address, ids[5], "skip", seen="")
    for id_ in ids[3:5]:
        client.post(f"{address}/review/verdict", reviewer="bob", id=id_, choice="bad", seen="", again="1")
    page = client.get(f"{address}/review?reviewer=ann")
    assert re.search(r"About <b>\d+ \[\d+, \d+\]</b> of 80 items are bad", page)
    assert "ann and bob" in page
    file = tmp_path / "review.tsv"
    file.write_text(client.get(f"{address}/review/review.tsv"), encoding="utf-8")
    assert "<i> see the rules" in file.read_text(encoding="utf-8")
    data = tmp_path / "reviews.tsv"
    data.write_text(small(), encoding="utf-8")
    estimate = assay.estimate_review(data, file, suspects=False, anytime=True)
    assert (estimate.n_drawn, estimate.n_reviewed, estimate.n_left) == (6, 5, 1)
    # The next batch continues the plan when the skipped item has a verdict, and no item is drawn twice.
    client.post(f"{address}/review/more", reviewer="ann")
    assert "Skipped items are left" in client.get(f"{address}/review?reviewer=ann")
    send_verdict(client, address, ids[5], "ok")
    client.post(f"{address}/review/more", reviewer="ann")
    items = load_review(version).items
    assert [item["batch"] for item in items] == [1] * 6 + [2] * 6
    assert len({item["id"] for item in items}) == 12
    client.post(f"{address}/review/more", reviewer="ann")
    assert len(load_review(version).items) == 12  # the batch is not complete
    client.post(f"{address}/review/undo", reviewer="bob")
    assert load_review(version).find_last("bob") == ids[3]
    # Both call item 3 different things, so only item 4 is decided.
    assert {id_: (row.action, row.label) for id_, row in to_decisions(load_review(version)).items()} == {
        ids[4]: ("relabel", wrong)
    }
    client.post(f"{address}/review/accept")
    assert "1 to relabel" in client.get(f"{address}/files")
    client.post(f"{address}/review/discard")
    assert load_review(version) is None


def test_labels_that_are_digits_are_their_own_keys(client, small):
    address = client.create()
    client.upload(address, "data", "digits.tsv", small().replace("sport", "0").replace("food", "1"))
    client.get(address)
    client.post(f"{address}/start", depth="quick", sections=["profile"], seed="3")
    client.wait(address)
    client.post(f"{address}/review/start", reviewer="ann", size="3")
    page = client.get(f"{address}/review?reviewer=ann")
    keys = re.findall(r'value="(label \d|bad|skip)" aria-keyshortcuts="(\w)"', page)
    assert keys == [("label 0", "0"), ("label 1", "1"), ("bad", "x"), ("skip", "s")]


def test_damaged_verdicts_cost_only_themselves(client, address):
    client.post(f"{address}/review/start", reviewer="ann", size="3")
    version = client.server.store.get(address.rpartition("/")[2])
    id_ = load_review(version).items[0]["id"]
    rows = {id_: {"ann": ["ok", "", "", 1], "bob": ["ok"]}, "other": {"ann": ["ok", "", "", 2]}}
    version.write("verdicts.json", {"items": rows})
    assert load_review(version).verdicts == {id_: {"ann": ItemVerdict("ok", number=1)}}
    (version.folder / "verdicts.json").write_text("{", encoding="utf-8")
    assert "verdicts.json</code> is damaged" in client.get(f"{address}/review?reviewer=ann")


def test_five_items_take_five_keys(chromium, client, address):
    """Review by keyboard alone: labels, skip, undo, comment, a new label, the estimate, and a further batch."""
    page = chromium.new_page()
    page.set_default_timeout(120_000)
    messages = []
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(client.server.address)
    page.goto(client.server.origin + f"{address}/review")
    page.focus("#size")
    page.keyboard.press("Control+A")
    page.keyboard.type("6")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-first]:focus")

    def show():
        return page.inner_text(".item-name")

    def press(key):
        before = show()
        page.keyboard.press(key)
        page.wait_for_selector(f".review-item:not(:has(input[name=id][value='{before.split()[1]}'])), #batch-done")

    version = client.server.store.get(address.rpartition("/")[2])
    items = load_review(version).items
    press("Enter")  # the gold label, as nothing is suggested
    press("1")
    press("2")
    press("s")
    assert "4 of 6 items reviewed" in page.inner_text(".review-state")
    press("u")
    assert items[3]["id"] in show()
    page.keyboard.press("c")
    page.keyboard.type("unclear 1")
    page.keyboard.press("Enter")
    press("0")
    page.keyboard.press("n")
    page.keyboard.type("banana")
    page.keyboard.press("Enter")
    page.wait_for_selector(".problem:not(:empty)")
    press("Enter")
    press("Enter")
    assert re.search(r"About \d+ \[\d+, \d+\] of 80 items are bad", page.inner_text("#estimate"))
    verdicts = load_review(version).verdicts
    words = [verdicts[item["id"]]["reviewer 1"] for item in items]
    assert [word.verdict for word in words][3:] == ["bad", "bad", "ok"]
    assert (words[3].comment, words[4].label) == ("unclear 1", "banana")
    assert [word.verdict for word in words[1:3]] == [
        "ok" if item["label"] == label else "bad" for item, label in zip(items[1:3], ["food", "sport"], strict=True)
    ]
    page.keyboard.press("Enter")  # draws the next batch
    page.wait_for_selector(".review-item")
    assert "Batch 2" in page.inner_text(".review-state")
    assert messages == []
    page.close()


def test_what_is_not_yet_sent_survives_a_reload(chromium, client, address):
    client.post(f"{address}/review/start", reviewer="ann", size="3")
    context = chromium.new_context()
    page = context.new_page()
    page.goto(client.server.address)
    page.goto(f"{client.server.origin}{address}/review?reviewer=ann")
    page.fill("[name=comment]", "half a thought")
    page.fill("[name=new_label]", "banana")
    page.reload()
    assert page.input_value("[name=comment]") == "half a thought"
    assert page.input_value("[name=new_label]") == "banana"
    page.fill("[name=new_label]", "")
    first = page.inner_text(".item-name")
    page.click("[name=choice][value=bad]")
    playwright.expect(page.locator(".item-name")).not_to_have_text(first)
    assert page.input_value("[name=comment]") == ""
    assert page.evaluate("sessionStorage.length") == 0
    other = context.new_page()
    other.goto(f"{client.server.origin}{address}/review?reviewer=bob")
    assert other.input_value("[name=comment]") == ""
    context.close()
