"""Pairs of responses to a prompt, and which of them is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from assay.base.errors import AssayError, join_names
from assay.kinds.facts import BaselineAnswers, Distribution, Figure, KindProfile, count_defect
from assay.kinds.kind import Certainty, Match, SharedValues, TaskKind, register_kind
from assay.kinds.parts import AnswerTexts, Gold, Layout, Learning, Scoring, TaskTexts
from assay.metrics.metric import register_metric

if TYPE_CHECKING:
    import polars as pl

    from assay.base.arrays import Array
    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.kinds.quick_models import QuickModel
    from assay.metrics import AnsweredItems

PROMPT_NAMES = ("prompt", "instruction", "question", "input", "query", "context", "conversation")
RESPONSE_NAMES = (
    ("chosen", "rejected"),
    *((f"{name}a", f"{name}b") for name in ("response", "output", "answer", "completion", "summary")),
    *((f"{name}1", f"{name}2") for name in ("response", "output", "answer", "completion", "summary")),
    *((f"{name}0", f"{name}1") for name in ("response", "output", "answer", "completion", "summary")),
)
WINNER_NAMES = (
    "winner",
    "preference",
    "preferred",
    "label",
    "majority",
    "choice",
    "vote",
    "saferresponseid",
    "betterresponseid",
)
FIRST, SECOND, TIE = "first", "second", "tie"
_WORDS = {
    **dict.fromkeys(("first", "a", "chosen", "response_a", "output_a", "model_a", "answer_a", "left"), FIRST),
    **dict.fromkeys(("response_1", "output_1", "answer_1"), FIRST),
    **dict.fromkeys(("second", "b", "rejected", "response_b", "output_b", "model_b", "answer_b", "right"), SECOND),
    **dict.fromkeys(("response_2", "output_2", "answer_2"), SECOND),
    **dict.fromkeys(("tie", "both", "tie (bothbad)", "both_bad", "equal", "c", "draw"), TIE),
}
VOTE_PREFIXES = ("vote_", "vote", "annotator", "rater")


@register_metric("tie-aware-accuracy", kinds=("preference",))
def score_decided(items: AnsweredItems) -> Array:
    """Accuracy in which a tie counts half."""
    import numpy as np

    data, answers = items.written
    assert data.labels is not None
    pairs = zip(answers, data.labels.to_list(), strict=True)
    return np.array([1.0 if answer == gold else 0.5 if TIE in (answer, gold) else 0.0 for answer, gold in pairs])


class PreferenceLayout(Layout):
    """Where the columns are."""

    needs = "a prompt with chosen and rejected, or with two responses and a winner"
    example: ClassVar[Mapping[str, Sequence[str]]] = {
        "prompt": ["Say hello.", "Count to two."],
        "response_a": ["Hello!", "One."],
        "response_b": ["No.", "One, two."],
        "winner": ["a", "b"],
    }

    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Find a prompt, two responses, and the winner; chosen and rejected need none."""
        if request.choices or request.label_columns or len(request.text) == 2:
            return None
        used = request.find_named(columns)
        for first, second in RESPONSE_NAMES:
            sides = [columns.find([name], used)[:1] for name in (first, second)]
            if not all(sides):
                continue
            (one,), (two,) = sides
            prompts = [columns.get(request.text[0])] if request.text else columns.find(PROMPT_NAMES, {*used, one, two})
            named = request.find_label(columns)
            winners = [named] if named else columns.find(WINNER_NAMES, {*used, one, two})
            chosen = first == "chosen"
            if not prompts or not (chosen or winners):
                continue
            fields = {"response_a": one, "response_b": two}
            return Match((prompts[0],), Certainty.CLEAR, None if chosen else winners[0], fields)
        return None

    def build(self, columns: Columns, match: Match, shared: SharedValues) -> Dataset:
        """Read the winner as first, second or tie; a chosen response is the first one."""
        import polars as pl

        data = super().build(columns, replace(match, label=None), shared)
        if match.label is None:
            labels = [FIRST] * len(data)
        else:
            cells = columns[match.label].to_list()
            labels = _read_winners(cells, shared.place, match.label)  # type: ignore[assignment]
        fields = {name: values.fill_null("") for name, values in data.fields.items()}
        note = () if match.label else ("the chosen response counts as the first; which was shown first is not known",)
        return replace(
            data, labels=pl.Series("label", labels, dtype=pl.String), fields=fields, notes=(*data.notes, *note)
        )


class PreferenceGold(Gold):
    """The right answers."""

    def get_chances(self, data: Dataset) -> Array:
        """Return how often naming one side at random is right: one half, less if there are ties."""
        import numpy as np

        labels = [] if data.labels is None else data.labels.to_list()
        return np.full(len(data), (1 - labels.count(TIE) / max(len(labels), 1)) / 2)


class PreferenceAnswers(AnswerTexts):
    """The answers of systems."""

    def read_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str | None]:
        """Return first, second or tie; an answer that is none of them is kept and so is wrong."""
        del data
        known = [answer for answer in answers if answer]
        numbers = _name_numbers({answer.strip() for answer in known})
        return [answer and (_read_winner(answer, numbers) or answer) for answer in answers]


class PreferenceTexts(TaskTexts):
    """The texts of an item, and figures."""

    def leak_texts(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the prompt with both responses, and the prompt alone."""
        import polars as pl

        responses = [data.fields[name] for name in ("response_a", "response_b")]
        # A mark between the texts, so that a response on the other side is not taken for the same pair.
        whole = pl.select(pl.concat_str(data.texts, *responses, separator="\n- ")).to_series().alias("text")
        return {"prompt with responses": whole, "prompt": data.texts}

    def describe_items(self, data: Dataset) -> KindProfile:
        """Return the better side, how often the longer response is better, agreement of votes, and equal responses."""
        assert data.labels is not None
        labels = data.labels.to_list()
        lengths = [
            tuple(map(len, pair))
            for pair in zip(*(data.fields[f"response_{side}"].to_list() for side in "ab"), strict=True)
        ]
        decided = [
            (a > b, label == FIRST)
            for (a, b), label in zip(lengths, labels, strict=True)
            if a != b and label in (FIRST, SECOND)
        ]
        longer = sum(x == y for x, y in decided) / len(decided) if decided else float("nan")
        figures = [Figure("longer response is better", longer, is_share=True)]
        figures += _measure_agreement(data)
        counts = {name: labels.count(name) for name in (FIRST, SECOND, TIE) if name in labels}
        n_sides = counts.get(FIRST, 0) + counts.get(SECOND, 0)
        known = has_positions(data)
        expected = {name: n_sides / 2 if name != TIE else float(counts.get(TIE, 0)) for name in counts} if known else {}
        pairs = zip(data.fields["response_a"].to_list(), data.fields["response_b"].to_list(), labels, strict=True)
        defects = count_defect(
            "equal responses",
            "have two equal responses, and a label that prefers one",
            "Remove these pairs, or call them ties.",
            [one.split() == two.split() and label != TIE for one, two, label in pairs],
            data.ids.to_list(),
        )
        return KindProfile(
            tuple(figures), (Distribution("position of the better response", counts, expected),), tuple(defects)
        )


class PreferenceLearning(Learning):
    """Baselines and models."""

    def get_split_groups(self, data: Dataset) -> pl.Series | None:
        """Return the prompts, if pairs share one."""
        if data.groups is not None or data.declines_groups or not data.texts.is_duplicated().any():
            return data.groups
        return data.texts.alias("prompt")

    def build_models(self, data: Dataset) -> Sequence[QuickModel]:
        """Return linear models of prompt and responses, of responses alone and of their style, and constant answers."""
        from assay.kinds.tools.response_pairs import build_models

        return build_models(data)

    def answer_baselines(self, data: Dataset, rows: Array, random_state: int = 0) -> Iterable[BaselineAnswers]:
        """Return the longer response, the first one, and linear models of the responses."""
        from assay.kinds.tools.response_pairs import answer_baselines

        return answer_baselines(data, rows, random_state)


register_kind(
    TaskKind(
        name="preference",
        title="preference",
        description="A prompt, two responses, and the better one: first, second, or a tie.",
        hub_task="text-ranking",
        item_noun="pair",
        layout=PreferenceLayout(),
        gold=PreferenceGold(has_positive=False),
        answers=PreferenceAnswers(),
        scoring=Scoring(metrics=("accuracy", "tie-aware-accuracy"), headline="accuracy"),
        texts=PreferenceTexts(),
        learning=PreferenceLearning(),
    )
)


def has_positions(data: Dataset) -> bool:
    """Return whether the order of the responses means something: not all first ones are better."""
    return data.labels is not None and SECOND in data.labels.unique().to_list()


def _read_winner(cell: str, numbers: Mapping[str, str]) -> str | None:
    text = cell.strip().casefold()
    return numbers.get(cell.strip()) or _WORDS.get(text) or _WORDS.get(text.replace(" ", "_"))


def _name_numbers(cells: set[str]) -> dict[str, str]:
    """Name the sides that numbers mean: 1 and 2 (0 a tie), or 0 and 1.

    >>> _name_numbers({"0", "1"}), _name_numbers({"0", "1", "2"})["0"]
    ({'0': 'first', '1': 'second'}, 'tie')
    """
    if "2" in cells or "0" not in cells:
        return {"1": FIRST, "2": SECOND, "0": TIE, "1.5": TIE, "1.0": FIRST, "2.0": SECOND}
    return {"0": FIRST, "1": SECOND}


def _read_winners(cells: Sequence[str | None], place: object, name: str) -> list[str | None]:
    numbers = _name_numbers({cell.strip() for cell in cells if cell})
    winners = [None if not cell else _read_winner(cell, numbers) for cell in cells]
    unknown = sorted({cell for cell, winner in zip(cells, winners, strict=True) if cell and winner is None})
    if unknown:
        fact = f"column '{name}' names no side ({join_names(unknown)})"
        raise AssayError(fact, place=place, hint="A winner is a or b, 1 or 2, first or second, or a tie.")
    return winners


def _measure_agreement(data: Dataset) -> list[Figure]:
    """Return how often two votes on a pair agree, and Fleiss' kappa, if the data has columns of votes."""
    from assay.statistics.agreement import fleiss_kappa

    names = [name for name in data.frame.columns if name.lower().startswith(VOTE_PREFIXES) and name.lower() != "vote"]
    if len(names) < 2:
        return []
    rows = [row for row in zip(*(data.frame[name].to_list() for name in names), strict=True) if all(row)]
    values = sorted({vote for row in rows for vote in row})
    if not rows or len(values) > 10:
        return []
    import numpy as np

    counts = np.array([[row.count(value) for value in values] for row in rows], dtype=float)
    n = counts.sum(axis=1)
    agreement = float((((counts**2).sum(axis=1) - n) / (n * (n - 1))).mean())
    return [
        Figure("agreement of two votes", agreement, is_share=True),
        Figure("Fleiss' kappa of votes", fleiss_kappa(rows).value),
    ]
