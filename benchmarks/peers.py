"""Our functions next to those of other packages, on the same input in one process: processor time and ratios.

    python -m benchmarks.peers [alpha ratings bleu rankings labels]

The bar is 1: not slower than the peer. Both are timed in turn, and the fastest of several calls counts. Peers are no
dependencies (krippendorff, evalica, ranx, cleanlab); those that are not installed are named as skipped. Functions of
the package that return intervals have a row next to the peer's plain score, and next to its own intervals if it has any.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

BAR = 1.0
REPEATS = 5


def main() -> None:
    """Time all pairs of functions and print the table."""
    print("what                                                peer ms   ours ms   ratio  bar 1")
    for name in sys.argv[1:] or PEERS:
        package, compare = PEERS[name]
        if importlib.util.find_spec(package) is None:
            print(f"{package} is not installed: skipped")
            continue
        compare()


def compare_alpha() -> None:
    """Compare Krippendorff's alpha of arrays and lists; the peer has no interval, so ours draws no resamples."""
    import krippendorff

    from assay.statistics import krippendorff_alpha

    rng = np.random.default_rng(0)
    for n_items in (2_000, 50_000):
        truth = rng.integers(0, 5, (n_items, 1))
        ratings = np.where(rng.random((n_items, 5)) < 0.7, truth, rng.integers(0, 5, (n_items, 5))).astype(float)
        ratings[rng.random(ratings.shape) < 0.1] = np.nan
        rows = [[None if value != value else int(value) for value in row] for row in ratings]
        columns = [[np.nan if value is None else value for value in column] for column in zip(*rows, strict=True)]
        for level in ("nominal", "ordinal", "interval"):
            for form, theirs, ours in (("array", ratings.T, ratings), ("lists", columns, rows)):
                report(
                    f"alpha, {level}, {form}, {n_items:,} × 5",
                    lambda theirs=theirs, level=level: krippendorff.alpha(theirs, level_of_measurement=level),
                    lambda ours=ours, level=level: krippendorff_alpha(ours, level, n_resamples=0).value,
                )


def compare_ratings() -> None:
    """Compare ratings from votes: both plain, and with 200 resamples; and the peer's plain, ours with intervals and ranks.

    Ours reads a table in any of its layouts and checks it, the peer takes lists of names and winners.
    """
    import evalica

    import assay
    from assay.votes import fit_strengths, read_votes
    from assay.votes.bradley_terry import count_wins

    rng = np.random.default_rng(0)
    strengths = rng.normal(size=20)
    for n_votes in (2_000, 20_000):
        left, right = rng.integers(0, 20, (2, n_votes))
        left, right = left[left != right], right[left != right]
        is_left = rng.random(len(left)) < 1 / (1 + np.exp(strengths[right] - strengths[left]))
        names = np.array([f"system {number}" for number in range(20)])
        votes = {
            "model_a": names[left].tolist(),
            "model_b": names[right].tolist(),
            "winner": np.where(is_left, "model_a", "model_b").tolist(),
        }
        winners = [evalica.Winner.X if won else evalica.Winner.Y for won in is_left]
        theirs = (votes["model_a"], votes["model_b"], winners)
        peer = evalica.bradley_terry(*theirs).scores
        for row in assay.rate_votes(votes, n_resamples=0).ratings:
            rating = 400 * np.log10(peer[row.system]) - 400 * np.log10(peer).mean() + 1000
            assert abs(rating - row.rating) < 0.1, (rating, row)
        what = f"ratings, {len(left):,} votes"
        report(
            f"{what}: both plain",
            lambda theirs=theirs: evalica.bradley_terry(*theirs),
            lambda votes=votes: fit_strengths(count_wins(read_votes(votes))),
        )
        report(
            f"{what}: plain, ours with intervals",
            lambda theirs=theirs: evalica.bradley_terry(*theirs),
            lambda votes=votes: assay.rate_votes(votes, n_resamples=0),
        )
        report(
            f"{what}: both with 200 resamples",
            lambda theirs=theirs: evalica.bootstrap(
                evalica.bradley_terry, *theirs, n_resamples=200, bootstrap_method="percentile", random_state=0
            ),
            lambda votes=votes: assay.rate_votes(votes, n_resamples=200),
            repeats=2,
        )


class FreshTexts:
    """References and answers with a word at the end that no earlier call had."""

    def __init__(self, gold: list[str], said: list[str]) -> None:
        self.gold, self.said, self.n_drawn = gold, said, 0

    def draw(self) -> tuple[list[str], list[str]]:
        """Return references and answers."""
        self.n_drawn += 1
        return [f"{text} {self.n_drawn}" for text in self.gold], [f"{text} {self.n_drawn}" for text in self.said]


def compare_bleu() -> None:
    """Compare BLEU of one system: the statistics of all items and their score, and `evaluate` with an interval."""
    from sacrebleu.metrics import BLEU

    import assay
    from assay.kinds import read
    from assay.kinds.tools.bleu import compute_bleu, count_bleu

    rng = np.random.default_rng(0)
    words = np.array([f"word{number}" for number in range(5000)] + [",", ".", "(1.5)", "well-known", "it's"])
    for n_items in (1_000, 5_000):
        drawn = [words[rng.zipf(1.3, rng.integers(5, 40)) % len(words)] for _ in range(n_items)]
        gold = [" ".join(row) for row in drawn]
        said = [" ".join(np.where(rng.random(len(row)) < 0.2, rng.permutation(row), row)) for row in drawn]
        data = read({"source": [f"{row}" for row in range(n_items)], "reference": gold}, task="generation")
        ours = {"s": said}
        fresh = FreshTexts(gold, said)  # the peer keeps the tokens of the last 65,536 texts

        def score_peer(fresh=fresh) -> float:
            gold, said = fresh.draw()
            return BLEU(force=True).corpus_score(said, [gold]).score

        def score_ours(fresh=fresh) -> float:
            gold, said = fresh.draw()
            new = read({"source": gold, "reference": gold}, task="generation")
            return 100 * float(compute_bleu(count_bleu(new, said).sum(axis=0)))

        plain = BLEU(force=True).corpus_score(said, [gold]).score
        assert abs(plain - 100 * float(compute_bleu(count_bleu(data, said).sum(axis=0)))) < 1e-9
        report(f"BLEU, {n_items:,} texts", score_peer, score_ours)
        report(
            f"BLEU, {n_items:,} texts: plain, ours with interval",
            score_peer,
            lambda data=data, ours=ours: assay.evaluate(data, ours, metrics="bleu", compare=False, baselines=False),
        )


def compare_rankings() -> None:
    """Compare scores of rankings: from what each package has parsed, and with the parsing of a run."""
    import ranx

    from assay.kinds import read
    from assay.kinds.retrieval.flat_scores import score_flat

    rng = np.random.default_rng(0)
    measures = {
        "ndcg@10": ("ndcg", 10),
        "map@100": ("map", 100),
        "mrr@100": ("mrr", 100),
        "recall@100": ("recall", 100),
    }
    for n_queries in (500, 2_000):
        names = [f"d{number}" for number in range(100_000)]
        rankings = {f"q{query}": [names[each] for each in rng.permutation(2000)[:100]] for query in range(n_queries)}
        qrels = {
            query: {name: int(rng.integers(1, 4)) for name in [*row[:100:9], *names[-5:]]}
            for query, row in rankings.items()
        }
        runs = {query: {name: float(100 - place) for place, name in enumerate(row)} for query, row in rankings.items()}
        built = ranx.Qrels(qrels), ranx.Run(runs)
        answers = [json.dumps(row) for row in rankings.values()]
        judged = [json.dumps(row) for row in qrels.values()]
        data = read({"id": list(qrels), "query": [f"query {name}" for name in qrels], "judgements": judged})

        def score_ours(data=data, answers=answers) -> list[float]:
            return [float(score_flat(data, answers, *measure).mean()) for measure in measures.values()]

        peer = ranx.evaluate(*built, list(measures))
        assert np.allclose([peer[name] for name in measures], score_ours(), atol=1e-9)
        report(
            f"rankings, {n_queries:,} × 100, parsed by the peer",
            lambda built=built: ranx.evaluate(*built, list(measures), make_comparable=False),
            score_ours,
        )
        report(
            f"rankings, {n_queries:,} × 100, with parsing",
            lambda qrels=qrels, runs=runs: ranx.evaluate(ranx.Qrels(qrels), ranx.Run(runs), list(measures)),
            lambda answers=answers, score_ours=score_ours: score_ours(answers=list(answers)),
        )


def compare_labels() -> None:
    """Compare the self-confidence of labels, and the peer's list of issues with our suspicion of every item.

    Ours has in addition the probability that each label is wrong, the expected number of wrong labels with an interval,
    suggested labels, and reasons in words.
    """
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores

    import assay
    from assay.kinds import read
    from assay.suspects.probabilities import measure_doubt

    rng = np.random.default_rng(0)
    for n_items, n_labels in ((5_000, 5), (100_000, 10)):
        truth = rng.integers(0, n_labels, n_items)
        table = rng.dirichlet(np.ones(n_labels), n_items) + 2 * np.eye(n_labels)[truth]
        table /= table.sum(axis=1, keepdims=True)
        given = np.where(rng.random(n_items) < 0.05, rng.integers(0, n_labels, n_items), truth)
        names = [f"label {number}" for number in given]
        data = read({"label": names}, text="none")
        listed = set(find_label_issues(given, table, n_jobs=1).nonzero()[0].tolist())
        first = assay.find_suspects(data, probabilities=table, text_model=False).items["id"].head(len(listed)).to_list()
        shared = len(listed & {int(name.rpartition("-")[2]) for name in first}) / max(len(listed), 1)
        assert shared > 0.8, shared
        confidence = get_label_quality_scores(given, table, method="self_confidence")
        assert np.abs(np.exp(-measure_doubt(table, given).order) - confidence).max() < 0.02
        report(
            f"self-confidence, {n_items:,} × {n_labels}",
            lambda given=given, table=table: get_label_quality_scores(given, table, method="self_confidence"),
            lambda given=given, table=table: measure_doubt(table, given),
        )
        report(
            f"label issues, {n_items:,} × {n_labels}: ours with numbers and reasons",
            lambda given=given, table=table: find_label_issues(
                given, table, n_jobs=1, return_indices_ranked_by="self_confidence"
            ),
            lambda data=data, table=table: assay.find_suspects(data, probabilities=table, text_model=False),
        )


def report(what: str, theirs: Callable[[], Any], ours: Callable[[], Any], *, repeats: int = REPEATS) -> None:
    """Time both in turn, check that numbers agree, and print the ratio."""
    results = theirs(), ours()
    if all(isinstance(result, float) for result in results) and not what.startswith("BLEU"):
        assert abs(results[0] - results[1]) < 1e-9, what
    times = np.array([[time_call(theirs), time_call(ours)] for _ in range(repeats)]).min(axis=0)
    ratio = times[1] / times[0]
    verdict = "held" if ratio <= BAR else "missed"
    print(f"{what:<50}  {1e3 * times[0]:8.2f}  {1e3 * times[1]:8.2f}  {ratio:6.2f}  {verdict}", flush=True)


def time_call(function: Callable[[], Any]) -> float:
    """Return the processor time of one call."""
    started = time.process_time()
    function()
    return time.process_time() - started


PEERS: dict[str, tuple[str, Callable[[], None]]] = {
    "alpha": ("krippendorff", compare_alpha),
    "ratings": ("evalica", compare_ratings),
    "bleu": ("sacrebleu", compare_bleu),
    "rankings": ("ranx", compare_rankings),
    "labels": ("cleanlab", compare_labels),
}

if __name__ == "__main__":
    main()
