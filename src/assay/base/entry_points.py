"""Entry points: keyword arguments that do not exist are named together with the nearest one that does."""

from __future__ import annotations

import difflib
import inspect
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import Field, fields, replace
from functools import wraps
from typing import Any, ClassVar, ParamSpec, Protocol, TypeVar

from assay.base.errors import OPTION_NAMES, UnknownArgumentError, join_names


class Dataclass(Protocol):
    """An object of a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


Settings = TypeVar("Settings", bound=Dataclass)
P = ParamSpec("P")
R = TypeVar("R")


def entry_point(arguments: type | None = None, **aliases: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for a public function: it refuses unknown keyword arguments, and renames `aliases`.

    `arguments` is the `TypedDict` of the function's `**options`.

    >>> @entry_point(seed="random_state")
    ... def draw(label: str = "", random_state: int = 0) -> int:
    ...     return random_state
    >>> draw(seed=3)  # type: ignore[call-arg]
    3
    >>> draw(labels="stars")  # type: ignore[call-arg]
    Traceback (most recent call last):
    assay.base.errors.UnknownArgumentError: draw has no argument 'labels'. Did you mean 'label'?
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        known = _list_arguments(function, arguments)
        n_values = _count_values(function)

        @wraps(function)
        def call(*values: P.args, **options: P.kwargs) -> R:
            for name in [name for name in options if name not in known]:
                if name not in aliases:
                    raise refuse_argument(function.__name__, name, known)
                options[aliases[name]] = options.pop(name)
            if len(values) > n_values:
                raise _refuse_values(function.__name__, known[:n_values], known[n_values:])
            return function(*values, **options)

        return call

    return decorate


def _list_arguments(function: Callable[..., object], arguments: type | None) -> list[str]:
    named = [each.name for each in inspect.signature(function).parameters.values() if each.kind is not each.VAR_KEYWORD]
    return [*named, *(() if arguments is None else arguments.__annotations__)]


def _count_values(function: Callable[..., object]) -> int:
    """Return how many arguments may be given without their names."""
    kinds = [parameter.kind for parameter in inspect.signature(function).parameters.values()]
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return sys.maxsize
    return sum(kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for kind in kinds)


def _refuse_values(function: str, first: Sequence[str], others: Sequence[str]) -> UnknownArgumentError:
    """Return the error for more arguments than may be given without their names, as texts and labels are in pairs."""
    fact = f"{function} takes {join_names(first)} without a name, and {join_names(others, 40)} by name"
    hint = 'Texts and labels are one table: {"text": texts, "label": labels}.' if "label" in others else ""
    return UnknownArgumentError(fact, hint=hint)


def refuse_argument(function: str, name: str, known: Sequence[str]) -> UnknownArgumentError:
    """Return the error for an argument that does not exist, with the nearest one that does, or else all of them."""
    guess = guess_argument(name, known)
    hint = f"Did you mean '{guess}'?" if guess else f"Its arguments: {join_names(known, 40)}."
    return UnknownArgumentError(f"{function} has no argument '{name}'.", hint=hint)


def guess_argument(name: str, known: Sequence[str]) -> str | None:
    """Return the argument that a name is probably meant for: that of the same option, or the one nearest in spelling.

    >>> guess_argument("seed", ["label", "random_state"]), guess_argument("labels", ["label"]), guess_argument("x", [])
    ('random_state', 'label', None)
    """
    other = OPTION_NAMES.get(name.replace("_", "-"), name)
    close = [other] if other in known else difflib.get_close_matches(name, known, n=1)
    return close[0] if close else None


def replace_settings(settings: Settings, options: Mapping[str, object]) -> Settings:
    """Return settings with the options that are fields of them; the others are ignored."""
    names = {field.name for field in fields(settings)}
    return replace(settings, **{name: value for name, value in options.items() if name in names})


def list_strings(names: str | Collection[str] | None) -> list[str]:
    """Return names as a list; a string is a list of one.

    >>> list_strings("profile"), list_strings(None)
    (['profile'], [])
    """
    return [] if names is None else [names] if isinstance(names, str) else list(names)
