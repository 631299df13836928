"""How often an audit raises warnings on real data as it is, with permuted labels, and with a planted token.

    python -m benchmarks.conclusions [--seeds 5] [--first 0] [--jobs 1]

Five datasets, a random sample of 1,500 rows for each seed. "clean": the function-word finding (A401) as a warning, and
all warnings or errors. "permuted": labels are shuffled; nothing but "no signal" (A405) should be raised, and that
should be. "planted": a made-up word is put into 30% of the items of one label; A401 should name it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

import assay
from benchmarks._bars import is_rare, print_bar

DATASETS = ("cr", "mr", "ag_news", "sst1", "yelp_reviews")
SECTIONS = ["profile", "splits", "information"]
N_ROWS = 1_500
TOKEN = "qzxv"
MIN_NAMED = 0.9
SHARED = Path(__file__).parents[2] / "shared" / "data"


def audit_sample(name: str, seed: int) -> tuple[list[str], Counter[str]]:
    """Audit a sample of a dataset as it is, with permuted labels and with a planted word."""
    data = assay.read(SHARED / name).drop_unlabelled().fill_texts()
    assert data.labels is not None
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.permutation(len(data))[:N_ROWS])
    texts = data.texts.gather(rows).to_list()
    labels = data.labels.gather(rows).to_list()
    shuffled = rng.permutation(labels).tolist()
    target = Counter(labels).most_common()[-1][0]
    planted = [
        f"{TOKEN} {text}" if label == target and rng.random() < 0.3 else text
        for text, label in zip(texts, labels, strict=True)
    ]
    lines, totals = [], Counter[str]()
    for kind, X, y in (("clean", texts, labels), ("permuted", texts, shuffled), ("planted", planted, labels)):
        audit = assay.audit({"text": X, "label": y}, only=SECTIONS, random_state=seed, cache=False)
        serious = [finding for finding in audit.findings if finding.severity != "note"]
        codes = sorted({finding.code for finding in serious})
        words = [row for row in serious if row.code == "A401" and row.claim.startswith("Function words")]
        totals[f"{kind}: audits"] += 1
        totals[f"{kind}: function-word warnings"] += bool(words)
        totals[f"{kind}: any warning or error but A405"] += bool(set(codes) - {"A405"})
        totals[f"{kind}: A405"] += "A405" in codes
        totals[f"{kind}: token named"] += any(TOKEN in row.claim for row in serious if row.code == "A401")
        lines.append(f"{name:<14}{seed:>6}  {kind:<9} {' '.join(codes)}")
    return lines, totals


def main() -> None:
    """Print one row per dataset and kind of data, then the totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    tasks = [(name, options.first + seed) for seed in range(options.seeds) for name in DATASETS]
    totals: Counter[str] = Counter()
    run = Parallel(n_jobs=options.jobs, return_as="generator_unordered")
    for lines, counts in run(delayed(audit_sample)(*task) for task in tasks):
        totals.update(counts)
        print("\n".join(lines), flush=True)
    print()
    for key, count in totals.items():
        print(f"{key:<48}{count:>4}")
    n = len(tasks)
    alarms = totals["permuted: any warning or error but A405"]
    print_bar(f"permuted labels: {alarms} of {n} with a warning", is_held=is_rare(alarms / n, 0.05, n))
    named = totals["planted: token named"]
    print_bar(f"planted word: named in {named} of {n}", is_held=named >= MIN_NAMED * n)


if __name__ == "__main__":
    main()
