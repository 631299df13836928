"""Laws that hold for every kind of task."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from assay.base.errors import AssayError
from assay.data.columns.lookup import Columns
from assay.data.columns.roles import RoleRequest
from assay.data.columns.table import Table
from assay.evaluation.metrics import METRICS
from assay.kinds import KINDS, Certainty, Match, SharedValues, TaskKind, has_grades, kind_of, read, register_kind
from assay.kinds.recognition import choose_kind

DOCS = Path(__file__).resolve().parents[2] / "docs" / "kinds.md"


@pytest.fixture(params=list(KINDS))
def kind(request):
    return KINDS[request.param]


@pytest.fixture
def source(kind):
    return kind.example


def test_it_is_registered_under_its_name(kind):
    assert KINDS[kind.name] is kind
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", kind.name)
    assert kind.title
    assert kind.needs
    assert not kind.item_noun.endswith("s")


def test_its_metrics_exist(kind):
    assert kind.headline in kind.metrics
    assert set(kind.metrics) <= set(METRICS)


def test_its_data_is_recognised_and_nothing_else_is(kind, source):
    columns = Columns(Table(read(source).frame), "dict")
    chosen, match = choose_kind(columns, RoleRequest())
    assert chosen is kind
    assert match.certainty in Certainty
    assert set(match.columns) <= set(source)
    for other in KINDS.values():
        found = other.recognise(columns, RoleRequest())
        assert other is kind or found is None or found.certainty <= match.certainty


def test_its_data_is_built(kind, source):
    data = read(source)
    assert data.task == kind.name
    assert kind_of(data) is kind
    assert len(data) == len(next(iter(source.values())))
    assert data.notes[0].startswith(f"task: {kind.title} (")
    assert repr(data).startswith(f"Dataset 'data': {len(data)} items, {kind.name}")
    assert read(source, task=kind.name).fingerprint == data.fingerprint


def test_its_name_decides_where_columns_are_named(kind, source):
    """With `task` and the columns of a match named, the same data is read."""
    data = read(source)
    _, match = choose_kind(Columns(Table(data.frame), "dict"), RoleRequest())
    again = read(source, task=kind.name, text=list(match.texts), label=match.label)
    assert again.fingerprint == data.fingerprint


def test_columns_without_meaning_are_refused_and_listed(kind):
    with pytest.raises(AssayError, match="foo"):
        read({"foo": ["1"], "bar": ["2"]}, task=kind.name)


def test_its_leak_texts_cover_every_item(kind, source):
    data = read(source)
    texts = kind.leak_texts(data)
    assert next(iter(texts.values())).to_list() == data.texts.to_list()
    assert all(len(values) == len(data) for values in texts.values())
    assert len(texts) == (3 if kind.is_paired(data) else 1)


def test_its_sides_are_named(kind, source):
    data = read(source)
    sides = kind.name_sides(data)
    assert list(sides) == (["a", "b"] if kind.is_paired(data) else ["text"])
    assert [side.to_list() for side in sides.values()] == [side.to_list() for side in data.sides]


def test_classes_and_grades_exclude_each_other(kind, source):
    assert not (kind.has_classes and kind.has_grades)
    data = read(source)
    assert has_grades(data.label_names, data) == kind.has_grades == has_grades(data.label_names)


def test_it_is_documented(kind):
    assert f"`{kind.name}`" in DOCS.read_text(encoding="utf-8")


def test_it_survives_taking_rows(kind, source):
    data = read(source).take([0])
    assert data.task == kind.name
    assert kind_of(data) is kind


def test_the_kind_decides_and_not_the_labels_that_are_left():
    data = read(KINDS["graded"].example).take([0, 1])
    assert has_grades(data.label_names, data)
    assert not has_grades(data.label_names)


def test_a_kind_without_a_name_cannot_be_registered():
    class Nameless(TaskKind):
        def recognise(self, columns, request):
            return None

    with pytest.raises(AttributeError, match="name"):
        register_kind(Nameless)


def test_two_kinds_cannot_have_one_name():
    with pytest.raises(RuntimeError, match="registered twice"):
        register_kind(type(KINDS["pairs"]))


def test_the_documented_example_is_a_kind(monkeypatch):
    """A kind with columns and texts of its own plugs in without a change elsewhere."""
    monkeypatch.setattr(KINDS, "_methods", dict(KINDS))
    blocks = re.findall(r"^```python\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.M | re.S)
    (code,) = [block for block in blocks if "@register_kind" in block]
    exec(code, {"__name__": "example"})
    kind = KINDS["multiple-choice"]
    data = read(kind.example)
    assert kind_of(data) is kind
    assert data.notes[0] == "task: multiple choice (question, choices, answer)"
    assert data.fields["choices"].to_list() == [["2", "3"], ["3", "4"]]
    assert kind.leak_texts(data)["question and choices"].to_list() == ["1 + 1?2 3", "2 + 2?3 4"]
    assert read(kind.example, task="multiple-choice").fingerprint == data.fingerprint
    assert read(kind.example, task="classification").texts.to_list() == ["1 + 1?", "2 + 2?"]


def test_a_kind_may_load_sources_that_are_no_tables(monkeypatch):
    class Quiz(list):
        """A source that no reader knows."""

    def load(source, **_):
        return {"train": Table(pl.DataFrame({"text": source}))} if isinstance(source, Quiz) else None

    monkeypatch.setattr(KINDS["classification"], "load", load)
    assert read(Quiz(["a", "b"])).parts.to_list() == ["train", "train"]
    assert read(["a", "b"]).parts is None
    assert read(train=["b"], test=Quiz(["a"])).ids.to_list() == ["train-0", "test-0"]


def test_importing_the_kinds_loads_nothing_heavy():
    code = "import sys, assay.kinds\nprint({'numpy', 'polars', 'pyarrow', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_shared_values_need_only_ids():
    shared = SharedValues("x", "x.csv", pl.Series(["0"]))
    data = KINDS["classification"].build(
        Columns(Table(pl.DataFrame({"text": ["a"]})), "x.csv"), Match(("text",), Certainty.CLEAR), shared
    )
    assert data.to_frame().rows() == [("0", "a")]
