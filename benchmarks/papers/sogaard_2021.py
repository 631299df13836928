"""Søgaard et al. 2021: random splits overestimate performance on new samples."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from benchmarks._printed import PRINTED_MSE, TABLE_2
from benchmarks.papers.rows import STORED, Finding, Row, judge, missing, read_json, write_table

FAMILY = {
    "random": "random",
    "length": "heuristic (length)",
    "wasserstein": "adversarial (Wasserstein)",
    "sds-k-means": "SDS K-means",
}
FAMILY |= {
    "bootstrap": "bootstrap",
    "random-length": "random length",
    "rare-words": "rare words",
    "temporal": "temporal",
}


def recompute_mse() -> Finding:
    cells = np.array(list(TABLE_2.values()))
    mse = np.nanmean((cells[:, :4] - cells[:, 4:]) ** 2, axis=0)
    text = ", ".join(f"{value:.3f}" for value in mse)
    return judge(text, np.allclose(np.round(mse, 3), PRINTED_MSE, atol=1e-3))


def order_printed() -> Finding:
    cells = np.array(list(TABLE_2.values()))
    mse = np.nanmean((cells[:, 1:4] - cells[:, 4:]) ** 2, axis=0)
    names = ["random", "heuristic", "adversarial"]
    order = [names[place] for place in np.argsort(mse)]
    return judge("from the printed cells: " + " < ".join(order), order == ["adversarial", "heuristic", "random"])


def count_overestimates() -> Finding:
    """Count the printed tasks in which random splits look better; quality estimation is an error, lower is better."""
    better = [row[1] < row[4] if name == "Quality estimation" else row[1] > row[4] for name, row in TABLE_2.items()]
    return judge(
        f"random splits look better than the new sample in {sum(better)} of {len(better)} printed tasks", all(better)
    )


@cache
def read_samples() -> list[dict[str, Any]]:
    return list(read_json("new_samples.json"))


def compare_samples() -> Finding:
    from benchmarks.new_samples import summarise

    found = summarise(read_samples())
    order = sorted(found, key=lambda split: found[split][0])
    texts = [f"{FAMILY[split]} {found[split][0]:.4f} [{found[split][1]:.4f}, {found[split][2]:.4f}]" for split in order]
    adversarial_best = found["wasserstein"][0] <= min(found[name][0] for name in ("random", "length"))
    return judge(f"MSE over {len(read_samples())} datasets with times: " + ", ".join(texts), adversarial_best)


def count_own_overestimates() -> Finding:
    over = n = 0
    for result in read_samples():
        for row in result["rows"]:
            if row["split"] == "random":
                n += 1
                over += row["reduction"] > result["new"][row["model"]][1]
    return judge(f"random splits above the new sample for {over} of {n} datasets and models", over == n)


def write_samples() -> str:
    """Return error reductions by family, and of the new sample, by dataset and model."""
    rows = []
    for result in read_samples():
        for model, (score, reduction) in result["new"].items():
            cells = {row["split"]: f"{row['reduction']:.3f}" for row in result["rows"] if row["model"] == model}
            rows.append(
                [
                    result["data"],
                    model,
                    *(cells.get(split, "–") for split in FAMILY),
                    f"**{reduction:.3f}**",
                    f"{score:.3f}",
                ]
            )
    return write_table(["data", "model", *FAMILY.values(), "new sample", "its accuracy"], rows)


def write_mse() -> str:
    from benchmarks.new_samples import summarise

    found = summarise(read_samples())
    rows = [
        [FAMILY[split], f"{mse:.4f}", f"[{low:.4f}, {high:.4f}]", n]
        for split, (mse, low, high, n) in sorted(found.items(), key=lambda item: item[1][0])
    ]
    return write_table(["family", "MSE to the new sample", "95 % interval", "datasets × models"], rows)


def describe_kinds() -> Finding:
    """List mean scores by kind of task: random, length, Wasserstein, rare words."""
    texts, holds = [], []
    for row in read_json("stress_kinds.json"):
        means = {split: float(np.mean(scores)) for split, scores in row["scores"].items()}
        texts.append(f"{row['data']}: " + ", ".join(f"{FAMILY[split]} {value:.3f}" for split, value in means.items()))
        holds.append(max(means["length"], means["wasserstein"]) < means["random"])
    return judge("; ".join(texts), all(holds))


ROWS = [
    Row(
        "Figure 1",
        "split strategies",
        Finding(
            "`assay methods`: random, length, random-length, rare-words, bootstrap, wasserstein, temporal, new sample",
            "same",
        ),
        "",
        STORED,
    ),
    Row(
        "Table 1",
        "seven datasets",
        missing(
            "ud_english_ewt, wnut17 (tagging), wmt_mqm_ted_ende (quality), uci_news, yelp_reviews, semeval2016_cqa (times)"
        ),
        "Penn Treebank, SentEval, Gigaword and the tweets cannot be had.",
    ),
    Row(
        "Table 2, MSE row",
        "0.179, 0.030, 0.015, 0.011 (standard, random, heuristic, adversarial)",
        recompute_mse,
        "0.179 is a mean absolute error, and the last value is 0.013.",
    ),
    Row(
        "Table 2, order",
        "adversarial splits are nearest to the new sample, then heuristic, then random",
        order_printed,
        "From the printed cells the order holds.",
    ),
    Row(
        "Table 2, claim",
        "“standard and random splits consistently over-estimate real performance on new samples”",
        count_overestimates,
        "Quality estimation is printed as RMSE, where lower is better.",
    ),
    Row(
        "Table 2 on own data, MSE",
        "adversarial 0.011 is best",
        compare_samples,
        "New sample: the latest fifth of data with times; five draws. The order of the paper does not hold on every "
        "dataset (table below).",
        STORED,
    ),
    Row("Table 2 on own data, claim", "random over-estimates", count_own_overestimates, "", STORED),
    Row(
        "Table 2, all task kinds",
        "POS tagging, sentence classification, regression, generation, news, emoji",
        describe_kinds,
        "Small models, five draws; generation cannot be trained here. Length is harder for tags, regression "
        "and emotions; Wasserstein balls are harder for tags only, and easier where the ball holds texts of one kind.",
        STORED,
    ),
    Row(
        "Table 3",
        "ROUGE of headlines by split",
        missing(),
        "Gigaword cannot be had; item scores of generation are split and compared by `assay discriminate`.",
    ),
    Row(
        "Figure 2",
        "U.S. and US over the years",
        missing("words whose share changed, Yelp 2005–2013: `assay train --study drift`"),
        "Gigaword cannot be had.",
    ),
    Row(
        "Table 4",
        "bootstrap ≈ random, random length ≈ standard, rare words harder",
        Finding(
            "TREC: bootstrap 0.809 against random 0.839, random length 0.764, rare words 0.784 (linear)", "different"
        ),
        "Rare words are harder as in the paper; whole length classes are harder too, since TREC's length goes with its "
        "label. See [studies](studies.md#the-stress-table).",
        STORED,
    ),
    Row(
        "Table 5",
        "training data five years older costs half the gain",
        missing("Yelp: old half 0.518, recent half 0.539, random half 0.544"),
        "Gigaword cannot be had; the effect is there and smaller.",
    ),
    Row(
        "Figure 3",
        "gap and performance correlate, p < 0.05 (emoji, days)",
        Finding("Yelp: Spearman −0.88, p = 0.007 (eight slices)", "same"),
        "Reviews over nine years; see [studies](studies.md#age-of-the-training-data).",
        STORED,
    ),
    Row(
        "Algorithm 1",
        "ball of nearest neighbours around a random centre",
        Finding("`wasserstein`: a data point as centre, five draws", "different"),
        "The released code's centre is not a data point, so that all draws give one test set.",
        STORED,
    ),
    Row(
        "§2, A-distance",
        "samples told apart with 64 % and 69 %",
        Finding("computed for every new sample; in-domain up to an A-distance of 1", "same"),
        "",
        STORED,
    ),
    Row(
        "§4, ranks",
        "system rankings can flip between splits",
        Finding("`assay train --splits` lists flips", "same"),
        "See [studies](studies.md).",
        STORED,
    ),
]
