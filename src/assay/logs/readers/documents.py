"""The text, the choices and the right answer in a document of lm-evaluation-harness."""

from __future__ import annotations

import json

from assay.logs.records import LogItem
from assay.system.json import JsonObject, parse_literal
from assay.wording.letters import name_letter, number_letter, parse_count

TEXT_NAMES = (
    *("question", "query", "ctx", "problem", "goal", "prompt", "instruction", "input", "sentence", "premise"),
    *("source", "article", "document", "passage", "text", "page", "original_problem", "question_stem", "sentence1"),
)
CONTEXT_NAMES = (
    *("context", "hypothesis", "sentence2", "support", "story", "background", "question1", "question2", "scenario"),
    *("fact", "facts", "paragraph", "dialogue", "conversation", "headline", "review", "tweet", "claim"),
)
MIN_WORDS = 3  # of a part of the prompt that has no known name
_ANSWER_PREFIXES = ("answer", "option", "choice", "target", "solution", "label", "gold", "correct", "distractor")
CHOICE_NAMES = ("choices", "endings", "options", "answers", "mc1_targets")
OPTION_NAMES = (("option1", "option2"), ("sol1", "sol2"), ("choice1", "choice2"), ("option_a", "option_b"))
ANSWER_NAMES = ("answerKey", "answer", "label", "gold", "answer_idx", "correct")
SUBJECT_NAMES = ("subject", "category", "topic", "subtask", "domain")


def describe_document(row: JsonObject) -> LogItem:
    """Return the content of a row of samples: of its document, or else of its prompt."""
    document = row.get("doc")
    fields = document if isinstance(document, dict) else {}
    requests = list_requests(row)
    choices = _find_choices(fields, requests)
    gold = _find_gold(row, fields, choices)
    subject = next((str(fields[name]) for name in SUBJECT_NAMES if isinstance(fields.get(name), str)), None)
    text = _find_text(fields, requests, (*choices, *gold))
    if len(gold) == 1 and text is not None and text.strip() == gold[0]:
        gold = ()  # the likelihood of the whole text was measured: nothing was to be answered
    return LogItem(text, gold, choices, subject)


def list_requests(row: JsonObject) -> list[tuple[str, str]]:
    """Return the prompt and the continuation of every request; the continuation of a generation is empty.

    For mutual information the harness also scores every choice without the prompt; these requests are left out.
    """
    arguments = row.get("arguments")
    if isinstance(arguments, dict):
        parts = [list(value.values()) for value in arguments.values() if isinstance(value, dict)]
    elif isinstance(arguments, list):
        parts = [list(value) for value in arguments if isinstance(value, (list, tuple))]
    else:
        parts = []
    requests = [
        (str(part[0]), part[1] if len(part) > 1 and isinstance(part[1], str) else "") for part in parts if len(part)
    ]
    half = len(requests) // 2
    first, second = ([text.strip() for _, text in side] for side in (requests[:half], requests[half:]))
    is_doubled = half > 1 and first == second and not any(prompt for prompt, _ in requests[half:])
    return requests[:half] if is_doubled else requests


def find_answer(row: JsonObject, choices: tuple[str, ...]) -> str | None:
    """Return the answer: the letter of the most likely choice, or the text after the filter."""
    responses = row.get("filtered_resps")
    if not isinstance(responses, list) or not responses:
        return None
    if choices and len(responses) == 2 * len(choices):  # the second half is without the prompt
        responses = responses[: len(choices)]
    likelihoods = [_read_likelihood(response) for response in responses]
    if len(responses) > 1 and all(value is not None for value in likelihoods):
        best = max(range(len(likelihoods)), key=lambda number: likelihoods[number] or 0.0)
        return name_letter(best) if not choices or best < len(choices) else None
    first = responses[0]
    while isinstance(first, list) and first:
        first = first[0]
    return first if isinstance(first, str) else None


def _read_likelihood(response: object) -> float | None:
    value = response[0] if isinstance(response, (list, tuple)) and len(response) == 2 else None
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return None


def _find_text(fields: JsonObject, requests: list[tuple[str, str]], answers: tuple[str, ...]) -> str | None:
    """Return the parts of the document that the prompt shows, in its order; else the part with a known name."""
    prompt = requests[0][0] if requests else ""
    texts = {name: value for name, value in fields.items() if isinstance(value, str) and value.strip()}
    places = {name: _find_place(value, prompt) for name, value in texts.items()}
    known = [name for name in (*TEXT_NAMES, *CONTEXT_NAMES) if name in texts]
    shown = [name for name in known if places[name] >= 0]
    if not known:
        shown = [name for name in texts if places[name] >= 0 and _is_question(name, texts[name], answers)]
    parts: list[str] = []
    for name in shown:
        if not any(texts[name] in texts[part] or texts[part] in texts[name] for part in parts):
            parts.append(name)
    if parts:
        return "\n".join(texts[name] for name in sorted(parts, key=places.__getitem__))
    return _cut_answer(texts[known[0]], answers) if known else prompt or None


def _is_question(name: str, value: str, answers: tuple[str, ...]) -> bool:
    """Return whether a field without a known name, which the prompt shows, belongs to the question."""
    if name.lower().startswith(_ANSWER_PREFIXES) or value.strip() in {answer.strip() for answer in answers}:
        return False
    return len(value.split()) >= MIN_WORDS and "prompt" not in name.lower()


def _find_place(value: str, prompt: str) -> int:
    """Return where a text is last in the prompt, as whole words; -1 if it is not.

    Prompts drop the final mark of a sentence, and those of conversations are written as JSON.

    >>> _find_place("cause", "It rained because"), _find_place("It rained.", "Why? It rained because")
    (-1, 5)
    """
    plain = value.strip().rstrip(".?!:")
    for text in dict.fromkeys((plain, json.dumps(plain, ensure_ascii=False)[1:-1], json.dumps(plain)[1:-1])):
        place = prompt.rfind(text) if text else -1
        if place < 0:
            continue
        before, after = prompt[place - 1 : place] if place else "", prompt[place + len(text) :][:1]
        is_whole = not (before.isalnum() and text[0].isalnum()) and not (after.isalnum() and text[-1].isalnum())
        return place if is_whole or text[0] > "\u2fff" else -1  # scripts without spaces have no borders of words
    return -1


def _cut_answer(text: str, answers: tuple[str, ...]) -> str:
    """Return a text without the answer that it ends with, which the prompt left out."""
    end = next((answer for answer in answers if answer and text.rstrip().endswith(answer.strip())), None)
    return text.rstrip().removesuffix(end.strip()).rstrip() or text if end else text


def _find_choices(fields: JsonObject, requests: list[tuple[str, str]]) -> tuple[str, ...]:
    """Return the choices that were scored: of the document, or else the continuations."""
    n = len(requests)
    if n < 2:
        return ()
    continuations = tuple(continuation.strip() for _, continuation in requests)
    for name in CHOICE_NAMES:
        value = fields.get(name)
        if isinstance(value, dict):
            value = value.get("text") or value.get("choices")
        if isinstance(value, list) and len(value) == n and all(isinstance(choice, str) for choice in value):
            return continuations if {choice.strip() for choice in value} == set(continuations) else tuple(value)
    for pair in OPTION_NAMES:
        if n == len(pair) and all(isinstance(fields.get(name), str) for name in pair):
            return tuple(str(fields[name]) for name in pair)
    return continuations if len(set(continuations)) == n else ()


def _find_gold(row: JsonObject, fields: JsonObject, choices: tuple[str, ...]) -> tuple[str, ...]:
    target = row.get("target")
    if not choices:
        values = target if isinstance(target, list) else _parse_targets(target)
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


def _parse_targets(target: object) -> list[object]:
    """Return the accepted answers; the harness writes a list of them as text.

    >>> _parse_targets("['Rome', 'Roma']"), _parse_targets("[x]")
    (['Rome', 'Roma'], ['[x]'])
    """
    if isinstance(target, str) and target.startswith("[") and target.endswith("]"):
        try:
            values = parse_literal(target)
        except ValueError:
            return [target]
        if isinstance(values, list) and values and all(isinstance(value, str) for value in values):
            return values
    return [target]


def _number_choice(value: object, choices: tuple[str, ...], first: int) -> int | None:
    """Return the number of a choice that is written as a number, a letter or its text."""
    text = str(value).strip()
    number = parse_count(text.lstrip("-"))
    if number is not None:
        return number - first if 0 <= number - first < len(choices) and text[0] != "-" else None
    if len(text) == 1 and text.isascii() and text.isalpha():
        number = number_letter(text.upper())
        return number if number < len(choices) else None
    stripped = [choice.strip() for choice in choices]
    return stripped.index(text) if text in stripped else None
