from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pytest

from assay.base.codec import from_plain, to_json, to_plain
from assay.base.errors import AssayError
from assay.views.results import Result


@dataclass(frozen=True)
class Point(Result):
    x: float
    y: float = 0.0


@dataclass(frozen=True)
class Named(Result):
    name: str


@dataclass(frozen=True)
class Shape(Result):
    points: tuple[Point, ...]
    counts: dict[str, int]
    kind: Literal["open", "closed"]
    first: Point | None = None
    either: Point | Named | None = None
    pair: tuple[str, int] = ("a", 1)
    cache: object = field(default=None, compare=False, metadata={"json": False})


SHAPE = Shape((Point(1.0, math.inf), Point(2.5)), {"a": 1}, "open", None, Named("n"), ("b", 2), cache=object())


def test_a_result_survives_json():
    plain = json.loads(to_json(SHAPE))
    assert "cache" not in plain
    restored = Shape.from_dict(plain)
    assert restored.points[1] == Point(2.5)
    assert math.isnan(restored.points[0].y)  # JSON has no infinity
    assert (restored.counts, restored.kind, restored.first) == ({"a": 1}, "open", None)
    assert (restored.either, restored.pair) == (Named("n"), ("b", 2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "other"}, "expected"),
        ({"points": {}}, "expected tuple, got dict"),
        ({"points": [{"x": "1"}]}, r"points\[0\]\.x: expected float, got str"),
        ({"points": [{"x": [1]}]}, r"points\[0\]\.x: expected float, got list"),
        ({"counts": {"a": 1.5}}, r"counts\.a: expected int, got float"),
        ({"new": 1}, "Unknown field 'new' of Shape"),
        ({"pair": ["a"]}, "expected tuple"),
    ],
)
def test_a_wrong_value_is_named(change, message):
    with pytest.raises(AssayError, match=message):
        Shape.from_dict({**to_plain(SHAPE), **change})


def test_a_missing_field_is_named():
    with pytest.raises(AssayError, match="Named lacks the field 'name'"):
        from_plain(Named, {})


def test_numbers_of_numpy_become_python_numbers():
    assert to_plain({"a": np.arange(2), "b": np.float32(0.5), "c": [math.nan]}) == {"a": [0, 1], "b": 0.5, "c": [None]}


def test_the_representation_of_a_large_result_stays_short():
    shape = Shape(tuple(Point(float(x)) for x in range(1000)), {str(x): x for x in range(1000)}, "open")
    assert len(repr(shape)) < 300
    assert "points=<tuple of 1000>" in repr(shape)


@dataclass(frozen=True)
class Flat(Result):
    """A result that is written in another shape."""

    points: dict[str, float]

    def to_dict(self):
        return dict(self.points)

    @classmethod
    def from_dict(cls, values):
        return cls(from_plain(dict[str, float], values))


def test_a_result_with_a_shape_of_its_own_is_read_back_by_its_own_inverse():
    flat = [Flat({"x": 1.0})]
    assert to_plain(flat) == [{"x": 1.0}]
    assert from_plain(list[Flat], to_plain(flat)) == flat


def test_an_integer_beyond_all_numbers_is_infinite():
    assert from_plain(float, 10**400) == math.inf
    assert from_plain(float, -(10**400)) == -math.inf
