"""An audit written by hand, with something for every chart and table, for tests of reports and comparisons."""

from __future__ import annotations

import math
from dataclasses import replace

import polars as pl

from assay.audits.items import build_item_table
from assay.audits.result import Audit, AuditSettings, Section
from assay.audits.run import assemble
from assay.checks.difficulty.results import DifficultyEvidence
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.information.results import InformationEvidence
from assay.checks.leaderboard.results import LeaderboardEvidence
from assay.checks.measured import DataSummary, PartSize
from assay.checks.profile.results import ProfileEvidence
from assay.checks.splits.results import SplitsEvidence
from assay.checks.task.results import TaskEvidence
from assay.contamination import ContaminatedPart, Contamination, ContaminationHit, CorpusSource
from assay.difficulty import PairDifficulty
from assay.difficulty.distributions import DifficultyDistribution
from assay.difficulty.pairs.cases import PartCases
from assay.difficulty.systems.scoring import CaseAccuracy
from assay.discrimination import (
    CostFront,
    DatasetAgreement,
    DatasetDiscrimination,
    ItemSaturation,
    ItemSummary,
    LeaderboardMeasures,
    MatrixRank,
    SystemCost,
    SystemRank,
)
from assay.discrimination.items.failures import OutcomeCell, SharedFailures
from assay.discrimination.items.gold import NegativeItems, SystemAgreement
from assay.evaluation import Comparison, ScoredBaseline, SmallestDifference
from assay.features import LabelDrift, LabelShift, LengthDrift, Profile
from assay.features.dataset_features import DatasetFeatures
from assay.features.profiling.duplicates import Duplicates
from assay.features.profiling.label_words import LabelWord, WordCount
from assay.features.profiling.lengths import LengthSummary
from assay.features.profiling.odd_texts import OddTexts
from assay.features.profiling.overlaps import Overlap, TextOverlap
from assay.features.profiling.part_labels import PartLabelCount
from assay.features.profiling.profiles import LabelCount
from assay.forecast import Driver, Forecast
from assay.information import ControlModel, Cue, CueGroup, Information, ShortcutBaseline, ShortcutModel, WordCue
from assay.information.cues.effects import CueEffect
from assay.information.results import FullModel
from assay.judges import ConstantVerdict, CorrectedScore, Judge, JudgeAudit, JudgedSystem, JudgePair
from assay.kinds import Distribution, Figure, KindProfile, read
from assay.kinds.facts import Defect
from assay.models.cross_validation import SplitScore
from assay.models.quick.results import QuickGain, QuickScore, QuickStress, QuickStudy
from assay.models.split_studies.held_out import FoldAccuracy, FoldLabel, FoldWord, GivenSplitScore, PeriodScore
from assay.models.stress import SplitStress
from assay.responses import ResponseAudit
from assay.responses.results import CandidateTask, RankChange, RankSwap, SubjectLosses, SystemLosses
from assay.splits import SplitComparison
from assay.splits.comparison.divergence import Divergence
from assay.splits.comparison.part_summary import PartSummary
from assay.splits.comparison.projection import Projection
from assay.statistics import Interval, wilson
from assay.suspects import LabelEvidence, Suspects
from assay.views.values import Bin, ItemCount
from assay.votes import Rating, SystemStability, VoteRatings, VoteStability

LABELS = ("yes", "no")
PARTS = (PartSize("train", 30), PartSize("test", 10))


PROFILE = ProfileEvidence(
    data=Profile(
        n_items=40,
        task="classification",
        parts={"train": 30, "test": 10},
        labels={"yes": LabelCount(24, 0.6), "no": LabelCount(16, 0.4)},
        n_unlabelled=0,
        label_entropy=0.673,
        length=LengthSummary(12.0, 3.0, 5.0, 9.0, 11.0, 14.0, 20.0, 40),
        length_by_label={},
        top_words=(WordCount("the", 60), WordCount("secretive", 9)),
        top_words_by_label={},
        label_words={
            "yes": (LabelWord("secretive", "yes", 4.5, 0.001, 0.5, 9, 8),),
            "no": (LabelWord("not", "no", 5.0, 0.001, 0.6, 12, 11),),
        },
        duplicates=Duplicates(3, 0, 2, 0, {}, {}),
        odd_texts=OddTexts({}, {}),
        features=DatasetFeatures(
            train={"average_length": 12.0, "perplexity": math.nan},
            test={"average_length": 10.0},
            reasons={"perplexity": "not requested"},
        ),
    ),
    label_counts=tuple(
        PartLabelCount(label, part, n)
        for label, part, n in (("yes", "train", 18), ("yes", "test", 6), ("no", "train", 12), ("no", "test", 4))
    ),
    length_histogram=tuple(Bin(label, 5.0 * n, 5.0 * n + 5, 6 + n) for label in LABELS for n in range(3)),
    copies=ItemCount(1, 40, ("item-9",)),
    conflicts=ItemCount(0, 40),
    overlaps=(
        Overlap("test", "train", "exact", ItemCount(2, 10, ("item-1", "item-2"))),
        Overlap("test", "train", "near", ItemCount(0, 10)),
    ),
    group_overlaps=(),
    side_overlaps=(),
)


def summarise_part(n: int, words: list[str]) -> PartSummary:
    return PartSummary(n, n / 40, {}, 0, 12.0, 11.0, 3, 30, 50, math.nan, words)


def compare_example(values: dict[str, Divergence], n_points: int = 0) -> SplitComparison:
    """Return a comparison of train and test with these divergences, and with so many points on the plane."""
    points = range(n_points)
    plane = Projection(
        tuple(f"item-{n}" for n in points),
        tuple(n / 10 for n in points),
        tuple((n * 7 % 10) / 10 for n in points),
        tuple("train" if n % 3 else "test" for n in points),
    )
    parts = {"train": summarise_part(30, ["secretive"]), "test": summarise_part(10, [])}
    return SplitComparison(values, math.nan, math.nan, None, parts, 40, 0, 1, plane if n_points else None)


def example_divergence(value: float, low: float, high: float, p: float) -> Divergence:
    return Divergence(value, Interval((low + high) / 2, low, high, method="random splits"), p, 100)


SPLITS = SplitsEvidence(
    compared=("train", "test"),
    n_compared=40,
    n_trained=40,
    length_drift=LengthDrift(Interval(0.45, 0.4, 0.5), 0.2, 12.0, 10.0, 30, 10),
    label_drift=LabelDrift(0.02, 0.8, 30, 10, LabelShift("yes", 0.6, 0.62)),
    grade_drift=None,
    comparisons={
        "given": compare_example(
            {"jsd": example_divergence(0.3, 0.1, 0.2, 0.01), "a_distance": example_divergence(0.1, -0.2, 0.3, 0.4)}, 20
        ),
        "random": compare_example({"jsd": example_divergence(0.15, 0.1, 0.2, 0.3)}),
    },
    given=GivenSplitScore(Interval(0.5, 0.3, 0.7), Interval(0.55, 0.4, 0.7), 10),
    scores=(
        SplitScore("random", "linear", wilson(32, 40), 40),
        SplitScore("sds-k-means", "linear", wilson(7, 10), 10),
        SplitScore("length", "linear", wilson(7.5, 10), 10),
    ),
    stress=(SplitStress("sds-k-means", "linear", 5, 40, 0.7, 0.8, 0.4, 0.6, 0.25, 0.5, 0.1, 0.02, 4),),
    signal=Interval(0.6, 0.5, 0.7),
    side_scores=(),
    fold_scores=(
        *(FoldAccuracy("random", "linear", n, 0.7 + n / 20) for n in range(1, 4)),
        FoldAccuracy("length", "linear", 1, 0.75),
    ),
    fold_labels=tuple(FoldLabel("random", fold, label, 5 + fold) for fold in (1, 2) for label in LABELS),
    fold_words=(FoldWord("sds-k-means", "1", "secretive", 4.0),),
    notes=("The temporal split is left out: there are no dates.",),
    periods=tuple(
        PeriodScore(f"2024-0{month}-01", folds, 20, Interval(value, value - 0.1, value + 0.1))
        for folds, values in (("random folds", (0.8, 0.8)), ("earlier items", (0.7, 0.6)))
        for month, value in enumerate(values, start=1)
    ),
)
SPREAD = DifficultyDistribution(0.3, 0.3, 20, 0, {}, (4, 5, 6, 7), (0.0, 0.1, 0.2, 0.3, 0.4))
DIFFICULTY = DifficultyEvidence(
    PairDifficulty(
        obvious_share=Interval(0.55, 0.4, 0.7),
        counts={"Po": 14, "Pn": 10, "No": 8, "Nn": 8},
        measure="jensen-shannon",
        tokenizer="words",
        threshold="dataset",
        median=0.3,
        positive="yes",
        n_items=40,
        n_undefined=0,
        by_part={"test": PartCases(Interval(0.6, 0.3, 0.8), {"Po": 4, "Pn": 2, "No": 2, "Nn": 2}, 0.3, 0.3)},
        one_vs_rest={},
        distribution=SPREAD,
        distribution_by_label=dict.fromkeys(LABELS, SPREAD),
        distribution_by_part={},
        agreement=None,
        annotation_time=None,
        notes=(),
    ),
    systems=(
        CaseAccuracy("bert", "obvious", Interval(0.9, 0.8, 0.95), 22),
        CaseAccuracy("bert", "non-obvious", Interval(0.6, 0.4, 0.8), 18),
        CaseAccuracy("bow", "obvious", Interval(0.8, 0.6, 0.9), 22),
        CaseAccuracy("bow", "non-obvious", Interval(0.4, 0.2, 0.6), 18),
    ),
)
EFFECT = CueEffect(0.7, 0.6, 0.75, Interval(0.1, 0.05, 0.15), Interval(0.67, 0.4, 0.9), 40)
NOT = Cue("not", "word in text", "no", 0.03, 1e-8, 0.673, 0.2, 334)
SECRETIVE = Cue("secretive", "word in text", "yes", 0.02, 1e-6, 0.95, 0.1, 120)


def make_suspects(count, n, expected, precision, source) -> Suspects:
    """Return suspects as an audit keeps them."""
    evidence = [LabelEvidence(source, n, count, "")]
    return Suspects(expected, n, n, [], evidence, [], [], ItemCount(count, n, ("item-4",)[:count]), precision)


INFORMATION = InformationEvidence(
    shortcuts=Information(
        entropy=0.673,
        full=FullModel("linear", 0.2, 0.8, 1.0, 0.02),
        control=[
            ControlModel("P", Interval(0.5, 0.4, 0.6), 0.66, 0.6, "mlp-30", 10),
            ControlModel("P+S", Interval(0.4, 0.3, 0.5), 0.6, 0.65, "mlp-30", 10),
        ],
        contributions=None,
        baselines=[
            ShortcutBaseline("majority", Interval(0.6, 0.4, 0.8), 10),
            ShortcutBaseline("length", Interval(0.65, 0.4, 0.8), 10),
        ],
        cues=[NOT, SECRETIVE],
        shortcut_model=ShortcutModel(0.1, 0.7, Interval(0.1, 0.05, 0.2)),
        n_items=10,
        n_labels=2,
        cross_fitted=False,
        notes=[],
    ),
    word_cues=(
        WordCue(NOT, Interval(0.673, 0.62, 0.72), 0.4, 0.4, suspicious=True, word_kind="function word", place="b"),
        WordCue(SECRETIVE, Interval(0.95, 0.9, 0.98), 0.6, 0.6, suspicious=False),
    ),
    function_words=CueGroup(("not",), ("b",), EFFECT),
    quick_accuracy=0.8,
    median_length=12.0,
    n_searched=40,
    suspects=make_suspects(1, 40, Interval(1.5, 0.5, 4.0), 0.7, "text models"),
    agreement=Interval(0.6, 0.5, 0.7),
    n_trained=40,
)


def with_results(measured, **results):
    """Return what an audit measured with other results of some checks."""
    return replace(measured, results={**measured.results, **results})


def make_rank(system, rank_low, rank_high, tie_group=1, score=50.0, benchmark="all"):
    """Return a system with the ranks that it may have."""
    return SystemRank(
        benchmark=benchmark,
        system=system,
        score=score,
        rank=rank_low,
        rank_low=rank_low,
        rank_high=rank_high,
        tie_group=tie_group,
        first_band=tie_group,
        last_band=tie_group,
        p_best=math.nan,
        standard_error=math.nan,
    )


def make_comparison(first, second, difference, low, high, p):
    """Return the comparison of two systems by accuracy."""
    return Comparison(
        first=first,
        second=second,
        metric="accuracy",
        difference=Interval(difference, low, high),
        n=10,
        p_permutation=p,
        p_adjusted=p,
        p_bootstrap=p,
        p_mcnemar=p,
        only_first=2,
        only_second=1,
        odds=2.0,
        effect=0.3,
        detectable=0.2,
    )


DISCRIMINATION = DiscriminationEvidence(
    basis="predictions",
    n_systems=3,
    datasets=(
        DatasetDiscrimination(
            benchmark="all",
            dataset="d",
            metric="accuracy",
            n_systems=3,
            n_items=10,
            mean=75.3,
            upper=100.0,
            lambda_var=Interval(4.0, 3.5, 4.5),
            lambda_sva=Interval(120.0, 100.0, 140.0),
            lambda_hit=Interval(0.9, 0.8, 0.95),
            verdict="discriminates",
            verdict_var="above",
            verdict_sva="above",
            verdict_basis="interval",
            reason=None,
            headroom=12.0,
            top_range=20.0,
            compression=math.nan,
            n_within_one=1,
            proposal="keep",
            proposal_reason="discriminates",
        ),
    ),
    systems=(
        make_rank("bert", 1, 1, 1, 88.0),
        make_rank("bow", 2, 3, 2, 70.0),
        make_rank("rules", 2, 3, 2, 68.0),
    ),
    items=(
        ItemSummary(
            benchmark="all",
            dataset="d",
            metric="accuracy",
            n_items=10,
            n_all_right=2,
            n_all_wrong=1,
            n_all_same=0,
            all_right=("item-1", "item-2"),
            all_wrong=("item-3",),
            all_same=(),
            share_dead=0.3,
            mean_difficulty=0.75,
            mean_discrimination=0.3,
            n_backwards=0,
            backwards=(),
            reliability=Interval(0.8, 0.7, 0.9),
            reliability_method="kr-20",
            standard_error_of_measurement=0.05,
            smallest_real_gap=0.14,
            items_needed_first_two=120.0,
            item_response=None,
        ),
    ),
    keep=(),
    correlations=(),
    agreement=(
        SystemAgreement("bert", Interval(0.7, 0.5, 0.9), 10),
        SystemAgreement("bow", Interval(0.4, 0.2, 0.6), 10),
    ),
    negative=NegativeItems(ItemCount(0, 10), 3, {}),
    suspects=make_suspects(0, 10, Interval(0.5, 0.0, 2.0), math.nan, "systems"),
    n_test=10,
    metric="accuracy",
    difference=SmallestDifference(0.2, 0.18, 10),
    comparisons=(
        make_comparison("bert", "bow", 0.18, 0.04, 0.31, 0.02),
        make_comparison("bert", "rules", 0.20, 0.05, 0.33, 0.02),
        make_comparison("bow", "rules", 0.02, -0.09, 0.13, 0.8),
    ),
    failures=(
        SharedFailures("bert", "bow", 0.4, 1, 4),
        SharedFailures("bert", "rules", 0.2, 1, 4),
        SharedFailures("bow", "rules", -0.3, 1, 5),
    ),
    outcome_map=tuple(
        OutcomeCell(system, number, share, 5, 2 * number - 2, 2 * number - 1)
        for system, shares in (("bert", (0.8, 1.0)), ("bow", (0.4, 1.0)), ("rules", (0.4, 0.8)))
        for number, share in enumerate(shares, start=1)
    ),
)
TASK = TaskEvidence(
    title="multiple choice",
    item_noun="question",
    n_items=40,
    metric="accuracy",
    chance=0.25,
    facts=KindProfile(
        (Figure("options per question", 4.0),),
        (
            Distribution("position of the key", {"A": 12, "B": 8, "C": 11, "D": 9}, dict.fromkeys("ABCD", 10.0)),
            Distribution("options per question", {"4": 40}),
        ),
        (Defect("duplicate options", "have two options with the same text", "Replace one.", ItemCount(1, 40)),),
    ),
    baselines=(
        ScoredBaseline("longest-option", "accuracy", 0.3, "the items themselves", 0.2, 0.42, 40, "length"),
        ScoredBaseline("choices-only", "accuracy", 0.28, "5 folds", 0.18, 0.4, 40, "answers alone"),
    ),
    overlaps=(TextOverlap("context", "test", "train", ItemCount(0, 10)),),
)
MODEL = QuickStudy(
    title="multiple choice",
    item_noun="question",
    metric="accuracy",
    chance=0.25,
    n_items=40,
    scores=(
        QuickScore("random", "question-and-options", "question and options", "model", "accuracy", 0.6, 0.5, 0.7, 40),
        QuickScore("random", "choices-only", "options alone", "answers alone", "accuracy", 0.3, 0.2, 0.4, 40),
        QuickScore("random", "style", "style", "style", "accuracy", 0.26, 0.2, 0.32, 40),
        QuickScore("standard", "question-and-options", "question and options", "model", "accuracy", 0.5, 0.3, 0.7, 10),
    ),
    gains=(QuickGain("question-and-options", "choices-only", "options alone", "accuracy", 0.3, 0.2, 0.4, 40),),
    stress=(
        QuickStress("length", "question-and-options", "accuracy", 1, 20, 0.6, 0.6, 0.4, 0.4, 0.0, 0.02, 19),
        QuickStress("new subjects", "question-and-options", "accuracy", 5, 40, 0.55, 0.6, 0.4, 0.46, 0.05, 0.03, 4),
    ),
)
FORECAST = Forecast(
    data="toy",
    lambda_var=Interval(3.5, 1.7, 5.8, 0.8, "conformal"),
    lambda_sva=Interval(140.0, 60.0, 250.0, 0.8, "conformal"),
    out_of_range=False,
    outside=(),
    percentile=60.0,
    percentile_sva=55.0,
    drivers=[Driver("probe.error", 50.0, 2.9357)],
    n_train=30,
    n_test=10,
)
LEADERBOARD = LeaderboardEvidence(
    measures=(
        LeaderboardMeasures(
            "all",
            agreement=tuple(
                DatasetAgreement(name, "accuracy", Interval(0.8, 0.6, 0.9), 0.7, 0.1, 30)
                for name in ("RTE", "MNLI", "SST-2", "CoLA")
            ),
            rank=MatrixRank(Interval(1.5, 1.2, 1.8), Interval(0.8, 0.7, 0.9), 1, (0.8, 0.1, 0.06, 0.04), 30, 4),
            saturation=(
                ItemSaturation(
                    *("toy", "accuracy", "bert", Interval(9.0, 7.0, 11.0), Interval(4.0, 2.0, 6.0), 1.9, 0.01),
                    *(Interval(0.8, 0.7, 0.9), Interval(0.1, 0.05, 0.2), 40, 3),
                ),
            ),
        ),
    ),
    cost=CostFront(
        (
            SystemCost("bow", Interval(80.0, 78.0, 82.0), Interval(0.1, 0.09, 0.11), True, 1.0, "on the front"),
            SystemCost("bert", Interval(91.0, 89.0, 93.0), Interval(2.0, 1.8, 2.2), True, 0.8, "may be on the front"),
            SystemCost(
                *("rules", Interval(60.0, 57.0, 63.0), Interval(3.0, 2.9, 3.1), False, 0.0, "not on the front", "bert"),
            ),
        ),
        *("usd", 40, "items"),
    ),
)

VOTES = VoteRatings(
    ratings=(
        Rating("sysA", 1100.0, 1060.0, 1140.0, 1, 1, 1, 200, 0.7),
        Rating("sysB", 900.0, 860.0, 940.0, 2, 2, 2, 200, 0.3),
    ),
    n_votes=200,
    n_ties=20,
    n_systems=2,
    n_prompts=50,
    sampled="prompts",
    components=(("sysA", "sysB"),),
    stability=VoteStability("prompts", 50, 200, 0.99, 0.99, 0.98, 0, (SystemStability("sysA", 20.0, 0.99),)),
)
JUDGE = Judge(
    *("judge-1", 200, 0.9, 0.8, 0.7, 0.9, Interval(0.9, 0.85, 0.94), 0.8),
    *(100, Interval(0.05, 0.02, 0.09), Interval(0.5, 0.45, 0.55), Interval(0.55, 0.48, 0.62)),
    *(0.54, Interval(0.5, 0.4, 0.6), 0.5),
)
JUDGES = JudgeAudit(
    judges=(JUDGE, replace(JUDGE, judge="judge-2")),
    pairs=(JudgePair("judge-1", "judge-2", 200, 0.9, Interval(0.8, 0.7, 0.9), 0.8),),
    alpha=Interval(0.8, 0.7, 0.9),
    fleiss_kappa=Interval(0.8, 0.7, 0.9),
    systems=(
        JudgedSystem("judge-1", "sysA", 100, Interval(0.6, 0.5, 0.7), is_constant=False),
        JudgedSystem("judge-1", "sysB", 100, Interval(0.4, 0.3, 0.5), is_constant=False),
        JudgedSystem("judge-1", "sysC", 100, Interval(0.1, 0.05, 0.2), is_constant=True),
    ),
    corrected=(CorrectedScore("judge-1", "sysA", 50, 50, 0.6, 0.9, 0.8, 0.57, 0.4, 0.7, "rogan-gladen"),),
    constant_verdict=ConstantVerdict("a", Interval(0.55, 0.45, 0.65), 100),
    kind="pairs",
    reference="gold",
    n_items=100,
    n_verdicts=400,
)
CONTAMINATION = Contamination(
    items=78,
    contaminated=2,
    share=2 / 78,
    low=0.007,
    high=0.089,
    seconds=math.nan,
    parts=(ContaminatedPart("test", ItemCount(2, 40, ("item-1", "item-2")), ItemCount(1, 40, ("item-1",))),),
    n_items=80,
    documents=1200,
    bytes=3_400_000,
    sources=(CorpusSource("web", 1000, 3_000_000, 2), CorpusSource("books", 200, 400_000, 0)),
    hits=(
        ContaminationHit("item-1", 1.0, 1.0, 1.0, "web/a.jsonl", 17),
        ContaminationHit("item-2", 0.8, 0.8, math.nan, "web/b.jsonl", 3),
    ),
    notes=("no answers as text: questions only",),
)
LOSSES = SystemLosses(
    system="model-1",
    n=10,
    graded=Interval(0.5, 0.24, 0.76),
    read=Interval(0.6, 0.31, 0.83),
    complete_only=Interval(0.75, 0.41, 0.93),
    states={"complete": 8, "truncated": 1, "refusal": 1},
    recovered=1,
    contradicted=0,
    invented=0,
    recovered_right=1,
    invented_right=0,
    unsure=0,
)
RESPONSES = ResponseAudit(
    systems=(LOSSES, replace(LOSSES, system="model-2")),
    ranks=(
        RankChange("model-1", 2, 1, Interval(0.1, -0.1, 0.3), 1.0),
        RankChange("model-2", 1, 2, Interval(0.0, -0.1, 0.1), 1.0),
    ),
    swaps=(RankSwap("model-1", "model-2", 10, -0.1, 0.1, 1.0, 1.0),),
    subjects=(SubjectLosses("model-1", "law", 5, Interval(0.4, 0.1, 0.8), Interval(0.6, 0.2, 0.9), 1),),
    agents=(),
    candidates=(CandidateTask("item-3", "nobody solves it", 0, 4),),
    uniform=(),
    n_items=10,
    n_responses=20,
    form="options",
    has_extraction=True,
)
EVIDENCE = {
    "profile": PROFILE,
    "contamination": CONTAMINATION,
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
    "responses": RESPONSES,
}


def change(result, **fields):
    """Replace fields of a result, or of the result inside it that has them."""
    own = {name: value for name, value in fields.items() if name in result.__dataclass_fields__}
    rest = {name: value for name, value in fields.items() if name not in own}
    inner = next((name for name in ("data", "shortcuts", "facts") if name in result.__dataclass_fields__), None)
    if rest and inner is not None:
        own[inner] = replace(getattr(result, inner), **rest)
    return replace(result, **own)


def make_sections(**changed) -> dict[str, Section]:
    """Return all sections as done, with other evidence for some; None leaves a section out."""
    evidence = {**EVIDENCE, **changed}
    return {name: Section(name, "done", None, value) for name, value in evidence.items() if value is not None}


def make_audit(
    *, private: bool = False, name: str = "toy", sections: dict[str, Section] | None = None, text: str = ""
) -> Audit:
    """Return the audit of ten items."""
    ids = [f"item-{n}" for n in range(10)]
    texts = [f"secret text {n} {text}" for n in range(10)]
    data = read({"id": ids, "text": texts, "label": ["yes", "no"] * 5})
    frame = pl.DataFrame(
        {
            "id": ids,
            "leak": ["exact" if n in (1, 2) else None for n in range(10)],
            "copy": [n == 9 for n in range(10)],
            "divergence": [n / 100 for n in range(10)],
            "suggested": ["no" if n in (4, 6) else None for n in range(10)],
            "suspicion": [0.9 if n in (4, 6) else 0.1 for n in range(10)],
            "conflicting": [n == 8 for n in range(10)],
        }
    )
    about = DataSummary(name, 40, data.task, "0123456789abcdef" * 4, PARTS, 2, ("Columns: text, label.",))
    chosen = make_sections() if sections is None else sections
    settings = AuditSettings("0.2.0", 0, True, private, tuple(chosen), ("bert", "bow", "rules"))
    return assemble(chosen, about, settings, build_item_table(data, [frame]), None if private else data.texts)
