"""Make a splitter by its name, and check its parameters."""

from __future__ import annotations

from dataclasses import fields
from types import NoneType
from typing import Any, get_args, get_type_hints

from assay.base.codec import from_plain
from assay.base.entry_points import guess_argument
from assay.base.errors import AssayError, UsageError, join_names
from assay.base.parameters import Options
from assay.kinds.arguments import ReadingArguments
from assay.splits.base import DEFAULT_FOLDS, FoldSplitter, Splitter
from assay.splits.registry import SPLITS


def make_splitter(
    method: str,
    *,
    n_splits: int | None = None,
    test_size: float | None = None,
    dev_size: float | None = None,
    n_repeats: int = 1,
    random_state: int = 0,
    **settings: Any,
) -> Splitter:
    """Make a splitter by name: folds, or train, dev and test; settings that are None keep their default.

    >>> make_splitter("length", test_size=0.2).name
    'length'
    >>> make_splitter("length", n_splits=5)
    Traceback (most recent call last):
    assay.base.errors.UsageError: The length split makes one test set, not folds. Give test_size=, or ...
    """
    kind = SPLITS[method]
    names = {field.name for field in fields(kind)}
    if n_splits is not None and "n_splits" not in names:
        raise _refuse_folds(method)
    if dev_size is not None and test_size is None:
        raise UsageError("A dev set needs a test set.", hint="Give {test_size} with {dev_size}.")
    if n_splits is None and test_size is None and issubclass(kind, FoldSplitter):
        n_splits = DEFAULT_FOLDS
    parameters = {"n_splits": n_splits, "test_size": test_size, "dev_size": dev_size, **settings}
    parameters = {name: value for name, value in parameters.items() if value is not None}
    _check_names(method, names, parameters)
    _check_types(method, kind, parameters)
    return kind(n_repeats=n_repeats, random_state=random_state, **parameters)


def _refuse_folds(method: str) -> UsageError:
    folding = [name for name, kind in SPLITS.items() if issubclass(kind, FoldSplitter)]
    return UsageError(
        f"The {method} split makes one test set, not folds.",
        hint=f"Give {{test_size}}, or choose a method that makes folds ({', '.join(folding)}).",
    )


def _check_names(method: str, names: set[str], parameters: Options) -> None:
    unknown = [name for name in parameters if name not in names]
    if unknown:
        guess = guess_argument(unknown[0], [*names, *ReadingArguments.__annotations__])
        meant = f" Did you mean '{guess}'?" if guess else ""
        known = ", ".join(sorted(names))
        raise UsageError(f"The {method} split has no parameter {join_names(unknown)}.{meant} Known: {known}.")


def _check_types(method: str, kind: type[Splitter], parameters: Options) -> None:
    hints = get_type_hints(kind)
    for name, value in parameters.items():
        try:
            from_plain(hints[name], value)
        except AssayError as error:
            expected = _describe_type(hints[name])
            raise UsageError(f"{name} of the {method} split must be {expected}, not {value!r}.") from error


def _describe_type(hint: Any) -> str:
    """Describe a type as it is annotated, without None.

    >>> _describe_type(float | str | None)
    'float or str'
    """
    choices = [choice for choice in get_args(hint) or (hint,) if choice is not NoneType]
    return " or ".join(getattr(choice, "__name__", str(choice)) for choice in choices)
