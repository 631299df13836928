"""What people read of information beyond shortcuts."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import replace

from tests.example_audit import INFORMATION

from assay.checks.information.view import show_shortcuts_and_labels
from assay.statistics import Interval
from assay.views.blocks import collect_blocks

RESULT = INFORMATION.shortcuts


def test_the_summary_says_how_much_there_is_beyond_shortcuts():
    assert RESULT.summary == (
        "Beyond punctuation + stop words, the texts tell 59% [45, 74] of what decides the label; "
        "shortcuts alone solve 10% [5, 20] of the held-out items."
    )
    control = replace(RESULT.control[-1], tsi=Interval(-0.01, -0.1, 0.1))
    assert replace(RESULT, control=[control]).summary.startswith("It cannot be told whether the texts say anything")


def test_the_command_and_the_page_show_the_same_tables():
    page = collect_blocks(show_shortcuts_and_labels(INFORMATION))
    command = collect_blocks(RESULT.blocks())
    titles = {table.title: table for table in command.tables}
    assert [table.title for table in page.tables] == ["Control models", "Cues"]
    assert all(titles[table.title] == table for table in page.tables)
    assert command.main_table is not None
    assert command.main_table.title == "Control models"
    assert [row[1] for row in titles["Baselines"].cells] == ["60% [40, 80]", "65% [40, 80]"]


def test_a_number_has_no_precision():
    from assay.information.cues.search import Cue
    from assay.information.view import estimate_precision

    values = {field.name: 0 for field in dataclasses.fields(Cue)}
    word, number = (Cue(**values | {"precision": share, "n_items": 10}) for share in (0.8, math.nan))
    assert estimate_precision(word).value == 0.8
    assert estimate_precision(number) is None
