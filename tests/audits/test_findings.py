"""Each rule on evidence written by hand: raised where it should be, silent where it should not."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from tests.example_audit import (
    CONTAMINATION,
    DIFFICULTY,
    DISCRIMINATION,
    FORECAST,
    INFORMATION,
    JUDGE,
    JUDGES,
    LEADERBOARD,
    MODEL,
    PROFILE,
    SPLITS,
    TASK,
    VOTES,
    change,
    compare_example,
    example_divergence,
    make_audit,
    make_rank,
    make_suspects,
)

from assay.audits import FINDINGS, Finding
from assay.audits.overview import build_overview
from assay.checks.findings import NotChecked
from assay.checks.measured import Measurements
from assay.contamination import ContaminatedPart
from assay.difficulty.systems.scoring import CaseAccuracy
from assay.discrimination.items.gold import BelowBaseline, NegativeItems, SystemAgreement
from assay.evaluation import MetricWinner, ScoredBaseline, SmallestDifference
from assay.features import LabelDrift, LabelShift, LengthDrift
from assay.features.profiling.odd_texts import OddTexts
from assay.features.profiling.overlaps import GroupOverlap, Overlap, SideOverlap, TextOverlap
from assay.features.profiling.part_labels import PartLabelCount
from assay.features.profiling.profiles import LabelCount
from assay.information import ControlModel, Cue, CueGroup, ShortcutBaseline, ShortcutModel
from assay.information.cues.effects import CueEffect
from assay.kinds import Distribution, Figure
from assay.kinds.facts import Defect
from assay.models.quick.results import QuickGain
from assay.models.split_studies.held_out import GivenSplitScore
from assay.models.stress import SplitStress
from assay.statistics import Interval, wilson
from assay.views.values import ItemCount

DATA = make_audit(sections={}).data
DEFAULTS = {
    "profile": PROFILE,
    "task": TASK,
    "splits": SPLITS,
    "model": MODEL,
    "difficulty": DIFFICULTY,
    "information": INFORMATION,
    "discrimination": DISCRIMINATION,
    "forecast": FORECAST,
    "leaderboard": LEADERBOARD,
    "votes": VOTES,
    "judges": JUDGES,
    "contamination": CONTAMINATION,
}


def outcomes(code: str, **changes):
    """Check a rule on the example's evidence of its section with some fields changed, and on other sections given."""
    section = FINDINGS[code].section
    others = {name: value for name, value in changes.items() if name in DEFAULTS and name != section}
    fields = {name: value for name, value in changes.items() if name not in others}
    return FINDINGS[code].run(Measurements(DATA, {section: change(DEFAULTS[section], **fields)} | others))


def raised(code: str, **changes) -> list[Finding]:
    return [outcome for outcome in outcomes(code, **changes) if isinstance(outcome, Finding)]


def only(code: str, **changes) -> Finding:
    (finding,) = raised(code, **changes)
    assert finding.code == code
    assert finding.claim.endswith(".")
    assert finding.action.endswith(".")
    assert finding.title == FINDINGS[code].title
    return finding


def not_checked(code: str, **changes) -> str:
    (outcome,) = outcomes(code, **changes)
    assert isinstance(outcome, NotChecked)
    return outcome.reason


def overlap(kind, count):
    return (Overlap("test", "train", kind, ItemCount(count, 200, ("a",))),)


def test_exact_copies():
    assert only("A101", overlaps=overlap("exact", 10)).severity == "error"
    assert only("A101", overlaps=overlap("exact", 3)).severity == "warning"
    assert only("A101", overlaps=overlap("exact", 1)).severity == "note"
    assert math.isnan(only("A101", overlaps=overlap("exact", 1)).low)  # a count has no interval
    assert only("A101", overlaps=overlap("exact", 10)).value == 0.05
    assert outcomes("A101", overlaps=overlap("exact", 0)) == []
    assert "no parts" in not_checked("A101", overlaps=())


def test_near_copies():
    assert only("A102", overlaps=overlap("near", 40)).severity == "error"
    assert only("A102", overlaps=overlap("near", 3)).severity == "warning"
    assert only("A102", overlaps=overlap("near", 1)).severity == "note"
    assert not raised("A102", overlaps=overlap("exact", 10))


def test_groups_across_parts():
    shared = GroupOverlap("test", "train", ItemCount(30, 200, ("a",)), 3, "q7")
    finding = only("A109", group_overlaps=(shared,))
    assert finding.severity == "warning"
    assert 'belong to 3 groups that are also in train, such as "q7"' in finding.claim
    assert only("A109", group_overlaps=(replace(shared, items=ItemCount(1, 200)),)).severity == "note"
    assert not raised("A109", group_overlaps=(replace(shared, items=ItemCount(0, 200)),))
    assert not_checked("A109", group_overlaps=())


def test_copies_within_a_part():
    assert only("A103", copies=ItemCount(5, 100)).severity == "warning"
    assert outcomes("A103", copies=ItemCount(0, 100)) == []


def test_conflicting_labels():
    assert only("A104", conflicts=ItemCount(4, 100)).severity == "warning"
    assert only("A104", conflicts=ItemCount(40, 100)).severity == "error"
    assert outcomes("A104", conflicts=ItemCount(0, 100)) == []


def shares(**counts):
    total = sum(counts.values())
    return {name: LabelCount(n, n / total) for name, n in counts.items()}


def test_a_dominant_label():
    assert '"yes"' in only("A105", labels=shares(yes=950, no=50)).claim
    assert not raised("A105", labels=shares(yes=810, no=190))  # above 80%, but not with 95% confidence
    alone = only("A105", labels=shares(yes=200))
    assert (alone.severity, alone.value) == ("error", 1.0)
    assert not raised("A105", labels=shares(yes=1))
    assert not_checked("A105", labels={})


def test_rare_labels():
    counts = (PartLabelCount("a", "test", 90), PartLabelCount("b", "test", 3), PartLabelCount("b", "train", 100))
    finding = only("A106", labels=shares(a=90, b=103), label_counts=counts, parts={"test": 93, "train": 100})
    assert finding.evidence == {"rare labels": "b (3)"}
    hidden = (PartLabelCount("a", "dev", 90), PartLabelCount("b", "dev", 3), PartLabelCount("b", "train", 100))
    parts = {"test": 50, "dev": 93, "train": 100}  # test without labels
    assert "in dev" in only("A106", labels=shares(a=90, b=103), label_counts=hidden, parts=parts).claim


def test_broken_texts():
    texts = OddTexts({"empty": 2, "markup": 3}, {"empty": (), "markup": ()})
    findings = {finding.subject: finding for finding in raised("A107", odd_texts=texts, n_items=100)}
    assert {name: finding.severity for name, finding in findings.items()} == {"empty": "warning", "markup": "note"}
    assert "encoding" not in findings["markup"].action
    (rare,) = raised("A107", odd_texts=OddTexts({"empty": 1}, {"empty": ()}), n_items=749)
    assert rare.severity == "note"  # one item of 749 moves no score by a point


def suspects(count, low, precision=0.8, n=1000):
    expected = Interval(low * n + 10, low * n, low * n + 20)
    return make_suspects(count, n, expected, precision, "text models")


def test_suspects_are_judged_by_their_expected_number_and_precision():
    finding = only("A108", suspects=suspects(40, 0.03))
    assert finding.severity == "warning"
    assert finding.value == 0.04
    assert "40 items of 1,000 (4.0%) are suspected of a wrong gold label" in finding.claim
    assert "About 80% of these are expected to be bad." in finding.claim
    assert only("A108", suspects=suspects(80, 0.06)).severity == "error"
    assert only("A108", suspects=suspects(40, 0.002)).severity == "note"
    assert only("A108", suspects=suspects(40, 0.03, precision=0.4)).severity == "note"
    assert outcomes("A108", suspects=suspects(0, 0.0)) == []
    assert not_checked("A108", suspects=None)


def stress(split, drop, error, n_draws=5):
    row = SplitStress(split, "linear", n_draws, 800, 0.9 - drop, 0.9, 0.8 - drop, 0.8, 0.7, 0.8, drop, error, 4)
    return (row,)


def test_an_optimistic_split():
    finding = only("A201", stress=stress("length", 0.2, 0.02, n_draws=1))
    assert finding.subject == "length"
    assert "90% under random folds and 70% under the length split" in finding.claim
    assert finding.evidence["kappa"] == "0.80 → 0.60"
    assert outcomes("A201", stress=stress("length", 0.02, 0.01)) == []
    assert outcomes("A201", stress=stress("wasserstein", 0.2, 0.1)) == []  # the draws differ too much
    assert not_checked("A201", stress=())


def test_a_model_without_signal_has_nothing_to_lose():
    weak = Interval(0.05, -0.02, 0.12)
    assert "too little signal" in not_checked("A201", stress=stress("length", 0.2, 0.01), signal=weak)
    assert "too little signal" in not_checked("A205", stress=stress("temporal", 0.2, 0.01), signal=weak)


def drift(p, value):
    return {"given": compare_example({"a_distance": example_divergence(value, -0.1, 0.1, p)})}


def test_text_drift():
    assert only("A202", comparisons=drift(0.01, 0.8)).severity == "warning"
    assert "it is right on 70% of the texts" in only("A202", comparisons=drift(0.01, 0.8)).claim
    dev = only("A202", comparisons=drift(0.01, 0.8), compared=("train", "dev"))
    assert "The texts of dev differ from those of train" in dev.claim
    assert only("A202", comparisons=drift(0.01, 0.2)).severity == "note"
    assert outcomes("A202", comparisons=drift(0.3, 0.05)) == []
    assert not_checked("A202", comparisons={}, compared=None)


def test_length_drift():
    longer = LengthDrift(Interval(0.7, 0.65, 0.75), 1e-9, 5.0, 9.0, 300, 300)
    finding = only("A203", length_drift=longer, compared=("train", "dev"))
    assert "Texts of dev are longer than those of train" in finding.claim
    assert outcomes("A203", length_drift=replace(longer, longer=Interval(0.51, 0.47, 0.55))) == []


def test_label_drift():
    differs = LabelDrift(0.2, 1e-6, 300, 300, LabelShift("spam", 0.4, 0.2))
    finding = only("A204", label_drift=differs)
    assert finding.severity == "warning"
    assert '"spam" has 40% of train and 20% of test' in finding.claim
    assert outcomes("A204", label_drift=replace(differs, p=0.2)) == []


def test_temporal_drift():
    assert only("A205", stress=stress("temporal", 0.1, 0.01, n_draws=1)).severity == "warning"
    assert only("A205", stress=stress("temporal", 0.01, 0.001, n_draws=1)).severity == "note"
    assert "Cannot tell" in only("A205", stress=stress("temporal", 0.02, 0.05, n_draws=1)).claim
    assert outcomes("A205", stress=stress("temporal", 0.0, 0.01, n_draws=1)) == []
    assert "no dates" in not_checked("A205", stress=stress("length", 0.1, 0.01))


def test_reversed_test_labels():
    def given(value):
        return GivenSplitScore(Interval(value, value - 0.05, value + 0.05), Interval(0.8, 0.7, 0.9), 200)

    assert only("A206", given=given(-0.7)).severity == "error"
    assert outcomes("A206", given=given(0.7)) == []
    assert outcomes("A206", given=given(-0.02)) == []  # chance


def test_collapse_on_non_obvious_items():
    def systems(easy, hard):
        cases = (("obvious", easy), ("non-obvious", hard))
        return tuple(CaseAccuracy("s", case, Interval(accuracy, 0.0, 1.0), 300) for case, accuracy in cases)

    assert only("A301", systems=systems(0.9, 0.3)).severity == "warning"
    assert '"s" loses more than ten points' in only("A301", systems=systems(0.9, 0.3)).claim
    assert outcomes("A301", systems=systems(0.8, 0.75)) == []
    two = tuple(replace(row, system=name) for name in ("s", "t") for row in systems(0.9, 0.3))
    assert only("A301", systems=two).claim.startswith("2 of 2 systems lose more")
    idle = SystemAgreement("u", Interval(0.0, -0.1, 0.1), 300)
    three = (*two, *(replace(row, system="u") for row in systems(0.5, 0.5)))
    weak = replace(DISCRIMINATION, agreement=(idle,))
    claim = only("A301", systems=three, discrimination=weak).claim
    assert claim.startswith("2 of 2 systems that do better than chance lose more")
    assert not_checked("A301", systems=())


def test_obvious_items():
    def items(share, counts=DIFFICULTY.items.counts):
        return replace(DIFFICULTY.items, obvious_share=share, counts=counts)

    assert only("A302", items=items(Interval(0.8, 0.78, 0.82))).severity == "note"
    assert outcomes("A302", items=items(Interval(0.6, 0.58, 0.62))) == []
    assert not_checked("A302", items=items(Interval(math.nan, math.nan, math.nan), None))


CUE = INFORMATION.word_cues[0]


def rename(cue, token, **fields):
    return replace(cue, cue=replace(cue.cue, token=token), **fields)


def cue_group(gain, share):
    effect = CueEffect(0.5 + gain, 0.5, 0.8, Interval(gain, gain - 0.02, gain + 0.02), Interval(share, 0.0, 1.0), 900)
    return CueGroup(("not",), ("b",), effect)


def test_function_words_are_one_finding_by_their_effect():
    finding = only("A401", word_cues=(CUE,), function_words=cue_group(0.2, 0.67))
    assert finding.severity == "warning"
    assert 'A model that sees only whether the second text contains "not" scores 70%' in finding.claim
    assert "scores 70%, 20 points [18, 22] above the most frequent label; the quick model scores 80%" in finding.claim
    first = finding.evidence["the first of them"]
    assert 'The function word "not" in the second text alone predicts the label "no"' in first
    assert only("A401", word_cues=(CUE,), function_words=cue_group(0.1, 0.33)).severity == "note"
    assert only("A401", word_cues=(CUE,), function_words=cue_group(0.005, math.nan)).severity == "note"
    assert only("A401", word_cues=(CUE,), function_words=cue_group(0.1, math.nan)).severity == "warning"


def test_function_words_that_gain_nothing_are_not_said_to_predict():
    assert only("A401", word_cues=(CUE,), function_words=cue_group(0.1, 0.33)).claim.startswith(
        "Function words or numbers predict labels. "
    )
    claim = only("A401", word_cues=(CUE,), function_words=cue_group(0.01, math.nan)).claim
    assert claim.startswith("Function words or numbers go with labels, but hardly predict them. A model ")


def test_inserted_words_are_warnings_and_words_of_the_task_a_note():
    strange = rename(CUE, "zqx", word_kind="inserted word")
    assert only("A401", word_cues=(strange,), function_words=None).severity == "warning"
    topic = rename(CUE, "excellent", word_kind="content word", suspicious=False)
    assert only("A401", word_cues=(topic,), function_words=None).severity == "note"
    weak = replace(CUE, suspicious=False)
    assert outcomes("A401", word_cues=(weak,), function_words=None) == []  # a weak function word is not the task
    crowded = only("A401", word_cues=(replace(strange, place_share=0.68),), function_words=None)
    assert "any word there goes with it in 68%" in crowded.claim


def test_word_cues_beyond_five_are_counted():
    words = tuple(rename(CUE, word, word_kind="inserted word") for word in "a b c d e f g".split())
    findings = raised("A401", word_cues=words, function_words=None)
    assert len(findings) == 5
    assert findings[-1].claim.endswith("So do 2 more words.")


def baselines(**values):
    return [
        ShortcutBaseline(name.replace("_", " "), Interval(accuracy, 0.0, 1.0), 2000)
        for name, accuracy in values.items()
    ]


def test_one_side_is_enough():
    assert only("A402", baselines=baselines(majority=0.5, side_a_only=0.5, side_b_only=0.65)).subject == "second"
    assert not_checked("A402", baselines=[])


def test_cheap_baselines():
    assert only("A403", baselines=baselines(majority=0.5, first_word=0.62, last_word=0.51)).subject == "first word"
    same = only("A403", baselines=baselines(majority=0.5, copy=0.6))
    assert "sees only whether the two texts are the same" in same.claim
    assert same.severity == "note"  # a third of what the quick model gains
    assert only("A403", baselines=baselines(majority=0.5, copy=0.7)).severity == "warning"
    both = only("A403", baselines=baselines(majority=0.5, copy=0.7, first_word=0.75))
    assert (both.subject, both.evidence["whether the two texts are the same"]) == ("first word", "70%")


def test_one_word_of_a_text_of_three_is_not_a_shortcut():
    words = baselines(majority=0.5, first_word=0.9)
    assert not raised("A403", baselines=words, median_length=3.0)
    assert raised("A403", baselines=words, median_length=8.0)


def test_sides_seen_in_training():
    seen = SideOverlap("test", "train", ItemCount(40, 100, ("x",)), ItemCount(30, 100))
    finding = only("A110", side_overlaps=(seen,))
    assert finding.severity == "warning"
    assert "In 70% of the 100 pairs of test a side is also in train; in 30% both sides are." in finding.claim
    assert only("A110", side_overlaps=(replace(seen, both=ItemCount(0, 100)),)).severity == "note"
    few = SideOverlap("test", "train", ItemCount(2, 100), ItemCount(0, 100))
    assert outcomes("A110", side_overlaps=(few,)) == []
    assert "not pairs" in not_checked("A110", side_overlaps=())


def test_systems_below_a_constant_answer():
    below = BelowBaseline("bad", Interval(0.4, 0.35, 0.45), 0.6, 300)
    finding = only("A510", below_baseline=(below,))
    assert finding.claim == '"bad" scores below a constant answer (60%): 40% [35, 45].'
    assert finding.action.startswith('Check how "bad" was run')
    worse = BelowBaseline("worse", Interval(0.3, 0.25, 0.35), 0.6, 300)
    several = only("A510", below_baseline=(below, worse))
    assert "2 of " in several.claim
    assert (
        'systems score below a constant answer (60%) beyond chance, such as "worse" with 30% [25, 35].' in several.claim
    )
    assert outcomes("A510", below_baseline=()) == []


def test_metrics_that_name_different_winners():
    winners = (MetricWinner("accuracy", "a", 0.9), MetricWinner("macro-f1", "b", 0.8))
    assert '"a" by accuracy (0.900), "b" by macro-f1 (0.800)' in only("A511", winners=winners).claim
    assert outcomes("A511", winners=(winners[0], replace(winners[1], system="a"))) == []
    assert not_checked("A511", winners=winners[:1])


def control(value, half):
    return [ControlModel("P+S", Interval(value, value - half, value + half), 0.6, 0.7, "mlp-30", 500)]


def agreement(value, half):
    return Interval(value, value - half, value + half)


def test_little_information():
    assert not_checked("A404", control=control(0.0, 0.02), agreement=None)
    assert "Cannot tell" in only("A404", control=control(0.02, 0.1)).claim
    assert outcomes("A404", control=control(0.3, 0.05)) == []
    assert not_checked("A404", control=control(0.0, 0.02), agreement=agreement(0.0, 0.04))
    assert raised("A404", control=control(0.0, 0.02), agreement=agreement(0.3, 0.04))


def read_needed(finding):
    return int(re.search(r"about ([\d,]+) [\w-]+ items would be needed", finding.claim).group(1).replace(",", ""))


@pytest.mark.parametrize(("value", "half"), [(0.02, 0.1), (0.05, 0.052), (0.099, 0.1), (0.0, 0.11), (0.03, 0.075)])
def test_more_items_are_needed_than_there_are_and_as_many_would_tell(value, half):
    for finding, n in (
        (only("A405", agreement=agreement(value, half), n_trained=400), 400),
        (only("A404", control=control(value, half), agreement=agreement(0.5, 0.1)), 500),
    ):
        needed = read_needed(finding)
        assert needed > n
        threshold = 0.1 if n == 400 else 0.05 * INFORMATION.shortcuts.entropy
        narrow = half * math.sqrt(n / needed)
        assert value - narrow > -0.001 or value + narrow < threshold + 0.001


def test_no_signal():
    assert only("A405", agreement=agreement(0.0, 0.04)).severity == "warning"
    assert "Cannot tell" in only("A405", agreement=agreement(0.0, 0.2)).claim
    assert "worse than chance" in only("A405", agreement=agreement(-0.1, 0.02)).claim
    assert outcomes("A405", agreement=agreement(0.5, 0.1)) == []
    assert only("A405", agreement=agreement(0.0, 0.04), discrimination=DISCRIMINATION).severity == "note"
    claim = only("A405", agreement=agreement(0.0, 0.2), discrimination=DISCRIMINATION).claim
    assert "The quick model does not show that the labels can be predicted" in claim


def test_solved_by_shortcuts():
    finding = only("A406", shortcut_model=ShortcutModel(0.1, 0.45, wilson(500, 1000)), n_items=1000)
    assert finding.value == 0.5
    assert "all shortcuts together is right on 45%" in finding.claim
    assert outcomes("A406", shortcut_model=ShortcutModel(0.1, math.nan, wilson(31, 100)), n_items=100) == []


def test_number_cues():
    length = Cue("length", "number", "", 0.1, 1e-9, math.nan, 1.0, 400)
    punctuation = replace(length, token="punctuation", information=0.048, p=0.0)
    assert only("A407", cues=[length]).severity == "warning"
    assert outcomes("A407", cues=[replace(length, information=0.001)]) == []
    assert outcomes("A407", cues=[replace(length, p=0.01)]) == []
    both = only("A407", cues=[punctuation, length])
    assert both.subject == "length"
    assert "(words of the text)" in both.claim
    assert '"punctuation" 7.1%' in both.claim
    assert only("A407", cues=[punctuation]).evidence["test"] == "Kruskal–Wallis, p < 0.0001"


ROW = replace(
    DISCRIMINATION.datasets[0],
    n_systems=5,
    n_items=100,
    lambda_var=Interval(1.0, 0.5, 1.5),
    lambda_sva=Interval(math.nan, math.nan, math.nan),
    verdict="does not discriminate",
    headroom=20.0,
)


def test_no_discrimination():
    assert only("A501", datasets=(ROW,)).severity == "warning"
    assert "Cannot tell" in only("A501", datasets=(replace(ROW, verdict="cannot tell"),)).claim
    assert outcomes("A501", datasets=(replace(ROW, verdict="discriminates"),)) == []
    quick = only("A501", datasets=(ROW,), basis="quick models")
    assert quick.severity == "note"
    assert "real systems" in quick.action


def test_systems_that_more_items_may_tell_apart_are_a_note():
    row = replace(ROW, p_equal=0.06, lambda_sva=Interval(21.0, 0.0, 34.0))
    finding = only("A501", datasets=(row,))
    assert (finding.severity, finding.action[:9]) == ("note", "Add items")
    narrow = replace(row, p_equal=0.5, lambda_sva=Interval(5.0, 2.0, 9.0))
    assert only("A501", datasets=(narrow,)).severity == "warning"


def test_no_discrimination_says_on_which_side_each_lambda_is():
    row = replace(ROW, verdict="cannot tell", lambda_var=Interval(1.0, 0.0, 1.5), lambda_sva=Interval(33.0, 22.0, 43.0))
    claim = only("A501", datasets=(row,)).claim
    assert (
        "(λ_var) 1.0 [0.0, 1.5] is below 3, the spread times headroom (λ_sva) 33 [22, 43] may be above or below 28"
        in claim
    )
    assert outcomes("A501", datasets=(row,), basis="quick models") == []
    close = replace(row, lambda_sva=Interval(33.0, 30.0, 43.0))
    assert only("A501", datasets=(close,)).action.startswith("Scores are close together")


def test_no_discrimination_of_many_datasets_is_reported_once():
    rows = tuple(replace(ROW, dataset=f"d{n}", lambda_var=Interval(2 - n / 10, 0.1, 2.5)) for n in range(8))
    finding = only("A501", datasets=rows)
    assert finding.value == 8
    assert finding.evidence["datasets"].startswith("d7, ")
    assert finding.claim.endswith("and 3 more.")


def ranked(*rows, benchmark="all"):
    return tuple(
        make_rank(name, low, 3, score=50.0 - place, benchmark=benchmark) for place, (name, low) in enumerate(rows)
    )


def test_a_shared_first_place():
    rows = ranked(("a", 1), ("b", 1), ("c", 3))
    finding = only("A502", systems=rows)
    assert finding.evidence == {"systems": "a, b"}
    assert '2 of 3 systems may be first: "a" scores best, and 1 other cannot' in finding.claim
    assert "About 120 items" in finding.action
    equal = only("A502", systems=(*(replace(row, score=50.0) for row in rows[:2]), make_rank("d", 1, 3, score=40.0)))
    assert equal.claim.endswith(
        '3 of 3 systems may be first: "a" and 1 other have the same best score, and 1 system cannot be distinguished '
        "from them with all pairs of systems compared at once."
    )
    assert outcomes("A502", systems=ranked(("a", 1), ("b", 2), ("c", 3))) == []
    apart = rows + ranked(("a", 1), ("b", 1), ("c", 3), benchmark="y")
    assert [finding.subject for finding in raised("A502", systems=apart)] == ["all", "y"]


ITEMS = DISCRIMINATION.items[0]


def test_uninformative_items():
    items = (replace(ITEMS, n_items=1000, n_all_right=400, n_all_wrong=100),)
    assert only("A503", items=items, n_systems=8).value == 0.5
    assert not_checked("A503", items=items, n_systems=3)


def test_items_with_negative_discrimination():
    negative = NegativeItems(ItemCount(3, 400, ("x",)), 20, {})
    assert only("A504", negative=negative).severity == "note"

    def with_labels(**counts):
        return replace(negative, items=ItemCount(12, 400), labels=counts)

    assert "hard items" not in only("A504", negative=with_labels(no=6, yes=6)).action
    assert "hard items" in only("A504", negative=with_labels(no=1, yes=11)).action
    few = replace(negative, items=ItemCount(0, 400), n_systems=4)
    assert "Cannot tell" in only("A504", negative=few).claim
    assert outcomes("A504", negative=replace(negative, items=ItemCount(0, 400))) == []


def agreeing(*values):
    return tuple(SystemAgreement(f"s{n}", Interval(k, k - 0.1, k + 0.1), 300) for n, k in enumerate(values))


def test_reversed_systems():
    assert only("A505", agreement=agreeing(0.5, 0.6, -0.5)).subject == "s2"
    assert only("A505", agreement=agreeing(-0.5, -0.6, 0.1)).severity == "error"
    assert outcomes("A505", agreement=agreeing(0.5, 0.0)) == []


def test_unreliable_scores():
    assert (
        only("A506", items=(replace(ITEMS, reliability=Interval(0.2, 0.0, 0.4)),), n_systems=30).severity == "warning"
    )
    assert outcomes("A506", items=(ITEMS,), n_systems=30) == []


def test_the_smallest_detectable_difference():
    claim = only("A507", difference=SmallestDifference(0.07, 0.02, 444)).claim
    assert claim == (
        "The first two systems must differ by 7.0 points to be distinguished on the 444 items that both answered (80% "
        "power). They are "
        "2.0 points apart."
    )
    alone = only("A507", difference=SmallestDifference(0.07, math.nan, 444)).claim
    assert alone.startswith("Two systems like this one, with unrelated errors, must differ by 7.0 points")
    assert not_checked("A507", difference=None)


def test_saturation():
    full = replace(ROW, headroom=0.5, n_within_one=4)
    assert only("A508", datasets=(full,)).severity == "warning"
    assert "99.5 of 100, and 3 others" in only("A508", datasets=(full,)).claim
    assert outcomes("A508", datasets=(replace(full, n_within_one=1),)) == []


def test_gold_labels_that_systems_contradict():
    assert only("A509", suspects=suspects(10, 0.02)).severity == "warning"
    assert outcomes("A509", suspects=suspects(0, 0.0)) == []
    assert not_checked("A509", suspects=None)


def test_one_number_of_bad_items_is_reported():
    """Of the judgements by all evidence and by the answers of systems, the one of more items counts."""

    def judge(n_by_all, n_by_answers):
        information = change(DEFAULTS["information"], suspects=suspects(40, 0.03, n=n_by_all))
        discrimination = change(DEFAULTS["discrimination"], suspects=suspects(30, 0.05, n=n_by_answers))
        measured = Measurements(DATA, {"information": information, "discrimination": discrimination})
        outcomes = [*FINDINGS["A108"].run(measured), *FINDINGS["A509"].run(measured)]
        row = build_overview(measured, [row for row in outcomes if isinstance(row, Finding)]).find_row("labels")
        return [type(outcome) for outcome in outcomes], row.text.partition(" items")[0]

    assert judge(1000, 1000) == ([Finding, NotChecked], "4.0% of 1,000")
    assert judge(1000, 400) == ([Finding, NotChecked], "4.0% of 1,000")
    assert judge(400, 1000) == ([NotChecked, Finding], "6.0% of 1,000")


def test_a_forecast_out_of_range():
    finding = only("A601", out_of_range=True, outside=("length",))
    assert "resembles this one in 1 of its features" in finding.claim
    assert finding.evidence["features outside the range"] == "length"
    assert "in all features taken together" in only("A601", out_of_range=True, outside=()).claim
    assert outcomes("A601") == []


def test_a_low_forecast():
    low = Interval(1.0, 0.5, 2.0, 0.8)
    assert only("A602", lambda_var=low).severity == "note"
    assert outcomes("A602", lambda_var=replace(low, high=4.0)) == []
    assert not_checked("A602", lambda_var=low, out_of_range=True)
    assert not_checked("A602", lambda_var=low, discrimination=DISCRIMINATION)  # a measurement is better


@pytest.mark.parametrize("code", FINDINGS)
def test_a_rule_whose_section_was_not_measured_is_not_checked(code):
    (outcome,) = FINDINGS[code].run(Measurements(DATA))
    assert isinstance(outcome, NotChecked)
    assert outcome.reason


def baseline(shortcut, low, value=0.5):
    return (ScoredBaseline("b", "accuracy", value, "train", low, 0.7, 100, shortcut),)


@pytest.mark.parametrize(("code", "shortcut"), [("A410", "answers alone"), ("A412", "length")])
def test_trivial_baselines_above_chance(code, shortcut):
    assert code in ("A410", "A412")
    assert only(code, baselines=baseline(shortcut, 0.3)).severity == "warning"
    assert only(code, baselines=baseline(shortcut, 0.46)).severity == "error"
    assert outcomes(code, baselines=baseline(shortcut, 0.27)) == []
    assert "too few items" in not_checked(code, baselines=baseline("overlap", 0.5))
    assert "several answers to choose from" in not_checked(code, baselines=baseline("overlap", 0.5), chance=math.nan)
    assert "blind guess" in not_checked(code, baselines=baseline(shortcut, 0.5), chance=math.nan)


def positions(*counts):
    named = dict(zip("ABCD", counts, strict=True))
    return (Distribution("position of the key", named, dict.fromkeys("ABCD", sum(counts) / 4)),)


def test_positions_that_give_the_key_away():
    assert only("A411", distributions=positions(0, 0, 100, 0)).severity == "error"
    finding = only("A411", distributions=positions(150, 100, 100, 50))
    assert (finding.severity, finding.value, finding.stake) == ("warning", 0.375, 0.125)
    assert outcomes("A411", distributions=positions(110, 100, 95, 95)) == []
    assert outcomes("A411", distributions=positions(4, 1, 1, 2)) == []  # too few to tell
    assert "no positions" in not_checked("A411", distributions=())


def test_defective_items():
    def defect(count, *, serious=True):
        return (Defect("x", "have two equal options", "Replace one.", ItemCount(count, 100, ("a",)), serious),)

    assert only("A413", defects=defect(10)).severity == "error"
    assert only("A413", defects=defect(2)).severity == "warning"
    assert only("A413", defects=defect(50, serious=False)).severity == "note"
    assert only("A413", defects=defect(1)).claim == "1 question of 100 (1.0%) has two equal options."
    assert outcomes("A413", defects=()) == []


def test_copied_texts_across_parts():
    def copies(count):
        return (TextOverlap("context", "test", "train", ItemCount(count, 200, ("a",))),)

    assert only("A414", overlaps=copies(10)).severity == "warning"
    assert only("A414", overlaps=copies(1)).severity == "note"
    assert outcomes("A414", overlaps=copies(0)) == []
    assert "no parts" in not_checked("A414", overlaps=())


def test_entities_known_from_training():
    def unseen(share):
        return (Figure("tokens", 100), Figure("unseen entities in test", share, is_share=True))

    assert only("A417", figures=unseen(0.1)).severity == "warning"
    assert only("A417", figures=unseen(0.4)).severity == "note"
    assert outcomes("A417", figures=unseen(0.6)) == []
    assert "no entities" in not_checked("A417", figures=unseen(float("nan")))
    assert "no entities" in not_checked("A417", figures=())


def change_score(model: str, **changes):
    """Return the example's scores with one changed."""
    return tuple(replace(row, **changes) if row.model == model else row for row in MODEL.scores)


def test_harder_splits_that_cost_the_quick_model_points():
    assert outcomes("A207") == []
    costly = replace(MODEL.stress[1], score=0.4, drop=0.2, standard_error=0.02)
    finding = only("A207", stress=(MODEL.stress[0], costly))
    assert (finding.severity, finding.value, finding.subject) == ("warning", 0.2, "new subjects")
    assert "0.600 under random folds and 0.400 under the new subjects split" in finding.claim
    assert "No model" in not_checked("A207", stress=())
    weak = change_score("question-and-options", low=0.26)
    assert "too little signal" in not_checked("A207", stress=(costly,), scores=weak)


def test_models_of_a_shortcut():
    assert outcomes("A415") == []
    part = only("A415", scores=change_score("style", value=0.36, low=0.31, high=0.4))
    assert (part.severity, part.subject, math.isnan(part.stake)) == ("note", "style", True)
    most = only("A415", scores=change_score("style", value=0.5, low=0.45, high=0.55))
    assert most.severity == "warning"
    assert "a blind guess scores 0.250, and the model that sees everything 0.600" in most.claim
    assert "no model of a shortcut" in not_checked("A415", scores=MODEL.scores[:2])


def test_a_question_that_adds_nothing():
    assert outcomes("A416") == []
    blind = change_score("choices-only", value=0.58, low=0.5, high=0.66)
    idle = (replace(MODEL.gains[0], value=0.0, low=-0.01, high=0.01),)
    assert only("A416", scores=blind, gains=idle).severity == "note"
    assert outcomes("A416", scores=blind) == []  # the question adds 30 points
    assert outcomes("A416", gains=idle) == []  # and without it there is nothing to learn
    other = (QuickGain("question-and-options", "style", "style", "accuracy", 0.3, 0.2, 0.4, 40),)
    assert "answers alone" in not_checked("A416", gains=other)


def test_a_judge_below_the_constant_verdict_is_an_error_and_one_next_to_it_a_warning():
    assert raised("A701") == []
    worse = replace(JUDGE, right=Interval(0.3, 0.25, 0.36))
    finding = only("A701", judges=(worse,))
    assert finding.severity == "error"
    assert "30%" in finding.claim
    assert "55%" in finding.claim
    beside = replace(JUDGE, right=Interval(0.6, 0.54, 0.66))
    assert only("A701", judges=(beside,)).severity == "warning"
    assert not_checked("A701", constant_verdict=None) == "There are no gold verdicts."
    many = raised("A701", judges=tuple(replace(worse, judge=f"judge {n}") for n in range(9)))
    said = [finding.claim.endswith(" 9 of 9 judges are not better than that beyond chance.") for finding in many]
    assert said == [True] + [False] * 4


def test_few_bad_judges_of_many_are_not_an_error():
    """What one of three judges does wrong is no reason to distrust all scores."""
    worse = replace(JUDGE, right=Interval(0.3, 0.25, 0.36), judge="worse")
    fine = [replace(JUDGE, judge=f"fine {n}") for n in range(2)]
    assert only("A701", judges=(worse, *fine)).severity == "warning"
    changing = replace(JUDGE, position_flips=Interval(0.5, 0.4, 0.6), judge="changing")
    assert only("A702", judges=(changing, *fine)).severity == "warning"


def test_verdicts_that_change_with_the_order():
    assert raised("A702") == []
    changing = replace(JUDGE, position_flips=Interval(0.2, 0.15, 0.27))
    assert only("A702", judges=(changing,)).severity == "warning"
    serious = replace(JUDGE, position_flips=Interval(0.5, 0.4, 0.6))
    assert only("A702", judges=(serious,)).severity == "error"
    assert "both orders" in not_checked("A702", judges=(replace(JUDGE, n_both_orders=0),))


def test_a_preferred_position_over_both_orders():
    assert raised("A703") == []
    first = replace(JUDGE, first_wins=Interval(0.7, 0.62, 0.77))
    assert "shown first" in only("A703", judges=(first,)).claim
    second = replace(JUDGE, first_wins=Interval(0.3, 0.23, 0.38))
    assert "shown second" in only("A703", judges=(second,)).claim
    assert not_checked("A703", judges=(replace(JUDGE, n_both_orders=0),))


def test_longer_answers_that_win_more_often_than_they_should():
    assert raised("A704") == []
    longer = replace(JUDGE, longer_wins=Interval(0.8, 0.74, 0.85))
    assert only("A704", judges=(longer,)).severity == "warning"
    assert only("A704", judges=(replace(longer, longer_gold_share=math.nan),)).severity == "note"
    assert not_checked("A704", judges=(replace(JUDGE, longer_wins=Interval(math.nan, math.nan, math.nan)),))


def test_a_constant_answer_that_scores_like_the_median_system():
    assert raised("A705") == []
    systems = (*JUDGES.systems[:2], replace(JUDGES.systems[2], mean=Interval(0.75, 0.7, 0.8)))
    finding = only("A705", systems=systems)
    assert finding.severity == "error"
    assert "the median of the others is " in finding.claim
    assert not_checked("A705", systems=JUDGES.systems[:2])


def test_judges_that_disagree():
    assert raised("A706") == []
    assert only("A706", alpha=Interval(0.3, 0.2, 0.4)).value == 0.3
    assert not_checked("A706", judges=(JUDGE,))


def test_a_judge_that_prefers_its_own_family():
    assert raised("A707") == []
    own = replace(JUDGE, own_family_wins=Interval(0.8, 0.7, 0.88))
    assert "50%" in only("A707", judges=(own,)).claim
    assert not_checked("A707", judges=(replace(JUDGE, own_family_others=math.nan),))


def test_systems_that_cannot_be_rated():
    assert raised("A721") == []
    nothing = (math.nan, math.nan, math.nan, None, None, None)
    missing = replace(
        VOTES.ratings[0], **dict(zip("rating low high rank rank_low rank_high".split(), nothing, strict=True))
    )
    missing = replace(missing, system="sysC", reason="never met the systems that are rated")
    components = (("sysA", "sysB"), ("sysC",))
    finding = only("A721", ratings=(*VOTES.ratings, missing), components=components, n_systems=3)
    assert '"sysC"' in finding.claim
    assert "never met" in finding.claim


def test_a_first_place_that_votes_do_not_decide():
    assert raised("A722") == []
    shared = tuple(replace(row, rank_low=1) for row in VOTES.ratings)
    assert only("A722", ratings=shared).value == 2
    assert not_checked("A722", ratings=VOTES.ratings[:1])


def test_a_first_place_that_depends_on_the_prompts():
    assert raised("A723") == []
    assert "60%" in only("A723", stability=replace(VOTES.stability, first_share=0.6)).claim
    assert not_checked("A723", stability=None)


def test_a_dataset_that_ranks_systems_differently():
    assert raised("A521") == []
    measures = LEADERBOARD.measures[0]
    deviating = replace(measures.agreement[3], tau=Interval(0.05, -0.1, 0.2))
    finding = only("A521", measures=(replace(measures, agreement=(*measures.agreement[:3], deviating)),))
    assert '"CoLA" (rank correlation 0.05)' in finding.claim
    assert finding.value == 1
    assert "At least 4 datasets" in not_checked("A521", measures=(replace(measures, agreement=measures.agreement[:3]),))


def contaminated(n_items, n_answers=0):
    return (ContaminatedPart("test", ItemCount(n_items, 200, ("a",)), ItemCount(n_answers, 200, ("a",))),)


def test_items_in_the_training_corpus():
    severities = [only("A801", parts=contaminated(n)).severity for n in (1, 2, 10)]
    assert severities == ["note", "warning", "error"]
    finding = only("A801", parts=contaminated(10))
    assert (finding.value, finding.stake, finding.subject) == (0.05, 0.05, "test")
    assert finding.claim.startswith("10 items of 200 in test (5.0%) are in the training corpus")
    assert "paraphrases" in finding.action
    assert outcomes("A801", parts=contaminated(0)) == []
    assert "too short" in not_checked("A801", parts=())


def test_answers_in_the_training_corpus():
    assert outcomes("A802", parts=contaminated(10)) == []
    assert only("A802", parts=contaminated(10, 4)).value == 0.02
    assert "too short" in not_checked("A802", parts=())


def test_first_place_of_a_long_leaderboard_counts_all_systems():
    rows = tuple(make_rank(f"s{number}", 1, 9) for number in range(300))
    claim = only("A502", systems=rows, n_systems=5000).claim
    assert claim.startswith("300 of 300 systems that could be ranked (5,000 were given) may be first: ")


def test_two_systems_with_the_same_outcomes_need_no_difference():
    reason = "the first two systems differ by the same amount on every item"
    smallest = SmallestDifference(math.nan, 0.0, 10, reason=reason)
    assert "same amount on every item" in not_checked("A507", difference=smallest)
