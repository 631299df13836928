"""The parents of the forecast's evidence: which file, which label, and which parents share texts (a family)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import evidence_tables as tables

SEED = 7000
PIECES = 70  # of a parent


@dataclass(frozen=True)
class Parent:
    name: str
    family: str
    path: str
    label: str = "label"
    grouped: bool = False
    n_pieces: int = PIECES
    load: Callable[[Path], Any] | None = None  # a table made from the file, where the file itself is not one


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
    Parent("snli", "snli", "explainaboard/snli_test_preds.tsv.gz", grouped=True, n_pieces=24, load=tables.load_snli),
    Parent("xnli_es", "xnli", "explainaboard/xnli_preds.tsv.gz", grouped=True, n_pieces=24, load=tables.load_xnli_es),
    Parent("xnli_zh", "xnli", "explainaboard/xnli_preds.tsv.gz", grouped=True, n_pieces=24, load=tables.load_xnli_zh),
    Parent("cqa_a", "cqa", "semeval2016_cqa/cqa_A.tsv.gz", grouped=True, n_pieces=24),
    Parent("cqa_c", "cqa", "semeval2016_cqa/cqa_C.tsv.gz", grouped=True, n_pieces=24),
    Parent("goemotions", "goemotions", "goemotions/goemotions.tsv.gz", n_pieces=24, load=tables.load_emotions),
    Parent("ekman", "goemotions", "goemotions/goemotions.tsv.gz", n_pieces=24, load=tables.load_basic_emotions),
    Parent("waimai", "waimai", "waimai_zh/waimai.tsv.gz", n_pieces=24),
    Parent("hindi", "hindi", "sentiment_hi_latn/sentiment_hi_latn.tsv.gz", n_pieces=24),
    Parent("mmlu", "mmlu", "mmlu_redux/items.tsv.gz", grouped=True, n_pieces=24, load=tables.load_mmlu),
    Parent(
        "commonsenseqa",
        "commonsenseqa",
        "commonsenseqa/dev_rand_split.jsonl.gz",
        grouped=True,
        n_pieces=24,
        load=tables.load_commonsense,
    ),
    Parent("figqa", "figqa", "explainaboard/figqa_preds.tsv.gz", grouped=True, n_pieces=24, load=tables.load_figqa),
    Parent("arct", "arct", "arct/arct.tsv.gz", grouped=True, n_pieces=24, load=tables.load_arct),
    Parent("gnad10", "gnad10", "gnad10/gnad10.tsv.gz", n_pieces=12),
]


def read_parent(parent: Parent, data: Path) -> Any:
    """Return the labelled rows of a parent."""
    from assay.kinds import read

    group = "group" if parent.grouped else None
    source = data / parent.path if parent.load is None else parent.load(data / parent.path)
    return read(source, label=parent.label, group=group).drop_unlabelled()


def pieces_of(parent: Parent, dataset: Any, n_pieces: int = PIECES) -> list[Any]:
    """Cut a parent; the seed is its place in the list."""
    from benchmarks.studies.forecast.sub_datasets import cut_dataset

    groups = None if dataset.groups is None else dataset.groups.fill_null("").to_numpy()
    seed = SEED + PARENTS.index(parent)
    n_pieces = min(n_pieces, parent.n_pieces)
    return cut_dataset(dataset.texts, dataset.labels, groups=groups, n_pieces=n_pieces, random_state=seed)
