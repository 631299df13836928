"""Rows whose text or label is missing are kept, dropped or refused."""

from __future__ import annotations

import pytest

from assay.base.errors import AssayError
from assay.kinds import read

SOURCE = {"id": ["x", "y", "z"], "text": [None, "b", "c"], "label": ["p", None, "q"]}


def test_they_are_kept_with_an_empty_text():
    kept = read(SOURCE)
    assert kept.texts.to_list() == ["", "b", "c"]
    assert "1 row (x) without text" in kept.notes


def test_they_can_be_dropped():
    dropped = read(SOURCE, missing="drop")
    assert dropped.ids.to_list() == ["z"]
    assert any("dropped 2 rows" in note for note in dropped.notes)
    with pytest.raises(AssayError, match="none is left"):
        read({"text": ["a", None], "label": [None, "b"]}, missing="drop")


def test_they_can_be_refused():
    with pytest.raises(AssayError, match=r"1 row \(x\) without text. Fill them, or use missing= keep or drop"):
        read(SOURCE, missing="error")
    with pytest.raises(AssayError, match=r"1 row \(y\) without label"):
        read({**SOURCE, "text": ["a", "b", "c"]}, missing="error")


def test_a_pair_lacks_its_text_where_either_side_does():
    data = read({"text_a": ["a", "", "c"], "text_b": [None, "b", "c"]}, missing="drop")
    assert data.ids.to_list() == ["2"]
