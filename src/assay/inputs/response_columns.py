"""The names of the columns of tables of responses."""

from __future__ import annotations

from collections.abc import Iterable

SYSTEM_NAMES = ("system", "model", "model_name", "run")
ID_NAMES = ("id", "item", "item_id", "question_id", "doc_id", "sample_id", "task_id")
RESPONSE_NAMES = ("response", "completion", "output", "model_output", "model_outputs", "generation", "generated_text")
# What a table of items has, and one of responses has not.
ITEM_NAMES = frozenset({"label", "labels", "gold", "answer", "answers", "target", "reference", "references", "text"})
CLEAR_NAMES = frozenset({"response", "completion", "model_output", "model_outputs", "generated_text"})


def has_response_columns(names: Iterable[str]) -> bool:
    """Return whether a table has systems, ids and responses, and nothing of the items.

    >>> has_response_columns(["model", "id", "response"]), has_response_columns(["id", "predicted"])
    (True, False)
    """
    known = {name.lower() for name in names}
    roles = (set(SYSTEM_NAMES), set(ID_NAMES), CLEAR_NAMES)
    return all(known & role for role in roles) and not known & ITEM_NAMES
