"""Task-specific information of a whole dataset, with the user's own shortcuts and systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError
from assay.base.results import Result
from assay.data import Dataset
from assay.evaluation import Predictions
from assay.information.shortcuts.stop_words import read_stop_words, stop_words
from assay.information.tsi import Information, default_shortcuts, task_specific_information
from assay.statistics import wilson


@dataclass(frozen=True)
class SystemOnItems(Result):
    """How a system does on the items that shortcuts solve, and on the others, with Wilson's intervals."""

    system: str
    accuracy_unsolved: float
    unsolved_low: float
    unsolved_high: float
    accuracy_solved: float
    n_unsolved: int
    n_solved: int


def dataset_information(
    data: Dataset,
    *,
    shortcuts: Sequence[str] | None = None,
    columns: Sequence[str] = (),
    ngrams: str | Path | None = None,
    stop_word_list: str | Path | None = None,
    predictions: Predictions | None = None,
    **options: Any,
) -> Information:
    """Measure the information of the labelled items of a dataset; options are those of `task_specific_information`.

    `columns` of the data and `ngrams` (a file with one a line) become shortcuts of their own; `predictions` of one
    system with probabilities replace the full model.
    """
    data = data.drop_unlabelled()
    names = tuple(shortcuts) if shortcuts is not None else default_shortcuts(len(data.sides))
    own: dict[str, Any] = {name: data.column(name).to_list() for name in columns}
    if ngrams is not None:
        own["ngrams"] = ngram_columns(data, ngrams)
    if stop_word_list is not None:
        own["stop-words"] = stop_words(*data.sides, words=read_stop_words(stop_word_list))
    given = None if predictions is None else given_probabilities(data, predictions)
    return task_specific_information(
        inputs(data),
        data.labels.to_list() if data.labels is not None else [],
        parts=None if data.parts is None else data.parts.to_list(),
        groups=None if data.groups is None else data.groups.to_list(),
        shortcuts=(*names, *(name for name in own if name not in names)),
        own=own,
        probabilities=given,
        **options,
    )


def inputs(data: Dataset) -> list[Any]:
    """Return the items as classifiers take them: texts, or two-tuples."""
    sides = [side.to_list() for side in data.sides]
    return sides[0] if len(sides) == 1 else list(zip(*sides, strict=True))


def ngram_columns(data: Dataset, path: str | Path) -> NDArray[np.float64]:
    """Return an indicator for each word sequence of a file: whether the item's text holds it, in any case."""
    try:
        wanted = [line.strip().lower() for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise AssayError(f"{path}: the list of n-grams cannot be read: {error}.") from error
    if not wanted:
        raise AssayError(f"{path}: the list of n-grams is empty.")
    lowered = data.texts.str.to_lowercase().str.replace_all(r"\W+", " ")
    padded = " " + lowered + " "
    return np.column_stack([padded.str.contains(f" {ngram} ", literal=True).to_numpy() for ngram in wanted]).astype(
        float
    )


def given_probabilities(data: Dataset, predictions: Predictions) -> NDArray[np.float64]:
    """Lay the probabilities of the one system that has them beside the items, labels in sorted order."""
    having = [name for name, answers in predictions.systems.items() if answers.probabilities]
    if len(having) != 1:
        raise AssayError(f"{len(having)} systems have prob:<label> columns; information needs exactly one.")
    shares = predictions.systems[having[0]].probabilities or {}
    missing = [label for label in data.label_names if label not in shares]
    if missing:
        raise AssayError(f"System '{having[0]}' has no column 'prob:{missing[0]}', but the data has that label.")
    place = {identity: row for row, identity in enumerate(data.ids.to_list())}
    table = np.full((len(data), len(data.label_names)), np.nan)
    rows = [place.get(str(identity), -1) for identity in predictions.ids]
    known = np.array(rows) >= 0
    for column, label in enumerate(data.label_names):
        table[np.array(rows)[known], column] = np.asarray(shares[label])[known]
    return table


def systems_on_items(data: Dataset, found: Information, predictions: Predictions) -> list[SystemOnItems]:
    """Rank systems by their accuracy on the items that the shortcuts cannot solve."""
    ids = data.ids.to_list()
    solved_by_id = {ids[row]: solved for row, solved in found.items.select("row", "shortcut_solvable").iter_rows()}
    solved = np.array([solved_by_id.get(str(identity)) for identity in predictions.ids], dtype=object)
    rows = []
    for name, outcome in zip(predictions.names, predictions.outcomes(), strict=True):
        answered = np.isfinite(outcome)
        hard, easy = (outcome[answered & (solved == kind)] for kind in (False, True))
        interval = wilson(int(hard.sum()), len(hard)) if len(hard) else None
        rows.append(
            SystemOnItems(
                name,
                float(hard.mean()) if len(hard) else float("nan"),
                interval.low if interval else float("nan"),
                interval.high if interval else float("nan"),
                float(easy.mean()) if len(easy) else float("nan"),
                len(hard),
                len(easy),
            )
        )
    return sorted(rows, key=lambda row: -row.accuracy_unsolved)
