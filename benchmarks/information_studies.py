"""Results of the checks of task-specific information on real data: nearest neighbours, and training size.

    python -m benchmarks.information_studies [--write]

Samples of IMDB, Yelp, Quora and MNLI with the linear model; `--write` keeps the result in
benchmarks/results/information_studies.json.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._training_studies import load_study
from benchmarks.paper_003_table import FILES

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
RESULTS = ROOT / "benchmarks" / "results" / "information_studies.json"
N_ROWS, MAX_WORDS = 1500, 120
OPTIONS: dict[str, Any] = {"search": False, "n_jobs": 1}


def draw(name: str) -> tuple[list[Any], list[str]]:
    """Return a seeded sample of a dataset, texts cut to their first words."""
    study = load_study(DATA / f"{FILES[name]}.tsv.gz", name, 0.1, 1 / 9, pool=True)
    rows = np.sort(np.random.default_rng(0).permutation(len(study.y))[:N_ROWS])

    def cut(text: str) -> str:
        return " ".join(text.split()[:MAX_WORDS])

    X = [tuple(map(cut, study.X[row])) if isinstance(study.X[row], tuple) else cut(study.X[row]) for row in rows]
    return X, [study.y[row] for row in rows]


def main() -> None:
    from benchmarks.studies.information.nearest_neighbours import study_neighbours
    from benchmarks.studies.information.training_size import study_training_size

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    results: dict[str, list[Any]] = {"ksg": [], "size": []}
    for name in FILES:
        X, y = draw(name)
        found = study_neighbours(X, y, size=1000, n_repeats=10, **OPTIONS).to_dict()
        results["ksg"].append({"data": name, **{key: value for key, value in found.items() if key != "draws"}})
        sizes = study_training_size(X, y, sizes=(100, 300, 1000), n_repeats=2, **OPTIONS).to_dict()
        results["size"].append({"data": name, "curve": sizes["curve"]})
        print(json.dumps([results["ksg"][-1], results["size"][-1]]), flush=True)
    if options.write:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
