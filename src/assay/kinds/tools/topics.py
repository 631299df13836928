"""The subject of every item, if a column of the data names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.data.columns.names import normalise_name

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset

TOPIC_NAMES = ("subject", "subjects", "subjectname", "category", "topic", "domain", "genre", "discipline", "field")
MIN_TOPICS = 10  # subjects from which on a split can keep them whole and still choose its size


def find_topics(data: Dataset) -> pl.Series | None:
    """Return the column that names the subject of items, by the usual names; None if most subjects have one item.

    >>> from assay.kinds import read
    >>> rows = {"question": ["a?", "b?", "c?"], "choices": [["x", "y"]] * 3, "answer": "ABA", "subject": ["s", "s", "t"]}
    >>> find_topics(read({name: list(cells) for name, cells in rows.items()})).to_list()
    ['s', 's', 't']
    """
    used = set() if data.labels is None else {data.labels.name}
    columns = {normalise_name(name): name for name in data.frame.columns if name not in used}
    for wanted in TOPIC_NAMES:
        if wanted in columns:
            topics = data.frame[columns[wanted]]
            if 1 < topics.n_unique() <= 2 * len(topics) / 3 and not topics.null_count():
                return topics.alias(columns[wanted])
    return None
