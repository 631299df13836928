"""Task-specific information of a whole dataset, with the user's own shortcuts and systems: `assay information`."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from assay.base.arrays import Array
from assay.base.entry_points import entry_point, list_strings, replace_settings
from assay.base.errors import AssayError
from assay.data import Dataset
from assay.data.row_order import take_rows
from assay.evaluation import Predictions
from assay.information.cues.search import Cue
from assay.information.item_texts import ItemTexts
from assay.information.results import Information, SystemOnItems
from assay.information.settings import InformationArguments, InformationSettings
from assay.information.shortcuts import choose_shortcuts
from assay.information.shortcuts.stop_words import find_language, measure_stop_words, read_stop_words
from assay.information.task_information import measure_task_information
from assay.inputs import take_data
from assay.kinds import check_text_labels
from assay.kinds.arguments import DataSource
from assay.models import CountedTexts
from assay.models.inputs import list_items
from assay.statistics import wilson
from assay.text import Corpus


@entry_point(InformationArguments)
def measure_information(
    data: DataSource,
    predictions: Predictions | None = None,
    *,
    shortcuts: str | Sequence[str] | None = None,
    columns: str | Sequence[str] = (),
    ngrams: str | Path | None = None,
    stop_words: str | Path | None = None,
    probabilities: Array | None = None,
    cues: Sequence[Cue] | None = None,
    corpora: Sequence[Corpus] | None = None,
    texts: CountedTexts | None = None,
    groups: Sequence[object] | None = None,
    settings: InformationSettings = InformationSettings(),
    **options: Unpack[InformationArguments],
) -> Information:
    """Measure how much information about the labels of a dataset is left beyond shortcuts.

    `data` is a `Dataset` or anything `assay.read` takes; rows without a label are left out. `columns` of the data and
    `ngrams` (a file with one per line) become further shortcuts, `stop_words` is your own list; without it, the stop
    words of the texts' language are used. `predictions` are ranked on the items that shortcuts do not solve; one system
    with probabilities replaces the full model, as do `probabilities` (labelled items × sorted labels), for example
    out-of-fold predictions. Groups, for example of duplicates, are never divided. Ready-made `corpora` (words of each
    side of the labelled items), `texts` (the same items with their n-gram counts) and `cues` are reused. `options` are
    fields of the settings, and arguments of `assay.read`.
    """
    settings = replace_settings(settings, options)
    given = check_text_labels(take_data(data, options)).drop_unlabelled()
    order, labelled = given.order, given.sort_rows()
    groups, probabilities = take_rows(groups, order), take_rows(probabilities, order)
    corpora = None if corpora is None else [corpus.take(order) for corpus in corpora]
    texts = None if texts is None else texts.take(order)
    assert labelled.labels is not None
    names = tuple(list_strings(shortcuts)) if shortcuts is not None else choose_shortcuts(len(labelled.sides))
    own: dict[str, Any] = {name: labelled.column(name).to_list() for name in list_strings(columns)}
    if ngrams is not None:
        own["ngrams"] = find_ngrams(labelled, ngrams)
    notes: tuple[str, ...] = ()
    if stop_words is not None or "stop-words" in names:
        items = ItemTexts([side.to_list() for side in labelled.sides], corpora)
        corpora, language = items.corpora, find_language(items)
        if stop_words is not None:
            own["stop-words"] = measure_stop_words(items, read_stop_words(stop_words))
        elif not language.has_function_words:
            names = tuple(name for name in names if name != "stop-words")
            notes = (f"the shortcut stop-words is left out: there is no list of stop words for {language.name}",)
    if groups is None and labelled.groups is not None:
        groups = labelled.groups.to_list()
    if probabilities is None and predictions is not None and _find_probable(predictions):
        probabilities = arrange_probabilities(labelled, predictions)
    information = measure_task_information(
        list_items(labelled) if texts is None else texts,
        labelled.labels.to_list(),
        parts=None if labelled.parts is None else labelled.parts.to_list(),
        groups=groups,
        shortcuts=(*names, *(name for name in own if name not in names)),
        own=own,
        probabilities=probabilities,
        cues=cues,
        corpora=corpora,
        settings=settings,
    )
    items = information.items.with_columns(row=order[information.items["row"].to_numpy()]).sort("row")
    information = dataclasses.replace(information, items=items, notes=[*information.notes, *notes])
    if predictions is None:
        return information
    return dataclasses.replace(information, systems=rank_systems(given, information, predictions.sort_rows()))


def find_ngrams(data: Dataset, path: str | Path) -> Array:
    """Return an indicator for each word sequence of a file: whether the item's text holds it, in any case."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise AssayError(f"the list of n-grams cannot be read: {error}", place=path) from error
    ngrams = [line.strip().lower() for line in lines if line.strip()]
    if not ngrams:
        raise AssayError("the list of n-grams is empty", place=path)
    padded = " " + data.texts.str.to_lowercase().str.replace_all(r"\W+", " ") + " "
    indicators = [padded.str.contains(f" {ngram} ", literal=True).to_numpy() for ngram in ngrams]
    return np.column_stack(indicators).astype(float)


def arrange_probabilities(data: Dataset, predictions: Predictions) -> Array:
    """Return the probabilities of the one system that has them, one row per item, labels in sorted order."""
    names = _find_probable(predictions)
    if len(names) != 1:
        raise AssayError(f"{len(names)} systems have prob:<label> columns; information needs exactly one.")
    shares = predictions.systems[names[0]].probabilities or {}
    missing = [label for label in data.label_names if label not in shares]
    if missing:
        raise AssayError(f"System '{names[0]}' has no column 'prob:{missing[0]}', but the data has that label.")
    rows_by_id = {identity: row for row, identity in enumerate(data.ids.to_list())}
    table = np.full((len(data), len(data.label_names)), np.nan)
    rows = np.array([rows_by_id.get(str(identity), -1) for identity in predictions.ids])
    is_known = rows >= 0
    for column, label in enumerate(data.label_names):
        table[rows[is_known], column] = np.asarray(shares[label])[is_known]
    return table


def rank_systems(data: Dataset, information: Information, predictions: Predictions) -> list[SystemOnItems]:
    """Rank systems by their accuracy on the items that the shortcuts cannot solve."""
    ids = data.ids.to_list()
    rows = information.items.select("row", "shortcut_solvable").iter_rows()
    solved_by_id = {ids[row]: solved for row, solved in rows}
    solved = np.array([solved_by_id.get(str(identity)) for identity in predictions.ids], dtype=object)
    systems = []
    for name, outcomes in zip(predictions.names, predictions.outcomes(), strict=True):
        is_answered = np.isfinite(outcomes)
        unsolved, easy = (outcomes[is_answered & (solved == kind)] for kind in (False, True))
        systems.append(
            SystemOnItems(
                system=name,
                accuracy_unsolved=wilson(int(unsolved.sum()), len(unsolved)),
                accuracy_solved=float(easy.mean()) if len(easy) else float("nan"),
                n_unsolved=len(unsolved),
                n_solved=len(easy),
            )
        )
    return sorted(systems, key=lambda system: -system.accuracy_unsolved.value)


def _find_probable(predictions: Predictions) -> list[str]:
    return [name for name, answers in predictions.systems.items() if answers.probabilities]
