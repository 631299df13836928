"""Ratings from votes: hand-counted cases, an independent regression, real votes, coverage."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import rate_votes
from assay.base.errors import AssayError
from assay.inputs import InputKind, recognize
from assay.votes import VoteRatings, read_votes

SIDES = np.array(["model_a", "tie", "model_b"])


def simulate(n_systems=6, n_votes=3000, seed=0, ties=0.2, n_prompts=None):
    generator = np.random.default_rng(seed)
    strengths = np.linspace(-0.8, 0.8, n_systems)
    first = generator.integers(n_systems, size=n_votes)
    second = (first + 1 + generator.integers(n_systems - 1, size=n_votes)) % n_systems
    chance = 1 / (1 + np.exp(strengths[second] - strengths[first]))
    draw = generator.random(n_votes)
    outcome = np.where(draw < ties, 1, np.where(generator.random(n_votes) < chance, 0, 2))
    names = np.array([f"s{number}" for number in range(n_systems)])
    table = {"model_a": names[first], "model_b": names[second], "winner": SIDES[outcome]}
    if n_prompts:
        table["prompt"] = generator.integers(n_prompts, size=n_votes).astype(str)
    return {name: values.tolist() for name, values in table.items()}


def regress(table):
    """Fit the logistic regression that defines the model: a tie is half a win of each side."""
    from sklearn.linear_model import LogisticRegression

    systems = sorted({*table["model_a"], *table["model_b"]})
    number = {name: column for column, name in enumerate(systems)}
    rows, targets, weights = [], [], []
    for first, second, winner in zip(table["model_a"], table["model_b"], table["winner"], strict=True):
        row = np.zeros(len(systems))
        row[number[first]], row[number[second]] = 1, -1
        for target, weight in {"model_a": [(1, 1.0)], "model_b": [(0, 1.0)]}.get(winner, [(1, 0.5), (0, 0.5)]):
            rows.append(row)
            targets.append(target)
            weights.append(weight)
    model = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=10_000)
    model.fit(np.array(rows), targets, sample_weight=weights)
    strengths = model.coef_[0] - model.coef_[0].mean()
    return dict(zip(systems, 1000 + 400 * strengths / math.log(10), strict=True))


def test_two_systems_have_the_log_odds_of_their_wins():
    result = rate_votes({"model_a": ["x"] * 4, "model_b": ["y"] * 4, "winner": ["a", "a", "a", "b"]})
    first, second = result.ratings
    assert first.system == "x"
    assert first.rating - second.rating == pytest.approx(400 * math.log10(3))
    # The variance of the log odds of 3 in 4 is 1/3 + 1/1; each of two centred strengths has half the difference.
    error = math.sqrt(1 / 3 + 1) / 2 * 400 / math.log(10)
    assert first.high - first.rating == pytest.approx(1.959964 * error, rel=1e-6)


def test_ratings_equal_a_plain_logistic_regression():
    table = simulate()
    expected = regress(table)
    for row in rate_votes(table, n_resamples=0).ratings:
        assert row.rating == pytest.approx(expected[row.system], abs=0.1)


def test_ratings_of_real_votes_equal_a_plain_logistic_regression(shared):
    path = shared("pandalm_votes/votes.tsv.gz")
    result = rate_votes(path, winner="majority", n_resamples=20)
    votes = read_votes(path, winner="majority")
    names = np.array(votes.systems)
    table = {
        "model_a": names[votes.first],
        "model_b": names[votes.second],
        "winner": SIDES[((1 - votes.outcomes) * 2).astype(int)],
    }
    expected = regress(table)
    assert len(result.ratings) == 5
    assert result.n_votes == 999
    for row in result.ratings:
        assert row.rating == pytest.approx(expected[row.system], abs=0.1)
    assert result.ratings[0].system == "llama-7b"
    assert (result.ratings[0].rank_low, result.ratings[0].rank_high) == (1, 1)


def test_sandwich_errors_equal_their_definition():
    table = simulate(n_systems=4, n_votes=200, seed=1)
    votes = read_votes(table)
    result = rate_votes(table, n_resamples=0)
    ratings = {row.system: row for row in result.ratings}
    strengths = np.array([(ratings[name].rating - 1000) * math.log(10) / 400 for name in votes.systems])
    bread, meat = np.zeros((4, 4)), np.zeros((4, 4))
    for first, second, outcome in zip(votes.first, votes.second, votes.outcomes, strict=True):
        row = np.zeros(4)
        row[first], row[second] = 1, -1
        chance = 1 / (1 + math.exp(-row @ strengths))
        bread += chance * (1 - chance) * np.outer(row, row)
        meat += (outcome - chance) ** 2 * np.outer(row, row)
    inverse = np.linalg.pinv(bread)
    errors = np.sqrt(np.diag(inverse @ meat @ inverse)) * 400 / math.log(10)
    for name, error in zip(votes.systems, errors, strict=True):
        assert (ratings[name].high - ratings[name].low) / 2 == pytest.approx(1.959964 * error, rel=1e-5)


def test_votes_on_one_prompt_count_as_dependent():
    table = simulate(n_votes=400, seed=2)
    copies = {name: values * 5 for name, values in table.items()}
    prompts = [str(number) for number in range(400)]
    single = rate_votes(table, n_resamples=0).ratings[0]
    dependent = rate_votes({**copies, "prompt": prompts * 5}, n_resamples=0)
    independent = rate_votes(copies, n_resamples=0).ratings[0]
    assert dependent.sampled == "prompts"
    width = single.high - single.low
    assert dependent.ratings[0].high - dependent.ratings[0].low == pytest.approx(width, rel=0.01)
    assert independent.high - independent.low == pytest.approx(width / math.sqrt(5), rel=0.01)


def test_intervals_and_rank_intervals_cover():
    truth = 1000 + 400 * np.linspace(-0.8, 0.8, 6) / math.log(10)
    n_covered = n_ranks = 0
    for seed in range(60):
        result = rate_votes(simulate(n_votes=600, seed=100 + seed, ties=0.0), n_resamples=0)
        for row in result.ratings:
            number = int(row.system[1:])
            n_covered += row.low <= truth[number] <= row.high
            n_ranks += row.rank_low <= 6 - number <= row.rank_high
    assert 0.925 <= n_covered / 360 <= 0.975
    assert n_ranks / 360 >= 0.93


@given(st.permutations(range(300)))
def test_the_order_of_votes_does_not_matter(order):
    table = simulate(n_votes=300, seed=3)
    shuffled = {name: [values[row] for row in order] for name, values in table.items()}
    ratings = {row.system: row.rating for row in rate_votes(table, n_resamples=0).ratings}
    for row in rate_votes(shuffled, n_resamples=0).ratings:
        assert row.rating == pytest.approx(ratings[row.system], abs=1e-6)


def test_swapping_the_sides_changes_nothing():
    table = simulate(n_votes=300, seed=4)
    swap = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}
    swapped = {
        "model_a": table["model_b"],
        "model_b": table["model_a"],
        "winner": [swap[winner] for winner in table["winner"]],
    }
    ratings = {row.system: row.rating for row in rate_votes(table).ratings}
    for row in rate_votes(swapped).ratings:
        assert row.rating == pytest.approx(ratings[row.system], abs=1e-6)


def test_groups_that_never_met_are_named():
    table = {"model_a": list("xyxzpq"), "model_b": list("yxzyqp"), "winner": list("aabbaa")}
    result = rate_votes(table)
    assert result.components == (("x", "y", "z"), ("p", "q"))
    assert [row.reason for row in result.ratings if row.system == "p"] == ["never met the systems that are rated"]
    assert "2 groups of systems never met" in result.notes[-1]
    assert "x, y, z; p, q" in result.notes[-1]


def test_a_system_that_won_every_vote_has_no_finite_rating():
    table = {"model_a": list("xyzz"), "model_b": list("yxxy"), "winner": list("aaaa")}
    result = rate_votes(table)
    last = result.ratings[-1]
    assert (last.system, last.rank, last.reason) == ("z", None, "won every vote, so no finite rating fits")
    assert "no finite rating" in result.notes[-1]


def test_votes_that_cannot_be_rated_are_refused():
    with pytest.raises(AssayError, match="no two systems can be rated together"):
        rate_votes({"model_a": ["x"], "model_b": ["y"], "winner": ["a"]})


@pytest.mark.parametrize(
    ("winner", "outcome"),
    [
        *(("model_a", 1), ("A", 1), ("x", 1), ("model_b", 0), ("y", 0), ("b", 0), ("2", 0)),
        *(("tie", 0.5), ("tie (bothbad)", 0.5), ("both_bad", 0.5), ("Tie", 0.5)),
    ],
)
def test_the_usual_words_for_a_winner_are_read(winner, outcome):
    votes = read_votes({"model_a": ["x", "x"], "model_b": ["y", "y"], "winner": [winner, "tie"]})
    assert votes.outcomes[0] == outcome


def test_rows_without_a_winner_or_with_one_system_are_left_out():
    table = {"model_a": ["x", "x", "x"], "model_b": ["y", "x", "y"], "winner": ["a", "a", None]}
    votes = read_votes(table)
    assert len(votes) == 1
    assert votes.notes[-1] == (
        "votes: 2 rows of 3 left out: 1 without a winner or a system, 1 in which a system meets itself."
    )


def test_an_unknown_winner_and_a_coding_with_two_meanings_are_refused():
    with pytest.raises(AssayError, match="neither a side"):
        read_votes({"model_a": ["x"], "model_b": ["y"], "winner": ["p"]})
    with pytest.raises(AssayError, match="always 0 or 1"):
        read_votes({"model_a": ["x", "x"], "model_b": ["y", "y"], "winner": [0, 1]})


def test_columns_of_flags_are_votes():
    table = {"model_a": ["x", "x"], "model_b": ["y", "y"], "winner_model_a": [1, 0], "winner_model_b": [0, 0]}
    table["winner_tie"] = [0, 1]
    assert recognize(table) is InputKind.VOTES
    assert read_votes(table).outcomes.tolist() == [1.0, 0.5]


def test_the_first_turn_of_a_conversation_is_the_prompt():
    turns = [json.dumps([{"content": text, "role": "user"}]) for text in ("hi", "hi", "bye")]
    table = {"model_a": ["x"] * 3, "model_b": ["y"] * 3, "winner": ["a", "b", "tie"], "conversation_a": turns}
    assert read_votes(table).prompts.tolist() == [1, 1, 0]


def test_categories_are_rated_on_their_own():
    maths, prose = simulate(n_votes=300, seed=5), simulate(n_votes=200, seed=6)
    table = {name: maths[name] + prose[name] for name in maths} | {"category": ["maths"] * 300 + ["prose"] * 200}
    result = rate_votes(table)
    alone = {row.system: row.rating for row in rate_votes(maths).ratings}
    assert [(row.category, row.n_votes) for row in result.categories] == [("maths", 300), ("prose", 200)]
    for row in result.categories[0].ratings:
        assert row.rating == pytest.approx(alone[row.system])


def test_stability_is_over_prompts_where_they_repeat():
    result = rate_votes(simulate(n_votes=400, n_prompts=50, seed=7))
    assert (result.stability.unit, result.stability.n_units) == ("prompts", 50)
    assert sum(row.first_share for row in result.stability.systems) == pytest.approx(1)
    assert rate_votes(simulate(n_votes=400, seed=7)).stability.unit == "votes"


def test_the_spread_of_resamples_is_that_of_the_interval():
    result = rate_votes(simulate(n_votes=2000, n_prompts=700, seed=8), n_resamples=400)
    errors = {row.system: (row.high - row.low) / 2 / 1.96 for row in result.ratings}
    for row in result.stability.systems:
        assert row.sd == pytest.approx(errors[row.system], rel=0.15)


def test_a_result_comes_back_from_json():
    result = rate_votes(simulate(n_votes=100, seed=9))
    assert VoteRatings.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_the_command_writes_ratings(run, tmp_path):
    lines = ["model_a,model_b,winner,language"]
    table = simulate(n_votes=60, seed=10)
    rows = zip(table["model_a"], table["model_b"], table["winner"], strict=True)
    lines += [f"{first},{second},{winner},en" for first, second, winner in rows]
    (tmp_path / "votes.csv").write_text("\n".join(lines))
    done = run("discriminate", tmp_path / "votes.csv", "--category", "language", "--json", "-")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["result"]
    assert set(result["ratings"][0]) >= {"system", "rating", "low", "high", "rank", "rank_low", "rank_high"}
    assert result["categories"][0]["category"] == "en"
    shown = run("discriminate", tmp_path / "votes.csv")
    assert "Ratings (60 votes" in shown.stdout


def test_options_for_votes_need_votes(run, tmp_path):
    (tmp_path / "scores.csv").write_text("system,RTE\nx,60\ny,70\n")
    done = run("discriminate", tmp_path / "scores.csv", "--category", "language")
    assert done.returncode == 2
    assert "--category needs a table of votes" in done.stderr


GAMES = [("x", "y", 1), ("x", "y", 1), ("y", "z", 1), ("z", "x", 0.5), ("y", "x", 1), ("z", "y", 1), ("x", "z", 0)]
WORDS = {1: 0, 0: 1, 0.5: 2}


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (("Model A", "Model B", "Winner"), ("A", "B", "Tie")),
        (("left_model", "right_model", "vote"), ("left", "right", "tie")),
        (("player1", "player2", "result"), ("1-0", "0-1", "1/2-1/2")),
        (("system_1", "system_2", "outcome"), ("1", "2", "0")),
        (("model_a", "model_b", "winner"), ("A>>B", "B>A", "A=B")),
        (("model-a", "model-b", "winner"), ("[[A]]", "[[B]]", "[[C]]")),
    ],
)
def test_votes_as_people_write_them(columns, words, tmp_path):
    rows = [(first, second, words[WORDS[outcome]]) for first, second, outcome in GAMES]
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(",".join(row) for row in (columns, *rows)))
    votes = read_votes(path)
    assert recognize(path) is InputKind.VOTES
    assert votes.outcomes.tolist() == [outcome for _, _, outcome in GAMES]
    assert [(votes.systems[a], votes.systems[b]) for a, b in zip(votes.first, votes.second, strict=True)] == [
        (first, second) for first, second, _ in GAMES
    ]


def test_winners_and_losers_are_votes():
    rows = [(first, second, "no") if outcome else (second, first, "no") for first, second, outcome in GAMES]
    rows[3] = ("z", "x", "yes")
    table = dict(zip(("winner", "loser", "tie"), map(list, zip(*rows, strict=True)), strict=True))
    other = {"model_a": [], "model_b": [], "winner": []}
    for first, second, outcome in GAMES:
        for name, value in zip(other, (first, second, {1: "a", 0: "b", 0.5: "tie"}[outcome]), strict=True):
            other[name].append(value)
    ratings = [{row.system: round(row.rating, 6) for row in rate_votes(each).ratings} for each in (table, other)]
    assert ratings[0] == ratings[1]


@pytest.mark.parametrize("cell", ["9" * 5_000, "[" * 100_000])
def test_a_prompt_that_looks_like_json_and_is_none_is_itself_the_prompt(cell):
    table = {"model_a": ["x"] * 3, "model_b": ["y"] * 3, "winner": ["a", "b", "tie"], "conversation_a": [cell] * 3}
    assert len(read_votes(table)) == 3


def test_what_people_read_has_ratings_and_a_verdict():
    table = {"model_a": list("xxxxyyyy"), "model_b": list("yyyyzzzz"), "winner": list("aaabaabb")}
    result = rate_votes(table)
    assert result.summary.startswith("3 of 3 systems may be first by the votes: x, y, z. The same system is first in ")
    assert result.to_csv().startswith("system,rating")
    assert "<caption>Ratings (8 votes, 0 ties)</caption>" in result.to_html()


def test_a_system_without_a_rating_says_why():
    table = {"model_a": list("xxyyw"), "model_b": list("yyxxx"), "winner": list("abaaa")}
    markdown = rate_votes(table).to_markdown()
    assert "no rating because it" in markdown
    assert "won every vote" in markdown
