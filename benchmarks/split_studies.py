"""Scores by split and by age of the training data on our data (Søgaard et al. 2021, Tables 4 and 5, Figure 3).

    python -m benchmarks.split_studies [--write]

TREC under every family of splits with two models, five draws each (`assay train --splits all --repeats 5`), and Yelp
reviews trained on slices further and further back (`assay train --study drift`). `--write` keeps the result in
benchmarks/results/split_studies.json.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from benchmarks._stress_rows import list_rows
from benchmarks.papers.rows import DATA, RESULTS

FILE = RESULTS / "split_studies.json"
MODELS = ("linear", "embedding")
N_WORDS = 8


def stress_questions() -> dict[str, Any]:
    """Return scores and error reductions on TREC under every family of splits, and pairs of models that change places."""
    from assay.kinds import read
    from assay.models.split_studies.stress_table import build_stress_table

    data = read(DATA / "trec" / "trec.tsv.gz")
    table = build_stress_table(data, MODELS, settings={"embedding.encoder": "tfidf"}, n_repeats=5, cache=None)
    rows = [{**row, "n_test": each.n_test} for row, each in zip(list_rows(table), table.rows, strict=True)]
    return {"data": "trec", "rows": rows, "flips": [flip.to_dict() for flip in table.flips], "notes": table.notes}


def age_reviews() -> dict[str, Any]:
    """Return the scores of Yelp's slices and halves, their correlation with age, and words that gained or lost."""
    from assay.kinds import read
    from assay.models.split_studies.training_age import study_training_age

    data = read(DATA / "yelp_reviews" / "yelp_reviews.tsv.gz")
    study = study_training_age(data, ("linear",), settings={"char_ngrams": None}, n_slices=8, cache=None)
    correlation = study.correlations[0]
    return {
        "data": "yelp_reviews",
        "n_test": study.n_test,
        "spearman": correlation.spearman.value,
        "spearman_p": correlation.spearman.p,
        "pearson": correlation.pearson,
        "pearson_p": correlation.pearson_p,
        "slices": [row.to_dict() for row in study.slices],
        "halves": [row.to_dict() for row in study.halves],
        "words": [change.to_dict() for change in study.words[:N_WORDS]],
        "n_words": len(study.words),
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    result = {"age": age_reviews(), "stress": stress_questions()}
    print(json.dumps(result, indent=1))
    if options.write:
        FILE.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
