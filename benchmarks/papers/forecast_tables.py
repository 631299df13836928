"""Tables of docs/forecast.md from stored results: predictors and rankers of λ, families held out, halves of families."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from assay.wording.numbers import format_interval
from benchmarks._printed import RANKERS_000, REGRESSORS_000
from benchmarks.papers.rows import read_json, write_table

TARGETS = {"lambda_var": "λ_var", "lambda_sva": "λ_sva"}
PREDICTORS = {
    "knn": "KNN",
    "lightgbm": "LightGBM",
    "tree": "decision tree",
    "svm": "SVM",
    "extra-trees": "extra trees",
    "linear": "linear",
    "mean": "mean",
    "best feature": "best single feature",
}
RANKERS = {"lightgbm": "LightGBM", "xgboost": "XGBoost", "extra-trees": "extra trees"}
LENGTHS = (7, 5, 9)
MIN_COVERAGE = 0.65


@cache
def read_rows(kind: str) -> dict[tuple[str, ...], Any]:
    """Return the stored rows of a kind by what follows it in their names."""
    rows = read_json("forecast_tables.json")["rows"]
    return {tuple(name.split("|")[1:]): row for name, row in rows.items() if name.startswith(f"{kind}|")}


@cache
def read_families() -> dict[str, dict[str, Any]]:
    return {row["target"]: row for row in read_json("forecast_families.json")}


def list_correlations(features: str, protocol: str, target: str, predictors: tuple[str, ...]) -> list[float]:
    """Return Spearman's correlations of predictors with a set of features."""
    rows = read_rows("regression")
    return [rows[target, features, name][f"{protocol}_spearman"] for name in predictors]


def write_regression(target: str) -> str:
    """Return Spearman's correlation and RMSE of every predictor under both protocols, next to the printed ones."""
    rows, first = read_rows("regression"), 2 * list(TARGETS).index(target)
    table = []
    for name, title in PREDICTORS.items():
        printed = REGRESSORS_000.get(name)
        cells = ["" if printed is None else f"{printed[first]:.2f} ({_shorten(printed[first + 1])})"]
        for protocol in ("random", "families"):
            for features in ("paper", "light"):
                cells.append(_describe_row(rows.get((target, features, name)), protocol, name, features))
        table.append([title, *cells])
    shipped = read_families()[target]
    ends = f"**{shipped['spearman']:.2f}** ({_shorten(shipped['rmse'])}), {shipped['low']:.2f} to {shipped['high']:.2f}"
    table.append(["**shipped** (probes only)", "", "", "", "", ends])
    header = [f"{TARGETS[target]}: Spearman (RMSE)", "Xiao et al.", "random, paper's features", "random, with probes"]
    return write_table([*header, "families, paper's features", "families, with probes"], table)


def _describe_row(row: dict[str, Any] | None, protocol: str, name: str, features: str) -> str:
    if row is None:
        return ""
    value, error = row[f"{protocol}_spearman"], row[f"{protocol}_rmse"]
    text = "" if value is None or np.isnan(value) or name == "mean" else f"{value:.2f}"  # a constant ranks nothing
    text += "" if error is None or np.isnan(error) else f" ({_shorten(error)})"
    if protocol == "families" and features == "light" and name in ("lightgbm", "best feature"):
        text += f", {row['families_low']:.2f} to {row['families_high']:.2f}"
    return text.strip()


def _shorten(value: float) -> str:
    """Write a positive number with three digits.

    >>> _shorten(1.4), _shorten(71.0), _shorten(110.2)
    ('1.40', '71.0', '110')
    """
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def describe_regression() -> str:
    """Say what of the paper's correlations remains on families held out, and what else reaches them."""
    rows, shipped = read_rows("regression"), read_families()

    def pick(features: str, name: str, field: str) -> str:
        return " and ".join(f"{rows[target, features, name][field]:.2f}" for target in TARGETS)

    own = " and ".join(f"{row['spearman']:.2f}" for row in shipped.values())
    errors = " and ".join(_shorten(row["rmse"]) for row in shipped.values())
    constant = " and ".join(_shorten(rows[target, "light", "mean"]["families_rmse"]) for target in TARGETS)
    others = {
        features: " and ".join(f"{read_rows('shipped')[target, features]['spearman']:.2f}" for target in TARGETS)
        for features in ("light", "all")
    }
    return (
        "**How much of the paper's figure survives grouping** (first λ_var, then λ_sva). With the paper's own features "
        f"LightGBM has {pick('paper', 'lightgbm', 'random_spearman')} on random splits and "
        f"{pick('paper', 'lightgbm', 'families_spearman')} once no sibling of a test piece is in training: the features "
        "tell which parent a piece comes from, and that is what a random split rewards. The shipped predictor has "
        f"{own} on families it has not seen, a single feature (chosen in training, read as its rank among the training "
        f"rows) {pick('light', 'best feature', 'families_spearman')}. The RMSE is {errors}; always predicting "
        f"the mean has {constant}. With the paper's features next to the probes the shipped kind of predictor has "
        f"{others['light']}: no clear gain, so it uses the probes alone. With grammar errors on top it has "
        f"{others['all']}, but they were measured for the first families only, and whether they are missing tells old "
        "families from added ones."
    )


def describe_ranking() -> str:
    """Say which of the paper's figures are reached under its own protocol."""
    rows = read_rows("regression")
    best = []
    for place, target in enumerate(TARGETS):
        values = {name: rows[target, "light", name]["random_spearman"] for name in list(PREDICTORS)[:6]}
        name = max(values, key=values.__getitem__)
        printed = max(row[2 * place] for row in REGRESSORS_000.values())
        word = "reached" if round(values[name], 2) >= printed else "not reached"
        best.append(
            f"{values[name]:.2f} for {TARGETS[target]} ({PREDICTORS[name]}; the paper's {printed:.2f} is {word})"
        )
    ceilings = [read_rows("reliability")[(target,)]["ceiling_trained"] for target in TARGETS]
    lists = []
    for measure in ("ndcg", "map"):
        for target, title in TARGETS.items():
            value = max(read_rows("ranking")[target, name, "7"][f"random_{measure}"] for name in RANKERS)
            lists.append(f"{measure.upper()} of {title} {value:.3f}")
    return (
        f"**Under the random protocol** the best predictor with probes has {' and '.join(best)}; the noise of λ allows about "
        f"{ceilings[0]:.2f} and {ceilings[1]:.2f}. The best ranker of lists of seven has {', '.join(lists)}; the "
        "paper says that "
        "all are above 0.95."
    )


def write_ranking() -> str:
    """Return NDCG and MAP of every ranker under both protocols, next to the printed ones."""
    rows, table = read_rows("ranking"), []
    lengths = [n for n in LENGTHS if all((target, name, str(n)) in rows for target in TARGETS for name in RANKERS)]
    for place, (measure, target) in enumerate((m, t) for m in ("ndcg", "map") for t in TARGETS):
        for name, title in RANKERS.items():
            printed = f"{RANKERS_000[name][place] / 100:.4f}" if name in RANKERS_000 else ""
            cells = []
            for protocol in ("random", "families"):
                first, *rest = (f"{rows[target, name, str(n)][f'{protocol}_{measure}']:.3f}" for n in lengths)
                cells.append(f"{first} ({', '.join(rest)})" if rest else first)
            by_chance = rows[target, name, str(LENGTHS[0])][f"random_random_{measure}"]
            table.append([f"{title}, {TARGETS[target]}, {measure.upper()}", printed, *cells, f"{by_chance:.2f}"])
    header = f"n = {lengths[0]}" + (f" (n = {', '.join(map(str, lengths[1:]))})" if lengths[1:] else "")
    return write_table([header, "Xiao et al.", "random", "families", "random order"], table)


def write_families() -> str:
    """Return λ and coverage of every family that was held out, the worst covered first."""
    var, sva = read_families().values()
    names = sorted(var["by_family"], key=lambda name: min(var["by_family"][name], sva["by_family"][name]))
    table = []
    for name in names:
        cells = [var["n_by_family"][name], var["one_training_by_family"][name]]
        for row in (var, sva):
            cells += [_shorten(row["median_by_family"][name]), f"{100 * row['by_family'][name]:.0f}"]
        table.append([name, "pairs" if var["is_pair"][name] else "texts", *cells])
    header = ["family", "kind", "sub-datasets", "of these with one training", "median λ_var", "inside, %"]
    return write_table([*header, "median λ_sva", "inside, %"], table)


def describe_families() -> str:
    """Say how good the order and the intervals are on held-out families."""
    rows = list(read_families().values())
    n, n_families = rows[0]["n"], rows[0]["n_families"]
    order = [f"{row['spearman']:.2f} [{row['low']:.2f}, {row['high']:.2f}]" for row in rows]
    errors = " and ".join(_shorten(row["rmse"]) for row in rows)
    first, added = (" and ".join(f"{row['spearman_by_part'][part]:.2f}" for row in rows) for part in ("first", "added"))
    inside = " and ".join(f"{100 * row['coverage']:.1f}%" for row in rows)
    lowest = " and ".join(f"{100 * min(row['by_family'].values()):.0f}%" for row in rows)
    widths = " and ".join(f"{row['width_ratio']:.1f}" for row in rows)
    one, two = (" and ".join(f"{100 * row['by_trainings'][k]['coverage']:.1f}%" for row in rows) for k in ("1", "2"))
    return (
        f"Spearman's correlation over all {n:,} sub-datasets of {n_families} families is {order[0]} for λ_var and "
        f"{order[1]} for "
        f"λ_sva (RMSE {errors}): {first} on the first 13 families, {added} on the added ones.\n\n"
        f"Inside the 80% intervals are {inside} of the sub-datasets (λ_var and λ_sva); the family that is covered worst has "
        f"**{lowest}**. The price is width: 1 + high is {widths} times 1 + low (medians). Sub-datasets with one "
        "training instead "
        f"of two ({rows[0]['by_trainings']['1']['n']} of {n:,}) are inside in {one} of cases, the others in {two}."
    )


def write_halves() -> str:
    """Return what intervals do on families that had no part in their margins and setting, chosen or fixed."""
    table = []
    for target, row in read_families().items():
        for kind in ("halves", "halves_fixed"):
            halves = row[kind]
            shares = [half["family_share"] for half in halves]
            counts = {share: shares.count(share) for share in sorted(set(shares))}
            chosen = ", ".join(f"{share:g} ({count})" for share, count in counts.items())
            lowest = [min(half["by_family"].values()) for half in halves]
            families = np.array([value for half in halves for value in half["by_family"].values()])
            shown = [
                np.mean([half["coverage"] for half in halves]),
                np.mean(families >= MIN_COVERAGE),
                np.median(lowest),
            ]
            width = np.mean([half["width_ratio"] for half in halves])
            setting = chosen if kind == "halves" else f"{shares[0]:g}, fixed"
            table.append([TARGETS[target], setting, *(f"{100 * value:.0f}" for value in shown), f"{width:.1f}"])
    header = [
        "target",
        "share, chosen on one half (times)",
        "other half: inside, %",
        "its families with at least 65%, %",
    ]
    return write_table([*header, "lowest family, median over halves, %", "width, times"], table)


def write_shares() -> str:
    """Return coverage by the share of families, margins from all other families."""
    table = []
    for share in read_families()["lambda_var"]["by_share"]:
        cells = []
        for row in read_families().values():
            found = row["by_share"][share]
            values = list(found["by_family"].values())
            n_low = sum(value < MIN_COVERAGE for value in values)
            cells += [
                f"{100 * found['coverage']:.0f}",
                f"{100 * min(values):.0f}",
                n_low,
                f"{found['width_ratio']:.1f}",
            ]
        table.append([share, *cells])
    titles = ["inside, %", "lowest family, %", "families below 65%", "width, times"]
    return write_table(
        ["share of families", *(f"{name}: {title}" for name in TARGETS.values() for title in titles)], table
    )


def write_importance() -> str:
    """Return the leading features by split counts and by shuffling."""
    table = []
    for target, name in TARGETS.items():
        rows = read_rows("importance")[(target,)]
        by_splits = sorted(rows, key=lambda row: -row["splits"])[:5]
        table.append([name, "split counts", ", ".join(f"`{row['feature']}` {row['splits']}" for row in by_splits)])
        by_rise = sorted(rows, key=lambda row: -row["permutation"])[:5]
        cells = ", ".join(f"`{row['feature']}` {row['permutation']:.3f}" for row in by_rise)
        table.append([name, "rise of the squared error of log(1 + λ) when shuffled", cells])
    return write_table(["target", "importance", "leading features"], table)


def describe_perplexity() -> str:
    """Say whether perplexity helps the forecast of families held out, and how λ follows it by itself."""
    row = read_json("perplexity_feature.json")
    gains = [f"{values['with']:.2f} instead of {values['without']:.2f}" for values in row["spearman"].values()]
    alone = [f"{values['value']:.2f} [{values['low']:.2f}, {values['high']:.2f}]" for values in row["alone"].values()]
    verdict = "It helps" if row["helps"] else "It does not help"
    return (
        f"Added to the probes it gives a correlation of {gains[0]} for λ_var and {gains[1]} for λ_sva on families held out. "
        f"**{verdict}**, and the predictor does not use it. Alone it has a correlation of {alone[0]} with λ_var and "
        f"{alone[1]} with λ_sva."
    )


def write_recommendation(k: int = 6) -> str:
    """Return the datasets of the shipped evidence that would be chosen first for a new benchmark."""
    from assay.forecast import recommend_datasets

    rows = []
    for choice in recommend_datasets(k=k).choices:
        if choice.recommended:
            ends = format_interval(choice.lambda_sva, "rounded:0")
            similar = [f"{choice.redundancy:.2f}", choice.most_similar or "–"]
            rows.append(
                [
                    choice.rank,
                    choice.data,
                    f"{choice.gain:.2f}",
                    ends,
                    *similar,
                    f"{choice.n_items:,}",
                    f"{choice.n_words:,}",
                ]
            )
    header = ["rank", "data", "gain", "λ_sva, median and 80% range", "redundancy", "most similar", "items", "words"]
    return write_table(header, rows)
