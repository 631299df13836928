"""The text, the choices and the right answer in a document of lm-evaluation-harness."""

from __future__ import annotations

from typing import Any

from assay.base.letters import name_letter, number_letter
from assay.logs.records import LogItem

TEXT_NAMES = (
    *("question", "query", "ctx", "problem", "goal", "prompt", "instruction", "input", "sentence", "premise"),
    *("source", "article", "document", "passage", "text", "page", "original_problem"),
)
CHOICE_NAMES = ("choices", "endings", "options", "answers", "mc1_targets")
OPTION_NAMES = (("option1", "option2"), ("sol1", "sol2"), ("choice1", "choice2"), ("option_a", "option_b"))
ANSWER_NAMES = ("answerKey", "answer", "label", "gold", "answer_idx", "correct")
SUBJECT_NAMES = ("subject", "category", "topic", "subtask", "domain")


def describe_document(row: dict[str, Any]) -> LogItem:
    """Return the content of a row of samples: of its document, or else of its prompt."""
    document = row.get("doc")
    fields = document if isinstance(document, dict) else {}
    requests = list_requests(row)
    choices = _find_choices(fields, requests)
    gold = _find_gold(row, fields, choices)
    subject = next((str(fields[name]) for name in SUBJECT_NAMES if isinstance(fields.get(name), str)), None)
    return LogItem(_find_text(fields, requests), gold, choices, subject)


def list_requests(row: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the prompt and the continuation of every request; the continuation of a generation is empty."""
    arguments = row.get("arguments")
    if isinstance(arguments, dict):
        parts = [list(value.values()) for value in arguments.values() if isinstance(value, dict)]
    elif isinstance(arguments, list):
        parts = [list(value) for value in arguments if isinstance(value, (list, tuple))]
    else:
        parts = []
    return [
        (str(part[0]), part[1] if len(part) > 1 and isinstance(part[1], str) else "") for part in parts if len(part)
    ]


def find_answer(row: dict[str, Any], choices: tuple[str, ...]) -> str | None:
    """Return the answer: the letter of the most likely choice, or the text after the filter."""
    responses = row.get("filtered_resps")
    if not isinstance(responses, list) or not responses:
        return None
    likelihoods = [_read_likelihood(response) for response in responses]
    if len(responses) > 1 and all(value is not None for value in likelihoods):
        best = max(range(len(likelihoods)), key=lambda number: likelihoods[number] or 0.0)
        return name_letter(best) if not choices or best < len(choices) else None
    first = responses[0]
    while isinstance(first, list) and first:
        first = first[0]
    return first if isinstance(first, str) else None


def _read_likelihood(response: Any) -> float | None:
    value = response[0] if isinstance(response, (list, tuple)) and len(response) == 2 else None
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return None


def _find_text(fields: dict[str, Any], requests: list[tuple[str, str]]) -> str | None:
    for name in TEXT_NAMES:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            second = fields.get("hypothesis") if name == "premise" else None
            return f"{value}\n{second}" if isinstance(second, str) else value
    return requests[0][0] if requests else None


def _find_choices(fields: dict[str, Any], requests: list[tuple[str, str]]) -> tuple[str, ...]:
    """Return the choices that were scored: of the document, or else the continuations."""
    n = len(requests)
    if n < 2:
        return ()
    for name in CHOICE_NAMES:
        value = fields.get(name)
        if isinstance(value, dict):
            value = value.get("text") or value.get("choices")
        if isinstance(value, list) and len(value) == n and all(isinstance(choice, str) for choice in value):
            return tuple(value)
    for pair in OPTION_NAMES:
        if n == len(pair) and all(isinstance(fields.get(name), str) for name in pair):
            return tuple(str(fields[name]) for name in pair)
    continuations = tuple(continuation.strip() for _, continuation in requests)
    return continuations if len(set(continuations)) == n else ()


def _find_gold(row: dict[str, Any], fields: dict[str, Any], choices: tuple[str, ...]) -> tuple[str, ...]:
    target = row.get("target")
    if not choices:
        values = target if isinstance(target, list) else [target]
        return tuple(str(value).strip() for value in values if value is not None)
    number = _number_choice(target, choices, first=0)
    if number is None:
        labels = fields.get("choices", {}).get("label") if isinstance(fields.get("choices"), dict) else None
        keys = [fields.get(name) for name in ANSWER_NAMES if fields.get(name) is not None]
        for key in keys:
            if isinstance(labels, list) and key in labels:
                number = labels.index(key)
            else:
                number = _number_choice(key, choices, first=1)
            if number is not None:
                break
    return () if number is None else (name_letter(number),)


def _number_choice(value: Any, choices: tuple[str, ...], first: int) -> int | None:
    """Return the number of a choice that is written as a number, a letter or its text."""
    text = str(value).strip()
    if text.lstrip("-").isdigit():
        number = int(text) - first
        return number if 0 <= number < len(choices) else None
    if len(text) == 1 and text.isalpha():
        number = number_letter(text.upper())
        return number if number < len(choices) else None
    stripped = [choice.strip() for choice in choices]
    return stripped.index(text) if text in stripped else None
