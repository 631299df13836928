"""How often contradictions of a text model make a warning (A108): labels as they are, and with 2, 4 and 8% replaced.

    python -m benchmarks.label_flips [development|held-back] [--items 800] [--seeds 1] [--first 41] [--jobs 1]

A warning needs a lower end of the share of wrong labels of at least 1%, as in an audit of at most 2,000 items. The curve
and the limits were chosen on the development datasets. Printed are the estimated share with its interval, and the rates
by dataset and share.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

import assay
from assay.models.cross_validation import select_trainable
from assay.suspects.shares.contradictions import Contradictions, measure_contradictions
from assay.suspects.text_models import predict_out_of_fold
from assay.wording.numbers import format_interval
from benchmarks._bars import is_rare, print_bar
from benchmarks.planted_tokens import SETS, SHARED
from benchmarks.suspects import plant_flips

SHARES = (0.0, 0.02, 0.04, 0.08)


def measure_flips(name: str, n_items: int, share: float, seed: int) -> Contradictions | None:
    """Measure contradictions of a sample of a dataset of which some labels are replaced."""
    whole = assay.read(Path(SHARED / f"{name}.tsv.gz")).drop_unlabelled()
    rows = np.sort(np.random.default_rng([seed, n_items]).permutation(len(whole))[:n_items])
    data = select_trainable(whole.take(rows))
    if share:
        data, _ = plant_flips(data, share, seed)
    assert data.labels is not None
    models = predict_out_of_fold(data.fill_texts())
    labels = data.labels.to_list()
    return measure_contradictions(
        models.probabilities, np.array([models.labels.index(labels[row]) for row in models.rows])
    )


def main() -> None:
    """Print one row per sample, and how many are warned about."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="?", choices=SETS, default="held-back")
    parser.add_argument("--items", type=int, default=800)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=41, help="the first seed")
    parser.add_argument("--only", default="", help="only datasets whose name contains this")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.seeds)
    names = [name for name in SETS[options.sets] if options.only in name]
    tasks = [(name, options.items, share, seed) for name in names for share in SHARES for seed in seeds]
    warned: dict[tuple[str, float], list[bool]] = {}
    run = Parallel(n_jobs=options.jobs, return_as="generator")
    for (name, _, share, seed), found in zip(tasks, run(delayed(measure_flips)(*task) for task in tasks), strict=True):
        warned.setdefault((name, share), []).append(found is not None and found.is_decisive)
        said = "the model learns too little"
        if found is not None:
            said = f"{format_interval(found.wrong_share, 'percent')}  {found.describe()}"
        print(f"{name:<42}{share:>4.0%} {seed:>6}  {said}", flush=True)
    print(f"| data | {' | '.join(f'{share:.0%} replaced' for share in SHARES)} |\n{'|---' * (len(SHARES) + 1)}|")
    for name in names:
        print(f"| {name.partition('/')[0]} | {' | '.join(f'{sum(warned[name, s])} of {len(seeds)}' for s in SHARES)} |")
    totals = [sum(sum(warned[name, share]) for name in names) for share in SHARES]
    n = len(names) * len(seeds)
    print(f"| all | {' | '.join(f'{total} of {n}' for total in totals)} |")
    print_bar(f"labels as they are: {totals[0]} of {n} with a warning", is_held=is_rare(totals[0] / n, 0.05, n))


if __name__ == "__main__":
    main()
