"""How the parts differ, and what a harder split costs."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import format_number, is_missing
from assay.report.chapter import Chapter, Fact, Table, Values, accuracy, fact, within


def facts(result: Values) -> Iterator[Fact | None]:
    """Yield what the given split looks like beside a random one."""
    standard = result.get("standard") or {}
    how = "Cohen's kappa of a quick linear model with gold: 0 is chance, 1 perfect. 95 % interval over items."
    yield fact("Agreement beyond chance, given test part", standard.get("kappa"), how)
    yield fact("The same within train", standard.get("within"), how + " Cross-validated at random on train.")
    length = within(result, "drift", "length")
    told = "P(a test text is longer than a training text), Hanley and McNeil's interval; 0.5 means alike."
    yield fact("Test texts are longer", length, told, percent=True, ends=("longer", "low", "high"))
    labels = within(result, "drift", "labels") or {}
    if not is_missing(labels.get("distance")):
        chance = f"p = {format_number(labels.get('p'))} by the chi-square test, which takes the place of an interval."
        yield Fact("Label shares differ by", f"{100 * labels['distance']:.1f} %", f"Total variation distance; {chance}")


def tables(result: Values) -> Iterator[Table]:
    """Yield accuracy by split, and what the parts are like."""
    found = result.get("families") or []
    rows = [[str(row["split"]), str(row["model"]), accuracy(row), format_number(row["n"])] for row in found]
    how = "Models trained on each split's training side; Wilson intervals (95 %) over held-out items."
    if rows:
        yield Table("Accuracy under each split", ["split", "model", "accuracy", "items"], rows, how)
    parts = within(result, "given", "parts") or {}
    if parts:
        sizes = [
            [name, format_number(one.get("n")), format_number(one.get("length_mean"))] for name, one in parts.items()
        ]
        yield Table("Parts", ["part", "items", "mean words"], sizes, "Counted, hence exact.")
        words = [[name, ", ".join(map(str, one.get("typical_words") or [])) or "n/a"] for name, one in parts.items()]
        yield Table("Words of each part", ["part", "words"], words, _WORDS, words_of_texts=True)


_WORDS = "The words most typical of a part against the others. No number, hence no interval."
SPLITS = Chapter(
    "splits",
    "How it is split",
    "Does the test part differ from training as the world will, and what do harder splits cost?",
    facts,
    tables,
)
