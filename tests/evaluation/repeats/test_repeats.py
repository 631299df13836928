"""Repeats of a run: hand-counted variance, the law of pass@k, published pass rates."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from assay import discriminate, evaluate
from assay.base.errors import AssayError, UsageError
from assay.evaluation import Evaluation, estimate_pass, evaluate_arrays, plan_items
from assay.evaluation.repeats.pass_rates import estimate_pass_all
from assay.evaluation.repeats.variance import split_variance


def make_rows(outcomes, system="x", name="repeat"):
    """Return a long table of item scores from repeats × items."""
    return [
        {"system": system, "id": f"i{item}", name: repeat, "score": int(outcome)}
        for repeat, row in enumerate(outcomes)
        for item, outcome in enumerate(row)
    ]


def test_repeats_of_a_run_are_one_system():
    result = evaluate(None, make_rows([[1, 0, 1], [1, 0, 0]]))
    (system,) = result.systems
    assert (system.system, system.n, result.n_items) == ("x", 3, 3)
    assert system.value == pytest.approx(3 / 6)


@pytest.mark.parametrize("name", ["epoch", "sample", "run"])
def test_other_names_of_a_repeat(name):
    assert evaluate(None, make_rows([[1, 0], [1, 1]], name=name)).repeats.n == 2


def test_the_hand_counted_variance():
    # Item means 1, 0, 1/2: variance 1/4. Within: only the third item varies, 1/2 over three degrees of freedom.
    result = evaluate(None, make_rows([[1, 0, 1], [1, 0, 0]])).repeats
    assert result.n == 2
    assert result.sd_repeats == pytest.approx(math.sqrt(0.5 / 3))
    assert result.sd_items == pytest.approx(math.sqrt(0.25 - 0.5 / 3 / 2))
    assert result.standard_error == pytest.approx(math.sqrt(0.25 / 3))
    single = 0.25 - 0.5 / 6 + 0.5 / 3
    assert result.systems[0].items_equivalent == pytest.approx(3 * single / 0.25)


def test_components_are_recovered():
    generator = np.random.default_rng(0)
    table = generator.normal(0, 0.3, 4000) + generator.normal(0, 0.5, (8, 4000))
    result = split_variance("x", table)
    assert result.sd_items == pytest.approx(0.3, rel=0.05)
    assert result.sd_repeats == pytest.approx(0.5, rel=0.02)
    assert result.standard_error == pytest.approx(math.sqrt((0.09 + 0.25 / 8) / 4000), rel=0.03)


def test_labels_are_scored_over_all_repeats_with_intervals_over_items():
    generator = np.random.default_rng(1)
    gold = generator.choice(["a", "b"], 200)
    first = np.where(generator.random(200) < 0.7, gold, "c")
    rows = [
        {"id": str(item), "repeat": repeat, "gold": gold[item], "predicted": first[item]}
        for repeat in range(4)
        for item in range(200)
    ]
    once = evaluate(None, [row for row in rows if row["repeat"] == 0])
    result = evaluate(None, rows)
    assert result.systems[0].value == once.systems[0].value
    assert result.systems[0].metrics["macro-f1"].value == pytest.approx(once.systems[0].metrics["macro-f1"].value)
    width = once.systems[0].high - once.systems[0].low
    assert result.systems[0].high - result.systems[0].low == pytest.approx(width, rel=0.1)
    assert result.repeats.sd_repeats == 0


def test_systems_with_fewer_repeats_lack_nothing():
    rows = make_rows([[1, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0, 1]]) + make_rows([[0, 0, 1, 1]], "y")
    for missing in ("skip", "wrong"):
        result = evaluate(None, rows, missing_predictions=missing)
        values = {system.system: (system.value, system.n, system.n_missing) for system in result.systems}
        assert values == {"x": (pytest.approx(8 / 12), 4, 0), "y": (0.5, 4, 0)}
    assert not any("Missing" in note for note in result.notes)


def test_a_repeat_of_an_item_that_is_missing_is_counted():
    rows = make_rows([[1, 0], [1, 1]])[:-1]
    result = evaluate(None, rows)
    assert result.systems[0].n_missing == 1
    assert result.systems[0].value == pytest.approx(1 / 2)  # one item is right twice, the other wrong once


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_pass_rates_are_those_of_all_subsets(k):
    outcomes = [1, 0, 0, 1, 1]
    subsets = list(combinations(outcomes, k))
    assert estimate_pass(5, 3, k) == pytest.approx(np.mean([max(subset) for subset in subsets]))
    assert estimate_pass_all(5, 3, k) == pytest.approx(np.mean([min(subset) for subset in subsets]))


def test_published_pass_rates_of_human_eval(shared):
    table = pl.read_csv(
        shared("humaneval_samples/codegen16b_100_samples_passed.tsv.gz"), separator="\t", infer_schema=False
    )
    rows = [
        {"model": "codegen-16b", "id": row["task_id"], "sample": number, "score": digit}
        for row in table.iter_rows(named=True)
        for number, digit in enumerate(row["passed"])
    ]
    result = evaluate(None, pl.DataFrame(rows), pass_at="1,2,5,10,20,50,100")
    (system,) = result.systems
    published = {1: 0.2211, 2: 0.3079, 5: 0.4203, 10: 0.5038, 20: 0.5891, 50: 0.6869, 100: 0.7378}
    assert {k: round(system.metrics[f"pass@{k}"].value, 4) for k in published} == published
    assert system.metrics["pass@10"].low < 0.5038 < system.metrics["pass@10"].high
    assert (system.system, system.n) == ("codegen-16b", 164)


def test_results_of_the_human_eval_evaluator_are_read(shared):
    path = shared("humaneval_samples/gpt-3.5_10_samples.jsonl_results.jsonl.gz")
    result = evaluate(None, path, pass_at=(1, 2, 5, 10))
    metrics = result.systems[0].metrics
    assert [round(metrics[f"pass@{k}"].value, 4) for k in (1, 2, 5, 10)] == [0.6573, 0.6615, 0.6641, 0.6646]


def test_the_majority_counts_answers():
    answers = {"i0": ["a", "a", "b"], "i1": ["b", "c", "d"], "i2": ["b", "b", "a"]}
    rows = [
        {"id": item, "repeat": repeat, "gold": "a", "predicted": answer}
        for item, each in answers.items()
        for repeat, answer in enumerate(each)
    ]
    rows[3]["predicted"] = "a"  # i1: one vote each for a, c, d
    metrics = evaluate(None, rows, pass_at=[3]).systems[0].metrics
    assert metrics["majority@3"].value == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert metrics["pass@3"].value == 1.0
    assert metrics["pass^3"].value == 0.0


def test_a_majority_of_outcomes_breaks_ties_at_random():
    metrics = evaluate(None, make_rows([[1, 1], [0, 1], [0, 0], [1, 1]]), pass_at=[2, 3]).systems[0].metrics
    assert metrics["majority@2"].value == pytest.approx((0.5 + 0.75) / 2)


def test_intervals_of_pass_rates_cover():
    generator = np.random.default_rng(2)
    truth = 1 - np.mean((1 - generator.beta(0.5, 1.0, 400_000)) ** 3)
    covered = 0
    for _ in range(60):
        table = (generator.random((5, 150)) < generator.beta(0.5, 1.0, 150)).astype(int)
        scores = evaluate(None, make_rows(table), pass_at=[3], compare=False, n_resamples=10).systems[0].metrics
        covered += scores["pass@3"].low <= truth <= scores["pass@3"].high
    assert covered >= 53


def test_more_samples_than_there_are_is_refused():
    with pytest.raises(AssayError, match="there are 2 repeats"):
        evaluate(None, make_rows([[1, 0], [1, 1]]), pass_at=[3])
    with pytest.raises(UsageError, match="not a list of numbers"):
        evaluate(None, make_rows([[1, 0], [1, 1]]), pass_at="one")


def test_discrimination_averages_repeats():
    rows = make_rows([[1, 0, 1, 1], [1, 0, 0, 1]]) + make_rows([[0, 0, 1, 1], [0, 0, 1, 0]], "y")
    result = discriminate(predictions=pl.DataFrame(rows))
    assert {row.system: row.score for row in result.systems} == {"x": pytest.approx(62.5), "y": pytest.approx(37.5)}


def test_items_needed_follow_the_formula():
    z = 1.959964 + 0.841621
    assert plan_items(0.4, 0.6, 0.02, 4) == math.ceil((z / 0.02) ** 2 * (0.16 + 0.36 / 4))


def test_a_pilot_tells_how_many_items_are_needed():
    generator = np.random.default_rng(3)
    rows = make_rows((generator.random((3, 400)) < 0.7).astype(int))
    rows += make_rows((generator.random((3, 400)) < 0.6).astype(int), "y")
    power = evaluate(None, rows).power
    assert power.n_repeats == 3
    # Independent draws vary between repeats only: 0.7 · 0.3 + 0.6 · 0.4.
    assert power.sd_repeats == pytest.approx(math.sqrt(0.45), rel=0.05)
    plans = {(plan.difference, plan.n_repeats): plan.n_items for plan in power.plans}
    assert plans[0.05, 1] > plans[0.05, 2] > plans[0.05, 8]
    assert power.detectable == pytest.approx(2.8016 * math.sqrt(0.45 / 3 / 400), rel=0.1)


def test_the_result_comes_back_from_json():
    result = evaluate(None, make_rows([[1, 0, 1], [1, 0, 0]]), pass_at=[1, 2])
    assert Evaluation.from_dict(json.loads(json.dumps(result.to_dict()))).repeats == result.repeats


def test_the_command_writes_repeats_and_pass_rates(run, tmp_path):
    lines = ["model,id,epoch,score"]
    lines += [f"m,{item},{epoch},{(item + epoch) % 2}" for item in range(6) for epoch in range(3)]
    (tmp_path / "runs.csv").write_text("\n".join(lines))
    done = run("evaluate", "--predictions", tmp_path / "runs.csv", "--pass-at", "1,3", "--json", "-")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["result"]
    assert set(result["repeats"]) >= {"n", "sd_items", "sd_repeats", "standard_error"}
    assert result["repeats"]["n"] == 3
    assert result["systems"][0]["metrics"]["pass@3"]["value"] == 1.0
    assert "Repeats" in run("evaluate", "--predictions", tmp_path / "runs.csv").stdout


def test_a_pilot_says_how_many_items_a_difference_needs(tmp_path, capsys):
    from assay.cli.main import status

    rows = [
        f"{system}\t{item}\t{repeat}\t{(item * 7 + repeat * shift) % 5 > 1:d}"
        for system, shift in (("x", 1), ("y", 3))
        for item in range(20)
        for repeat in range(2)
    ]
    path = tmp_path / "pilot.tsv"
    path.write_text("system\tid\trepeat\tscore\n" + "\n".join(rows) + "\n")
    assert status(["evaluate", "--predictions", str(path), "--difference", "0.03"]) == 0
    printed = capsys.readouterr().out
    assert "Items needed to detect a difference" in printed
    power = evaluate(None, path, differences=(0.03,)).power
    assert {plan.difference for plan in power.plans} == {0.03}
    for plan in power.plans:
        assert plan.n_items == plan_items(power.sd_items, power.sd_repeats, 0.03, plan.n_repeats)
        assert f"{plan.n_items:,}" in printed


def test_every_item_counts_the_same_whatever_its_repeats():
    """Item 1 is right once in three repeats, item 2 has one answer, which is right: (1/3 + 1) / 2."""
    rows = [{"id": "1", "repeat": n, "system": "x", "gold": "a", "predicted": "abb"[n]} for n in range(3)]
    rows += [{"id": "2", "repeat": 0, "system": "x", "gold": "b", "predicted": "b"}]
    result = evaluate(None, rows)
    assert result.systems[0].metrics["accuracy"].value == pytest.approx(2 / 3)
    rows += [{**row, "system": "y", "predicted": "b"} for row in rows]
    scores = {row.system: row.score for row in discriminate(predictions=rows).systems}
    both = {row.system: 100 * row.metrics["accuracy"].value for row in evaluate(None, rows).systems}
    assert both == pytest.approx(scores) == {"x": pytest.approx(200 / 3), "y": 50.0}


def test_systems_that_never_differ_need_no_number_of_items():
    answers = ["a", "b"] * 20
    power = evaluate_arrays(answers, {"x": answers, "y": answers}, metrics="accuracy").power
    assert math.isnan(power.detectable)
    assert power.plans == ()
    assert power.reason == "the outcomes of two systems differ by the same amount on every item"
