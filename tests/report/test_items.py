"""The items inside the page: all of them where they fit, and those with most against them if they do not."""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.example_audit import make_audit, make_sections

import assay
from assay.audits import Audit
from assay.audits.details import collect_details
from assay.audits.items import build_item_table, count_proposals, top_rows
from assay.kinds import read
from assay.report import render_items, render_page
from assay.report.finding_groups import group_findings
from assay.report.items import index_items, pack_items, packing
from assay.report.page import MAX_BYTES
from assay.report.parts import prepare

WORDS = [
    f"{stem}{ending}" for stem in "ab be ci do fu ga hi jo".split() for ending in "lan mer nix pot rus tis".split()
]


def make_large_audit(n: int, n_words: int):
    """Return an audit of many random texts, of which every tenth repeats a training item."""
    draw = random.Random(0)
    texts = [" ".join(draw.choices(WORDS, k=n_words)) for _ in range(n)]
    ids = [f"item-{number}" for number in range(n)]
    data = read({"id": ids, "text": texts, "label": [str(number % 3) for number in range(n)]})
    leak = pl.Series("leak", ["exact" if number % 10 == 0 else None for number in range(n)], dtype=pl.String)
    items = build_item_table(data, [pl.DataFrame({"id": ids}).with_columns(leak)])
    audit = make_audit(sections=make_sections(splits=None, discrimination=None))
    return replace(
        audit,
        items=items,
        items_top=top_rows(items, data.texts),
        items_summary=count_proposals(items),
        details=collect_details(data, None),
    )


def unpack(data: str):
    return json.loads(zlib.decompress(base64.b64decode(data)))


@pytest.fixture(scope="module")
def large():
    return make_large_audit(14_000, 25)


def test_fourteen_thousand_items_fit_into_the_page(large):
    page = render_page(large)
    assert len(page.encode()) <= MAX_BYTES
    assert "items are in this page" not in page
    (data,) = page.partition('<template class="item-data">')[2].partition("</template>")[:1]
    items = unpack(data)
    assert len(set(items["id"])) == 14_000
    texts = dict(zip(large.items["id"].to_list(), large.details.texts.to_list(), strict=True))
    assert all(texts[name] == text for name, text in zip(items["id"], items["text"], strict=True))


def test_texts_of_items_without_findings_are_cut_first(large):
    packed = pack_items(index_items(large), {}, 500_000)
    items = unpack(packed.data)
    lengths = {
        proposal: {len(t) for t, p in zip(items["text"], items["proposal"], strict=True) if p == proposal}
        for proposal in (0, 2)
    }
    assert packed.has_all
    assert max(lengths[0]) < max(lengths[2])


def test_if_not_all_fit_the_page_says_so_and_has_those_with_most_against_them(large):
    packed = pack_items(index_items(large), {}, 60_000)
    assert len(packed.data) <= 60_000
    assert 0 < packed.n_rows < 1_400
    assert set(unpack(packed.data)["proposal"]) == {2}
    part = render_items(large, 60_000)
    assert re.search(r"<b>[\d,]+ of 14,000 items are in this page</b>", part)
    assert "assay serve" in part


def test_beyond_a_number_of_rows_flagged_items_are_chosen_first(large, monkeypatch):
    monkeypatch.setattr(packing, "MAX_ROWS", 100)
    rows = packing.choose_rows(index_items(large), {"A101": np.arange(0, 1_000, 7)})
    assert len(rows) == 100
    assert rows.tolist() == list(range(0, 700, 7))


def test_packing_is_the_same_every_time(large):
    index = index_items(large)
    assert pack_items(index, {}, 500_000) == pack_items(index, {}, 500_000)


def test_answers_are_names_with_numbers_and_outcomes_one_character_each():
    details = pl.DataFrame(
        {"answers": [["a", None], None], "outcomes": [[1.0, None], None]},
        schema={"answers": pl.List(pl.String), "outcomes": pl.List(pl.Float64)},
    )
    columns = packing.list_answers(details, 2)
    assert columns["answers"][0] == {"names": ["a"], "codes": [0, -1]}
    assert columns["outcomes"] == ["1.", ".."]


def test_a_copy_within_a_part_is_compared_with_an_item_of_its_part():
    texts = ["the same words here", "the same words here", "the same words here", "quite another text"]
    data = {
        "id": list("abcd"),
        "text": texts,
        "label": ["x", "x", "x", "y"],
        "split": ["train", "test", "test", "test"],
    }
    audit = assay.audit(data, only=["profile"])
    page = prepare(audit)
    groups = group_findings(audit.findings, page.index, page.flagged)
    (copies,) = [group.views[0] for group in groups if group.code == "A103"]
    (example,) = copies.examples
    assert {example.id, example.original_id} == {"b", "c"}


def test_a_page_from_json_does_not_claim_to_have_all_items_of_a_finding():
    texts = [f"text {n} has a link https://a.example/{n} &amp; more" for n in range(700)]
    audit = assay.audit({"text": texts, "label": ["x", "y"] * 350}, only=["profile"])
    assert "All 700 items" in render_page(audit)
    again = Audit.from_dict(audit.to_dict())
    assert len(again.items_top) == 500
    page = render_page(again)
    assert "First 500 items" in page
    assert "All 500 items" not in page
