"""Figures of a collection: documents, judgements per query, and judgements of unknown documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.kinds.facts import Distribution, Figure, KindProfile, count_defect, count_values
from assay.kinds.retrieval.files import advise_on_documents
from assay.kinds.retrieval.scores import parse_judgements

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset

MAX_LISTED = 20  # relevant documents; more are counted together


def describe_collection(data: Dataset) -> KindProfile:
    """Return figures, relevant documents per query, and judgements of documents that are not there."""
    grades = [parse_judgements(cell) for cell in data.fields["judgements"].to_list()]
    judged = [row for row in grades if row]
    relevant = [sum(grade > 0 for grade in row.values()) for row in judged]
    levels = [grade for row in judged for grade in row.values()]
    corpus, ids = data.attachments.get("corpus"), data.ids.to_list()
    figures = [
        Figure("queries with judgements", len(judged)),
        Figure("relevant documents", sum(relevant)),
        Figure("judgements per query", sum(map(len, judged)) / max(len(judged), 1)),
    ]
    distributions = [
        Distribution("relevant documents per query", _count_relevant(relevant)),
        Distribution("grades of judgements", count_values(levels)),
    ]
    defects = count_defect(
        "queries without a relevant document",
        "have no relevant document",
        "Judge documents for these queries, or remove them: no system can score on them.",
        [not any(grade > 0 for grade in row.values()) for row in grades],
        ids,
        serious=False,
    )
    if corpus is not None:
        texts = corpus["text"].fill_null("")
        copies = int(texts.len() - texts.n_unique())
        figures += [Figure("documents", corpus.height), Figure("copies of documents", copies)]
        known = dict.fromkeys(corpus["id"].to_list())
        missing = dict.fromkeys(name for row in grades for name in row if row[name] > 0 and name not in known)
        defects += count_defect(
            "unjudged copies of relevant documents",
            "have a relevant document with an exact copy that is not judged relevant",
            "Remove the copies, or judge them alike: a system that returns the copy is counted as wrong.",
            _mark_unjudged_copies(grades, corpus),
            ids,
        )
        defects += count_defect(
            "judged documents that are missing",
            "have a relevant document that is not among the documents",
            f"{advise_on_documents(missing, known)} No system can find them.",
            [any(grade > 0 and document not in known for document, grade in row.items()) for row in grades],
            ids,
        )
    return KindProfile(tuple(figures), tuple(distributions), tuple(defects))


def _mark_unjudged_copies(grades: list[dict[str, int]], corpus: pl.DataFrame) -> list[bool]:
    """Mark queries with a relevant document that has a copy, ignoring case and spaces, which is not relevant."""
    folded = [" ".join(text.casefold().split()) for text in corpus["text"].fill_null("").to_list()]
    copies: dict[str, list[str]] = {}
    texts = dict(zip(corpus["id"].to_list(), folded, strict=True))
    for document, text in texts.items():
        copies.setdefault(text, []).append(document)
    marks = []
    for row in grades:
        relevant = {document for document, grade in row.items() if grade > 0 and texts.get(document)}
        marks.append(any(other not in relevant for document in relevant for other in copies[texts[document]]))
    return marks


def _count_relevant(counts: list[int]) -> dict[str, int]:
    listed = count_values([count for count in counts if count <= MAX_LISTED])
    more = sum(count > MAX_LISTED for count in counts)
    return listed | ({f"more than {MAX_LISTED}": more} if more else {})
