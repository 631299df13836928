"""The parents of the forecast's evidence: which file, which label, and which parents share texts (a family)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

SEED = 7000
PIECES = 70  # of a parent


@dataclass(frozen=True)
class Parent:
    name: str
    family: str
    path: str
    label: str = "label"
    grouped: bool = False


PARENTS = [
    Parent("mr", "movie_lines", "mr/mr.tsv.gz"),
    Parent("sst1", "movie_lines", "sst1/sst1.tsv.gz"),
    Parent("sst2", "movie_lines", "sst2/sst2.tsv.gz"),
    Parent("sst2_phrases", "movie_lines", "sst2_phrases/sst2_phrases.tsv.gz", grouped=True),
    Parent("cr", "cr", "cr/cr.tsv.gz"),
    Parent("trec", "trec", "trec/trec.tsv.gz"),
    Parent("trec_fine", "trec", "trec/trec.tsv.gz", label="label_fine"),
    Parent("atis", "atis", "atis/atis.tsv.gz"),
    Parent("ade", "ade", "ade/ade.tsv.gz", grouped=True),
    Parent("imdb", "imdb", "imdb/imdb.tsv.gz", grouped=True),
    Parent("dbpedia14", "dbpedia14", "dbpedia14/dbpedia14.tsv.gz"),
    Parent("ag_news", "ag_news", "ag_news/ag_news.tsv.gz"),
    Parent("yelp_reviews", "yelp_reviews", "yelp_reviews/yelp_reviews.tsv.gz", grouped=True),
    Parent("uci_news", "uci_news", "uci_news/uci_news.tsv.gz", grouped=True),
    Parent("quora", "quora", "quora/quora.tsv.gz"),
    Parent("msrp", "msrp", "msrp/msrp.tsv.gz"),
    Parent("mnli", "mnli", "mnli/mnli_dev_matched.tsv.gz"),
]


def read_parent(parent: Parent, data: Path) -> Any:
    """Return the labelled rows of a parent."""
    from assay.kinds import read

    group = "group" if parent.grouped else None
    return read(data / parent.path, label=parent.label, group=group).drop_unlabelled()


def pieces_of(parent: Parent, dataset: Any, n_pieces: int = PIECES) -> list[Any]:
    """Cut a parent; the seed is its place in the list."""
    from assay.studies import cut_dataset

    groups = None if dataset.groups is None else dataset.groups.fill_null("").to_numpy()
    seed = SEED + PARENTS.index(parent)
    return cut_dataset(dataset.texts, dataset.labels, groups=groups, n_pieces=n_pieces, random_state=seed)
