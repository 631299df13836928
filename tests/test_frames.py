"""Results as tables and in notebooks."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import assay
from assay.base.errors import UsageError
from assay.views.results import Result


@dataclass(frozen=True)
class Several(Result):
    """Two tables and a number."""

    _table: ClassVar[str] = "rows"
    value: float
    others: list[dict[str, Any]]
    rows: list[dict[str, Any]]


SEVERAL = Several(0.5, [{"x": 1}], [{"name": "a" * 100, "n": 1, "inside": {}}, {"name": "b", "n": None, "inside": {}}])


def test_the_frame_of_a_result_is_its_main_table():
    assert SEVERAL.to_frame().to_dict(as_series=False) == {"name": ["a" * 100, "b"], "n": [1, None]}


def test_frames_come_as_pandas_too():
    pandas = pytest.importorskip("pandas")
    assert isinstance(SEVERAL.to_frame("pandas"), pandas.DataFrame)
    data = assay.read({"text": ["one", "two"], "label": ["a", "b"]})
    assert data.to_frame("pandas")["label"].tolist() == ["a", "b"]


def test_another_kind_of_frame_is_refused():
    with pytest.raises(UsageError, match="No kind of frame 'panda'"):
        SEVERAL.to_frame("panda")


def test_notebooks_show_whole_sentences():
    assert "a" * 100 in SEVERAL._repr_html_()


def test_an_audit_shows_its_verdict_and_findings_with_words_of_the_data_escaped():
    rows = {"text": ["<b>good</b> film"] * 8 + ["bad film", "dull film"], "label": ["<i>"] * 8 + ["n", "n"]}
    found = assay.audit(rows, only=["profile"])
    shown = found._repr_html_()
    assert "A103" in shown
    assert "<i>" not in shown
    assert found.to_frame().columns[:3] == ["code", "severity", "claim"]
    empty = assay.audit({"text": ["one", "two"]}, only=["profile"])
    assert empty.to_frame().columns == found.to_frame().columns
