"""Published numbers of Peinelt et al. 2019 (obvious and non-obvious pairs)."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from assay.difficulty import assign_cases, compute_case_rates, dice, jaccard, jensen_shannon, pair_difficulty
from assay.kinds import read

RATES = ("TPR_o", "TPR_n", "TNR_o", "TNR_n", "F1_o", "F1_n", "F1")


def systems(table: pl.DataFrame):
    """Turn confusion counts back into items: case, gold and prediction of each."""
    for row in table.to_dicts():
        cells = [("Po", True, row["tp_o"], row["fn_o"]), ("Pn", True, row["tp_n"], row["fn_n"])]
        cells += [("No", False, row["tn_o"], row["fp_o"]), ("Nn", False, row["tn_n"], row["fp_n"])]
        items = [
            (case, gold, gold == right)
            for case, gold, *n in cells
            for right, k in zip((True, False), n, strict=True)
            for _ in range(k)
        ]
        yield row, compute_case_rates(*map(list, zip(*items, strict=True)))


def test_the_reconstructed_counts_give_the_unrounded_f1(shared):
    table = pl.read_csv(shared("oracles/lexsim_semeval_confusion_reconstructed.csv"))
    for row, rates in systems(table):
        assert rates.counts == {case: row[case] for case in ("Po", "Pn", "No", "Nn")}
        for name in ("F1_o", "F1_n", "F1"):
            assert getattr(rates, name) == pytest.approx(row[f"{name}_unrounded"], abs=1e-6)


def test_tables_6_and_7_follow_to_the_printed_digits(shared):
    printed = pl.read_csv(shared("oracles/lexsim_semeval_tables6_8.csv"))
    table = pl.read_csv(shared("oracles/lexsim_semeval_confusion_reconstructed.csv"))
    for row, rates in systems(table):
        expected = printed.row(
            by_predicate=(pl.col("task") == row["task"]) & (pl.col("system") == row["system"]), named=True
        )
        for name in RATES:
            # F1 was printed from precision and recall rounded to three digits.
            digits = 1.6e-3 if name.startswith("F1") else 5.1e-4
            assert getattr(rates, name) == pytest.approx(expected[name], abs=digits), (row["system"], name)


@pytest.fixture(scope="module")
def msrp(shared):
    """Return the divergence, labels and parts of MSRP; of the unknown cut of train, the 500 held out there serve."""
    data = read(shared("msrp/msrp.tsv.gz"))
    divergence = jensen_shannon(data.sides[0], data.sides[1], tokenizer="tweet")
    return divergence, data.labels.to_list(), data.parts.to_list()


def test_table_5_counts_of_msrp_come_out_at_the_median_of_each_split(msrp):
    divergence, labels, parts = msrp
    found = assign_cases(divergence, labels, parts=parts, threshold="split")
    published = {"Po": 2398, "Pn": 1502, "No": 1398, "Nn": 503}
    assert found.counts == {case: pytest.approx(count, abs=6) for case, count in published.items()}
    assert round(100 * found.obvious_share.value) == 65


def test_the_printed_median_of_msrp_is_not_its_own(msrp):
    found = assign_cases(msrp[0], msrp[1])
    assert found.median == pytest.approx(0.297154, abs=2e-3)
    assert abs(found.median - 0.523693) > 0.2


@pytest.mark.parametrize(
    "name", ["quora/quora", "semeval2016_cqa/cqa_A", "semeval2016_cqa/cqa_B", "semeval2016_cqa/cqa_C"]
)
def test_more_than_half_of_the_pairs_are_obvious(shared, name):
    found = pair_difficulty(read(shared(f"{name}.tsv.gz")), threshold="split")
    assert found.obvious_share.value > 0.5
    assert found.counts["Po"] > found.counts["Pn"]
    assert found.counts["No"] > found.counts["Nn"]


def test_the_examples_of_table_1_have_the_cases_printed():
    a = ["what's the origin of the word o'clock?", "which is the best way to learn coding?"]
    a += ["what are the range of careers in biotechnology in indonesia?", "what is meant by 'e' in mathematics?"]
    b = ["what is the origin of the word o'clock?", "how do you learn to program?"]
    b += ["how do you tenderize beef stew meat?", "what is meant by mathematics?"]
    cases = assign_cases(jensen_shannon(a, b), ["1", "1", "0", "0"], threshold=0.5).cases
    assert cases.tolist() == ["Po", "Pn", "No", "Nn"]


@pytest.mark.slow
def test_case_sizes_of_the_semeval_2017_test_set_agree_with_table_6(shared):
    found = pair_difficulty(read(shared("semeval2017_cqa/cqa_A_test2017.tsv.gz")), tokenizer="tweet", threshold="split")
    sizes = (
        pl.read_csv(shared("oracles/lexsim_semeval_confusion_reconstructed.csv"))
        .filter(pl.col("task") == "A")
        .row(0, named=True)
    )
    assert found.counts == {case: pytest.approx(sizes[case], abs=3) for case in ("Po", "Pn", "No", "Nn")}


def test_jaccard_and_dice_cut_msrp_like_the_divergence(shared, msrp):
    """Footnote 2."""
    divergence, labels, parts = msrp
    data = read(shared("msrp/msrp.tsv.gz"))
    cases = assign_cases(divergence, labels, parts=parts, threshold="split")
    by_measure = [
        assign_cases(
            measure(data.sides[0], data.sides[1], tokenizer="tweet"),
            labels,
            parts=parts,
            threshold="split",
            similarity=True,
        )
        for measure in (jaccard, dice)
    ]
    for found in by_measure:
        assert found.obvious_share.value == pytest.approx(cases.obvious_share.value, abs=0.01)
        assert np.mean([first == second for first, second in zip(found.cases, cases.cases, strict=True)]) > 0.9
    assert by_measure[0].counts == by_measure[1].counts  # Dice's coefficient rises with Jaccard's index
