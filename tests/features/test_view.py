"""What people read of a profile."""

from __future__ import annotations

from tests.example_audit import PROFILE

from assay.checks.profile.view import show_data
from assay.features import profile
from assay.views.blocks import collect_blocks


def test_a_profile_shows_labels_lengths_words_and_features():
    data = {"text": ["a good film", "a bad film", "a bad film"], "label": ["pos", "neg", "neg"]}
    result = profile(data)
    view = collect_blocks(result.blocks())
    facts = {fact.name: fact.number for fact in view.facts}
    assert (facts["Items"], facts["Exact duplicates"]) == ("3", "2 of 3 (67%)")
    assert view.main_table is not None
    assert [row[:3] for row in view.main_table.cells] == [
        ["all", "3", "100%"],
        ["neg", "2", "67%"],
        ["pos", "1", "33%"],
    ]
    assert {"Features", "Most frequent words"} <= {table.title for table in view.tables}
    assert result.summary == "3 items, task classification, 2 labels; 2 exact duplicates and 0 near-duplicates."


def test_the_page_shows_sizes_overlaps_and_features():
    view = collect_blocks(show_data(PROFILE))
    facts = {fact.name: fact.number for fact in view.facts}
    assert facts["Exact copies of train in test"] == "2 of 10 (20%)"
    assert facts["Words per text"] == "12.0 [11.1, 12.9]"
    (table,) = view.tables
    assert table.cells == [["mean length", "12", "10"]]
    assert "perplexity: not requested" in table.method
