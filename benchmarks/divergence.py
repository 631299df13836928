"""Jensen–Shannon divergence of 404,000 pairs of about 11 words: assay against a loop of re, Counter and scipy.

Run `python -m benchmarks.divergence [N_PAIRS]`. The loop is timed on the first 10,000 pairs and scaled; each
time is the best of five.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from scipy.spatial.distance import jensenshannon

from assay.difficulty import jensen_shannon
from benchmarks._bars import print_bar
from benchmarks.words import compile_word

QUORA = Path(__file__).resolve().parents[2] / "shared" / "data" / "quora" / "quora.tsv.gz"
# assay counts each character of a script without spaces as a word, which the loop does not: such pairs are left out.
UNSPACED = re.compile("[\u0e00-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]")
N_PAIRS, N_LOOP = 404_000, 10_000
MIN_RATIO = 20


def main() -> None:
    n_pairs = int(sys.argv[1]) if len(sys.argv) > 1 else N_PAIRS
    texts_a, texts_b, source = pairs(n_pairs)
    n_loop = min(N_LOOP, n_pairs)
    lengths = [len(text.split()) for text in texts_a[:n_loop] + texts_b[:n_loop]]
    print(f"{n_pairs:,} pairs of {np.mean(lengths):.1f} words ({source})")
    jensen_shannon(texts_a[:10], texts_b[:10])  # compile

    def by_loop() -> np.ndarray:
        return np.array([loop(a, b) for a, b in zip(texts_a[:n_loop], texts_b[:n_loop], strict=True)])

    expected, taken = best(by_loop)
    slow = taken * n_pairs / n_loop
    print(f"loop of re + Counter + scipy  {slow:8.2f} s (timed on {n_loop:,} pairs)")
    columns = pl.Series(texts_a), pl.Series(texts_b)
    for name, given in (("lists of str", (texts_a, texts_b)), ("polars columns", columns)):
        found, taken = best(lambda given=given: jensen_shannon(*given))
        same = np.nanmax(np.abs(found[:n_loop] - expected))
        line = f"assay, {name:<22} {taken:8.2f} s  {slow / taken:6.1f} x  largest difference {same:.1e}"
        print_bar(line, is_held=slow / taken >= MIN_RATIO and same <= 1e-12)
        assert np.array_equal(np.isnan(found[:n_loop]), np.isnan(expected))


def best(call: Callable[[], np.ndarray], n_times: int = 5) -> tuple[np.ndarray, float]:
    """Return the result and the shortest of a few times, which other work on the machine disturbs least."""
    times = []
    for _ in range(n_times):
        started = time.process_time()
        result = call()
        times.append(time.process_time() - started)
    return result, min(times)


def loop(a: str, b: str) -> float:
    """Compute one divergence as one would in a notebook."""
    p, q = (Counter(compile_word().findall(text.lower())) for text in (a, b))
    words = sorted(p.keys() | q.keys())
    if not p or not q:
        return 0.0 if not words else np.nan
    return float(jensenshannon([p[word] for word in words], [q[word] for word in words], base=2) ** 2)


def pairs(n_pairs: int) -> tuple[list[str], list[str], str]:
    """Return pairs of questions; beyond those there are, their words in a new order with one word exchanged."""
    random = np.random.default_rng(0)
    if not QUORA.exists():
        words = [f"word{number}" for number in range(20_000)]
        drawn = [[words[int(w)] for w in random.zipf(1.3, 11) % 20_000] for _ in range(40_000)]
        base, source = [(" ".join(a), " ".join(b)) for a, b in zip(drawn[::2], drawn[1::2], strict=True)], "synthetic"
    else:
        rows = pl.read_csv(QUORA, separator="\t", quote_char=None).select("text_a", "text_b").rows()
        base, source = [row for row in rows if not UNSPACED.search("".join(row))], "Quora, repeated, words reordered"
    rows = [
        base[number] if number < len(base) else changed(base[number % len(base)], random) for number in range(n_pairs)
    ]
    return [a for a, _ in rows], [b for _, b in rows], source


def changed(pair: tuple[str, str], random: np.random.Generator) -> tuple[str, str]:
    """Reorder the words of both texts and give one of them a number no other text has."""
    a, b = (text.split() for text in pair)
    a[int(random.integers(len(a)))] = f"w{int(random.integers(50_000))}"
    return " ".join(random.permutation(a).tolist()), " ".join(random.permutation(b).tolist())


if __name__ == "__main__":
    main()
