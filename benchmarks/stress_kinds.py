"""The stress table for kinds of task next to classes (Søgaard et al. 2021, Table 2), with the package's quick models.

    python -m benchmarks.stress_kinds [--write]

Parts of speech (UD English EWT, the linear window tagger), quality estimation (TED talks with MQM scores, ridge
regression), emotions (GoEmotions, the nearest to emoji) and news (UCI), both with the linear model. Five draws of every
random family, a tenth of the items tested. A score under a split is next to that of the same model on the same items under
random folds (tags, regression) or under random splits (classes). `--write` keeps the result in
benchmarks/results/stress_kinds.json.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

import polars as pl

from benchmarks.papers.rows import DATA, RESULTS, read_table

SPLITS = ("length", "rare-words", "wasserstein", "sds-k-means")
N_DRAWS, MAX_ITEMS, TEST_SIZE = 5, 3000, 0.1


def stress_quick(data: Any) -> dict[str, Any]:
    """Return what splits cost the quick model of a kind of task."""
    from assay.models.quick.study import study_quick_models

    study = study_quick_models(data, splits=SPLITS, n_draws=N_DRAWS, test_size=TEST_SIZE)
    splits = {
        row.split: {
            "score": row.score,
            "random_score": row.random_score,
            "reduction": row.error_reduction,
            "random_reduction": row.random_error_reduction,
            "drop_low": row.bound_drop().low,
            "drop_high": row.bound_drop().high,
        }
        for row in study.stress
        if row.split in SPLITS
    }
    return {"n": study.n_items, "model": study.stress[0].model, "metric": study.metric, "splits": splits}


def stress_classes(path: str, column: str) -> dict[str, Any]:
    """Return what splits cost the linear model on labelled texts."""
    from assay.kinds import read
    from assay.models.split_studies.stress_table import build_stress_table

    table = read_table(path).filter(~pl.col(column).str.contains(r"\|"))
    table = table.sample(min(MAX_ITEMS, len(table)), seed=0).select("text", label=column)
    found = build_stress_table(
        read(table), ("linear",), ("random", *SPLITS), n_repeats=N_DRAWS, test_size=TEST_SIZE, cache=None
    )
    rows = {row.split: row for row in found.rows}
    random = rows.pop("random")
    splits = {
        name: {
            "score": row.score,
            "random_score": random.score,
            "reduction": row.error_reduction,
            "random_reduction": random.error_reduction,
        }
        for name, row in rows.items()
    }
    return {"n": len(table), "model": "linear", "metric": "accuracy", "splits": splits}


def stress_tags() -> dict[str, Any]:
    from assay.kinds import read

    return stress_quick(read(DATA / "ud_english_ewt" / "en_ewt-ud-test_part.conllu.gz"))


def stress_grades() -> dict[str, Any]:
    table = read_table("wmt_mqm_ted_ende/translations.tsv.gz")
    table = table.with_columns(pl.col("mqm").cast(pl.Float64, strict=False)).drop_nulls(["mqm", "translation"])
    table = table.sample(min(MAX_ITEMS, len(table)), seed=0)
    return stress_quick(
        table.select(text="translation", score="mqm", group=pl.col("document") + " " + pl.col("segment"))
    )


KINDS: dict[str, tuple[str, Callable[[], dict[str, Any]]]] = {
    "tagging": ("UD English EWT, parts of speech", stress_tags),
    "regression": ("TED talks, MQM scores", stress_grades),
    "emotions": ("GoEmotions", lambda: stress_classes("goemotions/goemotions.tsv.gz", "labels")),
    "news": ("UCI news", lambda: stress_classes("uci_news/uci_news.tsv.gz", "label")),
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    rows = []
    for kind, (data, measure) in KINDS.items():
        rows.append({"kind": kind, "data": data, **measure()})
        print(json.dumps(rows[-1]), flush=True)
    if options.write:
        (RESULTS / "stress_kinds.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
