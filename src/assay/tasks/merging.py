"""Results merged in a tree, in the order of their tasks: neighbours first, so that no merge waits for all results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

FAN_IN = 16


class MergeTree(Generic[T]):
    """Results that are merged as soon as there are `FAN_IN` neighbours of one level.

    >>> tree = MergeTree(lambda parts: sum(parts, []))
    >>> for number in range(40):
    ...     tree.add([number])
    >>> tree.finish() == list(range(40))
    True
    """

    def __init__(self, merge: Callable[[Sequence[T]], T]) -> None:
        self.merge = merge
        self.levels: list[list[T]] = [[]]

    def add(self, result: T) -> None:
        """Take the next result."""
        for level in self.levels:
            level.append(result)
            if len(level) < FAN_IN:
                return
            result = self.merge(level.copy())
            level.clear()
        self.levels.append([result])

    def finish(self) -> T:
        """Merge the rest: the higher levels have the earlier results."""
        rest = [result for level in reversed(self.levels) for result in level]
        return rest[0] if len(rest) == 1 else self.merge(rest)
