"""Xiao et al. 2022: whether all datasets in a benchmark are necessary."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import polars as pl

from benchmarks._printed import RANKERS_000, REGRESSORS_000, SIZES_000, TABLE_3_000
from benchmarks.papers import forecast_tables
from benchmarks.papers.rows import (
    DATA,
    GPU,
    MISSING,
    NONE,
    Finding,
    Row,
    judge,
    judge_number,
    missing,
    read_json,
    read_table,
)

TOP = 5
N_DRAWS = 200
NAMES = {"mr": "MR", "cr": "CR", "sst1": "SST1", "trec": "QC", "atis": "ATIS", "ade": "ADE", "imdb": "IMDB"}
NAMES |= {"yelp": "Yelp", "dbpedia": "DPedia"}


@cache
def read_table_1() -> pl.DataFrame:
    return pl.read_csv(DATA / "oracles" / "seed000_table1.csv")


def compare_cells() -> Finding:
    from assay.discrimination import measure_performance_variance, measure_scaled_variance

    same = near = 0
    for row in read_table_1().to_dicts():
        scores = [row[name] for name in ("BERT", "LSTMAtt", "LSTM", "CNN")]
        ours = measure_performance_variance(scores).lambda_var, measure_scaled_variance(scores).lambda_sva
        for value, name in zip(ours, ("printed_lambda_var", "printed_lambda_sva"), strict=True):
            same += round(value, 2) == row[name]
            near += abs(value - row[name]) <= 0.05
    return judge_number(f"{same} of 18 cells equal after rounding, {near} within 0.05", near == 18)


def correlate_columns() -> Finding:
    from assay.statistics import spearman

    table = read_table_1()
    hits = table["printed_lambda_hit"].to_numpy()
    found = [spearman(table[f"printed_lambda_{name}"].to_numpy(), hits) for name in ("var", "sva")]
    texts = [f"{each.value:.3f} [{each.low:.2f}, {each.high:.2f}]" for each in found]
    return judge_number(f"{texts[0]} and {texts[1]}", [round(each.value, 2) for each in found] == [0.83, 0.73])


def correlate_trained() -> Finding:
    """Correlate λ with λ_hit over the nine datasets on which we trained the four models."""
    from assay.statistics import spearman

    values = np.array([row[1:] for row in measure_trained()])
    found = [spearman(values[:, 2], values[:, column]) for column in (0, 1)]
    texts = [f"{each.value:.2f} [{each.low:.2f}, {each.high:.2f}]" for each in found]
    return judge(f"λ_var {texts[0]}, λ_sva {texts[1]} over nine datasets", min(each.value for each in found) > 0.6)


@cache
def measure_trained() -> list[tuple[str, float, float, float]]:
    """Return λ_var, λ_sva and λ_hit of each dataset from the stored predictions."""
    from benchmarks._training_studies import rows_of
    from benchmarks.paper_000_models import FILES, lambdas
    from benchmarks.papers.rows import RESULTS

    answers: dict[str, dict[str, dict[str, bool]]] = {}
    for folder in ("others", "transformer"):
        for row in rows_of(RESULTS / "paper_000" / folder / "predictions.tsv.gz"):
            is_right = row["gold"] == row["predicted"]
            answers.setdefault(row["dataset"], {}).setdefault(row["system"], {})[row["id"]] = is_right
    found = []
    for name in FILES:
        systems = answers[name]
        ids = sorted(next(iter(systems.values())))
        four = ("cnn", "lstm", "lstm-attention", "transformer")
        found.append((name, *lambdas(np.array([[systems[system][each] for each in ids] for system in four]))))
    return found


def order_trained() -> Finding:
    """Compare the order of the nine datasets by λ_sva with the printed one."""
    from assay.statistics import spearman

    printed = {row["dataset"]: row["printed_lambda_sva"] for row in read_table_1().to_dicts()}
    ours = {NAMES[name]: sva for name, _, sva, _ in measure_trained()}
    found = spearman([ours[name] for name in printed], list(printed.values()))
    lowest = sorted(ours, key=ours.__getitem__)[:3]
    text = f"Spearman of λ_sva with the printed column {found.value:.2f} [{found.low:.2f}, {found.high:.2f}]; lowest: "
    same_order = sorted(ours, key=ours.__getitem__) == sorted(printed, key=printed.__getitem__)
    return judge(text + ", ".join(lowest), same_order)


def correlate_evidence() -> Finding:
    """Correlate λ with λ_hit over all sub-datasets of the evidence; the interval resamples families."""
    from assay.forecast import read_evidence
    from assay.statistics import spearman
    from benchmarks.studies.forecast.protocols import resample_families

    evidence = read_evidence()
    hits = evidence.target("lambda_hit")
    texts, values = [], []
    for name in ("lambda_var", "lambda_sva"):
        target = evidence.target(name)
        low, high = resample_families(target, hits, evidence.families)
        values.append(spearman(target, hits).value)
        texts.append(f"{name.replace('lambda', 'λ')} {values[-1]:.2f} [{low:.2f}, {high:.2f}]")
    text = f"{' and '.join(texts)} over {len(evidence):,} sub-datasets of {len(np.unique(evidence.families))} families"
    return judge(text, min(values) > 0.6)


@cache
def measure_nlp_progress() -> list[tuple[str, int, float, float]]:
    """Return the number of systems, λ_sva of the top five and of five at random, of datasets with five systems."""
    from assay.discrimination import measure_scaled_variance

    table = read_table("leaderboards/nlp_progress.tsv.gz").with_columns(pl.col("score").cast(pl.Float64, strict=False))
    rng = np.random.default_rng(0)
    found = []
    for (dataset, _, _), part in table.drop_nulls("score").group_by(
        "dataset", "benchmark", "metric", maintain_order=True
    ):
        scores = part.group_by("system").agg(pl.col("score").max())["score"].sort(descending=True).to_numpy()
        if len(scores) < TOP or scores.max() > 100 or scores.min() < 0:
            continue
        drawn = np.array([rng.permutation(scores)[:TOP] for _ in range(N_DRAWS)])
        by_chance = float((drawn.std(axis=1, ddof=1) * (100 - drawn.mean(axis=1))).mean())
        found.append((str(dataset), len(scores), measure_scaled_variance(scores[:TOP]).lambda_sva, by_chance))
    return found


def relate_popularity() -> Finding:
    from assay.statistics import spearman

    rows = measure_nlp_progress()
    counts = [row[1] for row in rows]
    top, drawn = (spearman(counts, [row[column] for row in rows]) for column in (2, 3))
    text = (
        f"systems listed against λ_sva of the top five: {top.value:.2f} [{top.low:.2f}, {top.high:.2f}] over {len(rows)} "
        f"datasets; against λ_sva of five systems at random: {drawn.value:.2f} [{drawn.low:.2f}, {drawn.high:.2f}]"
    )
    return judge(text, top.high < 0)


def order_glue() -> Finding:
    found = discriminate_glue("benchmark")
    of_paper = [row for row in found if row.dataset not in ("AX", "WNLI")]
    order = [row.dataset for row in sorted(of_paper, key=lambda row: -row.lambda_sva.value)]
    first, last = list(dict.fromkeys(order))[:3], order[-1]
    places = [place for place, name in enumerate(order, start=1) if name == "STS-B"]
    text = f"largest λ_sva: {', '.join(first)}; smallest: {last}; STS-B in places {' and '.join(map(str, places))} of "
    is_same = set(first) == {"CoLA", "QQP", "RTE"} and {last, *order[-2:]} == {"SST-2", "STS-B"}
    return judge(f"{text}{len(order)} (top five of the benchmark, May 2024)", is_same)


def measure_languages() -> list[tuple[str, float, float, float]]:
    """Return the mean, λ_var and λ_sva of the top five models in each language of MASSIVE intent."""
    from assay.discrimination import measure_performance_variance, measure_scaled_variance

    table = read_table("mteb_results/massive_intent_by_language.tsv.gz")
    found = []
    for language in table.columns[1:]:
        top = np.sort(100 * table[language].cast(pl.Float64).drop_nulls().to_numpy())[::-1][:TOP]
        var, sva = measure_performance_variance(top).lambda_var, measure_scaled_variance(top).lambda_sva
        found.append((language, float(top.mean()), var, sva))
    return sorted(found, key=lambda row: -row[3])


def count_models() -> int:
    return len(read_table("mteb_results/massive_intent_by_language.tsv.gz"))


def order_languages() -> Finding:
    rows = measure_languages()
    first, last = ([f"{name} {sva:.1f}" for name, _, _, sva in part] for part in (rows[:4], rows[-4:]))
    n = sum(sva >= 28 for *_, sva in rows)
    return Finding(
        f"MASSIVE intent in {len(rows)} languages, {count_models()} models, λ_sva of the top five: {', '.join(first)} … "
        f"{', '.join(last)}; {n} of {len(rows)} reach 28",
        MISSING,
    )


def write_languages() -> str:
    """Return the languages with the largest and the smallest λ_sva."""
    from benchmarks.papers.rows import write_table

    rows = measure_languages()
    shown = [[name, f"{mean:.1f}", f"{var:.2f}", f"{sva:.1f}"] for name, mean, var, sva in (*rows[:8], *rows[-8:])]
    table = write_table(["language", "mean of the top five", "λ_var", "λ_sva"], [*shown[:8], ["…"] * 4, *shown[8:]])
    return f"{count_models()} models, {len(rows)} languages.\n\n{table}"


def agree_measures() -> Finding:
    from assay.statistics import spearman

    rows = measure_nlp_progress()
    table = read_table_1()
    printed = spearman(table["printed_lambda_var"].to_numpy(), table["printed_lambda_sva"].to_numpy())
    languages = measure_languages()
    found = spearman([row[2] for row in languages], [row[3] for row in languages])
    text = f"Spearman of λ_var and λ_sva: {printed.value:.2f} in Table 1, {found.value:.2f} over {len(languages)} languages"
    return judge(text, min(printed.value, found.value) > 0.7 and len(rows) > 0)


def compute_example() -> Finding:
    """Compute λ of the accuracies 88, 92 and 93 (§4.1)."""
    from assay.discrimination import measure_performance_variance, measure_scaled_variance

    scores = [88, 92, 93]
    values = measure_performance_variance(scores).lambda_var, measure_scaled_variance(scores).lambda_sva
    return judge_number(f"{values[0]:.2f} and {values[1]:.2f}", [round(value, 2) for value in values] == [2.65, 23.81])


@cache
def measure_lists(benchmark: str) -> dict[str, float]:
    """Return λ_sva of the top five of each dataset of a task in NLP-progress, the largest first."""
    from assay.discrimination import DiscriminationSettings, discriminate_scores, read_scores

    table = read_table("leaderboards/nlp_progress.tsv.gz")
    scores = read_scores(table.filter(pl.col("benchmark") == benchmark))
    found = discriminate_scores(scores, DiscriminationSettings(top=TOP, top_by="dataset")).datasets
    several = len({row.metric for row in found if row.dataset == found[0].dataset}) > 1
    values = {
        f"{row.dataset} {row.metric}" if several and row.n_systems >= TOP else row.dataset: row.lambda_sva.value
        for row in found
        if row.n_systems > 1
    }
    return dict(sorted(values.items(), key=lambda item: -item[1]))


def list_values(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3g}" for name, value in values.items())


def order_entities() -> Finding:
    values = measure_lists("english: Named entity recognition")
    lowest = min(values, key=values.__getitem__)
    return judge(f"λ_sva of the top five: {list_values(values)}", lowest.startswith("CoNLL 2003"))


def order_segmentation() -> Finding:
    values = measure_lists("chinese: Chinese Word Segmentation")
    below = [name for name, value in values.items() if value < 1]
    text = f"λ_sva of the top five: {list_values(values)}; below 1: {', '.join(below)}"
    return judge(text, all(any(name in each for each in below) for name in ("MSR", "CityU", "Chinese Treebank")))


def order_inference() -> Finding:
    """Compare λ_sva of MultiNLI in NLP-progress, which ends in 2019, and in GLUE of 2024."""
    values = measure_lists("english: Natural language inference")
    glue = [row.lambda_sva.value for row in discriminate_glue("dataset") if row.dataset.startswith("MNLI")]
    glue += [row.lambda_sva.value for row in discriminate_glue("benchmark") if row.dataset.startswith("MNLI")]
    text = f"NLP-progress: {list_values(values)}; GLUE of 2024: MNLI {min(glue):.1f} to {max(glue):.1f}"
    return judge(text, max(value for name, value in values.items() if name.startswith("MultiNLI")) < 1)


def discriminate_glue(rule: str) -> list[Any]:
    """Return λ of GLUE's datasets over the top five of each dataset or of the benchmark."""
    from assay.discrimination import DiscriminationSettings, discriminate_scores, read_scores

    frame = pl.read_csv(DATA / "leaderboards" / "leaderboards.tsv.gz", separator="\t", infer_schema_length=0)
    scores = read_scores(frame.filter(pl.col("benchmark").str.to_lowercase() == "glue"))
    return list(discriminate_scores(scores, DiscriminationSettings(top=TOP, top_by=rule)).datasets)


def count_rows() -> Finding:
    """Compare the rows of our files with the printed sizes."""
    from benchmarks.paper_000_models import FILES

    sizes = {NAMES[name]: len(read_table(f"{file}/{file}.tsv.gz")) for name, file in FILES.items()}
    whole = [name for name, size in sizes.items() if size >= SIZES_000[name]]
    parts = [f"{name} {size:,} of {SIZES_000[name]:,}" for name, size in sizes.items() if name not in whole]
    return judge(f"complete: {', '.join(whole)}; samples: {', '.join(parts)}", not parts)


def regress_randomly() -> Finding:
    """Compare the predictors of Table 2 under the random split of the paper."""
    texts, holds = [], []
    for place, (target, name) in enumerate(forecast_tables.TARGETS.items()):
        own = forecast_tables.list_correlations("paper", "random", target, tuple(REGRESSORS_000))
        best = forecast_tables.list_correlations("light", "random", target, tuple(forecast_tables.PREDICTORS)[:6])
        texts.append(f"{name} {min(own):.2f} to {max(own):.2f}, with probes up to {max(best):.2f}")
        holds.append(min(own) >= min(row[2 * place] for row in REGRESSORS_000.values()) - 0.05)
    return judge("the paper's features and regressors: " + "; ".join(texts), all(holds))


def describe_evidence() -> str:
    about = read_json("forecast_tables.json")["evidence"]
    return (
        f"{about['n']:,} sub-datasets of {about['n_parents']} parents of our own, mean of five random splits; see "
        "[forecast](forecast.md#what-was-measured)."
    )


def regress_families() -> str:
    falls = [
        max(forecast_tables.list_correlations("paper", "families", target, tuple(REGRESSORS_000)))
        for target in forecast_tables.TARGETS
    ]
    return (
        "The paper's random split has siblings of every test piece in training. With whole families held out the best of "
        f"its regressors on its features reaches {falls[0]:.2f} and {falls[1]:.2f}; probes keep part of the correlation."
    )


def rank_randomly() -> Finding:
    """Compare the rankers of Table 3 on lists of seven under the random split."""
    rows = forecast_tables.read_rows("ranking")
    texts, values = [], []
    for target, title in forecast_tables.TARGETS.items():
        for measure in ("ndcg", "map"):
            found = {name: rows[target, name, "7"][f"random_{measure}"] for name in forecast_tables.RANKERS}
            own = [found[name] for name in RANKERS_000]
            values += own
            shares = f"{100 * min(own):.1f} to {100 * max(own):.1f}, extra trees {100 * found['extra-trees']:.1f}"
            texts.append(f"{title} {measure.upper()} {shares}")
    return judge("n = 7: " + "; ".join(texts), min(values) > 0.95)


def check_printed_ranking() -> Finding:
    """Count the printed NDCG and MAP that are not above 95."""
    cells = [value for row in TABLE_3_000.values() for value in row]
    low = [value for value in cells if value <= 95]
    text = f"{len(cells) - len(low)} of {len(cells)} printed cells are above 95; not {', '.join(map(str, sorted(low)))}"
    return judge(text, not low)


def describe_ceiling() -> str:
    found = {target: row["ceiling_trained"] for (target,), row in forecast_tables.read_rows("reliability").items()}
    return (
        "λ of a sub-dataset has noise of its own: no predictor can have a Spearman correlation above "
        f"{found['lambda_var']:.2f} (λ_var) and {found['lambda_sva']:.2f} (λ_sva) with it."
    )


def read_shipped() -> Finding:
    texts = [
        f"{forecast_tables.TARGETS[name]} {row['spearman']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"
        for name, row in forecast_tables.read_families().items()
    ]
    return judge(f"whole families held out, shipped predictor: {', '.join(texts)}", False)


def describe_perplexity() -> Finding:
    row = read_json("perplexity_feature.json")
    texts = [
        f"{target.replace('lambda', 'λ')}: {values['with']:.3f} with, {values['without']:.3f} without"
        for target, values in row["spearman"].items()
    ]
    return judge(f"Spearman on held-out families, {'; '.join(texts)}", row["helps"])


def rank_features() -> Finding:
    """List the features that LightGBM uses most for λ_sva, by split counts and by shuffling."""
    rows = forecast_tables.read_rows("importance")[("lambda_sva",)]
    by_splits = [row["feature"] for row in sorted(rows, key=lambda row: -row["splits"])[:3]]
    by_rise = [row["feature"] for row in sorted(rows, key=lambda row: -row["permutation"])[:3]]
    text = f"split counts: {', '.join(f'`{name}`' for name in by_splits)}; shuffling: "
    leads = all(any(name in feature for feature in by_splits) for name in ("pmi", "len", "fre"))
    return judge(text + ", ".join(f"`{name}`" for name in by_rise), leads)


def recommend() -> Finding:
    """Choose six datasets of the shipped evidence for a new benchmark."""
    from assay.forecast import recommend_datasets

    names = [choice.data for choice in recommend_datasets(k=6).choices if choice.recommended]
    return missing(f"of the shipped evidence: {', '.join(names)}")


ROWS: list[Any] = [
    Row(
        "Figure 1",
        "the often cited DBpedia discriminates worst, the rarely cited ADE better: popularity and λ do not go together",
        relate_popularity,
        "Citations are not available offline; the number of systems that NLP-progress lists takes their place. Popular "
        "datasets discriminate less among their top five, mostly because the best five of many lie closer together: "
        "five systems drawn at random show how much remains.",
    ),
    Row("§4.1, example", "accuracies 88, 92, 93: λ_var 2.65, λ_sva 23.81", compute_example, ""),
    Row("Table 1, λ", "λ_var and λ_sva of nine datasets", compare_cells, "The rest is rounding of the accuracies."),
    Row(
        "Table 1, correlations",
        "Spearman with λ_hit 0.83 (λ_var) and 0.73 (λ_sva)",
        correlate_columns,
        "The printed correlations do not follow from the printed columns; the conclusion holds.",
    ),
    Row(
        "§4.2, models trained again",
        "λ_hit follows λ (0.83, 0.73)",
        correlate_trained,
        "MiniLM wins everywhere by several points, so λ_hit depends on how the other three lie; nine datasets give wide "
        "intervals.",
        GPU,
    ),
    Row(
        "§4.2, more datasets",
        "λ_hit follows λ (0.83, 0.73)",
        correlate_evidence,
        "The same four kinds of models on sub-datasets; the interval resamples families.",
        GPU,
    ),
    Row(
        "§4.2, order of the datasets",
        "SST1, CR, MR, QC, IMDB, ADE, ATIS, Yelp, DBpedia by λ_sva",
        order_trained,
        "Samples of the datasets, MiniLM in place of BERT, other word vectors.",
        GPU,
    ),
    Row(
        "Figure 2, GLUE",
        "CoLA, QQP and RTE discriminate best, SST-2 and STS-B worst",
        order_glue,
        "Leaderboard of 2024 instead of 2021.",
    ),
    Row(
        "Figure 2, XTREME",
        "BUCC and PAWS-X have the lowest λ",
        order_languages,
        "No XTREME table can be had. The cross-lingual table of MTEB shows the same kind of fact: one task discriminates "
        "in some languages and not in others.",
    ),
    Row(
        "Figure 2, NER",
        "CoNLL 2003 is the worst of six",
        order_entities,
        "NLP-progress of 2024; see [discrimination](discrimination.md#figure-2-of-xiao-et-al-2022-and-todays-leaderboards).",
    ),
    Row(
        "Figure 2, CWS",
        "MSR, CityU and CTB have log λ_sva < 0",
        order_segmentation,
        "The lists of 2024 have one older system among the top five of CityU.",
    ),
    Row(
        "Figure 2, NLI",
        "MultiNLI has log λ_sva < 0",
        order_inference,
        "NLP-progress ends in 2019 for MultiNLI, with a fifth system far behind. GLUE of 2024 is nearer to the "
        "paper's finding.",
    ),
    Row("§4.3, both measures agree", "λ_var and λ_sva are consistent", agree_measures, ""),
    Row(
        "Table 2",
        "Spearman 0.64 to 0.77 (λ_var) and 0.77 to 0.87 (λ_sva), random split",
        regress_randomly,
        describe_evidence,
        GPU,
    ),
    Row(
        "Table 2, unseen datasets",
        "“a meaningful predictor can be learned to estimate discrimination over unseen datasets”",
        read_shipped,
        regress_families,
        GPU,
    ),
    Row(
        "Table 3, claim",
        "“performance on NDCG and MAP is greater than 95%”",
        check_printed_ranking,
        "From the printed cells; all are MAP of XGBoost.",
    ),
    Row(
        "Table 3",
        "NDCG 96.7 to 98.7, MAP 94.8 to 99.1 (lists of seven)",
        rank_randomly,
        describe_ceiling,
        GPU,
    ),
    Row(
        "Figure 3",
        "PMI, length and Flesch matter most; semantic features most",
        rank_features,
        "Split counts reward features with many values, and probes are among our features; see "
        "[forecast](forecast.md#what-was-measured).",
        GPU,
    ),
    Row(
        "§5.2, perplexity",
        "perplexity (GPT-2) is one of the features",
        describe_perplexity,
        "SmolLM2-135M, 300 texts of each parent; whether it helps the forecast of unseen families.",
        GPU,
    ),
    Row(
        "Table 4",
        "statistics of nine datasets",
        count_rows,
        "The full files of IMDB, Yelp and DBpedia cannot be had; our source of CR has fewer sentences.",
    ),
    Row(
        "Table 5",
        "hyper-parameters of four models",
        Finding("preset `xiao-2022` of [models](models.md#presets)", MISSING),
        "Encoder and vectors must be named by the user.",
        NONE,
    ),
    Row(
        "§6, a new benchmark",
        "a benchmark of text classification chosen by λ",
        recommend,
        "`assay forecast --recommend K` ranks datasets by λ, redundancy and cost. The paper names its own "
        "benchmark without a list; see [forecast](forecast.md#datasets-for-a-new-benchmark).",
        GPU,
    ),
]
