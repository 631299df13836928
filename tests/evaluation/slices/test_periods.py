from __future__ import annotations

import datetime

import pytest

from assay.base.errors import AssayError, UsageError
from assay.evaluation import evaluate, evaluate_arrays
from assay.evaluation.slices.periods import Drift

START = datetime.date(2020, 1, 1)


def make_rows(n, n_train=0):
    days = [str(START + datetime.timedelta(days=number)) for number in range(n)]
    rows = [{"id": str(n), "text": "t", "label": "ab"[n % 2], "when": day} for n, day in enumerate(days)]
    return [{**row, "split": "train" if n < n_train else "test"} for n, row in enumerate(rows)] if n_train else rows


def test_a_falling_score_correlates_with_the_gap():
    answers = []  # right on the first ten test items, then less and less
    for number in range(20, 120):
        wrong = number % 10 < (number - 20) // 10
        answers.append({"id": str(number), "x": "ba"[number % 2] if wrong else "ab"[number % 2]})
    (drift,) = evaluate(make_rows(120, 20), answers, time="when", metrics="accuracy", by="time").by.time
    assert drift.gap_from == "the last training item"
    assert [period.value for period in drift.slices] == pytest.approx([1 - k / 10 for k in range(10)])
    assert drift.correlation.value == pytest.approx(-1.0)
    assert drift.correlation.p < 0.001
    assert drift.slices[0].gap_days == pytest.approx(5.5)
    assert (drift.slices[0].start, drift.slices[0].end) == ("2020-01-21", "2020-01-30")
    assert drift.item_correlation.value < 0
    assert drift.to_frame()["start"][0] == "2020-01-21"
    assert Drift.from_dict(drift.to_dict()).to_dict() == drift.to_dict()


def test_runs_on_windows_of_a_temporal_split_show_the_gap_of_each(tmp_path):
    # Four windows: the test part is always the last 20 days, the training part moves back.
    parts, answers = ["id\tpart\trepeat\n"], []
    for repeat in range(4):
        train = range(30 - 10 * repeat, 40 - 10 * repeat)
        parts += [f"{n}\t{'test' if n >= 40 else 'train' if n in train else 'unused'}\t{repeat}\n" for n in range(60)]
        for n in range(40, 60):
            label = "ba"[n % 2] if n - 40 < 4 * repeat else "ab"[n % 2]
            answers.append({"system": "m", "id": str(n), "predicted": label, "repeat": repeat})
    (tmp_path / "f.tsv").write_text("".join(parts))
    result = evaluate(
        make_rows(60), answers, time="when", metrics="accuracy", by=["time", "fold"], folds=tmp_path / "f.tsv"
    )
    (drift,) = result.by.time
    assert drift.system == "m"
    assert [period.gap_days for period in drift.slices] == [15.0, 25.0, 35.0, 45.0]
    assert [period.value for period in drift.slices] == pytest.approx([1.0, 0.8, 0.6, 0.4])
    assert drift.correlation.value == pytest.approx(-1.0)
    (table,) = result.by.fold
    assert [fold.value for fold in table.folds] == pytest.approx([1.0, 0.8, 0.6, 0.4])
    assert table.mean == pytest.approx(0.7)


def test_dates_are_needed():
    rows = [{"id": "1", "text": "t", "label": "a"}, {"id": "2", "text": "u", "label": "b"}]
    with pytest.raises(AssayError, match=r"by time needs a column of dates\. Name one with time="):
        evaluate(rows, {"x": ["a", "b"]}, by="time")
    with pytest.raises(UsageError, match=r"by time needs a column of dates\. Give data="):
        evaluate_arrays(["a", "b"], {"x": ["a", "b"]}, by="time")
