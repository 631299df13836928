from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tests.marks import unmarked_fields

from assay.base.marks import NAME, OWN, TEXT, WORD, rewrite_text


@dataclass(frozen=True)
class Inner:
    word: str = field(metadata=WORD)
    n: int


@dataclass(frozen=True)
class Marked:
    texts: tuple[str, ...] = field(metadata=TEXT)
    label: str | None = field(metadata=NAME)
    reason: str = field(metadata=OWN)
    inner: tuple[Inner, ...]
    counts: dict[str, int] = field(metadata=NAME)
    status: Literal["done", "skipped"] = "done"


@dataclass(frozen=True)
class Careless:
    inner: tuple[Inner, ...]
    example: str
    by_word: dict[str, float]


def test_text_is_rewritten_by_its_mark():
    value = Marked(("a", "b"), "pos", "why", (Inner("w", 1),), {"k": 2})
    assert rewrite_text(value, lambda text, mark: f"{mark}:{text}") == Marked(
        ("text:a", "text:b"), "name:pos", "own:why", (Inner("word:w", 1),), {"name:k": 2}, "own:done"
    )


def test_a_field_that_holds_text_needs_a_mark():
    assert list(unmarked_fields(Marked)) == []
    assert list(unmarked_fields(Careless)) == ["Careless.example", "Careless.by_word"]
