from __future__ import annotations

import json

from assay.base.codec import from_plain, to_json
from assay.evaluation import Slices, evaluate

ROWS = [
    {"id": str(n), "text": "w " * (n % 5 + 1), "label": "ab"[n % 2], "when": f"2020-01-{1 + n % 28:02d}"}
    for n in range(60)
]
ANSWERS = [{"id": str(n), "x": "ab"[n % 2 if n % 3 else 0], "fold": 1 + n % 3} for n in range(60)]


def evaluate_rows(*by):
    return evaluate(ROWS, ANSWERS, time="when", metrics=["accuracy", "macro-f1"], by=by).by


def test_only_what_was_asked_for_is_in_json():
    assert list(evaluate_rows("length", "fold").to_dict()) == ["fold", "length"]
    assert evaluate_rows().to_dict() == {}
    assert repr(evaluate_rows("length", "fold")) == "Slices: fold, length"


def test_slices_are_read_back_from_json():
    slices = evaluate_rows("fold", "time", "length", "label")
    plain = json.loads(to_json(slices))
    copy = from_plain(Slices, plain)
    assert copy.to_dict() == slices.to_dict() == plain
    assert copy.columns["length"] == slices.columns["length"]
    assert copy.difficulty is None


def test_a_frame_has_one_row_per_slice_system_and_metric():
    slices = evaluate_rows("fold", "length")
    frame = slices.to_frame()
    assert frame.columns == ["by", "slice", "system", "metric", "value", "low", "high", "n"]
    assert frame.group_by("by").len().sort("by").rows() == [("fold", 3), ("length", 2 * 4)]
    assert evaluate_rows().to_frame().height == 0
