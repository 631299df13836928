"""Tables 2 and 3 and Figure 3 of Xiao et al. (2022) on the evidence that ships, under both protocols.

    python -m benchmarks.forecast_tables [--write] [--again]

An interrupted run goes on: rows that benchmarks/results/forecast_tables.json has are not computed again unless `--again`
is given or the evidence has changed. About twelve minutes of processor time; needs LightGBM and XGBoost.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.papers.rows import RESULTS

FILE = RESULTS / "forecast_tables.json"
LENGTHS = (7, 5, 9)


def list_tasks() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the name and the work of every row."""
    from assay.forecast import read_evidence
    from assay.forecast.evidence import TARGETS
    from benchmarks.studies.forecast.importance import measure_importance
    from benchmarks.studies.forecast.protocols import measure_reliability
    from benchmarks.studies.forecast.ranking import RANKERS
    from benchmarks.studies.forecast.regressors import REGRESSORS
    from benchmarks.studies.forecast.tables import (
        evaluate_best_feature,
        evaluate_ranker_by_protocol,
        evaluate_regressor,
        evaluate_shipped,
    )

    evidence = read_evidence()
    for target in TARGETS:
        yield f"reliability|{target}", lambda t=target: measure_reliability(evidence, t)
        yield f"regression|{target}|light|best feature", lambda t=target: evaluate_best_feature(evidence, t, "light")
        for features, name in product(("paper", "light"), REGRESSORS):
            key = f"regression|{target}|{features}|{name}"
            yield key, lambda t=target, f=features, n=name: evaluate_regressor(evidence, n, t, f)
        for features in ("light", "all"):
            yield f"shipped|{target}|{features}", lambda t=target, f=features: evaluate_shipped(evidence, t, f)
    for n, target in product(LENGTHS, TARGETS):
        for name in RANKERS:
            key = f"ranking|{target}|{name}|{n}"
            yield key, lambda t=target, r=name, n=n: evaluate_ranker_by_protocol(evidence, r, t, n, "light")
        if n == LENGTHS[0]:
            yield f"importance|{target}", lambda t=target: measure_importance(evidence, t, "light")


def describe_evidence() -> dict[str, Any]:
    """Return what the rows are of; they are computed again when it changes."""
    from assay.forecast import read_evidence

    evidence = read_evidence()
    sums = {target: float(np.nansum(evidence.target(target))) for target in ("lambda_var", "lambda_sva")}
    return {
        "n": len(evidence),
        "n_parents": evidence.table["parent"].n_unique(),
        "n_families": len(np.unique(evidence.families)),
        **sums,
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--again", action="store_true")
    options = arguments.parse_args()
    about = describe_evidence()
    stored = read_stored(FILE)
    rows = {} if options.again or stored.get("evidence") != about else stored["rows"]
    for name, work in list_tasks():
        if name in rows:
            continue
        start = time.process_time()
        found = work()
        rows[name] = [row.to_dict() for row in found] if isinstance(found, list) else found.to_dict()
        print(f"{name}: {time.process_time() - start:.1f} s", flush=True)
        if options.write:
            FILE.write_text(json.dumps({"evidence": about, "rows": rows}, indent=1) + "\n", encoding="utf-8")


def read_stored(path: Path) -> dict[str, Any]:
    """Return the stored tables, or an empty dictionary."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


if __name__ == "__main__":
    main()
