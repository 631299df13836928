"""Audits of judges: hand-counted cases, published tables, and coverage."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import cohen_kappa_score

from assay import audit_judges
from assay.base.errors import AssayError
from assay.judges import JudgeAudit, read_verdicts
from assay.statistics import cohen_kappa


def read(path):
    return pl.read_csv(path, separator="\t", quote_char=None, infer_schema=False)


def test_the_hand_counted_case():
    table = {
        "id": [1, 1, 2, 2, 3, 3, 4, 4],
        "judge": ["x"] * 8,
        "order": ["ab", "ba"] * 4,
        "verdict": ["a", "a", "a", "b", "b", "b", "tie", "a"],
        "gold": ["a", "a", "b", "b", "b", "b", "a", "a"],
        "length_a": [10] * 8,
        "length_b": [20] * 8,
    }
    (judge,) = audit_judges(table).judges
    assert judge.n == 8
    assert judge.accuracy == judge.agreement == 6 / 8
    assert (judge.n_both_orders, judge.position_flip_rate) == (4, 2 / 4)
    # Decided: a first a; a first b; a first a; a second b; b second a, b first b; a second.
    assert judge.first_position_share == pytest.approx(4 / 7)
    assert judge.longer_wins_share == pytest.approx(3 / 7)
    assert judge.longer_gold_share == pytest.approx(2 / 4)


def test_every_published_cell_of_llmbar(shared):
    first, second = (shared(f"llmbar/verdicts_order_{order}.tsv.gz") for order in ("12", "21"))
    published = read(shared("llmbar/statistics.tsv.gz"))
    tables = [read(path).with_columns(subset=pl.col("id").str.replace(r"-\d+$", "")) for path in (first, second)]
    n_cells = 0
    for subset in tables[0]["subset"].unique():
        parts = [table.filter(pl.col("subset") == subset).drop("subset") for table in tables]
        result = audit_judges(parts[0], swapped=parts[1], n_resamples=10)
        judges = {judge.judge: judge for judge in result.judges}
        for row in published.filter(pl.col("subset").str.replace("/", "-") == subset).iter_rows(named=True):
            judge = judges[f"{row['judge']}/{row['prompt']}"]
            assert 100 * judge.accuracy == pytest.approx(float(row["correct_average"]), abs=1e-9)
            assert 100 * (1 - judge.position_flip_rate) == pytest.approx(float(row["equal"]), abs=1e-9)
            n_cells += 1
    assert n_cells == published.height


def test_the_published_agreement_of_pandalm(shared):
    path = shared("pandalm_votes/votes.tsv.gz")
    people = audit_judges(path, judges=["vote_1", "vote_2", "vote_3"], n_resamples=10)
    assert round(people.fleiss_kappa.value, 4) == 0.8642
    assert [round(pair.agreement, 4) for pair in people.pairs] == [0.9129, 0.9289, 0.9179]
    models = audit_judges(path, judges=["gpt-3.5-turbo", "pandalm-7b"], gold="majority", n_resamples=10)
    assert models.kind == "pairs"
    # Equal strings give 0.6927 for the first; its word for a tie is "Tie", and that of the gold verdicts "0".
    assert [round(judge.accuracy, 4) for judge in models.judges] == [0.6977, 0.6677]
    table = read(path).with_columns(pl.col("gpt-3.5-turbo").replace("garbage", "Tie"))
    published = audit_judges(table, judges=["gpt-3.5-turbo"], gold="majority")
    assert round(published.judges[0].accuracy, 4) == 0.7107


def test_win_rates_of_alpaca_eval_and_its_constant_answer(shared):
    preferences = read(shared("alpaca_eval/preferences.tsv.gz"))
    lengths = read(shared("alpaca_eval/output_chars.tsv.gz"))
    reference = read(shared("alpaca_eval/items.tsv.gz")).select("id", length_a="reference_chars")
    names = {"index": "id", "variable_name": "model_b"}
    table = preferences.unpivot(**names, value_name="preference")
    table = table.join(lengths.unpivot(**names, value_name="length_b"), on=["id", "model_b"]).join(reference, on="id")
    table = table.with_columns(judge=pl.lit("gpt-4-turbo"), model_a=pl.lit("reference"))
    result = audit_judges(table, n_resamples=10)
    board = read(shared("alpaca_eval/leaderboard.tsv.gz"))
    published = dict(zip(board["model"], board["win_rate"].cast(float), strict=True))
    scores = {row.system: 100 * row.score for row in result.systems if row.system in published}
    assert len(scores) == 57
    for system, score in scores.items():
        assert score == pytest.approx(published[system], abs=6e-4)
    (constant,) = [row for row in result.systems if row.is_constant]
    assert (constant.system, round(100 * constant.score, 2)) == ("NullModel", 76.92)


def test_raw_annotations_of_alpaca_eval_are_read(shared):
    result = audit_judges(shared("alpaca_eval/annotations_claude-2_first20.json"))
    assert result.kind == "pairs"
    scores = {row.system: row.score for row in result.systems}
    assert scores["claude-2"] == pytest.approx(1 - scores["gpt4_1106_preview"])
    assert result.judges[0].judge == "weighted_alpaca_eval_gpt4_turbo"


def test_scores_of_two_judges_on_wildbench(shared):
    table = read(shared("wildbench_scores/scores.tsv.gz"))
    long = table.unpivot(index="id", variable_name="column", value_name="score").with_columns(
        pl.col("column").str.split_exact("|", 2).struct.rename_fields(["release", "judge", "model"]).alias("parts")
    )
    long = long.unnest("parts").filter(pl.col("release") == "v2.0522")
    result = audit_judges(long.select("id", "judge", "model", "score"))
    means = {(row.judge, row.system): row.score for row in result.systems}
    assert round(means["gpt-4-turbo-2024-04-09", "gemma-2b-it"], 3) == 5.311
    assert round(means["gpt-4o-2024-05-13", "reka-edge"], 3) == 6.153
    assert result.kind == "scores"
    assert 0.5 < result.alpha.low < result.alpha.value < result.alpha.high < 0.9
    assert result.pairs[0].correlation > result.alpha.value  # one judge is more generous than the other


def test_kappa_equals_another_implementation(shared):
    path = shared("pandalm_votes/votes.tsv.gz")
    table = read(path)
    result = audit_judges(path, judges=["pandalm-7b"], gold="majority")
    assert result.judges[0].kappa == pytest.approx(cohen_kappa_score(table["pandalm-7b"], table["majority"]))


def test_kappa_of_items_shown_twice_is_as_uncertain_as_that_of_the_items():
    generator = np.random.default_rng(0)
    gold = generator.choice(["a", "b"], 300)
    verdict = np.where(generator.random(300) < 0.8, gold, "a")
    once = cohen_kappa(verdict, gold, clusters=range(300))
    twice = cohen_kappa(np.tile(verdict, 2), np.tile(gold, 2), clusters=np.tile(range(300), 2))
    assert twice.value == pytest.approx(once.value)
    assert twice.high - twice.low == pytest.approx(once.high - once.low, rel=0.05)
    independent = cohen_kappa(np.tile(verdict, 2), np.tile(gold, 2))
    assert independent.high - independent.low < 0.8 * (twice.high - twice.low)


def test_without_gold_a_judge_is_compared_with_the_majority_of_the_others():
    table = {"id": [1, 2, 3], "x": list("aba"), "y": list("abb"), "z": list("aab")}
    result = audit_judges(table)
    assert result.reference == "other judges"
    assert [(judge.judge, round(judge.agreement, 2)) for judge in result.judges] == [("x", 0.5), ("y", 1.0), ("z", 0.5)]


def test_a_judge_that_prefers_its_own_family():
    table = {
        "id": [1, 2, 3, 1, 2, 3],
        "judge": ["gpt-4"] * 3 + ["claude-3"] * 3,
        "model_a": ["gpt-3.5", "gpt-4o", "llama-2"] * 2,
        "model_b": ["llama-2", "llama-2", "llama-3"] * 2,
        "verdict": ["a", "a", "a", "b", "a", "b"],
    }
    judge = audit_judges(table).judges[0]
    assert (judge.own_family_wins.value, judge.own_family_others) == (1.0, 0.5)


def test_the_correction_is_that_of_rogan_and_gladen():
    # 40 items with gold: 20 of 25 true are called right, 12 of 15 false wrong; then 60 of 100 without gold are right.
    gold = ["yes"] * 25 + ["no"] * 15 + [None] * 100
    verdict = ["yes"] * 20 + ["no"] * 5 + ["no"] * 12 + ["yes"] * 3 + ["yes"] * 60 + ["no"] * 40
    result = audit_judges({"id": range(140), "verdict": verdict, "gold": gold})
    (score,) = result.corrected
    assert (score.observed, score.sensitivity, score.specificity) == (0.6, 0.8, 0.8)
    assert score.value == pytest.approx((0.6 + 0.8 - 1) / (0.8 + 0.8 - 1))
    assert score.low < score.value < score.high
    assert result.constant_verdict.verdict == "yes"
    assert result.constant_verdict.accuracy == 25 / 40


def test_with_gold_everywhere_the_corrected_score_is_the_true_one():
    table = {"id": range(4), "verdict": ["1", "1", "1", "0"], "gold": ["1", "0", "1", "0"]}
    (score,) = audit_judges(table).corrected
    assert (score.observed, score.value, score.method) == (0.75, 0.5, "gold")


def test_a_judge_that_guesses_gives_no_corrected_score():
    table = {"id": range(6), "verdict": list("010101"), "gold": ["1", "1", "0", "0", None, None]}
    (score,) = audit_judges(table).corrected
    assert np.isnan(score.value)
    assert "chance" in score.reason


def test_the_interval_of_the_correction_covers():
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(200):
        truth = generator.random(400) < 0.6
        seen = np.where(generator.random(400) < np.where(truth, 0.85, 0.2), "pass", "fail")
        gold = [("pass" if value else "fail") if number < 120 else None for number, value in enumerate(truth)]
        (score,) = audit_judges({"id": range(400), "verdict": seen, "gold": gold}).corrected
        covered += score.low <= 0.6 <= score.high
    assert 0.91 <= covered / 200 <= 0.985


def test_two_verdicts_of_one_judge_on_one_item_are_refused():
    with pytest.raises(AssayError, match="several verdicts on item '1'"):
        audit_judges({"id": [1, 1], "judge": ["x", "x"], "verdict": ["a", "b"]})


def test_a_missing_column_is_named():
    with pytest.raises(AssayError, match="no column 'truth'"):
        audit_judges({"id": [1], "verdict": ["a"]}, gold="truth")


def test_the_result_comes_back_from_json():
    result = audit_judges({"id": [1, 2, 3], "gold": list("aba"), "x": list("aba"), "y": list("abb")})
    assert JudgeAudit.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_the_command_writes_judges_pairs_and_alpha(run, tmp_path):
    rows = ["id,human,x,y"] + [f"{number},{'ab'[number % 2]},{'ab'[number % 2]},a" for number in range(20)]
    (tmp_path / "verdicts.csv").write_text("\n".join(rows))
    done = run("judges", tmp_path / "verdicts.csv", "--gold", "human", "--json", "-")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["result"]
    names = {"judge", "n", "agreement", "kappa", "kappa_low", "kappa_high", "accuracy", "position_flip_rate"}
    assert set(result["judges"][0]) >= names | {"first_position_share", "longer_wins_share"}
    assert [judge["accuracy"] for judge in result["judges"]] == [1.0, 0.5]
    assert len(result["pairs"]) == 1
    assert set(result["alpha"]) >= {"value", "low", "high"}
    assert "Judges (20 items" in run("judges", tmp_path / "verdicts.csv", "--gold", "human").stdout


@pytest.mark.parametrize(
    ("columns", "words", "gold_words"),
    [
        (("item", "rater", "label", "truth"), ("a", "b"), ("a", "b")),
        (("question_id", "judge_model", "judgment", "human"), ("A>B", "B>>A"), ("model_a", "model_b")),
        (("id", "annotator_id", "is_correct", "gold"), ("1", "0"), ("1", "0")),
        (("id", "judge", "decision", "ground_truth"), ("True", "False"), ("True", "False")),
    ],
)
def test_verdicts_as_people_write_them(columns, words, gold_words, tmp_path):
    """Of ten items the judge x is wrong on the last two, y on none."""
    gold = [number % 2 for number in range(10)]
    rows = [
        (str(number), judge, words[side ^ (judge == "x" and number > 7)], gold_words[side])
        for number, side in enumerate(gold)
        for judge in ("x", "y")
    ]
    path = tmp_path / "verdicts.csv"
    path.write_text("\n".join(",".join(row) for row in (columns, *rows)))
    result = audit_judges(path)
    assert {row.judge: (row.n, row.accuracy) for row in result.judges} == {"x": (10, 0.8), "y": (10, 1.0)}


def test_other_columns_of_a_wide_table_are_not_judges():
    table = {
        "id": list("1234"),
        "category": ["math", "code"] * 2,
        "gold": list("abab"),
        "comment": ["ok", "", "", "hm"],
    }
    table |= {"x": list("abbb"), "y": list("abab")}
    result = audit_judges(table)
    assert [(row.judge, row.accuracy) for row in result.judges] == [("x", 0.75), ("y", 1.0)]
    assert any("not used: category, comment" in note for note in result.notes)
    del table["gold"]
    assert [row.judge for row in audit_judges(table).judges] == ["x", "y"]


def test_a_table_of_judges_alone_is_read():
    verdicts = read_verdicts({"j1": ["A", "B", "A"], "j2": ["A", "A", "B"]}, judges=["j1", "j2"])
    assert len(verdicts.judges) == 2


def test_what_people_read_has_judges_and_a_verdict():
    gold = list("ab" * 20)
    table = {"id": list(range(40)), "gold": gold, "good": gold, "fair": gold[:30] + ["a"] * 10}
    result = audit_judges(table, n_resamples=50)
    assert "The best judge, good, agrees with gold in 100%" in result.summary
    assert "Always answering a is right in 50% of the items." in result.summary
    assert result.to_csv().startswith("judge,verdicts,agreement")
    alone = audit_judges({"id": list(range(40)), "only": gold})
    assert alone.summary == "Nothing tells how far 1 judge can be trusted."
