"""Laws that every metric obeys, and what a new metric needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
import pytest

from assay.evaluation import METRICS, Predictions, ScoringSettings, evaluate, prepare_predictions
from assay.evaluation.metrics import FORMS, AnswerForm, ItemMetric, Metric, Numbers, divide, stack_columns

N_ITEMS = 60


def simulate(metric):
    """Return predictions of two systems, of which the second left out five items, with all that a metric may need."""
    generator = np.random.default_rng(3)
    names = {form.__name__ for form in metric.needs}
    groups = [f"q{row // 6}" for row in range(N_ITEMS)]
    if "ItemScores" in names:
        scores = generator.random((2, N_ITEMS))
        scores[1, :5] = np.nan
        return Predictions.from_arrays(None, {"x": scores[0], "y": scores[1]}, groups=groups)
    gold = generator.choice(["0", "1", "2"], size=N_ITEMS)
    if "Numbers" in names:
        gold = np.round(generator.normal(size=N_ITEMS), 2).astype(str)
    systems = {name: np.where(generator.random(N_ITEMS) < 0.7, gold, gold[::-1]).astype(object) for name in "xy"}
    systems["y"][:5] = None
    shares = generator.dirichlet([1, 1, 1], size=(2, N_ITEMS))
    probabilities = {name: {label: shares[row, :, int(label)] for label in "012"} for row, name in enumerate("xy")}
    ranking_scores = {name: generator.random(N_ITEMS) for name in "xy"}
    return Predictions.from_arrays(
        gold, systems, groups=groups, ranking_scores=ranking_scores, probabilities=probabilities
    )


@pytest.fixture(params=list(METRICS))
def metric(request):
    return METRICS[request.param]


@pytest.fixture
def prepared(metric):
    graded = "Numbers" in {form.__name__ for form in metric.needs}
    return prepare_predictions(simulate(metric), ScoringSettings(positive=None if graded else "1"))


def test_it_knows_its_name_and_describes_itself_in_one_sentence(metric):
    assert METRICS[metric.name] is metric
    assert metric.__doc__.partition("\n")[0].endswith(".")


def test_the_value_follows_from_sums_of_statistics(metric, prepared):
    table = prepared.collect_statistics(metric)["x"]
    assert table.shape[0] == N_ITEMS
    half = table[::2].sum(axis=0, dtype=float) + table[1::2].sum(axis=0, dtype=float)
    value = float(metric.compute_value(half))
    assert value == pytest.approx(prepared.compute_scores(metric)["x"].value)
    several = metric.compute_value(np.stack([half, 2 * half, np.zeros_like(half)]))
    assert several.tolist() == pytest.approx([value, value, math.nan], nan_ok=True)


def test_items_that_do_not_count_bring_nothing(metric, prepared):
    table = prepared.collect_statistics(metric)["y"]
    assert not table[~prepared.count_items(metric)["y"].present].any()
    present = np.flatnonzero(prepared.count_items(metric)["y"].present)
    alone = prepared.select(["y"]).take(present)
    assert prepared.compute_scores(metric)["y"].value == pytest.approx(alone.compute_scores(metric)["y"].value)


def test_the_order_of_items_does_not_matter(metric, prepared):
    order = np.random.default_rng(5).permutation(N_ITEMS)
    scores, shuffled = prepared.compute_scores(metric), prepared.take(order).compute_scores(metric)
    for name, score in scores.items():
        assert shuffled[name].value == pytest.approx(score.value)
        assert shuffled[name].n == score.n


@pytest.mark.parametrize("interval", ["auto", "percentile"])
def test_the_interval_contains_the_value(metric, interval):
    settings = ScoringSettings(positive=None if "Numbers" in {f.__name__ for f in metric.needs} else "1")
    prepared = prepare_predictions(simulate(metric), settings)
    score = prepared.compute_scores(metric)["x"]
    assert score.low <= score.value <= score.high


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("log-loss", "no probabilities (columns prob:<label>)"),
        ("map", "no ranking scores (a column score, or a second file of item scores)"),
        ("spearman", "labels or predictions are not numbers"),
        ("mean-score", "no item scores"),
    ],
)
def test_what_cannot_be_computed_is_nan_with_a_reason(score, name, reason):
    lacking = score(name, ["a", "b"], ["a", "a"], positive="a")
    assert math.isnan(lacking.value)
    assert lacking.reason == reason


@pytest.fixture
def registries():
    """Forget the metrics and forms that a test registers."""
    metrics, forms = dict(METRICS._methods), dict(FORMS._methods)
    yield
    METRICS._methods, FORMS._methods = metrics, forms


@pytest.mark.usefixtures("registries")
def test_a_metric_of_item_scores_is_one_class():
    @METRICS.add("absolute-error")
    class MeanAbsoluteError(ItemMetric):
        """The mean absolute error of grades."""

        needs = (Numbers,)
        bounds = None
        lower_is_better = True

        def score_items(self, items):
            return np.abs(items[Numbers].gold - items[Numbers].predicted)

    rows = {"text": ["u", "v", "w"], "label": [0.5, 1.5, 2.5]}
    systems = {"near": [0.5, 1.0, 2.5], "far": [2.5, 2.5, 2.5]}
    result = evaluate(rows, systems, metrics="absolute-error")
    assert [(system.system, system.value, system.rank) for system in result.systems] == [
        ("near", 0.5 / 3, 1),
        ("far", 1.0, 2),
    ]
    assert result.comparisons[0].difference == pytest.approx(0.5 / 3 - 1)


@pytest.mark.usefixtures("registries")
def test_a_new_form_of_answers_is_one_class_and_serves_metrics_of_both_kinds():
    @FORMS.add("texts")
    @dataclass(frozen=True)
    class Texts(AnswerForm):
        missing: ClassVar[str] = "no references"
        answers: np.ndarray
        references: np.ndarray

        @classmethod
        def build(cls, task, answers):
            data = task.predictions.data
            if answers.predicted is None or data is None or "references" not in data.frame.columns:
                return None
            return cls(answers.predicted, data.column("references").to_numpy())

    @METRICS.add("exact-match")
    class ExactMatch(ItemMetric):
        """The share of answers that are one of the references."""

        needs = (Texts,)
        is_share = True

        def score_items(self, items):
            pairs = zip(items[Texts].answers, items[Texts].references, strict=True)
            return np.array([answer in references.split("|") for answer, references in pairs])

    @METRICS.add("length-ratio")
    class LengthRatio(Metric):
        """The length of all answers as a share of that of all references."""

        needs = (Texts,)
        bounds = None

        def collect_statistics(self, items):
            texts = items[Texts]
            return stack_columns(items, [len(text) for text in texts.answers], [len(text) for text in texts.references])

        def compute_value(self, sums):
            return divide(sums[..., 0], sums[..., 1])

    rows = {"text": ["u", "v", "w"], "label": ["x", "y", "z"], "references": ["one|two", "three", "four"]}
    result = evaluate(rows, {"s": ["two", "three", "five"]}, metrics=["exact-match", "length-ratio"], by="label")
    metrics = result.systems[0].metrics
    assert (metrics["exact-match"].value, metrics["exact-match"].method) == (pytest.approx(2 / 3), "wilson")
    assert metrics["length-ratio"].value == pytest.approx(12 / 16)
    assert [row.value for row in result.by.columns["label"] if row.metric == "exact-match"] == [1.0, 1.0, 0.0]
    lacking = evaluate({"text": ["u", "v"], "label": ["x", "y"]}, {"s": ["x", "y"]}, metrics="exact-match")
    assert lacking.systems[0].metrics["exact-match"].reason == "no references"


@pytest.mark.usefixtures("registries")
def test_a_metric_without_needs_or_docstring_is_refused():
    with pytest.raises(TypeError, match="must be a Metric with `needs` and a docstring"):

        @METRICS.add("nothing")
        class Nothing(ItemMetric):
            needs = (Numbers,)

            def score_items(self, items):
                return items.present

    with pytest.raises(TypeError, match="abstract"):

        @METRICS.add("unfinished")
        class Unfinished(ItemMetric):
            """Half a metric."""

            needs = (Numbers,)


def test_every_form_says_what_is_missing_and_has_arrays_or_one_value_for_all_items():
    for form in FORMS.values():
        assert form.missing
        assert fields(form)
