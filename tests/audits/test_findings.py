"""Each finding on plain section results: raised where it should be, silent where it should not."""

from __future__ import annotations

import math
from typing import Any

import pytest

from assay.audits import FINDINGS, Section
from assay.audits.finding import Seen


def seen(**results: dict[str, Any]) -> Seen:
    sections = {name: Section(name, "done", None, result) for name, result in results.items()}
    return Seen({"name": "made", "rows": 100}, sections)


def found(code: str, **results: dict[str, Any]) -> list[Any]:
    return list(FINDINGS[code].find(seen(**results)))


def only(code: str, **results: dict[str, Any]) -> Any:
    (one,) = found(code, **results)
    assert one.code == code
    assert one.claim.endswith(".")
    assert one.action
    assert one.page == f"docs/findings.md#{code.lower()}"
    return one


def leaks(kind: str, count: int) -> dict[str, Any]:
    return {"leaks": [{"part": "test", "of": "train", "kind": kind, "count": count, "n": 200, "ids": ["a"]}]}


def test_exact_leaks():
    assert only("A101", profile=leaks("exact", 10)).severity == "error"
    assert only("A101", profile=leaks("exact", 1)).severity == "warning"
    assert not found("A101", profile=leaks("exact", 0))
    assert only("A101", profile=leaks("exact", 10)).value == 0.05


def test_near_leaks():
    assert only("A102", profile=leaks("near", 10)).severity == "warning"
    assert only("A102", profile=leaks("near", 1)).severity == "note"
    assert not found("A102", profile=leaks("exact", 10))


def test_group_leaks():
    row = {"part": "test", "of": "train", "count": 30, "n": 200, "n_groups": 3, "group": "q7", "ids": ["a"]}
    one = only("A109", profile={"group_leaks": [row]})
    assert one.severity == "warning"
    assert 'belong to 3 groups that stand in train too, such as "q7"' in one.claim
    assert only("A109", profile={"group_leaks": [{**row, "count": 1}]}).severity == "note"
    assert not found("A109", profile={"group_leaks": [{**row, "count": 0}]})


def test_duplicates():
    assert only("A103", profile={"within": {"count": 5, "n": 100, "ids": []}}).severity == "warning"
    assert not found("A103", profile={"within": {"count": 0, "n": 100, "ids": []}})


def test_conflicting_labels():
    assert only("A104", profile={"conflicts": {"count": 4, "n": 100, "ids": []}}).severity == "error"
    assert not found("A104", profile={"conflicts": {"count": 0, "n": 100, "ids": []}})


def test_imbalance():
    def shares(most: int) -> dict[str, Any]:
        return {"labels": {"yes": {"count": most}, "no": {"count": 1000 - most}}}

    assert '"yes"' in only("A105", profile=shares(950)).claim
    assert not found("A105", profile=shares(810))  # above 80 %, but not surely
    alone = only("A105", profile={"labels": {"yes": {"count": 200, "share": 1.0}}})
    assert (alone.severity, alone.value) == ("error", 1.0)
    assert not found("A105", profile={"labels": {"yes": {"count": 1, "share": 1.0}}})
    assert not found("A105", profile={"labels": {}})


def test_rare_labels():
    rows = [{"label": "a", "part": "test", "count": 90}, {"label": "b", "part": "test", "count": 3}]
    rows += [{"label": "b", "part": "train", "count": 100}]
    profile = {"labels": {"a": {}, "b": {}}, "parts": {"test": 93, "train": 100}, "parts_labels": rows}
    assert only("A106", profile=profile).evidence["labels"] == ["b"]


def test_odd_texts():
    odd = {"counts": {"empty": 2, "markup": 3}, "examples": {"empty": ["a"], "markup": ["b"]}}
    told = {one.evidence["oddity"]: one for one in found("A107", profile={"n_items": 100, "odd_texts": odd})}
    assert {name: one.severity for name, one in told.items()} == {"empty": "warning", "markup": "note"}
    assert "encoding" not in told["markup"].action


def doubts(count: int, differ: int = 40, agreement: float = 0.8, n: int = 1000) -> dict[str, Any]:
    from assay.statistics import wilson

    kappa = {"value": agreement, "low": agreement - 0.1, "high": agreement + 0.1}
    told = {"count": count, "n": n, "n_trusted": 3, "where_surest": wilson(differ, n).to_dict(), "kappa": kappa}
    return {"labels": {**told, "ids": ["x"]}}


def test_doubtful_labels():
    assert only("A108", information=doubts(40)).severity == "warning"
    assert only("A108", information=doubts(40)).value == 0.04
    assert only("A108", information=doubts(40, differ=5)).severity == "note"


def test_labels_doubted_by_a_weak_model_are_a_note():
    told = only("A108", information=doubts(40, agreement=0.3))
    assert told.severity == "note"
    assert "The model is weak" in told.claim
    assert "Cannot tell" in only("A108", information=doubts(0, agreement=0.3)).claim
    assert not found("A108", information=doubts(0, agreement=0.9))


def family(**scores: tuple[float, int]) -> dict[str, Any]:
    rows = [
        {"split": name.replace("_", "-"), "model": "linear", "accuracy": a, "n": n} for name, (a, n) in scores.items()
    ]
    return {"families": rows}


def test_optimistic_split():
    assert only("A201", splits=family(random=(0.9, 4000), length=(0.7, 800))).evidence["split"] == "length"
    assert not found("A201", splits=family(random=(0.9, 4000), length=(0.88, 800)))


def drifted(p: float, value: float) -> dict[str, Any]:
    one = {"value": value, "null_low": -0.1, "null_high": 0.1, "p": p}
    return {"given": {"divergence": {"a_distance": one}}, "n_compared": 100}


def test_word_drift():
    assert only("A202", splits=drifted(0.01, 0.8)).severity == "warning"
    assert "it is right on 70 % of the texts" in only("A202", splits=drifted(0.01, 0.8)).claim
    stand_in = {**drifted(0.01, 0.8), "compared": ("train", "dev")}
    assert "The texts of dev differ from those of train" in only("A202", splits=stand_in).claim
    assert only("A202", splits=drifted(0.01, 0.2)).severity == "note"
    assert not found("A202", splits=drifted(0.3, 0.05))


def test_length_drift():
    drift = {"longer": 0.7, "low": 0.65, "high": 0.75, "p": 1e-9, "mean_test": 9.0, "mean_train": 5.0, "n_test": 300}
    drift["parts"] = ("train", "dev")
    assert "Texts of dev are longer than those of train" in only("A203", splits={"drift": {"length": drift}}).claim
    assert not found("A203", splits={"drift": {"length": {**drift, "longer": 0.51, "low": 0.47, "high": 0.55}}})


def test_label_drift():
    most = {"label": "spam", "train": 0.4, "test": 0.2}
    drift = {"distance": 0.2, "p": 1e-6, "n_test": 300, "most": most, "parts": ("train", "test")}
    one = only("A204", splits={"drift": {"labels": drift}})
    assert one.severity == "warning"
    assert '"spam" has 40 % of train and 20 % of test' in one.claim
    assert not found("A204", splits={"drift": {"labels": {**drift, "p": 0.2}}})


def test_temporal_drift():
    assert only("A205", splits=family(random=(0.9, 4000), temporal=(0.8, 800))).severity == "warning"
    assert "Cannot tell" in only("A205", splits=family(random=(0.9, 100), temporal=(0.88, 30))).claim
    assert not found("A205", splits=family(random=(0.9, 4000)))


def test_reversed_key():
    def told(value: float) -> dict[str, Any]:
        ends = {"value": value, "low": value - 0.05, "high": value + 0.05}
        return {"standard": {"kappa": ends, "n": 200, "within": {"value": 0.8, "low": 0.7, "high": 0.9}}}

    assert only("A206", splits=told(-0.7)).severity == "error"
    assert not found("A206", splits=told(0.7))
    assert not found("A206", splits=told(-0.02))  # chance


def test_collapse():
    def rows(easy: float, hard: float) -> dict[str, Any]:
        kinds = (("obvious", easy), ("non-obvious", hard))
        return {"on_cases": [{"system": "s", "case_group": kind, "accuracy": a, "n": 300} for kind, a in kinds]}

    assert only("A301", difficulty=rows(0.9, 0.3)).severity == "warning"
    assert "1 system of 1 loses more than ten points" in only("A301", difficulty=rows(0.9, 0.3)).claim
    assert not found("A301", difficulty=rows(0.8, 0.75))


def test_obvious_items():
    many = {"obvious_share": 0.8, "low": 0.78, "high": 0.82, "counts": {}, "n_items": 1000}
    assert only("A302", difficulty=many).severity == "note"
    assert not found("A302", difficulty={**many, "obvious_share": 0.6, "low": 0.58, "high": 0.62})


def cue(
    token: str, kind: str = "word in text", precision: float = 0.7, n: int = 400, p: float = 1e-8
) -> dict[str, Any]:
    told = {"token": token, "kind": kind, "label": "0", "precision": precision, "coverage": n / 2000, "p": p}
    return {**told, "n_items": n, "information": 0.01}


def cues(*given: dict[str, Any], **shares: float) -> dict[str, Any]:
    base = {"0": 0.5, "1": 0.5} | {name.strip("_"): share for name, share in shares.items()}
    return {"cues": list(given), "label_shares": base, "entropy": math.log(2)}


def test_token_shortcuts():
    one = only("A401", information=cues(cue("not"), cue("not", "word in b")))
    assert one.severity == "warning"
    assert '"not"' in one.claim
    assert one.evidence["token"] == "not"
    assert only("A401", information=cues(cue("excellent"))).severity == "note"  # may be the task itself
    tied = {**cue("zqx", precision=0.99), "context": {"value": 0.5, "low": 0.45, "high": 0.55}}
    assert only("A401", information=cues(tied)).severity == "warning"
    everywhere = {**tied, "context": {"value": None, "low": None, "high": None}}  # no text of the label lacks it
    assert only("A401", information=cues(everywhere)).severity == "warning"
    assert only("A401", information=cues({**tied, "context": None})).severity == "note"  # nobody looked
    called_for = {**tied, "context": {"value": 0.8, "low": 0.75, "high": 0.85}}
    assert only("A401", information=cues(called_for)).severity == "note"  # the other words call for it: a topic word
    assert not found("A401", information=cues(cue("not", p=0.04)))  # 5 % of tests are that good by chance
    assert not found("A401", information=cues(cue("not", precision=0.56)))


def test_token_shortcuts_say_what_a_remnant_of_a_word_is():
    one = only("A401", information=cues(cue("t")))
    assert '"t" (as in "don\'t")' in one.claim
    assert one.evidence["token"] == "t"
    assert 'The number "1" ' in only("A401", information=cues(cue("1"))).claim


def test_token_shortcuts_are_no_more_than_any_word_of_that_place_tells():
    only_second = cue("for", "word in b but not in a")
    assert only("A401", information=cues(only_second)).severity == "warning"
    paraphrases = {"word_shares": {"word in b but not in a": {"0": 0.68, "1": 0.32}}}
    assert not found("A401", information=cues(only_second), profile=paraphrases)  # few shared words: label 0
    stronger = cue("not", "word in b but not in a", precision=0.9)
    assert "any word there goes with it in 68 %" in only("A401", information=cues(stronger), profile=paraphrases).claim


def test_token_shortcuts_make_their_label_the_likely_one():
    rare = cue("how", precision=0.3)
    assert not found("A401", information=cues(rare, _0=0.05, _1=0.7))  # another label may be likelier there
    assert found("A401", information=cues(rare, _0=0.05, _1=0.1))


def test_token_shortcuts_of_the_topic_are_no_warning_even_if_they_are_numbers():
    topic = {**cue("500", precision=0.95), "context": {"value": 0.9, "low": 0.85, "high": 0.95}}
    assert only("A401", information=cues(topic)).severity == "note"


def test_token_shortcuts_name_no_function_word_as_the_task_and_count_what_they_leave_out():
    weak = cue("and", precision=0.62)
    assert not found("A401", information=cues(weak))
    many = [cue(word) for word in "not no never who when where why".split()]
    told = found("A401", information=cues(*many))
    assert len(told) == 5
    assert told[-1].claim.endswith("So do 2 more words.")


def baseline(name: str, accuracy: float, n: int = 2000) -> dict[str, Any]:
    return {"name": name, "accuracy": accuracy, "n_items": n}


def test_one_side():
    told = {"baselines": [baseline("majority", 0.5), baseline("side a only", 0.5), baseline("side b only", 0.65)]}
    assert only("A402", information=told).evidence["side"] == "second"


def test_shortcut_baselines():
    told = {"baselines": [baseline("majority", 0.5), baseline("first word", 0.62), baseline("last word", 0.51)]}
    assert only("A403", information=told).evidence["baseline"] == "first word"
    same = {"baselines": [baseline("majority", 0.5), baseline("copy", 0.6)]}
    assert "sees only whether the two texts are the same" in only("A403", information=same).claim


def information(tsi: float, half: float) -> dict[str, Any]:
    row = {"tsi": tsi, "tsi_low": tsi - half, "tsi_high": tsi + half, "n_items": 500, "shortcuts": "P+S"}
    return {"control": [row], "entropy": 0.69}


def test_little_information():
    assert only("A404", information=information(0.0, 0.02)).severity == "warning"
    assert "Cannot tell" in only("A404", information=information(0.02, 0.1)).claim
    assert not found("A404", information=information(0.3, 0.05))
    assert not found("A404", information=information(0.0, 0.02) | kappa(0.0, 0.04))
    assert found("A404", information=information(0.0, 0.02) | kappa(0.3, 0.04))


def kappa(value: float, half: float) -> dict[str, Any]:
    return {"labels": {"kappa": {"value": value, "low": value - half, "high": value + half}, "n": 500}}


def test_no_signal():
    assert only("A405", information=kappa(0.0, 0.04)).severity == "warning"
    assert "Cannot tell" in only("A405", information=kappa(0.0, 0.2)).claim
    assert "worse than chance" in only("A405", information=kappa(-0.1, 0.02)).claim
    assert not found("A405", information=kappa(0.5, 0.1))
    agreement = [{"system": "GIST", "kappa": 0.4, "low": 0.3, "high": 0.5, "n": 444}]
    better = {"basis": "predictions", "agreement": agreement}
    assert only("A405", information=kappa(0.0, 0.04), discrimination=better).severity == "note"


def test_solved_by_shortcuts():
    solved = {"shortcut_model": {"solved_share": 0.5, "accuracy": 0.45}, "n_items": 1000}
    assert only("A406", information=solved).value == 0.5
    assert "all cues together is right on 45 %" in only("A406", information=solved).claim
    assert not found("A406", information={"shortcut_model": {"solved_share": 0.31}, "n_items": 100})


def test_number_shortcuts():
    number = {**cue("length", kind="number", p=1e-9), "information": 0.1}
    assert only("A407", information=cues(number)).severity == "warning"
    assert not found("A407", information=cues({**number, "information": 0.001}))
    less = {**cue("punctuation", kind="number", p=0.0), "information": 0.05}
    both = only("A407", information=cues(less, number))
    assert both.evidence["feature"] == "length"
    assert "(words of the text)" in both.claim
    assert '"punctuation" 7.2 %' in both.claim
    assert "p < 1e-300" in only("A407", information=cues(less)).claim


def dataset(**values: Any) -> dict[str, Any]:
    row = {
        "dataset": "d",
        "n_systems": 5,
        "n_items": 100,
        "lambda_var": 1.0,
        "lambda_var_low": 0.5,
        "lambda_var_high": 1.5,
    }
    row |= {"verdict": "does not discriminate", "verdict_basis": "interval", "headroom": 20.0, "n_within_one": 1}
    return {"datasets": [{**row, "upper": 100.0, **values}], "basis": "predictions"}


def test_no_discrimination():
    assert only("A501", discrimination=dataset()).severity == "warning"
    assert "Cannot tell" in only("A501", discrimination=dataset(verdict="cannot tell")).claim
    assert not found("A501", discrimination=dataset(verdict="discriminates"))
    quick = only("A501", discrimination={**dataset(), "basis": "quick models"})
    assert quick.severity == "note"
    assert "real systems" in quick.action


def test_no_discrimination_says_on_which_side_each_lambda_lies():
    unlike = {"lambda_var_low": 0.0, "lambda_sva": 33.0, "lambda_sva_low": 22.0, "lambda_sva_high": 43.0}
    told = dataset(verdict="cannot tell", **unlike)
    claim = only("A501", discrimination=told).claim
    assert "λ_var 1.00 [0.00, 1.50] is below 3, λ_sva 33 [22, 43] is around 28" in claim
    assert not found("A501", discrimination={**told, "basis": "quick models"})  # nobody asks of quick models
    close = dataset(verdict="cannot tell", **(unlike | {"lambda_sva_low": 30.0}))
    assert only("A501", discrimination=close).action.startswith("Scores lie close together")


def test_no_discrimination_of_many_datasets_is_told_once():
    told = dataset()
    rows = [{**told["datasets"][0], "dataset": f"d{number}", "lambda_var": 2 - number / 10} for number in range(8)]
    one = only("A501", discrimination={**told, "datasets": rows})
    assert one.value == 8
    assert one.evidence["datasets"][0] == "d7"
    assert one.claim.endswith("and 3 more.")


def test_tied_top():
    rows = [{"system": name, "rank_low": low} for name, low in (("a", 1), ("b", 1), ("c", 3))]
    told = {"basis": "predictions", "systems": rows, "items": [{"items_needed_first_two": 900}]}
    assert only("A502", discrimination=told).evidence["systems"] == ["a", "b"]
    assert not found("A502", discrimination={**told, "systems": rows[:1] + rows[2:] * 2})
    assert '2 of 3 systems: "a" scores best, and 1 other cannot' in only("A502", discrimination=told).claim
    apart = [{**row, "benchmark": name} for name in ("x", "y") for row in rows]
    claims = [one.claim for one in found("A502", discrimination={**told, "systems": apart})]
    assert [claim.split(" is shared by ")[1][:6] for claim in claims] == ["2 of 3"] * 2


def test_dead_items():
    items = {"n_items": 1000, "n_all_right": 400, "n_all_wrong": 100}
    told = {"basis": "predictions", "n_systems": 8, "items": [items]}
    assert only("A503", discrimination=told).value == 0.5
    assert not found("A503", discrimination={**told, "n_systems": 3})


def test_backwards_items():
    back = {"count": 3, "n": 400, "n_systems": 20, "ids": ["x"]}
    assert only("A504", discrimination={"basis": "predictions", "backwards": back}).severity == "warning"
    mixed = {**back, "count": 12, "keys": {"0": 6, "1": 6}}
    assert "hard items" not in only("A504", discrimination={"basis": "predictions", "backwards": mixed}).action
    sided = {**back, "count": 12, "keys": {"0": 1, "1": 11}}
    assert "hard items" in only("A504", discrimination={"basis": "predictions", "backwards": sided}).action
    few = {**back, "count": 0, "n_systems": 4}
    assert "Cannot tell" in only("A504", discrimination={"basis": "predictions", "backwards": few}).claim
    assert not found("A504", discrimination={"basis": "predictions", "backwards": {**back, "count": 0}})


def agreeing(*values: float) -> dict[str, Any]:
    rows = [{"system": f"s{n}", "kappa": k, "low": k - 0.1, "high": k + 0.1, "n": 300} for n, k in enumerate(values)]
    return {"basis": "predictions", "agreement": rows}


def test_flipped_system():
    assert only("A505", discrimination=agreeing(0.5, 0.6, -0.5)).evidence["system"] == "s2"
    assert only("A505", discrimination=agreeing(-0.5, -0.6, 0.1)).severity == "error"
    assert not found("A505", discrimination=agreeing(0.5, 0.0))


def test_unreliable():
    told = {"basis": "predictions", "n_systems": 30, "items": [{"reliability": 0.2, "n_items": 50}]}
    assert only("A506", discrimination=told).severity == "warning"
    assert not found("A506", discrimination={**told, "items": [{"reliability": 0.9, "n_items": 50}]})


def test_smallest_gap():
    told = {"basis": "predictions", "detectable": 0.07, "gap_first_two": 0.02, "n_test": 444}
    assert "7.0 points" in only("A507", discrimination=told).claim


def test_used_up():
    assert only("A508", discrimination=dataset(headroom=0.5, n_within_one=4)).severity == "warning"
    assert "99.5 of 100, and 3 others" in only("A508", discrimination=dataset(headroom=0.5, n_within_one=4)).claim
    assert not found("A508", discrimination=dataset(headroom=0.5, n_within_one=1))


def test_outvoted():
    against = {"count": 10, "n": 300, "n_systems": 8, "ids": ["x"]}
    assert only("A509", discrimination={"basis": "predictions", "outvoted": against}).severity == "warning"
    assert not found("A509", discrimination={"basis": "predictions", "outvoted": {**against, "count": 0}})


def test_forecast_range():
    assert "length" in only("A601", forecast={"out_of_range": True, "outside": ["length"], "n_test": 9}).claim
    assert not found("A601", forecast={"out_of_range": False, "outside": []})


def test_forecast_low():
    told = {"lambda_var": 1.0, "lambda_var_low": 0.5, "lambda_var_high": 2.0, "out_of_range": False, "n_test": 300}
    assert only("A602", forecast=told).severity == "note"
    assert not found("A602", forecast={**told, "lambda_var_high": 4.0})
    assert not found("A602", forecast={**told, "out_of_range": True})
    assert not found("A602", forecast=told, discrimination={"basis": "predictions"})  # measured goes before forecast


@pytest.mark.parametrize("code", FINDINGS)
def test_none_of_them_minds_an_empty_result(code):
    everything = {name: {} for name in ("profile", "splits", "difficulty", "information", "discrimination", "forecast")}
    assert found(code, **everything) == []
