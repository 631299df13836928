"""Questions with several options, one of them right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from assay.data.left_out import LeftOut
from assay.kinds.facts import BaselineAnswers, KindProfile
from assay.kinds.kind import Certainty, Match, SharedValues, TaskKind, register_kind
from assay.kinds.parts import AnswerTexts, Gold, Layout, Learning, Scoring, TaskTexts
from assay.kinds.tools.cells import are_lists, parse_cell, parse_list
from assay.metrics.metric import register_metric
from assay.wording.letters import name_letter, number_letter

if TYPE_CHECKING:
    import polars as pl

    from assay.base.arrays import Array
    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.kinds.quick_models import QuickModel
    from assay.metrics import AnsweredItems

QUESTION_NAMES = (
    *("question", "questionstem", "stem", "ctx", "goal", "query", "problem", "prompt", "premise", "sentence", "sent1"),
    *("text", "input", "startphrase", "questiontext", "querytext", "prompttext", "problemtext"),
)
CONTEXT_NAMES = ("context", "article", "passage", "premise", "story", "paragraph", "background")
ANSWER_NAMES = (
    *("answer", "answerkey", "answeridx", "answerindex", "label", "gold", "goldlabel", "target", "correctanswer"),
    *("correctoption", "correct", "cop", "key", "correctanswernum", "correctoptions", "correctanswers"),
)
LIST_NAMES = ("choices", "options", "endings", "answerchoices", "candidates", "answers", "choicelist")
# One column per option, or per right answer if no column says which is right.
ANSWER_PATTERNS = ("answer#", "ans#")
MIN_SINGLE_SHARE = 0.05  # of the rows, with a single answer: right answers may be one, options never are
COLUMN_PATTERNS = ("#", "option#", "choice#", *ANSWER_PATTERNS, "ending#", "sol#", "op#", "candidate#", "opt#")


def share_guesses(data: Dataset) -> Array:
    """Return 1/k for a question with k options."""
    import numpy as np

    return np.asarray(1 / np.maximum(data.fields["choices"].list.len().to_numpy(), 1))


@register_metric("chance-corrected-accuracy", kinds=("multiple-choice",), bounds=(-1.0, 1.0))
def score_chance_corrected(items: AnsweredItems) -> Array:
    """Accuracy on a scale where guessing among the options gives 0 and all right gives 1.

    The right option scores 1 and a wrong one of k −1/(k − 1), so that guessing gives 0 on average.
    """
    import numpy as np

    data, answers = items.written
    assert data.labels is not None
    right = np.array([answer == gold for answer, gold in zip(answers, data.labels.to_list(), strict=True)], dtype=float)
    chance = np.minimum(share_guesses(data), 0.5)
    return np.asarray((right - chance) / (1 - chance))


class MultipleChoiceLayout(Layout):
    """Where the columns are."""

    needs = "a question and its options (choices, options, A B C D, option_a …)"
    example: ClassVar[Mapping[str, Sequence[str]]] = {
        "question": ["1 + 1?", "2 + 2?"],
        "choices": ['["2", "3"]', '["3", "4"]'],
        "answer": ["A", "B"],
    }

    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Find a column of lists, or one column per option, next to a question."""
        used = {*request.find_named(columns), *map(columns.get, request.text)} - set(request.choices)
        choices = _find_choices(columns, request, used)
        if not choices:
            return None
        taken = {*used, *choices}
        question = _find_question(columns, request, taken)
        if question is None:
            return None
        label = _find_answer(columns, request, {*taken, question})
        if (
            label is None
            and request.task != self.kind.name
            and not request.choices
            and _are_references(columns, choices)
        ):
            return None
        context = columns.find(CONTEXT_NAMES, {*taken, question, label or ""})[:1]
        fields = {f"choice {number}": name for number, name in enumerate(choices)}
        fields |= {"context": context[0]} if context and not columns.is_nested(context[0]) else {}
        return Match((question,), Certainty.CLEAR, label, fields)

    def build(self, columns: Columns, match: Match, shared: SharedValues) -> Dataset:
        """Read options and answers together: an answer may be the number, the letter or the text of an option."""
        import polars as pl

        from assay.kinds.multiple_choice.options import number_answers, read_options

        names = [name for role, name in match.fields.items() if role.startswith("choice ")]
        options, names_of_options, first_number = read_options(columns, names, shared.place)
        data = super().build(columns, replace(match, label=None), shared)
        fields = {"choices": pl.Series("choices", options, dtype=pl.List(pl.String))}
        if "context" in match.fields:
            fields["context"] = columns[match.fields["context"]].alias("context")
        labels, notes = None, data.notes
        if match.label is not None:
            cells, left_out = _read_key(columns, match.label)
            data = data.leave_out(*left_out)
            notes += tuple(f"{entry.n:,} {entry.what} are not used: {entry.reason}" for entry in left_out)
            key = number_answers(cells, options, names_of_options, first_number)
            labels = pl.Series("label", key.letters, dtype=pl.String)
            fields["answer"] = pl.Series("answer", cells, dtype=pl.String)
            notes = (*notes, *key.describe(shared.ids.to_list()))
        return replace(data, labels=labels, fields=fields, groups=_find_groups(data, fields), notes=notes)


class MultipleChoiceGold(Gold):
    """The right answers."""

    def get_answer_texts(self, data: Dataset) -> pl.Series | None:
        """Return the text of the right option."""
        import polars as pl

        if data.labels is None:
            return None
        numbers = data.labels.to_frame("x").select(pl.col("x").map_elements(number_letter, pl.Int64)).to_series()
        return data.fields["choices"].list.get(numbers.fill_null(-1), null_on_oob=True)

    def get_chances(self, data: Dataset) -> Array:
        """Return 1/k for a question with k options."""
        return share_guesses(data)


class MultipleChoiceAnswers(AnswerTexts):
    """The answers of systems."""

    def read_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str | None]:
        """Return the letters of the options that a system names by letter, number or text."""
        from assay.kinds.multiple_choice.options import read_letters

        raw = data.fields["answer"].to_list() if "answer" in data.fields else [None] * len(data)
        gold = [None] * len(data) if data.labels is None else data.labels.to_list()
        return read_letters(answers, data.fields["choices"].to_list(), raw, gold)


class MultipleChoiceTexts(TaskTexts):
    """The texts of an item, and figures."""

    def get_compared_texts(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the question, with its context if there is one, and the options."""
        questions = data.texts
        if "context" in data.fields:
            questions = data.fields["context"].fill_null("") + "\n" + questions
        return {"question": questions, "options": data.fields["choices"]}

    def get_shown_texts(self, data: Dataset) -> pl.Series:
        """Return the context, the question and its options, each with its letter."""
        import polars as pl

        options = [
            "\n".join(f"{name_letter(number)}. {text}" for number, text in enumerate(row))
            for row in data.fields["choices"].to_list()
        ]
        shown = _join(data.texts, pl.Series(options, dtype=pl.String))
        return _join(data.fields["context"].fill_null(""), shown) if "context" in data.fields else shown

    def leak_texts(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the question with its context and options, the question alone, with its answer, and the context."""
        options, questions = data.fields["choices"], data.texts
        # Marks between the options, so that words that change to the next option make another item.
        whole, name = _join(questions, "- " + options.list.join("\n- ")), "question with options"
        if "context" in data.fields:
            whole, name = _join(data.fields["context"].fill_null(""), whole), "question with context and options"
        texts = {name: whole, "question": questions}
        answers = self.kind.gold.get_answer_texts(data)
        if answers is not None:
            texts["question with answer"] = _join(questions, answers.fill_null(""))
        if "context" in data.fields:
            texts["context"] = data.fields["context"].fill_null("")
        return texts

    def describe_items(self, data: Dataset) -> KindProfile:
        """Return options per question, the position of the key, the longest option, and defective options."""
        from assay.kinds.multiple_choice.figures import describe_options

        return describe_options(data)


class MultipleChoiceLearning(Learning):
    """Baselines and models."""

    def build_models(self, data: Dataset) -> Sequence[QuickModel]:
        """Return linear models of question and options, of options alone, and the most frequent letter."""
        from assay.kinds.multiple_choice.models import build_models

        return build_models(data)

    def get_split_groups(self, data: Dataset) -> pl.Series | None:
        """Return contexts that questions share, or else subjects if there are enough of them."""
        from assay.kinds.tools.topics import MIN_TOPICS, find_topics

        topics = find_topics(data) if data.groups is None and not data.declines_groups else None
        return topics if topics is not None and topics.n_unique() >= MIN_TOPICS else data.groups

    def answer_baselines(self, data: Dataset, rows: Array, random_state: int = 0) -> Iterable[BaselineAnswers]:
        """Return the answers of baselines that see only options, their position, length, or shared words."""
        from assay.kinds.multiple_choice.models import answer_baselines

        return answer_baselines(data, rows, random_state)


register_kind(
    TaskKind(
        name="multiple-choice",
        title="multiple choice",
        description=(
            "A question, its options, and which of them is right; the gold label is a letter, A for the first option."
        ),
        hub_task="multiple-choice",
        item_noun="question",
        layout=MultipleChoiceLayout(),
        gold=MultipleChoiceGold(has_positive=False),
        answers=MultipleChoiceAnswers(),
        scoring=Scoring(metrics=("accuracy", "chance-corrected-accuracy"), headline="accuracy"),
        texts=MultipleChoiceTexts(),
        learning=MultipleChoiceLearning(),
    )
)


def _join(first: pl.Series, second: pl.Series) -> pl.Series:
    import polars as pl

    return pl.select(pl.concat_str(first, second, separator="\n")).to_series().alias("text")


def _find_groups(data: Dataset, fields: Mapping[str, pl.Series]) -> pl.Series | None:
    """Return the groups of the data, or else the contexts that several questions share."""
    if data.groups is not None or "context" not in fields:
        return data.groups
    contexts = fields["context"]
    return contexts.alias("group") if contexts.drop_nulls().is_duplicated().any() else None


def _find_choices(columns: Columns, request: RoleRequest, used: set[str]) -> tuple[str, ...]:
    from assay.kinds.multiple_choice.options import split_lines

    if request.choices:
        return tuple(columns.get(name) for name in request.choices)
    for name in columns.find(LIST_NAMES, used):
        first = next((cell for cell in columns[name].head(100).to_list() if cell), None)
        if isinstance(parse_cell(first), (list, dict)) or "|" in (first or "") or split_lines(first or ""):
            return (name,)
    return columns.find_series(COLUMN_PATTERNS, used)


def _are_references(columns: Columns, choices: tuple[str, ...]) -> bool:
    """Return whether answers without a key are all right: a column of lists, or columns of which many rows fill only one."""
    if choices == tuple(columns.find(["answers"])):
        return True
    if choices != columns.find_series(ANSWER_PATTERNS):
        return False
    seconds = columns[choices[1]].fill_null("")
    return bool((seconds == "").sum() >= MIN_SINGLE_SHARE * len(seconds))


def _find_question(columns: Columns, request: RoleRequest, taken: set[str]) -> str | None:
    if request.text:
        return columns.get(request.text[0])
    names = [name for name in columns.find(QUESTION_NAMES, taken) if not columns.is_nested(name)]
    return names[0] if names else None


def _read_key(columns: Columns, name: str) -> tuple[list[str | None], list[LeftOut]]:
    """Return the cells of the key, and how many questions have several right options, which are left out."""
    if not columns.is_nested(name):
        return columns.clean_labels(name).labels.to_list(), []
    lists = [parse_list(cell) or [] for cell in columns[name].to_list()]
    n_several = sum(len(row) > 1 for row in lists)
    reason = "several options are right, and a question of multiple choice has one right option"
    left_out = [LeftOut("gold labels", n_several, reason)] if n_several else []
    return [row[0] if len(row) == 1 else None for row in lists], left_out


def _find_answer(columns: Columns, request: RoleRequest, taken: set[str]) -> str | None:
    if request.label:
        return request.find_label(columns)
    names = columns.find(ANSWER_NAMES, taken)
    plain = [name for name in names if not columns.is_nested(name)]
    lists = [name for name in names if columns.is_nested(name) and are_lists(columns[name])]
    return next(iter(plain + lists), None)
