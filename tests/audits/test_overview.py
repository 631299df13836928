"""The first screen: a sentence about scores, six rows, and what to do first."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest
from tests.example_audit import EVIDENCE, change, make_audit, make_rank, with_results

import assay
from assay.audits import Audit
from assay.audits.overview import build_overview, rank_by_effect
from assay.checks import TOPICS, find_topic
from assay.checks.findings import FINDINGS, exact_number, make_finding
from assay.checks.measured import DataSummary, Measurements
from assay.evaluation import ScoredBaseline, SmallestDifference
from assay.features.profiling.overlaps import Overlap
from assay.information import ShortcutBaseline
from assay.statistics import Interval, wilson
from assay.views.values import ItemCount
from assay.wording.numbers import format_interval

EMPTY = Measurements(DataSummary("toy", 100, "classification", "0", (), 2))
GAINS = {"length": 0.6, "model": 0.9}
BASELINES = [
    ShortcutBaseline(name, wilson(n, 1000), 1000) for name, n in (("majority", 500), ("length", 700), ("copy", 600))
]
ORDER = ["leakage", "shortcuts", "labels", "split", "ranking", "difficulty"]


def finding(code, severity="warning", stake=math.nan, subject=""):
    row = make_finding(severity, f"Claim of {code}.", f"Action of {code}.", exact_number(1.0), stake=stake)
    return dataclasses.replace(row, code=code, subject=subject)


def test_there_are_always_six_rows_in_the_same_order():
    for evidence in (EMPTY, Measurements(EMPTY.data, EVIDENCE)):
        assert [row.topic for row in build_overview(evidence, []).rows] == ORDER


def test_without_evidence_nothing_is_ok():
    overview = build_overview(EMPTY, [], [], {"A101": "The data has no parts to compare."})
    assert {row.status for row in overview.rows} == {"not checked"}
    assert overview.find_row("leakage").reason == "The data has no parts to compare."
    assert overview.headline == "Nothing could be checked."
    assert overview.actions == ()


def test_exact_and_near_copies_of_one_part_add_up():
    overlaps = tuple(
        Overlap(part, "train", kind, ItemCount(n, 100))
        for part, kind, n in (("test", "exact", 3), ("test", "near", 4), ("dev", "exact", 5))
    )
    profile = dataclasses.replace(EVIDENCE["profile"], overlaps=overlaps)
    findings = [finding("A101", "warning", 0.03, "test"), finding("A102", "warning", 0.04, "test")]
    overview = build_overview(with_results(EMPTY, profile=profile), findings)
    assert overview.stake == pytest.approx(0.07)
    assert overview.headline == (
        "Scores on test can be too high by up to 7.0 points, because so many items are also in train, exactly or nearly. "
        "Trust scores with care."
    )
    row = overview.find_row("leakage")
    assert (row.number, row.unit) == ("7.0%", "of test items are also in train, exactly or nearly")
    assert (row.status, row.code) == ("warning", "A102")


def test_the_part_with_most_copies_is_first_in_headline_row_findings_and_actions():
    counts = (("dev", "exact", 34), ("dev", "near", 22), ("test", "exact", 32), ("test", "near", 28))
    overlaps = tuple(Overlap(part, "train", kind, ItemCount(n, 100)) for part, kind, n in counts)
    measured = with_results(EMPTY, profile=dataclasses.replace(EVIDENCE["profile"], overlaps=overlaps))
    findings = [*FINDINGS["A101"].run(measured), *FINDINGS["A102"].run(measured)]
    overview = build_overview(measured, findings)
    assert overview.headline.startswith("Scores on test can be too high by up to 60 points")
    assert overview.find_row("leakage").text.startswith("60% of test items")
    assert [row.subject for row in rank_by_effect(findings)] == ["test", "test", "dev", "dev"]
    assert all(" of test" in row.claim or "in test" in row.claim for row in overview.actions)


@pytest.mark.parametrize(
    ("task", "begin"),
    [
        ("qa", "Scores on test can be too high by up to 10 points, because so many items are also in train"),
        ("tagging", "Scores on test can be too high, because 10% of its items are also in train"),
        ("multilabel", "Scores on test can be too high, because 10% of its items are also in train"),
    ],
)
def test_leaks_bound_only_scores_that_are_means_over_items(task, begin):
    overlaps = (Overlap("test", "train", "exact", ItemCount(10, 100)),)
    measured = Measurements(
        dataclasses.replace(EMPTY.data, task=task),
        {"profile": dataclasses.replace(EVIDENCE["profile"], overlaps=overlaps)},
    )
    assert build_overview(measured, FINDINGS["A101"].run(measured)).headline.startswith(begin)


def test_effects_of_different_causes_do_not_add_up():
    overview = build_overview(EMPTY, [finding("A108", "error", 0.06), finding("A401", "warning", 0.05)])
    assert overview.stake == 0.06
    assert overview.headline == "Claim of A108. Do not trust scores before this is fixed."  # no number was measured


def test_actions_are_three_by_severity_and_effect_one_per_rule():
    findings = [
        finding("A401", "warning", 0.02),
        finding("A102", "warning", 0.04),
        finding("A102", "warning", 0.03),
        finding("A206", "error"),
        finding("A404", "warning"),
        finding("A108", "note", 0.5),
    ]
    actions = build_overview(EMPTY, findings).actions
    assert [action.code for action in actions] == ["A206", "A102", "A401"]


def test_a_note_with_an_effect_leaves_its_row_unclear():
    measured = with_results(EMPTY, information=EVIDENCE["information"])
    overview = build_overview(measured, [finding("A108", "note", 0.06), finding("A507", "note")], ["A101"])
    assert overview.headline == "No serious problem was found in 3 checks. Unclear: labels."
    assert [action.code for action in overview.actions] == ["A108"]
    assert overview.find_row("labels").status == "unclear"


def test_an_interval_from_nothing_to_much_is_not_ok():
    information = EVIDENCE["information"]
    suspects = dataclasses.replace(information.suspects, expected_bad=Interval(6.0, 0.0, 30.0), n_judged=100)
    measured = with_results(EMPTY, information=dataclasses.replace(information, suspects=suspects))
    row = build_overview(measured, [], ["A108"]).find_row("labels")
    assert row.status == "unclear"
    assert (
        row.text
        == "0% to 30% of 100 items may have a wrong label or another defect; the evidence does not tell how many"
    )
    some = dataclasses.replace(suspects, expected_bad=Interval(6.0, 1.0, 30.0), n_judged=101)
    measured = with_results(EMPTY, information=dataclasses.replace(information, suspects=some))
    row = build_overview(measured, [], ["A108"]).find_row("labels")
    assert (row.status, row.text[:24]) == ("unclear", "5.9% of 101 items are ex")
    certain = dataclasses.replace(suspects, expected_bad=Interval(0.4, 0.1, 0.8))
    measured = with_results(EMPTY, information=dataclasses.replace(information, suspects=certain))
    assert build_overview(measured, [], ["A108"]).find_row("labels").status == "ok"


def test_labels_that_nothing_was_compared_with_are_not_ok():
    row = build_overview(EMPTY, [], ["A413", "A104", "A105"]).find_row("labels")
    assert (row.status, row.reason[:26]) == ("not checked", "No gold label was compared")


def test_quick_models_are_not_a_ranking():
    quick = dataclasses.replace(EVIDENCE["discrimination"], basis="quick models")
    row = build_overview(with_results(EMPTY, discrimination=quick), [], ["A501"]).find_row("ranking")
    assert (row.status, row.number) == ("not checked", "")
    assert row.reason.startswith("No system was given.")


def test_good_news_does_not_stand_next_to_a_warning():
    discrimination = EVIDENCE["discrimination"]
    row = build_overview(
        with_results(EMPTY, discrimination=discrimination), [finding("A508", "warning")], ["A502"]
    ).find_row("ranking")
    assert (row.status, row.text) == ("warning", "Claim of A508.")


def test_the_part_that_leaks_is_named():
    overlaps = (
        Overlap("dev", "train", "exact", ItemCount(10, 100)),
        Overlap("test", "train", "exact", ItemCount(0, 100)),
    )
    profile = dataclasses.replace(EVIDENCE["profile"], overlaps=overlaps)
    measured = with_results(EMPTY, profile=profile)
    headline = build_overview(measured, FINDINGS["A101"].run(measured)).headline
    assert headline.startswith("Scores on dev can be too high by up to 10 points")
    assert "test" not in headline


def test_a_severity_close_to_its_threshold_says_so():
    def find(count):
        overlap = Overlap("test", "train", "exact", ItemCount(count, 1000))
        measured = with_results(EMPTY, profile=dataclasses.replace(EVIDENCE["profile"], overlaps=(overlap,)))
        return build_overview(measured, FINDINGS["A101"].run(measured)).headline

    assert find(51).endswith("This is close to the threshold of 5.0% for an error.")
    assert find(11).endswith("This is close to the threshold of 1.0% for a warning.")
    assert "threshold" not in find(100) + find(25)


def test_a_split_that_costs_nothing_gains_and_chance_is_said_only_of_intervals_with_zero():
    def write(drop):
        stress = dataclasses.replace(EVIDENCE["model"].stress[0], drop=drop, standard_error=0.003)
        measured = Measurements(EMPTY.data, {"model": dataclasses.replace(EVIDENCE["model"], stress=(stress,))})
        return build_overview(measured, [], ["A207"]).find_row("split").text

    assert re.match(r"5\.0 points \[4\.\d, 5\.\d\] more accuracy .* than with random folds$", write(-0.05))
    assert re.match(r"1\.5 points \[0\.\d, 2\.\d\] less accuracy .* than with random folds$", write(0.015))
    assert re.match(r"0\.\d points \[−\d\.\d, \d\.\d\] less accuracy .*, which may be chance$", write(0.0))


def test_a_model_of_a_shortcut_has_a_number_and_an_interval_in_the_row():
    model = EVIDENCE["model"]
    row = build_overview(Measurements(EMPTY.data, {"model": model}), [], ["A415"]).find_row("shortcuts")
    assert row.text == "1 point [−5, 7] above a blind guess for a model that sees only the style of the answers"
    assert row.status == "unclear"


def test_a_shortcut_that_gains_all_that_a_constant_answer_leaves_is_not_ok():
    def judge(n_majority):
        counts = {"majority": n_majority, "length": 1000}
        baselines = [ShortcutBaseline(name, wilson(n, 1000), 1000) for name, n in counts.items()]
        information = dataclasses.replace(
            EVIDENCE["information"],
            function_words=None,
            shortcuts=dataclasses.replace(EVIDENCE["information"].shortcuts, baselines=baselines),
        )
        measured = with_results(EMPTY, information=information)
        return build_overview(measured, [], ["A403"]).find_row("shortcuts")

    row = judge(990)
    assert row.number.startswith("1.0 points")
    assert row.status == "unclear"


def test_labels_without_signal_are_not_praised():
    unlearned = dataclasses.replace(EVIDENCE["information"], agreement=Interval(0.0, -0.1, 0.1))
    headline = build_overview(Measurements(EMPTY.data, {"information": unlearned}), [], ["A101"]).headline
    assert headline == (
        "No serious problem was found in 1 check, but the quick model predicts the labels no better than chance, so "
        "most problems could not show."
    )
    model = EVIDENCE["model"]
    scores = tuple(dataclasses.replace(row, low=0.1) for row in model.scores)
    measured = Measurements(EMPTY.data, {"model": dataclasses.replace(model, scores=scores)})
    assert "no better than a blind guess" in build_overview(measured, [], ["A101"]).headline


def test_a_row_has_the_status_of_its_worst_finding():
    findings = [finding("A401", "note"), finding("A402", "warning"), finding("A410", "error")]
    for n, status in ((1, "ok"), (2, "warning"), (3, "problem")):  # A401 decides
        overview = build_overview(EMPTY, findings[:n])
        assert overview.find_row("shortcuts").status == status
        assert overview.find_row("labels").status == "not checked"


@pytest.mark.parametrize("code", FINDINGS)
def test_every_rule_belongs_to_a_topic(code):
    assert find_topic(code).name in TOPICS


def test_deciding_rules_exist():
    assert {code for topic in TOPICS.values() for code in topic.deciding} <= set(FINDINGS)


def test_numbers_are_in_words_without_symbols():
    for row in make_audit().overview.rows:
        assert row.text
        assert not set("λκ") & set(row.unit)
        assert "nats" not in row.unit


def test_the_overview_survives_json_and_files_without_it_are_read():
    audit = make_audit()
    plain = audit.to_dict()
    assert Audit.from_dict(plain).overview == audit.overview
    del plain["overview"]
    assert Audit.from_dict(plain).overview == audit.overview


def test_a_real_leak_is_a_problem_on_the_first_screen():
    texts = [f"sentence number {n} about some thing" for n in range(40)]
    data = {"text": texts + texts[:10], "label": ["a", "b"] * 25, "split": ["train"] * 40 + ["test"] * 10}
    overview = assay.audit(data, only=["profile"]).overview
    row = overview.find_row("leakage")
    assert (row.status, row.number) == ("problem", "100%")
    assert overview.headline.startswith("Scores on test can be too high by up to 100 points")


def test_a_baseline_that_sees_the_whole_item_is_not_a_shortcut():
    rows = [ScoredBaseline(name, "accuracy", score, "5 folds", score, score, 10, name) for name, score in GAINS.items()]
    task = dataclasses.replace(EVIDENCE["task"], chance=0.4, baselines=tuple(rows))
    overview = build_overview(Measurements(EMPTY.data, {"task": task}), [], ["A410"])
    assert overview.find_row("shortcuts").number == "20.0 points [20.0, 20.0]"


def test_the_row_of_shortcuts_has_the_number_of_the_most_serious_finding():
    evidence = Measurements(EMPTY.data, EVIDENCE)
    gain = EVIDENCE["information"].function_words.effect.gain
    largest = build_overview(evidence, [], ["A401"]).find_row("shortcuts")
    assert (largest.value, largest.number) == (gain.value, format_interval(gain, "points"))
    (found,) = [row for row in FINDINGS["A401"].run(evidence) if row.subject == "not"]
    overview = build_overview(evidence, [found])
    row = overview.find_row("shortcuts")
    assert (row.status, row.value, row.number) == ("warning", found.value, format_interval(gain, "points"))
    assert row.number in found.claim
    assert (overview.stake, found.stake) == (row.value, row.value)
    second = change(EVIDENCE["information"], function_words=None, baselines=BASELINES, quick_accuracy=0.85)
    evidence = Measurements(EMPTY.data, {"information": second})
    (found,) = FINDINGS["A403"].run(evidence)
    row = build_overview(evidence, [found]).find_row("shortcuts")
    assert row.value == found.value == found.stake == second.cheap_gains[0].gain.value
    assert row.number in found.claim


def test_of_shortcuts_that_are_notes_the_row_has_the_most_certain():
    information = EVIDENCE["information"]
    group = information.function_words
    weak = dataclasses.replace(group, effect=dataclasses.replace(group.effect, gain=Interval(0.024, 0.008, 0.04)))
    strong = change(information, function_words=weak, baselines=BASELINES, quick_accuracy=0.99)
    evidence = Measurements(EMPTY.data, {"information": strong})
    notes = [
        *FINDINGS["A401"].run(evidence),
        *(dataclasses.replace(row, severity="note") for row in FINDINGS["A403"].run(evidence)),
    ]
    assert notes[0].code == "A401"
    row = build_overview(evidence, notes).find_row("shortcuts")
    assert row.value == strong.cheap_gains[0].gain.value > weak.effect.gain.value


def test_a_status_is_explained_by_the_finding_it_comes_from():
    evidence = Measurements(EMPTY.data, EVIDENCE)
    suspects = build_overview(evidence, [finding("A108", "warning")]).find_row("labels")
    assert suspects.unit.startswith("of 40 items are expected to have a wrong label")
    defects = build_overview(evidence, [finding("A413", "error")]).find_row("labels")
    assert (defects.number, defects.reason) == ("", "Claim of A413.")


def test_few_systems_that_may_be_first_are_named():
    votes = build_overview(with_results(EMPTY, votes=EVIDENCE["votes"]), [], ["A722"]).find_row("ranking")
    assert votes.unit == 'of 2 systems may be first by the votes: "sysA"'
    discrimination = EVIDENCE["discrimination"]
    row = build_overview(with_results(EMPTY, discrimination=discrimination), [], ["A502"]).find_row("ranking")
    assert (row.number, row.unit) == ("1", 'of 3 systems may be first: "bert"')
    tied = tuple(make_rank(f"s{n}", 1, 5) for n in range(5))
    many = dataclasses.replace(discrimination, systems=tied, n_systems=5)
    row = build_overview(with_results(EMPTY, discrimination=many), [], ["A502"]).find_row("ranking")
    assert (row.number, row.unit) == ("5", "of 5 systems may be first")
    tied = tuple(make_rank(f"s{n}", 1, 1200) for n in range(1200))
    many = dataclasses.replace(discrimination, systems=tied, n_systems=1200)
    row = build_overview(with_results(EMPTY, discrimination=many), [], ["A502"]).find_row("ranking")
    assert (row.number, row.unit) == ("1,200", "of 1,200 systems may be first")


def test_scores_without_errors_do_not_say_whether_systems_differ(tmp_path):
    table = tmp_path / "board.tsv"
    table.write_text("system\tdataset\tscore\n" + "".join(f"s{n}\tquiz\t{40 + 7 * n}\n" for n in range(6)))
    row = assay.audit(scores=table).overview.find_row("ranking")
    assert row.status == "not checked"
    assert "errors of the scores are not known" in row.reason


def test_items_that_no_answer_solves_say_nothing_about_difficulty():
    items = dataclasses.replace(EVIDENCE["discrimination"].items[0], n_all_right=0, n_all_wrong=10)
    unsolved = dataclasses.replace(EVIDENCE["discrimination"], items=(items,))
    row = build_overview(with_results(EMPTY, discrimination=unsolved), [], ["A503"]).find_row("difficulty")
    assert (row.status, row.reason) == ("not checked", "No answer of any system has the full score (accuracy).")


def test_one_system_is_not_a_ranking():
    alone = dataclasses.replace(
        EVIDENCE["discrimination"], n_systems=1, systems=(), difference=SmallestDifference(math.nan, math.nan, 10)
    )
    overview = build_overview(with_results(EMPTY, discrimination=alone), [], ["A503"])
    assert overview.find_row("ranking").reason == "Only one system was given. This needs at least two."
    assert overview.find_row("difficulty").unit == "of the 10 items have the full score (accuracy) with the only system"
    pair = dataclasses.replace(alone, n_systems=2)
    overview = build_overview(with_results(EMPTY, discrimination=pair), [], ["A503"])
    assert overview.find_row("difficulty").unit.endswith("with both systems")


def test_a_finding_that_calls_for_no_action_is_not_among_those_to_do_first():
    row = dataclasses.replace(finding("A401", "note", 0.05), action="Nothing needs to be done unless it is the task.")
    assert build_overview(EMPTY, [row, finding("A509", "note", 0.02)]).actions[0].code == "A509"


def test_the_split_row_and_its_findings_read_the_same_drop():
    for code, name, section in (("A201", "splits", EVIDENCE["splits"]), ("A207", "model", EVIDENCE["model"])):
        stress = tuple(
            dataclasses.replace(row, drop=0.2, standard_error=0.02, degrees=50) for row in section.stress[:1]
        )
        measured = Measurements(EMPTY.data, {name: dataclasses.replace(section, stress=stress)})
        (raised,) = FINDINGS[code].run(measured)
        row = build_overview(measured, [raised]).find_row("split")
        assert (row.value, row.status, row.code) == (raised.value, "warning", code)
        assert f"{row.number} {row.unit.split(']')[0]}]" in raised.claim


def test_a_drop_that_may_be_chance_says_so():
    splits = EVIDENCE["splits"]
    stress = tuple(dataclasses.replace(row, drop=0.085, standard_error=0.06) for row in splits.stress[:1])
    measured = Measurements(EMPTY.data, {"splits": dataclasses.replace(splits, stress=stress)})
    row = build_overview(measured, [], ["A201"]).find_row("split")
    assert (row.status, "which may be chance" in row.text) == ("unclear", True)


def test_the_first_of_several_equal_findings_is_not_the_worst():
    rows = [finding("A508", "warning", subject=name) for name in ("a", "b", "c", "d")]
    headline = build_overview(EMPTY, rows).headline
    assert headline == "Claim of A508. This is one of 4 such findings. Trust scores with care."
    assert "one of" not in build_overview(EMPTY, rows[:1]).headline


def test_a_topic_of_which_a_check_applies_is_not_requested_rather_than_not_applicable():
    data = {"text": ["good film", "bad film"] * 20, "label": ["x", "y"] * 20, "split": ["train"] * 20 + ["test"] * 20}
    overview = assay.audit(data, only="profile").overview
    assert {overview.find_row(topic).reason for topic in ("shortcuts", "split", "ranking")} == {"Not requested."}


def test_a_row_does_not_count_findings_that_its_link_counts():
    rows = [finding("A508", "warning", subject=name) for name in ("a", "b", "c", "d")]
    row = build_overview(EMPTY, rows, ["A508"]).find_row("ranking")
    assert (row.text, row.n_findings) == ("Claim of A508.", 4)
