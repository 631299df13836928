"""How the parts of one or several splits of the same texts differ."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.base.arrays import Array, Matrix, Values
from assay.base.entry_points import list_strings
from assay.base.errors import AssayError, unknown_name
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.splits.assignments import Assignment, FoldAssignment, PartAssignment
from assay.splits.comparison.compared_texts import ComparedTexts
from assay.splits.comparison.divergence import Divergence, compare_with_null
from assay.splits.comparison.duplicates import Leaks, count_leaks
from assay.splits.comparison.measuring import MEASURES, MeasureValues, measure_pairs
from assay.splits.comparison.pairs import PartPairs, list_members, pair_parts
from assay.splits.comparison.part_summary import PartSummary, measure_variance, share_labels
from assay.splits.comparison.projection import Projection, project_rows
from assay.splits.comparison.word_divergences import sum_counts
from assay.tasks.threads import use_one_thread
from assay.views.results import Result
from assay.wording.numbers import format_number

if TYPE_CHECKING:
    from assay.text import Corpus
    from assay.text.encoders.base import Encoder
    from assay.views.blocks import Block

PIECES = ("words", "vectors", "domain", "duplicates", "typical-words", "projection")
_VECTOR_PIECES = {"vectors", "domain", "projection"}


@dataclass(frozen=True)
class SplitComparison(Result):
    """How the parts of one split differ: the mean over its pairs of parts, then each part, duplicates, and a plane.

    A fold is compared with all other folds, dev and test with train. Pieces that were not requested are missing from
    `divergence`, nan (`domain_accuracy`, `within_variance`) or None (`leaks`, `projection`).
    """

    divergence: dict[str, Divergence] = field(metadata=OWN)
    domain_accuracy: float
    within_variance: float
    leaks: Leaks | None
    parts: dict[str, PartSummary] = field(metadata=NAME)
    n_rows: int
    n_unused: int
    n_repeats: int
    projection: Projection | None = field(compare=False)

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {format_number(value.value)}" for name, value in self.divergence.items())
        return f"SplitComparison({len(self.parts)} parts of {self.n_rows:,} rows: {values})"

    def _frame(self) -> pl.DataFrame:
        rows = [
            {"measure": name, "value": row.value, "null_low": row.null.low, "null_high": row.null.high, "p": row.p}
            | {"n_permutations": row.n_permutations}
            for name, row in self.divergence.items()
        ]
        return pl.DataFrame(rows)

    def blocks(self) -> Iterator[Block]:
        """Yield the parts, and how far they differ."""
        from assay.splits.view import show_comparison

        yield from show_comparison({"split": self})


def compare_splits(
    texts: Sequence[str] | Corpus,
    splits: Mapping[str, Assignment | Sequence[Assignment]],
    labels: Values | None = None,
    *,
    ids: Sequence[str] | None = None,
    include: str | Collection[str] = PIECES,
    encoder: str | Encoder = "tfidf",
    tokenizer: str = "words",
    n_permutations: int = 100,
    random_state: int = 0,
    corpus: Corpus | None = None,
    vectors: Matrix | None = None,
    exact_duplicates: Array | None = None,
    near_duplicates: Array | None = None,
    n_jobs: int = 1,
    backend: str | None = None,
) -> dict[str, SplitComparison]:
    """Compare the parts of splits of the same texts, each next to random splits of the same sizes.

    `splits` maps names to assignments, or to lists of repeats. `include` names the pieces to compute: words (`oov`,
    `jsd`, `overlap`), vectors (`wasserstein`, `mmd`), domain (classifier), duplicates, typical-words, projection.
    Words, vectors and duplicate groups that are ready are not computed again. Random splits move single rows: if a
    split keeps groups whole, the null is narrower than random splits of groups would give.
    """
    include = list_strings(include)
    for piece in include:
        if piece not in PIECES:
            raise unknown_name("piece of a comparison", piece, PIECES)
    compared = ComparedTexts(
        texts, ids, labels, encoder, tokenizer, random_state, corpus, vectors, exact_duplicates, near_duplicates
    )
    work: dict[str, Any] = {"n_jobs": n_jobs, "backend": backend}
    with use_one_thread():
        return {
            name: _compare_draws(compared, _list_draws(draws, len(compared.items)), include, n_permutations, work)
            for name, draws in splits.items()
        }


def _list_draws(draws: Assignment | Sequence[Assignment], n_rows: int) -> list[Assignment]:
    assignments = [draws] if isinstance(draws, (FoldAssignment, PartAssignment)) else list(draws)
    for assignment in assignments:
        if len(assignment) != n_rows:
            raise AssayError(f"{n_rows} texts, but the split assigns {len(assignment)} rows.")
    return assignments


def _compare_draws(
    texts: ComparedTexts, draws: list[Assignment], include: Collection[str], n_permutations: int, work: Options
) -> SplitComparison:
    pairs, members = pair_parts(draws), list_members(draws)
    values, nulls = measure_pairs(texts, pairs, include, n_permutations, **work)
    headline = _choose_headline(pairs)
    used = np.any(list(members.values()), axis=0)
    parts = {
        name: _summarise_part(texts, rows, used, include, _measure_part(name, pairs, values, nulls))
        for name, rows in members.items()
    }
    sizes = np.array([part.n for part in parts.values()])
    variances = [part.within_variance for part in parts.values()]
    has_duplicates = "duplicates" in include
    return SplitComparison(
        divergence=_relate_to_nulls(values, nulls, headline),
        domain_accuracy=_average(values["accuracy"][headline]) if "domain" in include else np.nan,
        within_variance=float(np.dot(sizes, variances) / sizes.sum()),
        leaks=_find_leaks(texts, pairs.select(headline)) if has_duplicates else None,
        parts=parts,
        n_rows=len(used),
        n_unused=int((~used).sum()),
        n_repeats=len(draws),
        projection=_project(texts, members) if "projection" in include else None,
    )


def _choose_headline(pairs: PartPairs) -> Array:
    """Return the pairs that the summary is the mean of: test if there is one, else all."""
    kinds = np.array([name.split(" ")[0] for name in pairs.names])
    return np.flatnonzero(kinds == "test") if "test" in kinds else np.arange(len(kinds))


def _measure_part(name: str, pairs: PartPairs, values: MeasureValues, nulls: MeasureValues) -> dict[str, Divergence]:
    if name not in pairs.names:
        return {}
    return _relate_to_nulls(values, nulls, np.array([pairs.names.index(name)]))


def _relate_to_nulls(values: MeasureValues, nulls: MeasureValues, pairs: Array) -> dict[str, Divergence]:
    return {
        name: compare_with_null(
            _average(values[name][pairs]), nulls[name][:, pairs].mean(axis=1), low_is_far=name == "overlap"
        )
        for name in MEASURES
        if name in values
    }


def _average(values: Array) -> float:
    return float(values.mean()) if len(values) else np.nan


def _summarise_part(
    texts: ComparedTexts, rows: Array, used: Array, include: Collection[str], against: dict[str, Divergence]
) -> PartSummary:
    lengths, labels = np.asarray(texts.corpus.lengths)[rows], texts.label_array
    counts, totals = sum_counts(texts.counts, np.stack([rows, used]))
    has_words, has_vectors = "typical-words" in include, not _VECTOR_PIECES.isdisjoint(include)
    return PartSummary(
        n=len(lengths),
        share=len(lengths) / len(rows),
        labels=share_labels(labels, rows, texts.label_names),
        n_unlabelled=0 if labels is None else sum(label is None for label in labels[rows]),
        length_mean=float(lengths.mean()),
        length_median=float(np.median(lengths)),
        length_min=int(lengths.min()),
        length_max=int(lengths.max()),
        n_words=int((counts > 0).sum()),
        within_variance=measure_variance(texts.vectors, rows) if has_vectors else np.nan,
        typical_words=find_typical_words(counts, totals, texts.corpus.vocabulary) if has_words else [],
        against=against,
    )


def _find_leaks(texts: ComparedTexts, pairs: PartPairs) -> Leaks:
    return count_leaks(pairs, texts.exact_duplicates, texts.near_duplicates, texts.id_names)


def _project(texts: ComparedTexts, members: dict[str, Array]) -> Projection:
    return project_rows(texts.plane, members, texts.id_names, np.random.default_rng(texts.random_state))


def find_typical_words(counts: Array, totals: Array, vocabulary: Sequence[str], n_words: int = 10) -> list[str]:
    """Return the words with the highest z-score of the log odds ratio between a part and the rest.

    Counts are smoothed by the word's share of the whole (an informative Dirichlet prior). Ties are in alphabetical
    order.

    >>> find_typical_words(np.array([9.0, 1.0, 5.0]), np.array([10.0, 10.0, 10.0]), ["sea", "land", "the"], n_words=1)
    ['sea']
    """
    rest, prior = totals - counts, totals / max(totals.sum(), 1.0) * len(totals)
    z = (_compute_log_odds(counts, prior) - _compute_log_odds(rest, prior)) / np.sqrt(
        1 / (counts + prior + 1e-9) + 1 / (rest + prior + 1e-9)
    )
    z[counts == 0] = -np.inf
    best = np.argsort(-z, kind="stable")[: 4 * n_words]
    ranked = sorted(best[z[best] > 0].tolist(), key=lambda word: (-round(float(z[word]), 9), vocabulary[word]))
    return [vocabulary[word] for word in ranked[:n_words]]


def _compute_log_odds(counts: Array, prior: Array) -> Array:
    mass = counts.sum() + prior.sum()
    return np.asarray(np.log((counts + prior + 1e-9) / (mass - counts - prior + 1e-9)))
