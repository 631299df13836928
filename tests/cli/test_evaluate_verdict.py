"""The sentence that `assay evaluate` ends with."""

from __future__ import annotations

import pytest

import assay
from assay.evaluation.view import write_smallest_difference, write_verdict

GOLD = ["a", "b"] * 100


def answer(n_right: int, start: int = 0) -> list[str]:
    """Return answers of which so many are right, from an item on."""
    right = {(start + n) % len(GOLD) for n in range(n_right)}
    return [gold if n in right else {"a": "b", "b": "a"}[gold] for n, gold in enumerate(GOLD)]


def evaluate(**systems: list[str]):
    data = {"id": [str(n) for n in range(len(GOLD))], "text": [f"text {n}" for n in range(len(GOLD))], "label": GOLD}
    return assay.evaluate(data, systems, metrics="accuracy")


def test_systems_that_may_be_first_are_named_and_the_first_two_compared():
    result = evaluate(best=answer(160), close=answer(156, 20), bad=answer(80))
    pair = next(pair for pair in result.comparisons if {pair.first, pair.second} == {"best", "close"})
    assert pair.difference.value == pytest.approx(0.02)
    assert write_verdict(result) == (
        "2 of 3 systems may be first in accuracy: best, close. The first two, best and close, cannot be told apart: "
        f"they differ by 0.02 (p = {pair.p_adjusted:.2g} after correction for 3 pairs). "
        f"{write_smallest_difference(result.smallest_difference)}"
    )


def test_a_system_that_beats_all_others_is_first():
    verdict = write_verdict(evaluate(good=answer(180), middle=answer(120), bad=answer(60)))
    assert verdict.startswith("good is first in accuracy, ahead of each of the other 2 systems beyond chance. ")
    assert "The first two, good and middle, differ by 0.3 (p < 0.0001 after correction for 3 pairs)." in verdict


def test_two_systems_are_one_pair():
    verdict = write_verdict(evaluate(bad=answer(60), good=answer(180)))
    assert verdict.startswith("good is first in accuracy, ahead of the other system beyond chance. ")
    assert "The first two, good and bad, differ by 0.6 (p < 0.0001)." in verdict


def test_equal_systems_may_all_be_first():
    result = evaluate(x=answer(120), y=answer(120))
    assert write_verdict(result) == (
        "2 of 2 systems may be first in accuracy: x, y. The first two, x and y, cannot be told apart: they differ by 0 "
        "(p = 1)."
    )


def test_one_system_has_its_score_and_what_a_second_needs():
    result = evaluate(only=answer(150))
    assert write_verdict(result) == (
        f"only has accuracy 0.750 [{result.systems[0].low:.3f}, {result.systems[0].high:.3f}] on 200 items. "
        f"{write_smallest_difference(result.smallest_difference)}"
    )


def test_systems_that_were_not_compared():
    data = {"text": ["one", "two", "three", "four"], "label": list("abab")}
    result = assay.evaluate(data, {"x": list("abab"), "y": list("abaa")}, metrics="accuracy", compare=False)
    assert write_verdict(result) == "x ranks first in accuracy; the systems were not compared."


def test_it_is_the_last_line(run, tmp_path):
    lines = [f"{n}\t{'ab'[n % 2]}\t{'ab'[n % 2]}\t{'ab'[n // 2 % 2]}\n" for n in range(60)]
    (tmp_path / "p.tsv").write_text("id\tgold\tx\ty\n" + "".join(lines))
    done = run("evaluate", "--predictions", tmp_path / "p.tsv", "--metric", "accuracy")
    assert done.returncode == 0, done.stderr
    last = " ".join(done.stdout.split())
    assert "x is first in accuracy, ahead of the other system beyond chance." in last
    assert last.endswith("They are 50.0 points apart.")


def test_nobody_is_first_who_loses_on_the_items_that_both_answered():
    # "part" was run on the easy half alone, where "whole" is better.
    part = [answer if n < 100 else None for n, answer in enumerate(answer(90))]
    whole = [answer if n < 100 else wrong for n, (answer, wrong) in enumerate(zip(answer(97), answer(0), strict=True))]
    result = evaluate(part=part, whole=whole)
    assert {row.system: row.rank for row in result.systems} == {"part": 1, "whole": 2}
    verdict = write_verdict(result)
    assert "is first" not in verdict
    assert (
        "part has the best accuracy on its own items; ahead of it on the items that both answered: whole (on 100)."
        in verdict
    )
    assert "on the 100 items that both answered" in verdict
