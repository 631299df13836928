"""The probability that one system beats another on a resample, computed from discordant counts."""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array, Values
from assay.base.loops import compile_loop

_NEGLIGIBLE = 1e-19  # share of the mode: the terms left out are far below rounding
_MIN_START = 64  # from here on starting near the window is cheaper than counting up from 0
_DECIDED_EXPONENT = 45.0  # exp(−45) bounds the probability that the loser wins


def compute_wins_and_ties(n: Values, b: Values, c: Values, drawn: Values, replace: bool) -> tuple[Array, Array]:
    """Return P(B > C) and P(B = C) for arrays of discordant counts b and c among n items.

    B and C count the draws of the two kinds among `drawn` of the n items, with replacement
    (multinomial) or without (multivariate hypergeometric). Equal (n, b, c) are computed once.
    """
    table = np.stack([np.asarray(x, dtype=np.int64).ravel() for x in np.broadcast_arrays(n, b, c, drawn)])
    cases, places = _find_distinct(table)
    probabilities = np.stack(_decide_clear_cases(cases))
    undecided = np.isnan(probabilities[0])
    n_all, first, second, size = (np.ascontiguousarray(row[undecided]) for row in cases)
    if replace:
        starts = _choose_starts(cases[:, undecided])
        probabilities[:, undecided] = sum_with_replacement(n_all, first, second, size, *starts)
    else:
        probabilities[:, undecided] = sum_without_replacement(n_all, first, second, size)
    shape = np.broadcast_shapes(np.shape(n), np.shape(b), np.shape(c), np.shape(drawn))
    wins, ties = (np.clip(values, 0.0, 1.0)[places].reshape(shape) for values in probabilities)
    return wins, ties


def _find_distinct(table: Array) -> tuple[Array, Array]:
    """Return the distinct columns of (n, b, c, drawn) and the place of each column among them."""
    n, b, c, drawn = table
    base = 2 * int(table.max(initial=0)) + 2
    _, sizes = np.unique(n * base + drawn, return_inverse=True)
    _, first, places = np.unique((sizes * base + b + c) * base + c, return_index=True, return_inverse=True)
    return table[:, first], places


def _decide_clear_cases(cases: Array) -> tuple[Array, Array]:
    """Return 1 or 0 if Chernoff's bound exp(−(√b − √c)² · drawn / n) is negligible, else nan."""
    n, b, c, drawn = cases.astype(float)
    clear = (np.sqrt(b) - np.sqrt(c)) ** 2 * drawn / np.maximum(n, 1) > _DECIDED_EXPONENT
    return np.where(clear, np.where(b > c, 1.0, 0.0), np.nan), np.where(clear, 0.0, np.nan)


def _choose_starts(cases: Array) -> tuple[Array, Array]:
    """Choose an even number of discordant draws to start from, and P(win) there."""
    from scipy.special import bdtrc

    n, b, c, drawn = cases.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.where(n > 0, (b + c) / n, 0.0)
        q = np.where(b + c > 0, b / (b + c), 0.0)
    low = np.floor(drawn * p - 10 * np.sqrt(drawn * p * (1 - p)) - 20)
    starts = np.where(low > _MIN_START, 2 * np.floor(low / 2), 0.0)
    wins = np.where(starts > 0, bdtrc(starts / 2, np.maximum(starts, 1).astype(np.int64), q), 0.0)
    return starts.astype(np.int64), wins


@compile_loop
def _weigh_binomial(n, p):  # type: ignore[no-untyped-def]
    """Return the lowest k and the probabilities of Bin(n, p) around its mode."""
    mode = min(n, int((n + 1) * p))
    odds = p / (1 - p) if p < 1 else 0.0
    low, weight = mode, 1.0
    while low > 0 and weight > _NEGLIGIBLE and odds > 0:
        weight *= low / ((n - low + 1) * odds)
        low -= 1
    high, weight = mode, 1.0
    while high < n and weight > _NEGLIGIBLE:
        weight *= (n - high) / (high + 1) * odds
        high += 1
    weights = np.empty(high - low + 1)
    weights[mode - low] = 1.0
    for k in range(mode, low, -1):
        weights[k - 1 - low] = weights[k - low] * k / ((n - k + 1) * odds)
    for k in range(mode, high):
        weights[k + 1 - low] = weights[k - low] * (n - k) / (k + 1) * odds
    return low, weights / weights.sum()


@compile_loop
def _weigh_hypergeometric(n, discordant, drawn):  # type: ignore[no-untyped-def]
    """Return the lowest k and the probabilities of k discordant items among those drawn."""
    lowest, highest = max(0, drawn - (n - discordant)), min(discordant, drawn)
    mode = min(highest, max(lowest, int((drawn + 1) * (discordant + 1) / (n + 2))))
    rest = n - discordant - drawn
    low, weight = mode, 1.0
    while low > lowest and weight > _NEGLIGIBLE:
        weight *= low * (rest + low) / ((discordant - low + 1) * (drawn - low + 1))
        low -= 1
    high, weight = mode, 1.0
    while high < highest and weight > _NEGLIGIBLE:
        weight *= (discordant - high) * (drawn - high) / ((high + 1) * (rest + high + 1))
        high += 1
    weights = np.empty(high - low + 1)
    weights[mode - low] = 1.0
    for k in range(mode, low, -1):
        weights[k - 1 - low] = weights[k - low] * k * (rest + k) / ((discordant - k + 1) * (drawn - k + 1))
    for k in range(mode, high):
        weights[k + 1 - low] = weights[k - low] * (discordant - k) * (drawn - k) / ((k + 1) * (rest + k + 1))
    return low, weights / weights.sum()


@compile_loop
def sum_with_replacement(n, b, c, drawn, starts, start_wins):  # type: ignore[no-untyped-def]
    """Sum over the number M of discordant draws: P(M) · P(more than half of M are wins).

    P(Bin(M, q) > M/2) goes from M to M + 1 by one term of the middle of the binomial.
    """
    wins, ties = np.zeros(len(n)), np.zeros(len(n))
    last_n, last_drawn, last_size = -1, -1, -1
    low, weights = _weigh_binomial(1, 0.5)
    for case in range(len(n)):
        size = b[case] + c[case]
        if size == 0 or drawn[case] == 0:
            ties[case] = 1.0
            continue
        q = b[case] / size
        if n[case] != last_n or drawn[case] != last_drawn or size != last_size:  # cases come sorted
            low, weights = _weigh_binomial(drawn[case], size / n[case])
            last_n, last_drawn, last_size = n[case], drawn[case], size
        m = starts[case]
        win = start_wins[case]
        middle = 1.0
        if m > 0:
            if 0 < q < 1:
                ways = math.lgamma(m + 1) - 2 * math.lgamma(m / 2 + 1)
                middle = math.exp(ways + m / 2 * (math.log(q) + math.log1p(-q)))
            else:
                middle = 0.0
        last = low + len(weights) - 1
        while m <= last:
            if m >= low:
                wins[case] += weights[m - low] * win
                ties[case] += weights[m - low] * middle
            odd_win = win + middle * q
            odd_middle = middle * (m + 1) / (m / 2 + 1) * q
            if low <= m + 1 <= last:
                wins[case] += weights[m + 1 - low] * odd_win
            win = odd_win - odd_middle * (1 - q)
            middle = odd_middle * 2 * (1 - q)
            m += 2
    return wins, ties


@compile_loop
def sum_without_replacement(n, b, c, drawn):  # type: ignore[no-untyped-def]
    """Sum over the number M of discordant items drawn, which are themselves drawn without replacement."""
    wins, ties = np.zeros(len(n)), np.zeros(len(n))
    for case in range(len(n)):
        first, second = b[case], c[case]
        size = first + second
        if size == 0 or drawn[case] == 0:
            ties[case] = 1.0
            continue
        low, weights = _weigh_hypergeometric(n[case], size, drawn[case])
        m, win, middle = 0, 0.0, 1.0
        last = low + len(weights) - 1
        while m <= last:
            if m >= low:
                wins[case] += weights[m - low] * win
                ties[case] += weights[m - low] * middle
            if m + 1 > last:
                break
            half = m // 2
            next_win = max(first - half, 0) / (size - m)
            odd_win = win + middle * next_win
            odd_middle = middle * (m + 1) / (half + 1) * next_win
            if m + 1 >= low:
                wins[case] += weights[m + 1 - low] * odd_win
            if m + 2 > last:
                break
            next_loss = max(second - half, 0) / (size - m - 1)
            win = odd_win - odd_middle * next_loss
            middle = odd_middle * 2 * next_loss
            m += 2
    return wins, ties
