"""Texts that systems write: summaries, translations, solutions, replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from assay.data.columns.names import LABEL_NAMES
from assay.kinds.facts import BaselineAnswers, Figure, KindProfile, count_defect
from assay.kinds.kind import Certainty, Match, SharedValues, TaskKind, register_kind
from assay.kinds.parts import AnswerTexts, Layout, Learning, ReferenceGold, Scoring, TaskTexts
from assay.kinds.tools.labelled_texts import holds_decisions
from assay.metrics.metric import combine_ratio, register_metric

if TYPE_CHECKING:
    import polars as pl

    from assay.base.arrays import Array
    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.metrics import AnsweredItems

SOURCE_NAMES = (
    *("source", "src", "document", "article", "dialogue", "input", "inputs", "question", "problem", "prompt"),
    *("instruction", "text", "sourcetext", "query", "questiontext", "querytext", "prompttext", "problemtext"),
)
# Names that hardly mean anything else; names that other kinds use too; names that are labels if they are not a text.
REFERENCE_NAMES = (
    "references",
    "reference",
    "ref",
    "summary",
    "highlights",
    "targettext",
    "translation",
    "goldsummary",
)
USUAL_NAMES = (
    *("answer", "answers", "ideal", "solution", "output", "outputs", "completion", "response", "canonicalsolution"),
    *("expectedoutput", "groundtruth"),
)
LABEL_LIKE_NAMES = ("target", "targets", "tgt", "code")
# One column per reference.
REFERENCE_PATTERNS = ("reference#", "ref#", "answer#", "ans#", "target#", "translation#", "summary#", "solution#")
SHORT_WORDS = 3  # references of at most so many words are compared for equality
UNSPACED_RUNS = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]{2}"  # about a word of a script without spaces
N_LEAD = 3


def _compute_chrf(sums: Array) -> Array:
    from assay.kinds.tools.overlap_metrics import compute_chrf

    return compute_chrf(sums)


def _compute_bleu(sums: Array) -> Array:
    from assay.kinds.tools.bleu import compute_bleu

    return compute_bleu(sums)


@register_metric("exact-match", kinds=("generation",), is_share=True)
def score_exact_match(items: AnsweredItems) -> Array:
    """The share of answers equal to a reference, as numbers if both are, else as text."""
    from assay.kinds.tools.text_metrics import score_equality

    return score_equality(*items.written)


def count_rouge(items: AnsweredItems, order: int | None) -> Array:
    """Return each item's ROUGE, and one; zero if most references have no word that ROUGE counts."""
    import numpy as np

    from assay.kinds.tools.overlap_metrics import has_words, score_rouge

    data, answers = items.written
    scores = score_rouge(data, answers, order)
    return np.stack([scores, np.full(len(scores), float(has_words(data)))], axis=1)


for _name, _order in (("rouge-l", None), ("rouge-1", 1), ("rouge-2", 2)):
    register_metric(
        _name,
        kinds=("generation",),
        description=f"{_name.upper()} (F) with the best reference, averaged over items (no stemming).",
        combine=combine_ratio,
        compares_means=True,
        undefined="ROUGE counts words of the letters a to z and digits, which most references have none of; use chrf",
    )(partial(count_rouge, order=_order))


@register_metric("chrf", kinds=("generation",), combine=_compute_chrf)
def count_characters(items: AnsweredItems) -> Array:
    """chrF2 of the whole corpus, from 0 to 1 (as in sacrebleu)."""
    from assay.kinds.tools.overlap_metrics import count_chrf

    return count_chrf(*items.written)


@register_metric("bleu", kinds=("generation",), combine=_compute_bleu, packages=("sacrebleu",))
def count_ngrams(items: AnsweredItems) -> Array:
    """BLEU of the whole corpus, from 0 to 1 (sacrebleu, tokenizer 13a)."""
    from assay.kinds.tools.bleu import count_bleu

    return count_bleu(*items.written)


class GenerationLayout(Layout):
    """Where the columns are."""

    needs = "a source (source, document, input, question) and a reference (reference, summary, target, answer)"
    example: ClassVar[Mapping[str, Sequence[str]]] = {
        "source": ["Das ist ein kleines Haus.", "Wir gehen heute nach Hause."],
        "reference": ["This is a small house.", "We are going home today."],
    }

    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Find a source and a reference by name; a target is one only if it is free text."""
        if request.choices or request.label_columns or len(request.text) > 1:
            return None
        used = request.find_named(columns)
        names = columns.find(SOURCE_NAMES, used)
        names = [name for name in names if not columns.holds_codes(name) and not columns.holds_links(name)] or names
        sources = [columns.get(request.text[0])] if request.text else names
        if not sources or columns.is_nested(sources[0]):
            return None
        named = request.find_label(columns)
        is_named = request.task == self.kind.name
        found = [(named, Certainty.WEAK)] if named else _find_references(columns, {*used, sources[0]}, is_named)
        if not found:
            return None
        reference, certainty = found[0]
        if not is_named and holds_decisions(columns, reference):
            return None
        series = columns.find_series(REFERENCE_PATTERNS, {*used, sources[0]})
        fields = {f"reference {number}": name for number, name in enumerate(series)} if reference in series else {}
        others = {*used, sources[0], reference, *series}
        if not is_named and any(columns.find(row, others) for row in LABEL_NAMES):
            certainty = Certainty.WEAK  # a text with a label and a reference next to it
        return Match((sources[0],), certainty, None if fields else reference, fields)

    def build(self, columns: Columns, match: Match, shared: SharedValues) -> Dataset:
        """Read references as lists, of one column or of several."""
        import polars as pl

        names = [match.label] if match.label else list(match.fields.values())
        rows = [_read_references(columns, name) for name in names]
        references = [[text for each in row for text in each] or None for row in zip(*rows, strict=True)]
        data = super().build(columns, replace(match, label=None, fields={}), shared)
        return replace(data, fields={"references": pl.Series("references", references, dtype=pl.List(pl.String))})


class GenerationAnswers(AnswerTexts):
    """The answers of systems."""

    def read_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str | None]:
        """Return the answers; NA is none, unless it is a reference."""
        gold = set(self.kind.gold.require_gold(data).head(1000).to_list())
        return answers if "NA" in gold else [None if answer == "NA" else answer for answer in answers]


class GenerationScoring(Scoring):
    """The metrics."""

    def choose_metrics(self, data: Dataset) -> tuple[str, ...]:
        """Return exact match if most references are short, else the metrics of longer texts."""
        from assay.kinds.tools.overlap_metrics import has_words

        gold = self.kind.gold.require_gold(data).drop_nulls()
        lengths = gold.str.count_matches(" ") + gold.str.count_matches(UNSPACED_RUNS)
        short = len(lengths) > 0 and float((lengths < SHORT_WORDS).mean()) > 0.5  # type: ignore[arg-type]
        if short or _has_final_answers(data):
            return ("exact-match",)
        return ("rouge-l", "chrf", "bleu") if has_words(data) else ("chrf", "bleu")

    def score_answers(self, data: Dataset, answers: Sequence[str | None]) -> Array | None:
        """Return how well each item was answered, by exact match or ROUGE-L."""
        name = self.choose_metrics(data)[0] if len(data) else "exact-match"
        metric = self.find_metric(name)
        if metric.find_missing_package() is not None:
            return super().score_answers(data, answers)
        return metric.compute_value(metric.collect_statistics(self.pair_answers(data, answers)))


class GenerationTexts(TaskTexts):
    """The texts of an item, and figures."""

    def leak_texts(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the source, the reference, and both."""
        import polars as pl

        references = self.kind.gold.require_gold(data).fill_null("")
        both = pl.select(pl.concat_str(data.texts, references, separator="\n")).to_series().alias("text")
        return {"source": data.texts, "reference": references, "source with reference": both}

    def describe_items(self, data: Dataset) -> KindProfile:
        """Return lengths, references per item, and how much of a reference is copied from its source."""
        references = [row or [] for row in data.fields["references"].to_list()]
        sources, ids = data.texts.fill_null("").to_list(), data.ids.to_list()
        known = [(source, row[0]) for source, row in zip(sources, references, strict=True) if row]
        n = max(len(known), 1)
        copied = [_share_copied(source, reference) for source, reference in known]
        figures = (
            Figure("words per source", sum(len(source.split()) for source in sources) / max(len(sources), 1)),
            Figure("words per reference", sum(len(reference.split()) for _, reference in known) / n),
            Figure("references per item", sum(map(len, references)) / max(len(references), 1)),
            Figure("words of the reference that are in the source", sum(copied) / n, is_share=True),
        )
        defects = [
            *count_defect(
                "items without a reference",
                "have no reference",
                "Add references, or remove the items.",
                [not row or not row[0].strip() for row in references],
                ids,
            ),
            *count_defect(
                "copied references",
                "have a reference that equals the source",
                "Check that copying is the task, or replace these references.",
                [
                    bool(row) and row[0].split() == source.split()
                    for source, row in zip(sources, references, strict=True)
                ],
                ids,
                serious=False,
            ),
        ]
        return KindProfile(figures, (), tuple(defects))


class GenerationLearning(Learning):
    """Baselines and models."""

    def answer_baselines(self, data: Dataset, rows: Array, random_state: int = 0) -> Iterable[BaselineAnswers]:
        """Return the most frequent reference, a copy of the source, and its first three sentences."""
        import numpy as np

        from assay.kinds.tools.learning import plan_learning
        from assay.kinds.tools.sentences import split_sentences

        gold, sources = self.kind.gold.require_gold(data).to_list(), data.texts.fill_null("").to_list()
        known = np.array([text is not None for text in gold])
        plan = plan_learning(data, rows, known, random_state)
        if plan is not None:
            constant = plan.predict(len(data), lambda train, test: [_find_commonest(gold, train)] * len(test))
            yield BaselineAnswers(
                "constant-answer", "constant", [constant[row] for row in rows.tolist()], plan.based_on
            )
        yield BaselineAnswers("copy-of-source", "overlap", [sources[row] or None for row in rows.tolist()])
        leads = [" ".join(split_sentences(sources[row])[:N_LEAD]) for row in rows.tolist()]
        yield BaselineAnswers("lead-3", "position", [lead or None for lead in leads])


register_kind(
    TaskKind(
        name="generation",
        title="generation",
        description="A source, and one or more texts that would be right.",
        hub_task="text-generation",
        layout=GenerationLayout(),
        gold=ReferenceGold(label_form="text"),
        answers=GenerationAnswers(),
        scoring=GenerationScoring(
            metrics=("exact-match", "rouge-l", "chrf", "bleu", "rouge-1", "rouge-2", "token-f1"),
            headline="exact-match",
            outcome="exact-match",
        ),
        texts=GenerationTexts(),
        learning=GenerationLearning(
            no_model="Answers are free text, which a linear model cannot write; "
            "the baselines constant-answer, copy-of-source and lead-3 are scored instead."
        ),
    )
)


def _find_references(columns: Columns, used: set[str], is_named: bool) -> list[tuple[str, Certainty]]:
    """Find references by name; a name of labels counts if the texts are free or the task is named."""
    found = [(name, Certainty.CLEAR) for name in columns.find(REFERENCE_NAMES, used)]
    found += [(name, Certainty.USUAL) for name in columns.find(USUAL_NAMES, used)]
    found += [(name, Certainty.USUAL) for name in columns.find_series(REFERENCE_PATTERNS, used)[:1]]
    free = [name for name in columns.find(LABEL_LIKE_NAMES, used) if is_named or _is_free_text(columns, name)]
    return [*found, *((name, Certainty.CLEAR) for name in free)]


def _read_references(columns: Columns, name: str) -> list[list[str]]:
    from assay.kinds.tools.cells import parse_list

    is_nested = columns.is_nested(name)
    return [(parse_list(cell) if is_nested else None) or ([cell] if cell else []) for cell in columns[name].to_list()]


def _is_free_text(columns: Columns, name: str) -> bool:
    cells = columns[name].drop_nulls()
    return cells.n_unique() > len(cells) / 2 and float(cells.str.count_matches(" ").mean() or 0) >= 2  # type: ignore[arg-type]


def _has_final_answers(data: Dataset) -> bool:
    """Return whether references end with a marked final answer."""
    return (
        bool(data.fields["references"].list.first().drop_nulls().head(100).str.contains("####").all()) and len(data) > 0
    )


def _share_copied(source: str, reference: str) -> float:
    words = reference.casefold().split()
    known = set(source.casefold().split())
    return sum(word in known for word in words) / max(len(words), 1)


def _find_commonest(gold: Sequence[str | None], rows: Array) -> str | None:
    counts = Counter(gold[row] for row in rows.tolist())
    return min(counts, key=lambda text: (-counts[text], text or "")) if counts else None
