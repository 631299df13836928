"""The conversation of a response: steps, calls of tools and their errors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.system.json import JsonObject

MAX_KEY = 2000  # characters of the arguments of a call that are compared
_ERROR_STARTS = ("error", "traceback", "exception")
_TRANSFERS = ("transfer_to_human", "handoff", "hand_off", "escalate")


@dataclass(frozen=True, slots=True)
class Trial:
    """One conversation: messages of the model, calls of tools, and what they cost; None if the log does not say.

    `repeated_calls` counts calls that repeat an earlier one with the same arguments. `is_transfer` marks a trial that
    ends by handing over to a person.
    """

    messages: int = 0
    steps: int = 0
    tool_calls: int = 0
    tool_errors: int = 0
    repeated_calls: int = 0
    is_transfer: bool = False
    tokens: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool: its name and its arguments as text."""

    name: str
    arguments: str


def describe_trial(
    messages: Sequence[JsonObject], *, tokens: float | None = None, cost: float | None = None
) -> Trial | None:
    """Count what happened in the messages of a conversation; None if there is no message of the model.

    >>> call = {"function": {"name": "look", "arguments": "{}"}}
    >>> turns = [{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": [call]}]
    >>> trial = describe_trial([*turns, {"role": "tool", "content": "Error: none"}])
    >>> trial.steps, trial.tool_calls, trial.tool_errors
    (1, 1, 1)
    """
    steps = [message for message in messages if message.get("role") == "assistant"]
    if not steps:
        return None
    calls = [call for message in steps for call in list_calls(message)]
    errors = sum(map(_is_tool_error, messages))
    return make_trial(len(messages), len(steps), calls, errors, tokens=tokens, cost=cost)


def make_trial(
    n_messages: int,
    n_steps: int,
    calls: Sequence[Call],
    n_errors: int,
    *,
    tokens: float | None = None,
    cost: float | None = None,
) -> Trial:
    """Return a trial from its calls."""
    is_transfer = any(call.name.lower().startswith(_TRANSFERS) for call in calls)
    return Trial(
        *(n_messages, n_steps, len(calls), n_errors, _count_repeated(calls), is_transfer), tokens=tokens, cost=cost
    )


def list_calls(message: JsonObject) -> list[Call]:
    """Return the calls of tools in a message, in the forms of OpenAI, inspect and ATIF."""
    calls = message.get("tool_calls")
    found = []
    for call in calls if isinstance(calls, list) else ():
        if not isinstance(call, dict):
            continue
        function = call.get("function")
        inner = function if isinstance(function, dict) else call
        name = inner.get("name") or inner.get("function_name") or (function if isinstance(function, str) else "")
        found.append(Call(str(name), _write_arguments(inner.get("arguments"))))
    return found


def _write_arguments(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return text[:MAX_KEY]


def _count_repeated(calls: Iterable[Call]) -> int:
    known: set[Call] = set()
    repeated = 0
    for call in calls:
        repeated += call in known
        known.add(call)
    return repeated


def _is_tool_error(message: JsonObject) -> bool:
    if message.get("role") != "tool":
        return False
    if message.get("error"):
        return True
    return is_error_text(message.get("content"))


def is_error_text(content: object) -> bool:
    """Return whether the result of a tool begins like an error.

    >>> is_error_text("Error: not found"), is_error_text("[]")
    (True, False)
    """
    return isinstance(content, str) and content.lstrip()[:10].lower().startswith(_ERROR_STARTS)
