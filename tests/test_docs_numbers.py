"""Numbers of documentation pages that a quick command writes, or that another page or stored result has too."""

from __future__ import annotations

import json
import re
from pathlib import Path

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


def test_planted_defects_are_counted_alike_on_two_pages():
    rows = re.findall(r"\| A\d{3} \| (\d+)/(\d+) \| (\d+)/(\d+) \|", read_page("kinds"))
    found, n, false, n_clean = (sum(map(int, column)) for column in zip(*rows, strict=True))
    line = next(line for line in read_page("benchmarks").splitlines() if line.startswith("| `planted_kinds` |"))
    assert f"{found} of {n} found, {false} false alarm in {n_clean} clean audits" in line
