"""Check that parents of different families share no texts: near duplicates (Jaccard ≥ 0.8 of shingles) across parents.

    python -m benchmarks.evidence_overlap --data ../shared/data

Long texts are compared by their first 80 words; each side of a pair counts as a text of its own.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.evidence_parents import PARENTS, read_parent


def main() -> None:
    from assay.text import near_duplicates

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    options = arguments.parse_args()
    texts: list[str] = []
    owners: list[str] = []
    family = {parent.name: parent.family for parent in PARENTS}
    for parent in PARENTS:
        if parent.name == "trec_fine":
            continue
        dataset = read_parent(parent, options.data)
        for side in dataset.sides:
            kept = [" ".join(text.split()[:80]) for text in side.to_list()]
            kept = [text for text in kept if len(text.split()) >= 5]  # shorter ones are alike by chance
            texts += kept
            owners += [parent.name] * len(kept)
    groups = near_duplicates(texts, 0.8)
    names = np.array(owners)
    shared: Counter[tuple[str, str]] = Counter()
    order = np.argsort(groups, kind="stable")
    bounds = np.flatnonzero(np.diff(groups[order])) + 1
    for rows in np.split(order, bounds):
        if len(rows) > 1:
            shared.update(combinations(sorted(set(names[rows])), 2))
    for (first, second), count in shared.most_common():
        kind = "same family" if family[first] == family[second] else "DIFFERENT FAMILIES"
        print(f"{first:14s} {second:14s} {count:6,d} groups of near duplicates in common ({kind})")


if __name__ == "__main__":
    main()
