from __future__ import annotations

import datetime

import pytest

from assay.base.errors import AssayError, UsageError
from assay.evaluation import evaluate, read_predictions
from assay.kinds import read
from assay.splits import read_folds

START = datetime.date(2020, 1, 1)


def predictions(folder, **roles):
    """A system that forgets: right on the first half of the test items, then less and less."""
    rows, lines = [], ["id\tx\n"]
    for number in range(120):
        date = str(START + datetime.timedelta(days=number))
        rows.append(
            {
                "id": str(number),
                "text": "t",
                "label": "ab"[number % 2],
                "split": "train" if number < 20 else "test",
                "when": date,
            }
        )
        wrong = number % 10 < (number - 20) // 10
        lines.append(f"{number}\t{'ba'[number % 2] if wrong else 'ab'[number % 2]}\n" if number >= 20 else "")
    (folder / "p.tsv").write_text("".join(lines))
    return read_predictions(folder / "p.tsv", read(rows, **roles))


def test_a_falling_score_correlates_with_the_gap(tmp_path):
    (found,) = evaluate(predictions(tmp_path, time="when"), metrics=["accuracy"], by=["time"]).by["time"]
    assert found.gap_from == "the last training item"
    assert [part.value for part in found.slices] == pytest.approx([1 - k / 10 for k in range(10)])
    assert found.correlation.value == pytest.approx(-1.0)
    assert found.correlation.p < 0.001
    assert found.slices[0].gap_days == pytest.approx(5.5)
    assert (found.slices[0].start, found.slices[0].end) == ("2020-01-21", "2020-01-30")
    assert found.item_correlation.value < 0


def test_runs_on_windows_of_a_temporal_split_show_the_gap_of_each(tmp_path):
    days = [str(START + datetime.timedelta(days=number)) for number in range(60)]
    rows = [{"id": str(n), "text": "t", "label": "ab"[n % 2], "when": day} for n, day in enumerate(days)]
    # Four windows: the test part is always the last 20 days, the training part moves back.
    parts, lines = ["id\tpart\trepeat\n"], ["system\tid\tpredicted\trepeat\n"]
    for repeat in range(4):
        train = range(30 - 10 * repeat, 40 - 10 * repeat)
        parts += [f"{n}\t{'test' if n >= 40 else 'train' if n in train else 'unused'}\t{repeat}\n" for n in range(60)]
        wrong = 4 * repeat
        lines += [f"m\t{n}\t{'ba'[n % 2] if n - 40 < wrong else 'ab'[n % 2]}\t{repeat}\n" for n in range(40, 60)]
    (tmp_path / "f.tsv").write_text("".join(parts))
    (tmp_path / "p.tsv").write_text("".join(lines))
    given = read_predictions(tmp_path / "p.tsv", read(rows, time="when"))
    folds = [read_folds(tmp_path / "f.tsv")]
    result = evaluate(given, metrics=["accuracy"], by=["time", "fold"], folds=folds)
    (found,) = result.by["time"]
    assert found.system == "m"
    assert [part.gap_days for part in found.slices] == [15.0, 25.0, 35.0, 45.0]
    assert [part.value for part in found.slices] == pytest.approx([1.0, 0.8, 0.6, 0.4])
    assert found.correlation.value == pytest.approx(-1.0)
    (table,) = result.by["fold"]
    assert [fold.value for fold in table.folds] == pytest.approx([1.0, 0.8, 0.6, 0.4])
    assert table.mean == pytest.approx(0.7)


def test_dates_are_needed(tmp_path):
    rows = [{"id": "1", "text": "t", "label": "a"}, {"id": "2", "text": "u", "label": "b"}]
    (tmp_path / "p.tsv").write_text("id\tx\n1\ta\n2\tb\n")
    with pytest.raises(AssayError, match=r"has no column of dates\. Name one with --time"):
        evaluate(read_predictions(tmp_path / "p.tsv", read(rows)), by=["time"])
    with pytest.raises(UsageError, match="--by time needs DATA"):
        evaluate(["a", "b"], {"x": ["a", "b"]}, by=["time"])
