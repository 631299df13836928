"""Zhu et al. 2021: task-specific information beyond shortcuts."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from benchmarks.papers.rows import (
    GPU,
    MISSING,
    NONE,
    STORED,
    Finding,
    Row,
    judge,
    judge_number,
    missing,
    read_json,
    write_table,
)

PRINTED = {
    "mnli": (0.85, 0.68, 0.64),
    "imdb": (0.92, 0.43, None),
    "yelp": (0.97, 0.41, None),
    "quora": (0.89, 0.31, 0.23),
}
SIZES = "paper_003/sizes.json"
NAMES = {"mnli": "MNLI", "imdb": "IMDB", "yelp": "Yelp", "quora": "Quora"}
ENCODERS = {"minilm": "MiniLM, 6 layers", "minilm-3": "MiniLM, 3 layers", "scratch": "from scratch"}


def describe_features() -> Finding:
    from assay.information import SHORTCUTS
    from assay.information.item_texts import ItemTexts

    items = ItemTexts([["You have access to the facts ."], ["The facts are accessible to you ."]])
    values = [round(14 * float(SHORTCUTS[name](items).ravel()[0])) for name in ("punctuation", "stop-words")]
    return judge_number(f"{values[0]}/14 and {values[1]}/14", values == [2, 8])


def describe_overlap() -> Finding:
    from assay.information import SHORTCUTS
    from assay.information.item_texts import ItemTexts

    items = ItemTexts([["What can make Physics easy to learn ?"], ["How can you make Physics easy to learn ?"]])
    first, second = SHORTCUTS["overlap"](items).ravel().tolist()
    return judge(f"{round(7 * first)}/7 and {round(8 * second)}/8", (first, second) == (8 / 9, 8 / 10))


def count_toy() -> Finding:
    gaps = np.abs([row["gap"] for row in read_json("gpu/toy.json")])
    within = int((gaps < 0.04).sum())
    share = 100 * within / len(gaps)
    text = f"{within:,} of {len(gaps):,} settings within 0.04 nats ({share:.1f}%); largest {gaps.max():.3f}"
    return judge(text, within / len(gaps) >= 0.99)


@cache
def read_fits() -> list[dict[str, Any]]:
    """Return the best rate by dev loss of each dataset, encoder and size."""
    best: dict[tuple[str, str, float], dict[str, Any]] = {}
    for fit in read_json("gpu/information.json").values():
        key = (fit["dataset"], fit["encoder"], fit["size"])
        if key not in best or fit["dev_nll"] < best[key]["dev_nll"]:
            best[key] = fit
    return list(best.values())


@cache
def fit_lines() -> dict[str, Any]:
    """Fit loss against accuracy over encoders and sizes of each dataset; models no better than guessing are left out."""
    from assay.information import fit_accuracy_loss

    lines = {}
    for name in NAMES:
        fits = [
            fit
            for fit in read_fits()
            if fit["dataset"] == name and fit["test_accuracy"] > 1.1 / (3 if name == "mnli" else 2)
        ]
        lines[name] = fit_accuracy_loss([fit["test_accuracy"] for fit in fits], [fit["test_nll"] for fit in fits])
    return lines


def describe_lines() -> Finding:
    """Check that loss falls in a line with accuracy on three datasets, and not on IMDB."""
    lines = fit_lines()
    text = ", ".join(f"{NAMES[name]} {line.correlation:.2f} (n = {line.n_models})" for name, line in lines.items())
    is_linear = {name: line.correlation < -0.9 for name, line in lines.items()}
    return judge(
        f"correlation of loss and accuracy: {text}", all(is_linear[name] != (name == "imdb") for name in NAMES)
    )


def extrapolate() -> Finding:
    """Extrapolate TSI to the accuracy of the paper's models."""
    texts, holds = [], []
    for name, line in fit_lines().items():
        accuracy, tsi, _ = PRINTED[name]
        control = read_tsi()[name]["control_nll"]
        found = line.extrapolate_information(accuracy, control)
        texts.append(f"{NAMES[name]} {found.value:.2f} [{found.low:.2f}, {found.high:.2f}] ({tsi})")
        holds.append(found.low <= tsi <= found.high)
    return judge("TSI at the paper's accuracy, ours (printed): " + ", ".join(texts), all(holds))


def explain_extrapolation() -> str:
    """Say how many prediction intervals contain the printed TSI, and how far MNLI is extrapolated."""
    inside = 0
    for name, line in fit_lines().items():
        accuracy, tsi, _ = PRINTED[name]
        found = line.extrapolate_information(accuracy, read_tsi()[name]["control_nll"])
        inside += found.low <= tsi <= found.high
    far = 100 * (PRINTED["mnli"][0] - fit_lines()["mnli"].accuracy_max)
    return (
        f"Extrapolated to the paper's accuracies with a 95% prediction interval: {inside} of {len(PRINTED)} "
        "contain the printed "
        f"TSI. MNLI is extrapolated by {far:.0f} points from {read_tsi()['mnli']['n_train']:,} training pairs."
    )


@cache
def read_tsi() -> dict[str, dict[str, Any]]:
    return {row["dataset"]: row for row in read_json("paper_003/tsi.json")}


def compare_differences() -> Finding:
    """Compare the differences of MNLI to IMDB and to QQP."""
    values = {name: row["tsi"] for name, row in read_tsi().items()}
    gaps = values["mnli"] - values["imdb"], values["mnli"] - values["quora"]
    is_same = all(abs(gap - printed) < 0.1 for gap, printed in zip(gaps, (0.25, 0.4), strict=True))
    return judge(f"{gaps[0]:+.2f} and {gaps[1]:+.2f} nats", is_same)


def explain_size(name: str) -> str:
    n_train = read_tsi()[name]["n_train"]
    return (
        f"{n_train:,} training items, a part of the dataset, and MiniLM instead of the best of three larger encoders."
    )


def write_tsi() -> str:
    """Return accuracy and TSI of each dataset, printed and ours."""
    rows = []
    for name, (accuracy, tsi, overlap) in PRINTED.items():
        row = read_tsi()[name]
        own = f"{row['tsi']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
        compared = "–" if row["tsi_overlap"] is None else f"{row['tsi_overlap']:.3f}"
        cells = [f"{row['n_train']:,}", f"{row['n_test']:,}", f"{accuracy:.2f} / {row['accuracy']:.3f}"]
        rows.append([NAMES[name], *cells, f"{tsi:.2f} / {own}", f"{overlap or '–'} / {compared}" if overlap else "–"])
    header = [
        "data",
        "training items",
        "test items",
        "accuracy, printed / ours",
        "TSI beyond P + S, printed / ours [95%]",
    ]
    return write_table([*header, "TSI beyond P + S + O, printed / ours"], rows)


def compare_tsi(name: str) -> Finding:
    row = read_tsi()[name]
    printed = PRINTED[name]
    text = f"accuracy {row['accuracy']:.2f}, TSI {row['tsi']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"
    if row.get("tsi_overlap") is not None:
        text += f", with O {row['tsi_overlap']:.2f}"
    return judge(text, row["low"] <= printed[1] <= row["high"])


def order_encoders() -> Finding:
    """Compare the order of datasets by TSI of three encoders."""
    orders = {}
    for encoder in ENCODERS:
        losses = {
            fit["dataset"]: fit["test_nll"] for fit in read_fits() if (fit["encoder"], fit["size"]) == (encoder, 1)
        }
        values = {name: max(0.0, read_tsi()[name]["control_nll"] - loss) for name, loss in losses.items()}
        orders[encoder] = [
            f"{NAMES[name]} {values[name]:.2f}" for name in sorted(values, key=lambda name: -values[name])
        ]
    text = "; ".join(f"{ENCODERS[encoder]}: {' > '.join(order)}" for encoder, order in orders.items())
    return judge(text, all(order[0].startswith("MNLI") for order in orders.values()))


def measure_size() -> Finding:
    """Compare TSI at the smallest training share with that of all training items."""
    texts, holds = [], []
    for name in NAMES:
        by_size = {
            fit["size"]: fit["test_nll"] for fit in read_fits() if (fit["dataset"], fit["encoder"]) == (name, "minilm")
        }
        if len(by_size) < 2:
            continue
        small, large = by_size[min(by_size)], by_size[max(by_size)]
        texts.append(f"{NAMES[name]} −{small - large:.2f}")
        holds.append((small - large) < 0.1)
    return judge(
        f"TSI lost from all to an eighth of the training items (MiniLM): {', '.join(texts)} nats",
        all(holds[1:]) and not holds[0],
    )


def compare_ratio() -> Finding:
    """Divide the TSI of MNLI by that of QQP, in the printed cells."""
    return judge_number(f"from the printed cells {0.68 / 0.31:.1f} times", round(0.68 / 0.31, 1) == 2.2)


def compare_growth() -> Finding:
    """Compare how the losses of the encoder and of the shortcuts grow as the training data shrinks."""
    controls = {(row["dataset"], row["size"]): float(np.mean(row["control_nll"])) for row in read_json(SIZES)}
    texts, holds = [], []
    for name in NAMES:
        by_size = {
            fit["size"]: fit["test_nll"] for fit in read_fits() if (fit["dataset"], fit["encoder"]) == (name, "minilm")
        }
        small, large = min(by_size), max(by_size)
        grown = by_size[small] - by_size[large], controls[name, small] - controls[name, large]
        texts.append(f"{NAMES[name]} {grown[0]:+.2f} and {grown[1]:+.3f}")
        holds.append(grown[0] > grown[1])
    return judge(
        f"H(Y ∣ X) and H(Y ∣ X_s) from all to an eighth of the training items: {'; '.join(texts)} nats", all(holds)
    )


def compare_neighbours() -> Finding:
    rows = read_json("information_studies.json")["ksg"]
    texts = [
        f"{NAMES[row['data']]} {row['tsi_neighbours']:.2f} ± {row['tsi_neighbours_std']:.2f} (losses "
        f"{row['tsi_losses']:.2f}), {100 * row['share_negative']:.0f}% negative"
        for row in rows
    ]
    return judge(
        "; ".join(texts),
        any(row["share_negative"] > 0 for row in rows)
        or all(abs(row["tsi_neighbours"] - row["tsi_losses"]) > 0.1 for row in rows),
    )


def check_nested() -> Finding:
    rows = read_tsi()
    holds = all(row["tsi_overlap"] <= row["tsi"] for row in rows.values() if row.get("tsi_overlap") is not None)
    text = ", ".join(
        f"{NAMES[name]} {row['tsi']:.2f} → {row['tsi_overlap']:.2f}"
        for name, row in rows.items()
        if row.get("tsi_overlap") is not None
    )
    return judge(f"P+S → P+S+O: {text}", holds)


def write_lines() -> str:
    """Return the accuracy–loss table by dataset, encoder and size."""
    rows = []
    for name in NAMES:
        for encoder in ENCODERS:
            fits = sorted(
                (fit for fit in read_fits() if (fit["dataset"], fit["encoder"]) == (name, encoder)),
                key=lambda fit: fit["size"],
            )
            cells = [f"{fit['test_accuracy']:.3f} / {fit['test_nll']:.3f}" for fit in fits] + ["–"] * (4 - len(fits))
            rows.append([NAMES[name], ENCODERS[encoder], *cells])
    return write_table(["data", "encoder", "1/8: accuracy / loss", "1/4", "1/2", "all"], rows)


def write_extrapolation() -> str:
    """Return the line of each dataset and the TSI it gives at the paper's accuracy."""
    rows = []
    for name, line in fit_lines().items():
        accuracy, tsi, _ = PRINTED[name]
        control = read_tsi()[name]["control_nll"]
        loss, found = line.predict_loss(accuracy), line.extrapolate_information(accuracy, control)
        cells = [
            f"{line.slope:.2f}",
            f"{line.intercept:.2f}",
            f"{line.correlation:.2f}",
            f"{line.accuracy_max:.3f}",
            accuracy,
        ]
        ends = f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"
        rows.append([NAMES[name], *cells, f"{loss.value:.3f}", f"{control:.3f}", ends, tsi])
    header = [
        "data",
        "slope",
        "intercept",
        "correlation",
        "best accuracy",
        "extrapolated to",
        "loss there",
        "control loss",
    ]
    return write_table([*header, "TSI there [95%]", "printed"], rows)


ROWS = [
    Row(
        "Figure 1",
        "examples of shortcuts",
        Finding("the same features: `assay information` lists cues and shortcuts", MISSING),
        "",
        NONE,
    ),
    Row(
        "Figure 2, equation 1",
        "X_s and X_t independent, also given Y",
        Finding("what is estimated is I(Y; X_t ∣ X_s)", "different"),
        "Equal to I(Y; X_t) only under that assumption; [information](information.md) says so.",
        NONE,
    ),
    Row(
        "§4.2, punctuation and stop words",
        "2/14 and 8/14 in the example",
        describe_features,
        "",
    ),
    Row(
        "§4.2, overlap",
        "8/9 and 8/10 in the example",
        describe_overlap,
        "The printed sentences have eight and nine tokens with the question mark and share seven, so 7/8 and 7/9; ours "
        "leaves marks out.",
    ),
    Row(
        "Figure 3",
        "99.5% of 1,190 toy settings within 0.04 nats",
        count_toy,
        "The paper gives ranges and no steps; ours takes nine values of each probability and of the number of features.",
        GPU,
    ),
    Row(
        "Figure 4",
        "loss falls in a line with accuracy, except for IMDB",
        describe_lines,
        "Three encoders at four training sizes take the place of three encoders with several settings; over this "
        "wider range of "
        "accuracies IMDB follows a line too.",
        GPU,
    ),
    Row(
        "§5.1, extrapolation",
        "the line gives the loss of a better model",
        extrapolate,
        explain_extrapolation,
        GPU,
    ),
    Row("Figure 5", "TSI falls as shortcuts are added", check_nested, "", GPU),
    *(
        Row(
            f"Table 1, {NAMES[name]}",
            f"accuracy {PRINTED[name][0]}, TSI {PRINTED[name][1]}"
            + (f", with O {PRINTED[name][2]}" if PRINTED[name][2] else ""),
            lambda name=name: compare_tsi(name),
            lambda name=name: explain_size(name),
            GPU,
        )
        for name in PRINTED
    ),
    Row(
        "§5.5, claim",
        "MNLI needs about 0.25 nats more than IMDB and around 0.4 more than QQP",
        compare_differences,
        "TSI measures what the model has learned, and with a few thousand pairs it has learned little of MNLI.",
        GPU,
    ),
    Row(
        "§4.3, three encoders",
        "best of BERT, RoBERTa, ALBERT; MNLI needs most, QQP least",
        order_encoders,
        "MiniLM with six and with three layers, and a small transformer trained here. With equal, small data the encoders "
        "learn IMDB and Yelp best: the order is one of what was learned.",
        GPU,
    ),
    Row(
        "Figure 6",
        "MNLI fluctuates below 25%; IMDB, Quora and Yelp stay stable down to 5%",
        measure_size,
        "Sizes 1/8 to 1 of our samples.",
        GPU,
    ),
    Row(
        "§5.3, losses",
        "H(Y ∣ X) rises faster than H(Y ∣ X_s) as the training data shrinks",
        compare_growth,
        "Sizes 1/8 to 1 of our samples; the shortcuts are P+S, the mean of three draws.",
        GPU,
    ),
    Row(
        "§7, claim",
        "MNLI involves around 2.2 times the TSI of Quora",
        compare_ratio,
        "The printed values of Table 1 divided; ours are in the rows of Table 1.",
    ),
    Row(
        "§5.4",
        "nearest-neighbour entropies differ much from the losses and are sometimes negative",
        compare_neighbours,
        "Ross's form of the estimator for labels, on TF-IDF vectors; ten draws.",
        STORED,
    ),
    Row(
        "§4.1, Figure 5 for other shortcuts",
        "“additional results are in the Appendix”",
        missing("every nested set in `assay information --json`"),
        "The appendix was not at hand.",
        NONE,
    ),
]
