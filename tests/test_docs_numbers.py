"""Numbers of documentation pages that a quick command writes, or that another page or stored result has too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl

import assay
from assay.checks.forecast.rules import INTERVAL_NOTE
from assay.wording.numbers import format_interval, format_percent

ROOT = Path(__file__).parents[1]


def read_page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def test_a_new_run_gives_the_ranks_of_semeval(shared):
    result = assay.discriminate(
        predictions=str(shared("semeval2016_cqa/pred_labels_A.tsv.gz")),
        data=str(shared("semeval2016_cqa/cqa_A.tsv.gz")),
    )
    (dataset,), (benchmark,) = result.datasets, result.benchmarks
    first = sum(row.rank_low == 1 for row in result.systems)
    var, hit = format_interval(dataset.lambda_var, "rounded:2"), format_interval(dataset.lambda_hit)
    assert first == 11
    said = (
        f"λ_var is {var} and λ_hit {hit}; but the rank intervals of the first eleven runs all start at 1, and the first "
        f"run is first on {format_percent(benchmark.stability_of_first.share_first)} of random halves."
    )
    assert said in read_page("discrimination")


def test_the_note_on_forecasts_has_the_coverage_of_the_stored_results():
    rows = json.loads((ROOT / "benchmarks" / "results" / "forecast_families.json").read_text(encoding="utf-8"))
    by_target = {row["target"]: row for row in rows}
    var, sva = by_target["lambda_var"], by_target["lambda_sva"]
    for row in (var, sva):
        assert 0.78 <= row["coverage"] <= 0.90
    said = (
        f"of the datasets of {var['n_families']} families that were held out, {var['coverage']:.0%} are inside for λ_var "
        f"and {sva['coverage']:.0%} for λ_sva; a family unlike the evidence is covered much worse (SNLI "
        f"{var['by_family']['snli']:.0%} of λ_var, German news {sva['by_family']['gnad10']:.0%} of λ_sva)."
    )
    assert INTERVAL_NOTE.endswith(said)
    good = sum(share >= 0.8 for share in var["by_family"].values())
    said = f"Of {var['n_families']} families of data held out, {good} had at least 80% of their datasets inside"
    assert f"{said}; families unlike the evidence are covered much worse, SNLI only in 17%" in read_page("findings")
    assert f"{var['by_family']['snli']:.0%}" == "17%" == f"{min(var['by_family'].values()):.0%}"


def test_planted_defects_are_counted_alike_on_two_pages():
    rows = re.findall(r"\| A\d{3} \| (\d+)/(\d+) \| (\d+)/(\d+) \|", read_page("kinds"))
    found, n, false, n_clean = (sum(map(int, column)) for column in zip(*rows, strict=True))
    line = next(line for line in read_page("benchmarks").splitlines() if line.startswith("| `planted_kinds` |"))
    assert f"{found} of {n} found, {false} false alarm in {n_clean} clean audits" in line


def test_a_new_run_gives_the_cost_front_of_swe_bench(shared):
    resolved = pl.read_csv(shared("swebench_verified/resolved.tsv.gz"), separator="\t").drop("repo")
    cost = pl.read_csv(shared("swebench_verified/cost_usd.tsv.gz"), separator="\t")
    systems = assay.discriminate(predictions=resolved, cost=cost).cost.systems
    places = [system.place for system in systems]
    first, second = (system for system in systems if system.place == "on the front")
    best = max(systems, key=lambda system: system.score.value)
    said = (
        f"On SWE-bench Verified (500 issues, {len(systems)} systems with one agent, `cost_usd.tsv.gz`), "
        f"{sum(system.on_front for system in systems)} systems are on the front by their estimates, but only "
        f"{places.count('on the front')} with 95% confidence: {name_cost(first)} and {name_cost(second)}. "
        f"{best.system.partition(' medium')[0]} scores highest, {best.score.value:.1f}% for ${best.cost.value:.2f}, and is "
        f"on the front in {format_percent(best.front_share)} of resamples. {places.count('not on the front')} systems are "
        "not on the front."
    )
    assert said in read_page("discrimination")


def name_cost(system) -> str:
    """Write a system with its score and its cost."""
    digits = 3 if system.cost.value < 0.1 else 2
    name = re.sub(r" \(.*\)$", "", system.system)
    return f"{name} ({system.score.value:.1f}% for ${system.cost.value:.{digits}f} per issue)"


def test_new_runs_give_the_datasets_that_leaderboards_keep(shared):
    table = pl.read_csv(shared("leaderboards/leaderboards.tsv.gz"), separator="\t", infer_schema_length=0).drop(
        "source"
    )
    names = {
        "MMLU": "MMLU",
        "BIG-Bench Hard": "BIG-Bench Hard",
        "GLUE": "GLUE",
        "Open LLM Leaderboard v1": "Open LLM v1",
    }
    nouns = {"MMLU": " datasets", "GLUE": " measurements"}
    kept = []
    for start, name in names.items():
        rows = table.filter(pl.col("benchmark").str.contains(rf"^{start}(?: \(|$)"))
        (benchmark,) = assay.discriminate(rows).benchmarks
        kept.append(f"{name} {benchmark.keep} of {benchmark.n_measurements}{nouns.get(name, '')}")
    said = f"{', '.join(kept)}.".replace("MMLU ", "MMLU keeps ", 1)
    assert said in read_page("discrimination")


def test_a_new_run_gives_the_calibration_of_wildbench(shared):
    table = pl.read_csv(shared("wildbench_scores/scores.tsv.gz"), separator="\t", infer_schema=False)
    parts = pl.col("column").str.split_exact("|", 2).struct.rename_fields(["release", "judge", "model"]).alias("parts")
    long = table.unpivot(index="id", variable_name="column", value_name="score").with_columns(parts).unnest("parts")
    rows = assay.audit_judges(long.filter(release="v2.0522").select("id", "judge", "model", "score")).calibration
    (turbo,) = (row for row in rows if row.judge.startswith("gpt-4-turbo"))
    bias, slope = (format_interval(value, "rounded:2") for value in (turbo.bias, turbo.slope))
    said = (
        f"gpt-4-turbo scores {bias} points higher than gpt-4o on the same answers; the slope is {slope}, and recalibration "
        f"lowers the mean difference from {turbo.error:.2f} to {turbo.error_after:.2f}."
    )
    assert said in read_page("judges")


def test_the_page_of_benchmarks_has_the_numbers_of_the_pages_that_it_links_to():
    """A row that says what was measured, with a link, has no number that the linked page has not."""
    missing = {}
    for line in read_page("benchmarks").splitlines():
        name, cell = line.strip("|").split(" | ")[0].strip(), line.strip("|").split(" | ")[-1]
        pages = re.findall(r"\]\((\w[\w-]*)\.md", cell)
        if not line.startswith("| `") or not pages or "planted_kinds" in name:
            continue
        linked = " ".join(map(read_page, pages))
        numbers = re.findall(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?", re.sub(r"\]\([^)]*\)", "]", cell))
        missing[name] = [n for n in numbers if not re.search(rf"(?<![\d.]){re.escape(n.rstrip(','))}(?!\d)", linked)]
    assert len(missing) > 8
    assert {name: numbers for name, numbers in missing.items() if numbers} == {}


def test_every_command_that_a_page_names_for_its_numbers_exists():
    pages = {path: path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")}
    named = {
        (path.name, module)
        for path, text in pages.items()
        for module in re.findall(r"python -m ((?:benchmarks|scripts)[.\w]*)", text)
    }
    assert len(named) > 40
    missing = []
    for page, module in sorted(named):
        path = ROOT / module.rstrip(".").replace(".", "/")
        if not (path.with_suffix(".py").exists() or (path / "__main__.py").exists()):
            missing.append((page, module))
    assert missing == []
