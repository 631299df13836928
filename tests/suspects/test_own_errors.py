"""Systems that err each by itself contradict right labels by chance, and that must not count."""

import numpy as np
import pytest

import assay

ERRORS = np.linspace(0.03, 0.35, 12)
TAGS = ("O", "B-x", "B-y")


def draw_classes(rng, gold):
    labels = sorted(set(gold))
    others = {label: [other for other in labels if other != label] for label in labels}
    return {
        f"s{number}": [str(rng.choice(others[label])) if rng.random() < error else label for label in gold]
        for number, error in enumerate(ERRORS)
    }


def draw_sets(rng, gold):
    return {
        f"s{number}": [
            "|".join(label for label in "abcdef" if (label in row) != (rng.random() < error / 3)) or "(none)"
            for row in gold
        ]
        for number, error in enumerate(ERRORS)
    }


def draw_tags(rng, gold):
    def answer(tag, error):
        return TAGS[(TAGS.index(tag) + rng.integers(1, 3)) % 3] if rng.random() < error / 3 else tag

    return {
        f"s{number}": [" ".join(answer(tag, error) for tag in row) for row in gold]
        for number, error in enumerate(ERRORS)
    }


def make_classes(rng, n, share):
    gold = rng.choice(list("abcd"), n).tolist()
    answers = draw_classes(rng, gold)
    wrong = rng.choice(n, round(share * n), replace=False)
    for row in wrong:
        gold[row] = "abcd"[("abcd".index(gold[row]) + 1) % 4]
    return {"text": [f"text {row}" for row in range(n)], "label": gold}, answers, wrong


def make_sets(rng, n, share):
    gold = [sorted(rng.choice(list("abcdef"), rng.integers(1, 4), replace=False).tolist()) for _ in range(n)]
    answers = draw_sets(rng, gold)
    wrong = rng.choice(n, round(share * n), replace=False)
    for row in wrong:
        gold[row] = [label for label in "abcdef" if (label in gold[row]) != (label == "a")] or ["b"]
    return {"text": [f"text {row}" for row in range(n)], "labels": ["|".join(row) for row in gold]}, answers, wrong


def make_tags(rng, n, share):
    gold = [[TAGS[tag] for tag in rng.choice(3, 8, p=[0.8, 0.1, 0.1])] for _ in range(n)]
    answers = draw_tags(rng, gold)
    wrong = rng.choice(n, round(share * n), replace=False)
    for row in wrong:
        gold[row][3] = "O" if gold[row][3] != "O" else "B-x"
    return {"tokens": [[f"w{number}" for number in range(8)] for _ in range(n)], "tags": gold}, answers, wrong


@pytest.mark.parametrize("make", [make_classes, make_sets, make_tags])
@pytest.mark.parametrize("seed", [0, 1])
def test_right_labels_are_not_suspected(make, seed):
    data, answers, _ = make(np.random.default_rng(seed), 600, 0)
    result = assay.find_suspects(data, predictions=answers, text_model=False)
    assert (result.items["suspicion"] > 0.5).sum() <= 1
    assert result.order_only or result.expected_bad.value < 0.02 * 600


@pytest.mark.parametrize("make", [make_classes, make_sets, make_tags])
@pytest.mark.parametrize("seed", [0, 1])
def test_wrong_labels_next_to_chance_errors_are_suspected(make, seed):
    data, answers, wrong = make(np.random.default_rng(seed), 600, 0.03)
    result = assay.find_suspects(data, predictions=answers, text_model=False)
    suspicion = np.empty(600)
    suspicion[result.items["id"].cast(int).to_numpy()] = result.items["suspicion"].to_numpy()
    right = np.delete(suspicion, wrong)
    assert (suspicion[wrong][:, None] > right).mean() > 0.95
    if make is make_sets:  # chance errors of twelve systems on six labels each are as many as wrong labels
        assert result.order_only
        assert (result.suspected.count, np.isnan(result.expected_bad.value)) == (0, True)
    else:
        assert suspicion[wrong].mean() > 5 * right.mean()
        assert right.mean() < 0.08
        assert result.expected_bad.low < len(wrong) < result.expected_bad.high
        named = result.items["id"].head(result.suspected.count).cast(int).to_numpy()
        assert np.isin(named, wrong).mean() >= result.precision


def test_one_system_only_orders_the_items():
    rng = np.random.default_rng(0)
    data, answers, _ = make_classes(rng, 400, 0.03)
    result = assay.find_suspects(data, predictions={"s0": answers["s0"]}, text_model=False)
    assert result.order_only
    assert np.isnan(result.expected_bad.value)
    assert result.items["suspicion"].max() <= 0.21
    assert "Order only" in result.summary


@pytest.mark.parametrize("seed", range(3))
def test_nine_systems_are_enough_for_one_wrong_label_in_twenty(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, 400)
    wrong = rng.permutation(400) < 20
    gold = np.where(wrong, (truth + rng.integers(1, 4, 400)) % 4, truth)
    own = (truth + rng.integers(1, 4, (9, 400))) % 4
    answers = np.array(list("abcd"))[np.where(rng.random((9, 400)) < 0.08, own, truth)]
    predictions = assay.evaluation.Predictions.from_arrays(
        [*np.array(list("abcd"))[gold]], {f"s{number}": [*row] for number, row in enumerate(answers)}
    )
    result = assay.find_suspects(predictions=predictions)
    named = result.items["id"].head(result.suspected.count).cast(int).to_numpy()
    assert len(named) >= 15
    assert wrong[named].mean() >= 0.8


def test_copies_of_a_system_are_one_system():
    rng = np.random.default_rng(0)
    data, answers, _ = make_classes(rng, 400, 0.0)
    result = assay.find_suspects(data, predictions=dict.fromkeys("uvwxyz", answers["s3"]), text_model=False)
    assert result.order_only
