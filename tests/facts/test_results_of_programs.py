"""SWE-bench Verified, can-ai-code, HumanEval: results of agents and programs, with their published rates."""

from __future__ import annotations

import polars as pl
import pytest

import assay
from assay.data import read_table
from assay.discrimination import read_scores

# Published with other items than the item record has.
EXCEPTIONS = {"Claude 4 Sonnet (20250514)": 324, "Llama 4 Maverick Instruct": 105, "Claude 3.7 Sonnet (20250219)": 51}
RUNS = {
    "100CPT_5Tkns_1SPT(1)": 0.6646,
    "100CPT_5Tkns_1SPT(2)": 0.6585,
    "100CPT_5Tkns_1SPT(3)": 0.6524,
    "100CPT_5Tkns_1SPT(4)": 0.6402,
    "100CPT_5Tkns_1SPT": 0.6524,
    "10Its_50Tkns_2SPT": 0.6524,
    "10Its_50Tkns": 0.6585,
    "1CPT_500Tkns_10SPT": 0.6573,
    "1CPT_500Tkns_1SPT(1)": 0.6463,
    "1CPT_500Tkns_1SPT(2)": 0.6585,
    "1CPT_500Tkns_1SPT(3)": 0.6463,
    "1CPT_500Tkns_1SPT(4)": 0.6585,
    "1CPT_500Tkns_1SPT": 0.6585,
    "1CPT_500Tkns_2SPT(1)": 0.6585,
    "1CPT_500Tkns_2SPT": 0.6585,
    "500CPT_1Tkns_1SPT": 0.6463,
}


@pytest.fixture(scope="module")
def resolved(shared):
    return read_table(shared("swebench_verified/resolved.tsv.gz"))


def test_published_rates_of_swebench(shared, resolved):
    board = read_table(shared("swebench_verified/leaderboard.tsv.gz")).filter(pl.col("split") == "bash-only")
    published = dict(zip(board["system"], board["resolved"].cast(float), strict=True))
    result = assay.evaluate(None, resolved.drop("repo"), missing_predictions="wrong", compare=False)
    scores = {system.system: system.value for system in result.systems}
    assert len(scores) == 25
    differ = {name: round(500 * value) for name, value in scores.items() if abs(100 * value - published[name]) > 0.005}
    assert differ == EXCEPTIONS
    named = {"Claude 4.5 Opus medium (20251101)": 74.4, "GPT-5 (2025-08-07) (medium reasoning)": 65.0}
    assert {name: round(100 * scores[name], 1) for name in named} == named


def test_issues_that_all_or_none_resolve(resolved):
    systems = [name for name in resolved.columns if name not in ("id", "repo") and not name.startswith("Claude 3.7")]
    cells = resolved.select("id", *systems).with_columns(pl.col(systems).replace("", "0").fill_null("0"))
    (summary,) = assay.discriminate(predictions=cells, n_resamples=50).items
    assert (summary.n_all_wrong, summary.n_all_right) == (64, 11)


def test_repositories_and_rows_of_swebench(shared, resolved):
    counts = dict(resolved["repo"].value_counts().rows())
    assert (len(counts), counts["django/django"], counts["sympy/sympy"]) == (12, 231, 75)
    board = read_table(shared("swebench_verified/leaderboard.tsv.gz"))
    assert dict(board["split"].value_counts().rows()) == {
        "bash-only": 31,
        "Test": 23,
        "Verified": 162,
        "Lite": 84,
        "Multimodal": 22,
    }


def test_runs_of_can_ai_code(shared):
    """Partial credit of 28 programs; several runs of a model are repeats."""
    table = read_table(shared("can_ai_code/junior_v2.tsv.gz"))
    items = table.columns[3:]
    long = table.unpivot(items, index=["model", "run"], variable_name="id", value_name="cell").with_columns(
        score=pl.col("cell").str.extract(r"^(\d+)").cast(float) / pl.col("cell").str.extract(r"(\d+)$").cast(float)
    )
    runs = long.with_columns(system=pl.col("model") + " " + pl.col("run")).select("system", "id", "score")
    result = assay.evaluate(None, runs, compare=False)
    assert (result.n_systems, result.n_items) == (700, 28)
    assert sum(system.value == 1.0 for system in result.systems) == 5
    assert table["model"].n_unique() == 420
    assert (table["model"].value_counts()["count"] > 1).sum() == 154


def test_samples_of_codegen(shared):
    table = read_table(shared("humaneval_samples/codegen16b_100_samples_passed.tsv.gz"))
    passed = table["c"].cast(int)
    assert (table.height, (passed == 0).sum(), (passed == 100).sum()) == (164, 43, 0)
    assert passed.to_list() == [sum(map(int, cell)) for cell in table["passed"]]


def test_every_run_of_gpt_on_human_eval(shared):
    table = read_table(shared("humaneval_samples/passed_by_run.tsv.gz"))
    shares = [
        pl.col(name).str.extract(r"^(\d+)").cast(float) / pl.col(name).str.extract(r"(\d+)$").cast(float)
        for name in RUNS
    ]
    result = assay.evaluate(None, table.select(pl.col("task_id").alias("id"), *shares), compare=False)
    assert {system.system: round(system.value, 4) for system in result.systems} == RUNS


def test_scores_of_mteb(shared):
    table = read_scores(shared("mteb_results/scores.tsv.gz"))
    counts: dict[str, int] = {}
    for entry in table.measurements:
        for system in entry.systems:
            counts[system] = counts.get(system, 0) + 1
    assert (len(counts), len(table.measurements), sum(counts.values())) == (232, 162, 28366)
    assert sum(counts.values()) / (232 * 162) == pytest.approx(0.755, abs=5e-4)
    assert sum(count == 162 for count in counts.values()) == 88


def test_the_open_llm_leaderboard(shared):
    path = shared("open_llm_leaderboard/scores.tsv.gz")
    table = read_scores(path)
    assert [(entry.dataset, len(entry.systems)) for entry in table.measurements] == [
        (name, 5133) for name in ("arc", "hellaswag", "mmlu", "truthfulqa", "winogrande", "gsm8k")
    ]
    means = {}
    for entry in table.measurements:
        for system, score in zip(entry.systems, entry.scores.tolist(), strict=True):
            means[system] = means.get(system, 0.0) + score / 6
    raw = read_table(path)
    published = dict(zip(raw["model"], raw["avg"].cast(float), strict=True))
    assert max(abs(means[name] - published[name]) for name in means) < 0.01  # all numbers are rounded to two decimals
    best = max(means, key=means.__getitem__)
    assert (best, round(means[best], 2)) == ("paloalma/Le_Triomphant-ECE-TW3", 81.31)
