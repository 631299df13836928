"""What people read of a search for contamination."""

from __future__ import annotations

from dataclasses import replace

from tests.example_audit import CONTAMINATION

from assay.contamination.results import PossibleParaphrase
from assay.views.blocks import collect_blocks


def test_parts_sources_and_hits_are_shown():
    view = collect_blocks(CONTAMINATION.blocks())
    facts = {fact.name: fact.number for fact in view.facts}
    assert facts["Items of test in the corpus"] == "5.0% [1.4, 16.5]"
    assert facts["Items checked"] == "78 of 80 (98%)"
    assert facts["Paraphrases"] == "not searched"
    assert "Seconds" not in facts  # an audit does not keep the time
    assert view.main_table is not None
    assert view.main_table.cells[1] == ["item-2", "0.80", "0.80", "n/a", "n/a", "n/a", "web/b.jsonl", "3"]
    assert CONTAMINATION.summary == "2 items of 78 in the corpus: 2.6% [0.7, 8.9]."


def test_possible_paraphrases_are_listed():
    paraphrase = PossibleParaphrase("item-3", 0.8, 0.5, "web/a.jsonl", 4, "a passage " * 30)
    view = collect_blocks(replace(CONTAMINATION, paraphrases=(paraphrase,)).blocks())
    table = view.tables[-1]
    assert table.title.startswith("Possible paraphrases of 1 item, not counted")
    assert len(table.cells[0][-1]) <= 80
    assert "Paraphrases" not in [fact.name for fact in view.facts]
