"""From printed rates back to counts, and from counts to F1 (paper 002)."""

from __future__ import annotations

from collections.abc import Sequence

CASES = ("Po", "Pn", "No", "Nn")


def f1(tp: float, fn: float, fp: float) -> float:
    return 2 * tp / (2 * tp + fn + fp)


def case_f1(sizes: Sequence[int], rates: Sequence[float]) -> tuple[float, float, float]:
    """Return F1_o, F1_n and F1 of the printed rates on cases of these sizes."""
    tp_o, tp_n, tn_o, tn_n = (rate * size for rate, size in zip(rates, sizes, strict=True))
    Po, Pn, No, Nn = sizes
    obvious, hard = (tp_o, Po - tp_o, No - tn_o), (tp_n, Pn - tp_n, Nn - tn_n)
    return f1(*obvious), f1(*hard), f1(*(a + b for a, b in zip(obvious, hard, strict=True)))


def rounded_f1(right: Sequence[int], sizes: Sequence[int]) -> list[float]:
    """Return F1_o, F1_n and F1 made from precision and recall that were rounded to three digits first."""
    (tp_o, tp_n, tn_o, tn_n), (Po, Pn, No, Nn) = right, sizes
    obvious, hard = (tp_o, Po, No - tn_o), (tp_n, Pn, Nn - tn_n)
    found = []
    for tp, positives, fp in (obvious, hard, tuple(a + b for a, b in zip(obvious, hard, strict=True))):
        precision, recall = round(tp / (tp + fp), 3), round(tp / positives, 3)
        found.append(round(2 * precision * recall / (precision + recall), 3))
    return found


def answers(right: Sequence[int], sizes: Sequence[int]) -> tuple[list[str], list[bool], list[bool]]:
    """Turn right answers in each case into items: case, gold and prediction of each."""
    items = []
    for case, n_right, size in zip(CASES, right, sizes, strict=True):
        gold = case.startswith("P")
        items += [(case, gold, gold)] * n_right + [(case, gold, not gold)] * (size - n_right)
    cases, gold, predicted = map(list, zip(*items, strict=True))
    return cases, gold, predicted
