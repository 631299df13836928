"""From a plan that people filled in to the number of bad items, corrected scores and ranks."""

from __future__ import annotations

import csv

import numpy as np
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError, UsageError

N = 300
BAD = {f"q{n}" for n in range(0, 30, 2)}  # 15 items


def make_data() -> pl.DataFrame:
    labels = ["yes" if n % 3 else "no" for n in range(N)]
    texts = [f"question number {n}" for n in range(N)]
    subjects = ["law" if n % 4 else "art" for n in range(N)]
    return pl.DataFrame({"id": [f"q{n}" for n in range(N)], "text": texts, "label": labels, "subject": subjects})


def make_suspects() -> pl.DataFrame:
    return pl.DataFrame({"id": [f"q{n}" for n in range(N)], "suspicion": [0.9 - n / (2 * N) for n in range(N)]})


def make_answers() -> pl.DataFrame:
    """Two systems: one follows the labels also if they are bad, the other gives the right ones."""
    data = make_data()
    wrong = data["id"].is_in(list(BAD))
    flipped = data["label"].replace({"yes": "no", "no": "yes"})
    honest = pl.select(pl.when(wrong).then(flipped).otherwise(data["label"])).to_series()
    slips = pl.Series([n % 10 == 7 for n in range(N)])
    copycat = pl.select(pl.when(slips).then(flipped).otherwise(data["label"])).to_series()
    return pl.DataFrame({"id": data["id"], "honest": honest, "copycat": copycat})


def fill_in(plan: pl.DataFrame, *, labels: bool = True) -> pl.DataFrame:
    right = make_data().select("id", flipped=pl.col("label").replace({"yes": "no", "no": "yes"}))
    is_bad = pl.col("id").is_in(list(BAD))
    table = plan.drop("verdict", "right_label").join(right, on="id", maintain_order="left")
    table = table.with_columns(
        verdict=pl.when(is_bad).then(pl.lit("wrong label")).otherwise(pl.lit("ok")),
        right_label=pl.when(is_bad & labels).then(pl.col("flipped")),
    )
    return table.drop("flipped")


@pytest.fixture(scope="module")
def plan() -> pl.DataFrame:
    return assay.plan_review(make_data(), make_suspects(), budget=60).items


@pytest.fixture
def reviewed(plan) -> pl.DataFrame:
    return fill_in(plan)


def estimate(reviewed, **options):
    return assay.estimate_review(make_data(), reviewed, suspects=options.pop("suspects", False), **options)


def test_the_plan_has_the_columns_that_people_fill_in(plan):
    names = ["id", "draw_probability", "label", "suggested", "reasons", "text", "verdict", "right_label"]
    assert plan.columns == [*names, "digest"]
    assert plan["verdict"].null_count() == plan["right_label"].null_count() == len(plan) == 60


def test_the_plan_follows_the_seed_and_not_the_order_of_rows(plan):
    shuffled = make_data().sample(fraction=1, shuffle=True, seed=3)
    again = assay.plan_review(shuffled, make_suspects().reverse(), budget=60).items
    assert again.equals(plan)
    other = assay.plan_review(make_data(), make_suspects(), budget=60, random_state=1).items
    assert other["id"].to_list() != plan["id"].to_list()


def test_an_estimate_counted_by_hand():
    data = {"id": list("abcdefgh"), "text": ["t"] * 8, "label": ["x", "y"] * 4}
    rows = {"id": list("aceg"), "draw_probability": [0.5] * 4, "verdict": ["bad", "ok", "ok", "ok"]}
    result = assay.estimate_review(data, rows, {"s": ["x"] * 8}, suspects=False)
    assert result.bad.value == 2
    assert result.bad.low >= 1
    assert result.bad.high <= 5  # three of the eight are ok
    # One of four right answers is on a bad item, which stands for two: (4 - 2) / (8 - 2).
    assert result.systems[0].score.value == 0.5
    assert result.systems[0].good.value == pytest.approx(1 / 3)


def test_bad_items_and_corrected_scores(reviewed):
    result = estimate(reviewed, predictions=make_answers())
    assert result.bad.low <= len(BAD) <= result.bad.high
    assert result.n_reviewed == 60
    honest = next(row for row in result.systems if row.system == "honest")
    assert honest.score.value == pytest.approx(1 - len(BAD) / N)
    assert honest.good.low <= 1 <= honest.good.high + 1e-9
    assert honest.corrected.low <= 1 <= honest.corrected.high + 1e-9
    assert honest.rank_low <= honest.rank <= honest.rank_high
    assert "rank" in result.summary


def test_a_complete_review_gives_the_truth():
    plan = assay.plan_review(make_data(), make_suspects(), budget=N).items
    result = estimate(fill_in(plan), predictions=make_answers())
    assert (result.bad.low, result.bad.value, result.bad.high) == (15, 15, 15)
    honest, copycat = result.systems
    assert honest.corrected.value == honest.corrected.high == 1
    assert (honest.rank_low, honest.rank_high, copycat.rank_low) == (1, 1, 2)
    wrong = sum(n % 10 == 7 for n in range(N))
    assert copycat.corrected.value == pytest.approx(1 - (wrong + len(BAD)) / N)
    assert copycat.good.value == pytest.approx(1 - wrong / (N - len(BAD)))


def test_the_estimate_does_not_depend_on_the_order_of_the_data(reviewed):
    first = estimate(reviewed, predictions=make_answers(), suspects=make_suspects())
    shuffled = make_data().sample(fraction=1, shuffle=True, seed=5)
    again = assay.estimate_review(shuffled, reviewed, make_answers().reverse(), make_suspects())
    assert again.to_json() == first.to_json()


def test_a_file_is_read_back_as_it_was_written(tmp_path, reviewed):
    from assay.reviews import write_plan

    expected = estimate(reviewed).to_json()
    for name in ("review.tsv", "review.csv", "review.parquet"):
        write_plan(tmp_path / name, reviewed)
        assert estimate(tmp_path / name).to_json().replace(name, "reviews") == expected


def test_texts_of_a_file_are_not_formulas(tmp_path):
    from assay.reviews import write_plan

    data = {"id": ["1", "2", "3"], "text": ["=cmd()", '"quoted', "-3 degrees\tand\nmore"], "label": ["a", "b", "a"]}
    plan = assay.plan_review(data, False, budget=3).items
    write_plan(tmp_path / "plan.tsv", plan)
    lines = (tmp_path / "plan.tsv").read_text().splitlines()
    assert len(lines) == 4
    assert {line.split("\t")[5] for line in lines[1:]} == {"'=cmd()", "'\"quoted", "-3 degrees and more"}


def test_cells_that_a_spreadsheet_quoted_are_read(reviewed):
    quoted = reviewed.with_columns(
        id='"' + pl.col("id") + '"',
        draw_probability=pl.col("draw_probability").cast(pl.String).str.replace(".", ",", literal=True),
    )
    assert estimate(quoted).bad == estimate(reviewed).bad


@pytest.mark.parametrize(
    ("suffix", "options"),
    [
        (".csv", {"delimiter": ";", "encoding": "utf-8-sig"}),  # as Excel saves it where decimals have a comma
        (".csv", {"delimiter": ","}),
        (".tsv", {"delimiter": "\t", "encoding": "utf-8-sig", "quoting": csv.QUOTE_ALL}),
        (".txt", {"delimiter": "\t", "encoding": "utf-16"}),  # "Unicode text" of Excel
    ],
)
def test_a_plan_comes_back_from_a_spreadsheet(tmp_path, reviewed, suffix, options):
    """Columns are added, the case of words and the order of rows change, and empty rows are saved with the rest."""
    encoding = options.pop("encoding", "utf-8")
    shuffled = reviewed.sample(fraction=1, shuffle=True, seed=1)
    rows = [{"note": 'a "quoted"; note', **row, "": ""} for row in shuffled.to_dicts()]
    for row in rows:
        row["verdict"] = row["verdict"].upper().replace("WRONG LABEL", " Bad")
        if options["delimiter"] == ";":
            row["draw_probability"] = str(row["draw_probability"]).replace(".", ",")
    path = tmp_path / f"review{suffix}"
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\r\n", **options)
        writer.writeheader()
        writer.writerows([*rows, *[dict.fromkeys(rows[0], "")] * 2])
    found, expected = (estimate(each, predictions=make_answers()) for each in (path, reviewed))
    assert (found.bad, found.systems, found.n_skipped) == (expected.bad, expected.systems, 0)


def test_batches_may_be_in_any_order(reviewed):
    longer = fill_in(estimate(reviewed, budget="same").plan)
    assert longer["batch"].max() == 2
    shuffled = estimate(longer.sample(fraction=1, shuffle=True, seed=1))
    assert (shuffled.bad, shuffled.n_bad) == (estimate(longer).bad, estimate(longer).n_bad)


def test_the_first_part_of_a_plan_is_a_smaller_sample(reviewed):
    half = reviewed.with_columns(
        verdict=pl.when(pl.int_range(60) < 30).then("verdict"), right_label=pl.lit(None, pl.String)
    )
    result = estimate(half)
    assert (result.n_reviewed, result.n_left, result.n_skipped) == (30, 30, 0)
    assert "30 items of the plan are not reviewed yet." in result.notes
    assert result.bad.low <= len(BAD) <= result.bad.high


@pytest.mark.parametrize("column", ["draw_probability", "id"])
def test_a_part_of_a_sorted_plan_is_no_random_sample(reviewed, column):
    rows = reviewed.with_columns(number=pl.col("id").str.slice(1).cast(pl.Int64))
    rows = rows.sort("number" if column == "id" else column, descending=column != "id").drop("number")
    done = pl.int_range(pl.len()) < 30
    verdict = pl.when(done).then("verdict")
    result = estimate(rows.with_columns(verdict=verdict, right_label=pl.when(done).then("right_label")))
    assert (result.n_skipped, result.n_left) == (30, 0)
    assert result.bad.low <= len(BAD) <= result.bad.high
    assert any("not in the order of the plan" in note for note in result.notes)
    complete = estimate(rows)
    assert complete.bad == estimate(reviewed).bad  # nothing is left out, so the order does not matter
    assert any("changes nothing if whole rows were sorted" in note for note in complete.notes)


def test_probabilities_that_were_sorted_alone_are_noticed(reviewed):
    result = estimate(reviewed.with_columns(pl.col("draw_probability").sort()))
    assert any("sorted alone" in note for note in result.notes)
    assert not estimate(reviewed).notes


def test_an_item_without_a_verdict_widens_the_interval(reviewed):
    least = reviewed["draw_probability"].to_numpy().argmin()
    gap = reviewed.with_columns(
        verdict=pl.when(pl.int_range(60) != least).then("verdict"), right_label=pl.lit(None, pl.String)
    )
    result, full = estimate(gap), estimate(reviewed)
    assert result.n_skipped == 1
    assert result.bad.high > full.bad.high


def test_two_reviewers_agree_in_part(reviewed):
    second = reviewed.with_columns(verdict=pl.when(pl.int_range(60) < 6).then(pl.lit("bad")).otherwise("verdict"))
    result, alone = estimate([reviewed, second]), estimate(reviewed)
    assert result.agreement[0].n == 60
    assert 0 < result.agreement[0].kappa.value < 1
    assert result.bad.high > alone.bad.high
    named = pl.concat([reviewed.with_columns(reviewer=pl.lit("ann")), second.with_columns(reviewer=pl.lit("bob"))])
    both = estimate(named)
    assert both.agreement[0].reviewers == ("ann", "bob")
    assert both.bad == result.bad
    assert "disagree" in result.to_markdown()


def test_a_plan_is_continued_in_batches(reviewed):
    first = estimate(reviewed, suspects=make_suspects(), budget="same")
    assert len(first.plan) == 120
    assert first.plan["batch"].to_list() == [1] * 60 + [2] * 60
    assert first.plan["verdict"].to_list()[:60] == reviewed["verdict"].to_list()
    assert first.plan["id"].n_unique() == 120
    second = estimate(fill_in(first.plan), suspects=make_suspects())
    assert (second.n_batches, second.n_reviewed) == (2, 120)
    assert second.bad.low <= len(BAD) <= second.bad.high
    unfinished = estimate(first.plan)
    assert (unfinished.n_batches, unfinished.n_left) == (1, 60)
    assert unfinished.bad == estimate(reviewed).bad


def test_intervals_for_every_batch_are_wider_and_never_grow(reviewed):
    plain, anytime = estimate(reviewed), estimate(reviewed, anytime=True)
    assert anytime.bad.low < plain.bad.low
    assert anytime.bad.high > plain.bad.high
    plan = fill_in(estimate(reviewed, suspects=make_suspects(), budget=30).plan)
    later = estimate(plan, anytime=True)
    assert later.bad.low >= anytime.bad.low
    assert later.bad.high <= anytime.bad.high


def test_mostly_bad_items_are_counted_by_the_good_ones(reviewed):
    bad = reviewed.with_columns(verdict=pl.lit("bad"), right_label=pl.lit(None, pl.String))
    result = estimate(bad)
    assert result.bad.high == N
    assert 200 < result.bad.low < N


def test_suspects_are_those_that_nobody_reviewed(reviewed):
    result = estimate(reviewed, suspects=make_suspects())
    listed = {item.id for item in result.suspects}
    assert len(listed) == N - 60
    assert listed.isdisjoint(reviewed["id"].to_list())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table.drop("draw_probability"), "no column 'draw_probability'"),
        (lambda table: table.with_columns(id=pl.col("id") + "x"), "60 ids are not in the data"),
        (
            lambda table: table.with_columns(draw_probability=pl.col("draw_probability") / 2),
            "stand for 600.0 items, not for 300",
        ),
        (lambda table: table.with_columns(draw_probability=pl.lit(1.5)), "is not between 0 and 1"),
        (lambda table: table[1:], "Use all rows that assay review plan wrote"),
        (lambda table: pl.concat([table, table[:1]]), "is listed twice"),
        (lambda table: table.with_columns(verdict=pl.lit("maybe")), "neither ok nor bad"),
        (lambda table: table.with_columns(verdict=pl.lit("")), "no verdict|no item is reviewed yet"),
        (
            lambda table: table.with_columns(verdict=pl.lit(None, pl.String), right_label=pl.lit("")),
            "no item is reviewed yet",
        ),
        (lambda table: table.with_columns(label=pl.lit("other")), "is not the one of the data"),
        (lambda table: table[:0], "no rows"),
    ],
)
def test_damaged_reviews_are_refused(reviewed, change, message):
    with pytest.raises(AssayError, match=message):
        estimate(change(reviewed))


def test_a_missing_row_is_noticed_even_if_it_represents_no_other_row():
    plan = fill_in(assay.plan_review(make_data(), False, budget=N).items)
    with pytest.raises(AssayError, match=r"stand for 299\.0 items, not for 300"):
        estimate(plan[1:])


def test_probabilities_may_have_six_digits(reviewed):
    rounded = reviewed.with_columns(pl.col("draw_probability").round_sig_figs(6))
    assert estimate(rounded).bad.value == pytest.approx(estimate(reviewed).bad.value)


def test_a_right_label_must_be_a_label(reviewed):
    wrong = reviewed.with_columns(verdict=pl.lit("bad"), right_label=pl.lit("neither"))
    with pytest.raises(AssayError, match=r"'neither' of item .* is not a label"):
        estimate(wrong, predictions=make_answers())


def test_an_unfinished_plan_cannot_be_continued(reviewed):
    half = reviewed.with_columns(
        verdict=pl.when(pl.int_range(60) < 30).then("verdict"), right_label=pl.lit(None, pl.String)
    )
    with pytest.raises(AssayError, match="30 items of the plan have no verdict"):
        estimate(half, budget=10)


def test_numbers_that_make_no_sense_are_refused():
    with pytest.raises(UsageError, match="budget is 0"):
        assay.plan_review(make_data(), False, budget=0)
    with pytest.raises(UsageError, match="suspicion_share is 2"):
        assay.plan_review(make_data(), False, suspicion_share=2)
    with pytest.raises(AssayError, match="has no id of the data"):
        assay.plan_review(make_data(), {"id": ["none"], "suspicion": [1.0]})


@pytest.mark.parametrize("kind", ["good", "useless", "reversed"])
def test_intervals_hold_whatever_the_suspicion_is_worth(kind):
    """A small simulation through the public functions; the benchmark has the large one."""
    rng = np.random.default_rng(0)
    data = assay.read(make_data())
    values = {"good": -np.arange(N), "useless": rng.random(N), "reversed": np.arange(N)}[kind]
    suspects = pl.DataFrame({"id": [f"q{n}" for n in range(N)], "suspicion": values.astype(float)})
    covered = []
    for seed in range(60):
        plan = assay.plan_review(data, suspects, budget=50, random_state=seed).items
        bad = estimate(fill_in(plan)).bad
        covered.append(bad.low <= len(BAD) <= bad.high)
    assert np.mean(covered) >= 0.9
