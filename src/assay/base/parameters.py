"""The parameters of objects that scikit-learn reads, sets and clones."""

from __future__ import annotations

from dataclasses import fields, replace
from numbers import Integral
from typing import Any, Self, TypeAlias

from assay.base.errors import UsageError, unknown_name

Options: TypeAlias = dict[str, Any]  # keyword arguments by name


class Parameters:
    """`get_params` and `set_params` of a dataclass, which may be frozen: only `set_params` changes its parameters."""

    def get_params(self, deep: bool = True) -> Options:  # noqa: ARG002, scikit-learn's signature
        """Return the parameters by name; the parameters of an object that is itself a parameter are not listed."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.init}  # type: ignore[arg-type]

    def set_params(self, **params: object) -> Self:
        """Change parameters in place. If a name or a value is refused, nothing changes."""
        known = self.get_params()
        for name in params:
            if name not in known:
                raise unknown_name(f"parameter of {type(self).__name__}", name, known)
        changed = replace(self, **params)  # type: ignore[type-var]
        for name in params:
            object.__setattr__(self, name, getattr(changed, name))
        return self


def check_integer(option: str, value: object, minimum: int) -> None:
    """Raise an error if a parameter is not a whole number of at least `minimum`.

    >>> check_integer("n_splits", 2.5, 2)
    Traceback (most recent call last):
    assay.base.errors.UsageError: n_splits must be a whole number, not 2.5.
    """
    if not isinstance(value, Integral):
        raise UsageError(f"must be a whole number, not {value!r}.", option=option)
    if value < minimum:
        raise UsageError(f"must be at least {minimum}, not {value}.", option=option)
