"""Peinelt et al. 2019: obvious and non-obvious text pairs."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl

from benchmarks._case_counts import CASES, answers, rounded_f1
from benchmarks.papers.rows import DATA, STORED, Finding, Row, judge, missing

PAIRS = (
    ("what's the origin of the word o'clock?", "what is the origin of the word o'clock?"),
    ("which is the best way to learn coding?", "how do you learn to program?"),
    ("what are the range of careers in biotechnology in indonesia?", "how do you tenderize beef stew meat?"),
    ("what is meant by 'e' in mathematics?", "what is meant by mathematics?"),
)


def place_examples() -> Finding:
    """Place the four examples of Table 1 by their divergence and label at the printed median of Quora, 0.53."""
    from assay.difficulty import jensen_shannon

    values = jensen_shannon(*(list(side) for side in zip(*PAIRS, strict=True)), tokenizer="tweet")
    is_high = np.asarray(values) > 0.53
    cases = [("Pn" if high else "Po") if place < 2 else ("No" if high else "Nn") for place, high in enumerate(is_high)]
    texts = ", ".join(f"{case} ({value:.2f})" for case, value in zip(cases, values, strict=True))
    return judge(texts, cases == ["Po", "Pn", "No", "Nn"])


@cache
def cut_msrp() -> tuple[dict[str, int], dict[str, int], float, float]:
    from assay.difficulty import assign_cases, jensen_shannon
    from assay.kinds import read

    data = read(DATA / "msrp" / "msrp.tsv.gz")
    divergence = jensen_shannon(data.sides[0], data.sides[1], tokenizer="tweet")
    labels = data.labels.to_list()
    by_part = assign_cases(divergence, labels, parts=data.parts.to_list(), threshold="split")
    whole = assign_cases(divergence, labels)
    return dict(by_part.counts), dict(whole.counts), by_part.obvious_share, whole.median


def count_msrp() -> Finding:
    counts, _, share, _ = cut_msrp()
    printed = {"Po": 2398, "Pn": 1502, "No": 1398, "Nn": 503}
    text = ", ".join(f"{case} {counts[case]:,}" for case in CASES) + f"; obvious {100 * share:.0f} %"
    return judge(text, all(counts[case] == printed[case] for case in CASES))


def find_median() -> Finding:
    median = cut_msrp()[3]
    return judge(f"{median:.3f}", round(median, 2) == 0.52)


def check_order() -> Finding:
    """Check on datasets at hand that obvious pairs are the majority of both labels."""
    from assay.difficulty import pair_difficulty
    from assay.kinds import read

    texts, holds = [], []
    for name, path in {
        "MSRP": "msrp/msrp",
        "Quora": "quora/quora",
        "SemEval-2017 A": "semeval2017_cqa/cqa_A_test2017",
    }.items():
        counts = pair_difficulty(read(DATA / f"{path}.tsv.gz"), tokenizer="tweet", threshold="split").counts
        share = (counts["Po"] + counts["No"]) / sum(counts[case] for case in CASES)
        holds.append(counts["Po"] > counts["Pn"] and counts["No"] > counts["Nn"] and share > 0.5)
        texts.append(f"{name} {100 * share:.0f} %")
    return judge(f"obvious: {', '.join(texts)}", all(holds))


def count_semeval() -> Finding:
    from assay.difficulty import pair_difficulty
    from assay.kinds import read

    found = pair_difficulty(
        read(DATA / "semeval2017_cqa" / "cqa_A_test2017.tsv.gz"), tokenizer="tweet", threshold="split"
    )
    printed = pl.read_csv(DATA / "oracles" / "lexsim_semeval_confusion_reconstructed.csv").row(0, named=True)
    gaps = [abs(found.counts[case] - printed[case]) for case in CASES]
    text = (
        ", ".join(f"{case} {found.counts[case]}" for case in CASES)
        + f"; printed rates imply counts that differ by at most {max(gaps)}"
    )
    return judge(text, max(gaps) <= 5)


def recompute_f1() -> Finding:
    from assay.difficulty import compute_case_rates
    from benchmarks.reproductions import behind_the_rates

    same = near = n = 0
    for _, _, printed, right, sizes in behind_the_rates():
        rates = compute_case_rates(*answers(right, sizes))
        for value, told in zip((rates.F1_o, rates.F1_n, rates.F1), printed, strict=True):
            n += 1
            near += abs(value - told) <= 0.0011
        same += sum(a == b for a, b in zip(printed, rounded_f1(right, sizes), strict=True))
    return judge(f"{near} of {n} within 0.001; {same} of {n} equal with precision and recall rounded first", near == n)


def order_systems(task: str, column: str) -> str:
    table = pl.read_csv(DATA / "oracles" / "lexsim_semeval_tables6_8.csv").filter(pl.col("task") == task)
    return str(table.filter(~pl.col("system").str.contains("random")).sort(column, descending=True)["system"][0])


def change_winner() -> Finding:
    from assay.difficulty import compute_case_rates
    from benchmarks.reproductions import behind_the_rates

    values = {}
    for task, system, _, right, sizes in behind_the_rates():
        if task == "B" and system != "random":
            rates = compute_case_rates(*answers(right, sizes))
            values[system] = (rates.F1_n, rates.F1)
    by_hard, by_all = (max(values, key=lambda name: values[name][place]) for place in (0, 1))
    return judge(
        f"Task B: {by_hard} by F1_n, {by_all} by F1; Task C: {order_systems('C', 'F1_n')} by F1_n",
        (by_hard, by_all) == ("Talla", "KeLP"),
    )


def check_harder() -> Finding:
    table = pl.read_csv(DATA / "oracles" / "lexsim_semeval_tables6_8.csv").filter(
        ~pl.col("system").str.contains("random")
    )
    lower = [(row["TPR_n"] <= row["TPR_o"], row["TNR_n"] <= row["TNR_o"]) for row in table.to_dicts()]
    n = sum(a and b for a, b in lower)
    return judge(
        f"both rates lower (or equal) on non-obvious pairs for {n} of {len(lower)} printed systems", n == len(lower)
    )


def describe_other_pairs() -> Finding:
    from benchmarks.papers.graded_pairs import summarise

    return Finding(summarise(), "same")


ROWS = [
    Row("Table 1", "four examples from Quora: Po, Pn, No, Nn", place_examples, "Median 0.53 as printed in Table 5."),
    Row(
        "Table 2",
        "six datasets, 4K to 404K pairs",
        missing("MSRP and SemEval complete or in part; a sample of Quora; no STS"),
        "Quora's and STS's full files cannot be had.",
    ),
    Row("Table 3", "definition of the four cases", Finding("`assign_cases`", "same"), "", STORED),
    Row(
        "Figures 1 and 2",
        "distributions of the divergence by label and part",
        Finding("drawn by `assay difficulty` for every pair dataset", "same"),
        "",
        STORED,
    ),
    Row(
        "Table 4",
        "Fleiss' kappa 0.64, 0.09, 0.39, 0.09; time per pair",
        missing(
            "`assay difficulty` computes both from columns `annotator:<name>` and `seconds:<name>`, with a permutation test"
        ),
        "The annotations are not released.",
    ),
    Row(
        "Table 5, MSRP",
        "2,398, 1,502, 1,398, 503; obvious 65 %",
        count_msrp,
        "With the median of each part; the text says the entire distribution.",
    ),
    Row(
        "Table 5, row m",
        "median of MSRP 0.52",
        find_median,
        "The scores of all earlier datasets of the table were pooled; wrong in five of six columns.",
    ),
    Row(
        "Table 5, Quora, STS, SemEval A to C",
        "counts of four cases",
        missing("sample of Quora, SemEval-2016 and the test set of 2017"),
        "The files at hand are not those of the paper.",
    ),
    Row("§4, claim", "obvious pairs are more than 50 % of both labels", check_order, ""),
    Row(
        "Table 6, sizes",
        "rates of SemEval-2017 A",
        count_semeval,
        "A few pairs change with the version of the tokenizer.",
    ),
    Row(
        "Tables 6 and 7",
        "F1_o, F1_n, F1 of 22 systems",
        recompute_f1,
        "F1 was computed from precision and recall already rounded to three digits.",
    ),
    Row(
        "Table 8",
        "F1 of six systems on Task C",
        Finding("all but two cells within what the printed rates allow", "same"),
        "The rounding of rates leaves a range; see the table below.",
        STORED,
    ),
    Row(
        "§5, claim",
        "all systems are worse on non-obvious pairs",
        check_harder,
        "EICA on Task C rejects nearly everything; its rate of true negatives is 0.998 on obvious pairs and 0.999 on "
        "others.",
    ),
    Row("§5, winners", "F1_n changes the winner: Talla in Task B, KeLP in C", change_winner, ""),
    Row(
        "Tables 6 to 8, MAP",
        "official MAP",
        Finding("91 runs of SemEval-2016 within 5e-5 (rounding)", "same"),
        "See the table below.",
        STORED,
    ),
    Row(
        "Beyond the paper",
        "graded similarity for question–answer and context–question",
        describe_other_pairs,
        "Multiple choice, reading comprehension and community answers read as pairs.",
    ),
]
