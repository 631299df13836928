"""Queries, documents, and which documents are relevant to which query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from assay.kinds.facts import BaselineAnswers, KindProfile
from assay.kinds.kind import Certainty, Match, SharedValues, TaskKind, register_kind
from assay.kinds.parts import AnswerTexts, Gold, Layout, Learning, Scoring, TaskTexts
from assay.kinds.tools.remembering import remember_last
from assay.metrics.metric import combine_ratio, register_metric

if TYPE_CHECKING:
    import polars as pl

    from assay.base.arrays import Array
    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.data.columns.table import RawTable
    from assay.metrics import AnsweredItems

QUERY_NAMES = ("query", "topic", "queries")
JUDGEMENT_NAMES = ("judgements", "judgments", "qrels", "relevancejudgements")
CUTOFFS = (1, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
MIN_PRECISION = 1e-5  # of a query in the geometric mean, as in trec_eval
RECALL_LEVELS = tuple(level / 10 for level in range(11))


def _score(data: Dataset, answers: Sequence[str | None], measure: str, cutoff: float | None) -> Array:
    from assay.kinds.retrieval.flat_scores import score_flat
    from assay.kinds.retrieval.scores import score_rankings

    depth = None if cutoff is None else int(cutoff)
    scores = score_flat(data, answers, measure, depth)
    return score_rankings(data, answers, measure, cutoff) if scores is None else scores


def _score_items(items: AnsweredItems, measure: str, cutoff: float | None) -> Array:
    return _score(*_write_answers(items), measure, cutoff)


@remember_last
def _write_answers(items: AnsweredItems) -> tuple[Dataset, list[str]]:
    """Return the same list for all measures of a system, so that its rankings are read once."""
    return items.written


def _collect_logarithms(items: AnsweredItems) -> Array:
    import numpy as np

    precisions = np.maximum(_score_items(items, "map", None), MIN_PRECISION)
    return np.stack([np.log(precisions), np.ones(len(precisions))], axis=1)


def _compute_geometric_mean(sums: Array) -> Array:
    import numpy as np

    return np.asarray(np.exp(combine_ratio(sums)))


def _register_metrics() -> None:
    register = partial(register_metric, kinds=("retrieval",))
    whole = {
        "map": "Mean average precision.",
        "mrr": "The mean of 1 / rank of the first relevant document.",
        "ndcg": "Normalised discounted cumulative gain of the whole ranking.",
        "r-precision": "Precision at the number of relevant documents.",
        "bpref": "How few of the judged documents before a relevant one are not relevant (Buckley and Voorhees 2004).",
        "infap": "Average precision inferred if only a sample of documents was judged (Yilmaz and Aslam 2006).",
    }
    for name, description in whole.items():
        register(name, description=description)(partial(_score_items, measure=name, cutoff=None))
    register(
        "gm-map",
        description="The geometric mean of average precision, which poor queries lower most.",
        combine=_compute_geometric_mean,
    )(_collect_logarithms)
    cut = {
        "map": "Mean average precision of the first {} documents.",
        "success": "The share of queries with a relevant document among the first {}.",
        "ndcg": "Normalised discounted cumulative gain of the first {} documents.",
        "p": "The share of the first {} documents that are relevant.",
        "recall": "The share of the relevant documents that are among the first {}.",
        "judged": "The share of the first {} documents that have a judgement.",
    }
    for name, description in cut.items():
        for cutoff in CUTOFFS:
            score = partial(_score_items, measure=name, cutoff=cutoff)
            text = description.format(cutoff)
            is_share, ranks = name == "success", name != "judged"
            register(f"{name}@{cutoff}", description=text, is_share=is_share, ranks_systems=ranks)(score)
    for level in RECALL_LEVELS:
        description = f"The best precision from where {level:.0%} of the relevant documents are found."
        register(f"iprec@{level}", description=description)(partial(_score_items, measure="iprec", cutoff=level))


_register_metrics()


class RetrievalLayout(Layout):
    """Where the columns are."""

    needs = "a folder of queries, documents and judgements (BEIR, TREC), or the columns query and judgements"
    example: ClassVar[Mapping[str, Sequence[str]]] = {
        "query": ["red apple", "green tree"],
        "judgements": ['{"d1": 1, "d2": 0}', '{"d3": 2, "d1": 1}'],
    }

    def load(self, source: object, *, encoding: str, quoting: str) -> dict[str, RawTable] | None:  # noqa: ARG002
        """Read a folder of queries, documents and judgements, or a file of judgements alone."""
        if not isinstance(source, (str, Path)):
            return None
        from assay.kinds.retrieval.files import load_collection

        return load_collection(Path(source), encoding)

    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Find queries and judgements by name."""
        used = request.find_named(columns)
        queries = [columns.get(request.text[0])] if len(request.text) == 1 else columns.find(QUERY_NAMES, used)
        named = request.find_label(columns)
        judgements = [named] if named else columns.find(JUDGEMENT_NAMES, used)
        if not queries or not judgements:
            return None
        if request.task != self.kind.name and not _hold_judgements(columns, judgements[0]):
            return None
        return Match((queries[0],), Certainty.CLEAR, judgements[0])

    def build(self, columns: Columns, match: Match, shared: SharedValues) -> Dataset:
        """Keep the judgements as they are: a JSON object from documents to grades."""
        assert match.label is not None
        data = super().build(columns, replace(match, label=None), shared)
        data = replace(data, fields={"judgements": columns[match.label].alias("judgements")})
        missing = self.kind.gold.require_gold(data).null_count()
        notes = (f"{missing:,} queries without a relevant document; left out of scores",) if missing else ()
        return replace(data, notes=(*data.notes, *notes))


class RetrievalGold(Gold):
    """The right answers."""

    def get_gold(self, data: Dataset) -> pl.Series:
        """Return the relevant documents, those with the highest grade first; null if there are none."""
        import polars as pl

        from assay.kinds.retrieval.scores import write_ideal

        return pl.Series("gold", [write_ideal(cell) for cell in data.fields["judgements"].to_list()], dtype=pl.String)


class RetrievalAnswers(AnswerTexts):
    """The answers of systems."""

    def write_answers(self, answers: Sequence[str | None], texts: Sequence[str | None]) -> Sequence[str | None]:  # noqa: ARG002
        """Return rankings as document ids with commas between them."""
        from assay.kinds.retrieval.scores import parse_ranking

        return [None if answer is None else ", ".join(parse_ranking(answer)) for answer in answers]

    def load_answers(self, source: object, data: Dataset) -> pl.DataFrame | None:  # noqa: ARG002
        """Read a TREC run."""
        if not isinstance(source, (str, Path)):
            return None
        from assay.kinds.retrieval.files import load_run

        return load_run(Path(source))

    def read_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str | None]:
        """Return rankings as JSON lists; documents with scores are ranked by score, as trec_eval does."""
        from assay.kinds.retrieval.scores import write_ranking

        del data
        return [answer and write_ranking(answer) for answer in answers]


class RetrievalTexts(TaskTexts):
    """The texts of an item, and figures."""

    def describe_items(self, data: Dataset) -> KindProfile:
        """Return documents, judgements per query, and judgements of documents that are not there."""
        from assay.kinds.retrieval.figures import describe_collection

        return describe_collection(data)

    def leak_texts(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the query."""
        return {"query": data.texts}


class RetrievalLearning(Learning):
    """Baselines and models."""

    def answer_baselines(self, data: Dataset, rows: Array, random_state: int = 0) -> Iterable[BaselineAnswers]:
        """Return the ranking of BM25, if there are documents."""
        from assay.kinds.retrieval.bm25 import rank_documents

        del random_state
        if "corpus" in data.attachments:
            queries = data.texts.fill_null("").gather(rows).to_list()
            answers = rank_documents(data.attachments["corpus"], queries)
            yield BaselineAnswers("bm25", "overlap", answers, "the documents")


register_kind(
    TaskKind(
        name="retrieval",
        title="retrieval",
        description=(
            "A query, and the documents that are relevant to it; "
            "answers are document ids, the best first, as a JSON list."
        ),
        hub_task="text-retrieval",
        item_noun="topic",
        layout=RetrievalLayout(),
        gold=RetrievalGold(label_form="ranking"),
        answers=RetrievalAnswers(),
        scoring=Scoring(
            metrics=("ndcg@10", "map", "mrr", "recall@100", "p@10", "judged@10"), headline="ndcg@10", outcome="ndcg@10"
        ),
        texts=RetrievalTexts(),
        learning=RetrievalLearning(
            no_model="Answers are rankings of documents for which there are too few judgements to learn from; "
            "the baseline bm25 is scored instead, if there are documents."
        ),
    )
)


def _hold_judgements(columns: Columns, name: str) -> bool:
    """Return whether a column holds objects from documents to grades, or lists of documents."""
    from assay.kinds.tools.cells import parse_cell

    first = [cell for cell in columns[name].head(100).to_list() if cell][:20]
    return bool(first) and all(isinstance(parse_cell(cell), (dict, list)) for cell in first)
