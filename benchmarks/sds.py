"""SDS K-means against scikit-learn's K-means and k-means-constrained, on mixtures of Gaussians in float32.

Run `python -m benchmarks.sds [quick]`; `quick` leaves out the million rows. An iteration is what a long run takes more
than a short one, by the iterations it does more, both in one thread and in processor time, which other work on the
machine disturbs least; best of a few. Totals are wall-clock times with all cores for both.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
from k_means_constrained import KMeansConstrained
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from assay.splits import SameSizeKMeansSplit, SDSKMeansSplit
from benchmarks._bars import print_bar

MEMORY = "from benchmarks.sds import resident; resident()"


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    quick = "quick" in sys.argv
    SDSKMeansSplit(n_init=1).assign(*mixture(20_000))  # compile
    for kind, spread in (("overlapping", 0.3), ("separated", 3.0)):
        iteration(f"61,398 rows, k = 5, {kind}", 61_398, 5, limit=2.5, spread=spread)
    starts(61_398, limit=8.0)
    iteration("100,000 rows, k = 20", 100_000, 20, limit=10.0, extra=10)
    iteration("61,398 rows, k = 50", 61_398, 50, limit=float("inf"), extra=10)
    constrained(20_000)
    if not quick:
        iteration("1,000,000 rows, k = 5", 1_000_000, 5, limit=1.5, extra=10, n_times=2)
        growth()
        memory()


def mixture(n: int, spread: float = 0.3, d: int = 50, n_blobs: int = 30) -> tuple[np.ndarray, np.ndarray]:
    """Draw rows around blobs, `spread` by the noise apart, and two labels of which one has 40%."""
    rng = np.random.default_rng(0)
    centres = (rng.normal(size=(n_blobs, d)) * spread).astype(np.float32)
    X = centres[rng.integers(n_blobs, size=n)]
    for part in np.array_split(X, 16):
        part += rng.standard_normal(part.shape, dtype=np.float32)
    return X, (rng.random(n) < 0.4).astype(int)


def best(call: Callable[[], object], n_times: int = 3, clock: Callable[[], float] = time.process_time) -> float:
    times = []
    for _ in range(n_times):
        started = clock()
        call()
        times.append(clock() - started)
    return min(times)


def iteration(what: str, n: int, k: int, limit: float, spread: float = 0.3, extra: int = 20, n_times: int = 3) -> None:
    """Time one iteration of both in one thread."""
    X, y = mixture(n, spread)

    def ours(max_iter: int) -> int:
        details = SDSKMeansSplit(n_splits=k, n_init=1, tol=0.0, max_iter=max_iter, n_jobs=1).assign(X, y).details
        assert details.gap < 1e-9
        return details.n_iterations

    def theirs(max_iter: int) -> int:
        return int(KMeans(k, n_init=1, tol=0.0, max_iter=max_iter, random_state=0).fit(X).n_iter_)

    with threadpool_limits(1):
        a, b = (per_iteration(run, extra, n_times) for run in (ours, theirs))
    print_ratio(f"iteration, {what}", f"{a * 1e3:8.2f} ms, scikit-learn {b * 1e3:8.2f} ms", a / b, limit)


def per_iteration(run: Callable[[int], int], extra: int, n_times: int) -> float:
    done: dict[int, int] = {}

    def call(max_iter: int) -> Callable[[], None]:
        return lambda: done.update({max_iter: run(max_iter)})

    short = best(call(3), n_times)
    long = best(call(3 + extra), n_times)
    return (long - short) / max(1, done[3 + extra] - done[3])


def starts(n: int, limit: float) -> None:
    """Time eight starts of both, with default settings."""
    X, y = mixture(n)
    found = []
    a = best(lambda: found.append(SDSKMeansSplit(n_init=8).assign(X, y)), 2)
    b = best(lambda: found.append(KMeans(5, n_init=8, random_state=0).fit(X)), 2)
    print_ratio(f"8 starts, {n:,} rows", f"{a:8.2f} s,  scikit-learn {b:8.2f} s", a / b, limit)
    ours, free = found[0].details, found[-1].inertia_ / n
    print(f"  gap {ours.gap:.1e}, variance {ours.within_variance:.4f}, without quotas {free:.4f}")


def constrained(n: int, k: int = 5) -> None:
    """Time one label against k-means-constrained, one start each in one thread."""
    X, _ = mixture(n)
    found = []
    model = KMeansConstrained(k, size_min=n // k, size_max=n // k, n_init=1, random_state=0, n_jobs=1)
    b = best(lambda: found.append(model.fit(X.astype(float)).inertia_ / n), 1)
    a = best(lambda: found.append(SameSizeKMeansSplit(n_splits=k, n_jobs=1).assign(X).details.within_variance), 1)
    line = (
        f"one label, {n:,} rows: 8 starts {a:.2f} s, k-means-constrained 1 start {b:.2f} s: {b / a:.0f} x (at least 10)"
    )
    print_bar(line, is_held=b >= 10 * a)
    print_bar(f"  variance {found[1]:.4f} against {found[0]:.4f}", is_held=found[1] <= found[0])


def growth() -> None:
    """Time a whole run at 100,000 and 1,000,000 rows, one start of 20 iterations."""
    times = []
    for n in (100_000, 1_000_000):
        X, y = mixture(n)
        split = SDSKMeansSplit(n_init=1, tol=0.0, max_iter=20, n_jobs=1)
        times.append(best(lambda X=X, y=y, split=split: split.assign(X, y), 1))
    print_ratio("1,000,000 rows by 100,000", f"{times[1]:8.2f} s by {times[0]:.2f} s", times[1] / times[0], 12.0)


def memory() -> None:
    """Measure the largest resident size of a process that makes a million rows and splits them."""
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    print_ratio("memory, 1,000,000 rows of 50 float32", "GB resident", float(done.stdout), 1.5)


def resident() -> None:
    X, y = mixture(1_000_000)
    SDSKMeansSplit(n_init=2, max_iter=5).assign(X, y)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)


def print_ratio(what: str, times: str, ratio: float, limit: float) -> None:
    line = f"{what:<42} {times}: {ratio:.2f}"
    if limit == float("inf"):
        print(line, flush=True)
    else:
        print_bar(f"{line} (at most {limit:g})", is_held=ratio <= limit)


if __name__ == "__main__":
    main()
