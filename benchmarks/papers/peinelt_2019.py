"""Peinelt et al. 2019: obvious and non-obvious text pairs."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl

from benchmarks._case_counts import CASES, answers, rounded_f1
from benchmarks._printed import TABLE_7
from benchmarks.papers.rows import DATA, MISSING, NONE, Finding, Row, judge, judge_number, missing, read_table

PAIRS = (
    ("what's the origin of the word o'clock?", "what is the origin of the word o'clock?"),
    ("which is the best way to learn coding?", "how do you learn to program?"),
    ("what are the range of careers in biotechnology in indonesia?", "how do you tenderize beef stew meat?"),
    ("what is meant by 'e' in mathematics?", "what is meant by mathematics?"),
)


PAIR_FILES = {"MSRP": "msrp/msrp", "Quora": "quora/quora", "SemEval-2017 A": "semeval2017_cqa/cqa_A_test2017"}


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
    return dict(by_part.counts), dict(whole.counts), by_part.obvious_share.value, whole.median


def count_msrp() -> Finding:
    counts, _, share, _ = cut_msrp()
    printed = {"Po": 2398, "Pn": 1502, "No": 1398, "Nn": 503}
    text = ", ".join(f"{case} {counts[case]:,}" for case in CASES) + f"; obvious {100 * share:.0f}%"
    return judge_number(text, all(counts[case] == printed[case] for case in CASES))


def compare_measures() -> Finding:
    """Cut MSRP by Jaccard's index and Dice's coefficient, whose cases mirror those of the divergence."""
    from assay.difficulty import assign_cases, dice, jaccard
    from assay.kinds import read

    data = read(DATA / "msrp" / "msrp.tsv.gz")
    shares = []
    for measure in (jaccard, dice):
        values = measure(data.sides[0], data.sides[1], tokenizer="tweet")
        cut = assign_cases(
            values, data.labels.to_list(), parts=data.parts.to_list(), threshold="split", similarity=True
        )
        shares.append(cut.obvious_share.value)
    text = f"obvious pairs of MSRP: Jaccard {100 * shares[0]:.1f}%, Dice {100 * shares[1]:.1f}%"
    return judge(f"{text}, divergence {100 * cut_msrp()[2]:.1f}%", all(abs(x - cut_msrp()[2]) < 0.05 for x in shares))


def find_median() -> Finding:
    median = cut_msrp()[3]
    return judge_number(f"{median:.3f}", round(median, 2) == 0.52)


@cache
def measure_obvious() -> dict[str, float]:
    """Return the share of obvious pairs of the datasets at hand; the majority of both labels is checked elsewhere."""
    return {name: (counts["Po"] + counts["No"]) / sum(counts[case] for case in CASES) for name, counts in count_cases()}


@cache
def count_cases() -> list[tuple[str, dict[str, int]]]:
    from assay.difficulty import pair_difficulty
    from assay.kinds import read

    return [
        (name, dict(pair_difficulty(read(DATA / f"{path}.tsv.gz"), tokenizer="tweet", threshold="split").counts))
        for name, path in PAIR_FILES.items()
    ]


def check_order() -> Finding:
    """Check on datasets at hand that obvious pairs are the majority of both labels."""
    holds = [counts["Po"] > counts["Pn"] and counts["No"] > counts["Nn"] for _, counts in count_cases()]
    texts = [f"{name} {100 * share:.0f}%" for name, share in measure_obvious().items()]
    return judge(f"obvious: {', '.join(texts)}", all(holds) and min(measure_obvious().values()) > 0.5)


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
        for value, published in zip((rates.F1_o, rates.F1_n, rates.F1), printed, strict=True):
            n += 1
            near += abs(value - published) <= 0.0011
        same += sum(a == b for a, b in zip(printed, rounded_f1(right, sizes), strict=True))
    return judge_number(
        f"{near} of {n} within 0.001; {same} of {n} equal with precision and recall rounded first", near == n
    )


@cache
def read_task_c() -> pl.DataFrame:
    """Return the systems of Task C that the paper prints; the released notebook has one more."""
    table = pl.read_csv(DATA / "oracles" / "lexsim_semeval_tables6_8.csv")
    return table.filter((pl.col("task") == "C") & (pl.col("system") != "FuRongWang"))


def change_winner() -> Finding:
    from assay.difficulty import compute_case_rates
    from benchmarks.reproductions import behind_the_rates

    values = {}
    for task, system, _, right, sizes in behind_the_rates():
        if task == "B" and system != "random":
            rates = compute_case_rates(*answers(right, sizes))
            values[system] = (rates.F1_n, rates.F1)
    by_hard, by_all = (max(values, key=lambda name: values[name][place]) for place in (0, 1))
    others = read_task_c().filter(~pl.col("system").str.contains("random"))
    hard_c, all_c = (str(others.sort(column, descending=True)["system"][0]) for column in ("F1_n", "F1"))
    return judge(
        f"Task B: {by_hard} by F1_n, {by_all} by F1; Task C: {hard_c} by F1_n, {all_c} by F1",
        (by_hard, by_all, hard_c, all_c) == ("Talla", "KeLP", "KeLP", "bunji"),
    )


def compare_f1() -> Finding:
    """Count the systems of Tasks A to C whose F1 is lower on non-obvious pairs."""
    from assay.difficulty import compute_case_rates
    from benchmarks.reproductions import behind_the_rates

    lower = {}
    for task, system, _, right, sizes in behind_the_rates():
        if "random" not in system:
            rates = compute_case_rates(*answers(right, sizes))
            lower[f"{system} ({task})"] = rates.F1_n < rates.F1_o
    for row in read_task_c().filter(~pl.col("system").str.contains("random")).to_dicts():
        lower[f"{row['system']} (C)"] = row["F1_n"] < row["F1_o"]
    others = [name for name, is_lower in lower.items() if not is_lower]
    text = f"F1_n < F1_o for {sum(lower.values())} of {len(lower)} systems; not for {', '.join(others) or 'none'}"
    return judge(text, not others)


def bound_table_8() -> Finding:
    """Count the printed F1 of Task C that lie within what the printed rates allow."""
    from benchmarks.reproductions import bound_task_c

    cells = [inside for _, row in bound_task_c() for *_, inside in row]
    n = sum(cells)
    return judge(f"{n} of {len(cells)} cells within what the printed rates allow", n >= len(cells) - 2)


def compare_official() -> Finding:
    """Compare MAP, F1 and accuracy of all runs of SemEval-2016 with the official scores."""
    from benchmarks.reproductions import compare_semeval_2016

    rows = compare_semeval_2016()
    n, gap = sum(row[1] for row in rows), max(max(row[2].values()) for row in rows)
    return judge_number(f"{n} runs of SemEval-2016: MAP, F1 and accuracy within {gap:.1e}", gap < 5.1e-5)


def count_datasets() -> Finding:
    """Count the pairs of the files at hand."""
    files = {"MSRP": "msrp/msrp", "Quora": "quora/quora", "SemEval-2016 A": "semeval2016_cqa/cqa_A"}
    files |= {"SemEval-2016 B": "semeval2016_cqa/cqa_B", "SemEval-2016 C": "semeval2016_cqa/cqa_C"}
    files["SemEval-2017 A, test"] = "semeval2017_cqa/cqa_A_test2017"
    known = [f"{name} {len(read_table(f'{path}.tsv.gz')):,}" for name, path in files.items()]
    return missing(", ".join(known) + "; no STS")


def separate_labels() -> Finding:
    """Compare the median divergence of negative and positive pairs (Figure 1)."""
    from assay.difficulty import jensen_shannon
    from assay.kinds import read

    texts, holds = [], []
    for name, path in PAIR_FILES.items():
        data = read(DATA / f"{path}.tsv.gz")
        values = np.asarray(jensen_shannon(data.sides[0], data.sides[1], tokenizer="tweet"))
        is_positive = np.array([label == "1" for label in data.labels.to_list()])
        medians = [float(np.nanmedian(values[mask])) for mask in (~is_positive, is_positive)]
        texts.append(f"{name} {medians[0]:.2f} against {medians[1]:.2f}")
        holds.append(medians[0] > medians[1])
    return judge(f"median divergence of negative and positive pairs: {', '.join(texts)}", all(holds))


def count_other_datasets() -> Finding:
    """Compare the share of obvious pairs of our files with the printed one of the same source."""
    texts = [f"{name} {100 * share:.0f}%" for name, share in measure_obvious().items() if name != "MSRP"]
    return missing(f"obvious, on the files at hand: {', '.join(texts)} (printed: Quora 66%, SemEval A 56%)")


def list_rates() -> dict[str, tuple[float, ...]]:
    """Return TPR_o, TPR_n, TNR_o and TNR_n of every printed system but the random ones."""
    table = pl.read_csv(DATA / "oracles" / "lexsim_semeval_tables6_8.csv").filter(pl.col("task") == "A")
    names = ("TPR_o", "TPR_n", "TNR_o", "TNR_n")
    printed = {f"{row['system']} (A)": tuple(row[name] for name in names) for row in table.to_dicts()}
    printed |= {f"{system} (B)": tuple(row[:4]) for system, row in TABLE_7.items()}
    printed |= {f"{row['system']} (C)": tuple(row[name] for name in names) for row in read_task_c().to_dicts()}
    return {name: rates for name, rates in printed.items() if "random" not in name}


def check_harder() -> Finding:
    rates = list_rates()
    lower = [name for name, (tpr_o, tpr_n, tnr_o, tnr_n) in rates.items() if tpr_n <= tpr_o and tnr_n <= tnr_o]
    text = (
        f"both rates lower (or equal) on non-obvious pairs for {len(lower)} of {len(rates)} printed systems; not for "
    )
    return judge(text + ", ".join(name for name in rates if name not in lower), len(lower) == len(rates))


def describe_other_pairs() -> Finding:
    from benchmarks.papers.graded_pairs import summarise

    return Finding(summarise(), MISSING)


ROWS = [
    Row(
        "Table 1",
        "four examples from Quora: Po, Pn, No, Nn",
        place_examples,
        "At the median of Quora that Table 5 prints.",
    ),
    Row(
        "Table 2",
        "six datasets, 4K to 404K pairs",
        count_datasets,
        "Quora's and STS's full files cannot be had; SemEval without its test sets of other years.",
    ),
    Row("Table 3", "definition of the four cases", Finding("`assign_cases`", MISSING), "", NONE),
    Row(
        "Figures 1 and 2",
        "distributions of the divergence by label and part; negative pairs diverge more",
        separate_labels,
        "Drawn by `assay difficulty` and the report for every pair dataset.",
    ),
    Row(
        "Table 4",
        "Fleiss' kappa 0.64, 0.09, 0.39, 0.09; time per pair",
        missing(
            "`assay difficulty` computes both from columns `annotator:<name>` and `seconds:<name>`, with a permutation test"
        ),
        "The annotations are not released.",
        NONE,
    ),
    Row(
        "Table 5, MSRP",
        "2,398, 1,502, 1,398, 503; obvious 65%",
        count_msrp,
        "With the median of each part; the text says the entire distribution.",
    ),
    Row(
        "Footnote 2",
        "Jaccard and Dice give results consistent with the divergence",
        compare_measures,
        "On MSRP, with the median of each part.",
    ),
    Row(
        "Table 5, row m",
        "median of MSRP 0.52",
        find_median,
        "The released notebook pools the scores of all earlier datasets of the table: only the first column is "
        "its own median.",
    ),
    Row(
        "Table 5, Quora, STS, SemEval A to C",
        "counts of four cases",
        count_other_datasets,
        "The files at hand are not the paper's files.",
    ),
    Row("§4, claim", "obvious pairs are more than 50% of both labels", check_order, ""),
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
        "F1 of five systems on Task C",
        bound_table_8,
        "The rounding of rates leaves a range; the released notebook has a sixth system (table below).",
    ),
    Row(
        "§5, claim",
        "all systems are worse on non-obvious pairs",
        check_harder,
        "The paper's own tables show the exceptions; those of Task B rest on its few non-obvious positives, EICA "
        "rejects nearly "
        "everything.",
    ),
    Row(
        "§5, F1",
        "“F1_n scores are consistently lower than the F1_o scores”",
        compare_f1,
        "A system that accepts every pair has an F1 that depends on the shares of the labels alone.",
    ),
    Row(
        "§5, winners",
        "F1_n changes the winner: Talla instead of KeLP in Task B, KeLP instead of bunji in C",
        change_winner,
        "",
    ),
    Row(
        "Tables 6 to 8, MAP",
        "official MAP",
        compare_official,
        "Printed with four digits; see the table below. The runs of 2017 cannot be had.",
    ),
    Row(
        "Beyond the paper",
        "graded similarity for question–answer and context–question",
        describe_other_pairs,
        "Multiple choice, reading comprehension and community answers read as pairs.",
    ),
]
