"""Questions about a text, answered in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from assay.base.errors import AssayError
from assay.kinds.facts import BaselineAnswers, Figure, KindProfile, count_defect
from assay.kinds.kind import Certainty, Match, SharedValues, TaskKind, register_kind
from assay.kinds.parts import AnswerTexts, Layout, Learning, ReferenceGold, Scoring, TaskTexts
from assay.kinds.tools.labelled_texts import DECISIONS, holds_decisions
from assay.metrics.metric import register_metric
from assay.system.json import JsonObject, RepeatedKeys, parse_json

if TYPE_CHECKING:
    import polars as pl

    from assay.base.arrays import Array
    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.data.columns.table import RawTable
    from assay.metrics import AnsweredItems

QUESTION_NAMES = ("question", "query", "questiontext", "querytext")
CONTEXT_NAMES = ("context", "passage", "paragraph", "article", "story", "document")
ANSWER_NAMES = ("answers", "answer", "answertext", "goldanswers", "references", "reference")
SWAPPED_SHARE = 0.5  # of the questions have their answer, and their contexts have not
MAX_ABSENT = 0.2  # of the answers are not in their context; with more, answers are not quotations
MIN_LETTERS = 2  # of an answer that is searched in the question
MAX_LETTERS = 200  # of one whose borders are looked at: every place takes time in proportion
_ALTERNATIVES = re.compile(r"\b(or|between|oder|zwischen|ou|entre|или)\b|还是|還是|या|أم")
NO_ANSWER = "(no answer)"  # the right answer to a question that the text does not answer


@register_metric("exact-match", kinds=("qa",), is_share=True)
def score_exact_match(items: AnsweredItems) -> Array:
    """The share of answers equal to a reference, but for case, punctuation and articles."""
    from assay.kinds.tools.text_metrics import score_normalised_equality

    return score_normalised_equality(*items.written)


@register_metric("token-f1", kinds=("generation", "qa"))
def score_shared_words(items: AnsweredItems) -> Array:
    """The F1 of words shared with the best reference, averaged."""
    from assay.kinds.tools.text_metrics import score_token_f1

    return score_token_f1(*items.written)


class QuestionAnsweringLayout(Layout):
    """Where the columns are."""

    needs = "a SQuAD file, or the columns context, question and answers"
    example: ClassVar[Mapping[str, Sequence[str]]] = {
        "context": ["Ada wrote notes. They were long.", "Mary wrote a book. It was long."],
        "question": ["Who wrote notes?", "What did Mary write?"],
        "answers": ['["Ada"]', '["a book", "book"]'],
    }

    def load(self, source: object, *, encoding: str, quoting: str) -> dict[str, RawTable] | None:  # noqa: ARG002
        """Read a SQuAD file, or a folder of SQuAD files by part."""
        if not isinstance(source, (str, Path)):
            return None
        path = Path(source)
        if not path.is_dir():
            table = _load_squad(path, encoding)
            return None if table is None else {"": table}
        return _load_squad_folder(path, encoding)

    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Find context, question and answers by name."""
        if request.choices or request.label_columns or len(request.text) > 1:
            return None
        used = request.find_named(columns)
        questions = [columns.get(request.text[0])] if request.text else columns.find(QUESTION_NAMES, used)
        contexts = columns.find(CONTEXT_NAMES, {*used, *questions[:1]})
        named = request.find_label(columns)
        answers = [named] if named else columns.find(ANSWER_NAMES, used)
        if not questions or not contexts or not answers:
            return None
        if request.task != self.kind.name and holds_decisions(columns, answers[0]):
            return None
        certainty = (
            Certainty.CLEAR if columns.is_nested(answers[0]) or answers[0].lower() == "answers" else Certainty.USUAL
        )
        return Match((questions[0],), certainty, answers[0], {"context": contexts[0]})

    def build(self, columns: Columns, match: Match, shared: SharedValues) -> Dataset:
        """Read answers as lists of references; contexts that several questions share are groups."""
        import polars as pl

        assert match.label is not None
        references, starts = _read_references(columns[match.label].to_list())
        data = super().build(columns, replace(match, label=None, fields={}), shared)
        contexts = columns[match.fields["context"]].fill_null("").alias("context")
        fields = {
            "context": contexts,
            "references": pl.Series("references", references, dtype=pl.List(pl.String)),
            "starts": pl.Series("starts", starts, dtype=pl.List(pl.String)),
        }
        groups = (
            data.groups if data.groups is not None or not contexts.is_duplicated().any() else contexts.alias("group")
        )
        return replace(data, fields=fields, groups=groups)


class QuestionAnsweringGold(ReferenceGold):
    """The right answers."""

    def get_unique_gold(self, data: Dataset) -> pl.Series:
        """Return the answer of items that have only one, whatever its case; several references may all be right."""
        import polars as pl

        answers = [{_fold(text) for text in row or ()} for row in data.fields["references"].to_list()]
        return pl.Series("gold", [row.pop() if len(row) == 1 else None for row in answers], dtype=pl.String)


class QuestionAnsweringAnswers(AnswerTexts):
    """The answers of systems."""

    def load_answers(self, source: object, data: Dataset) -> pl.DataFrame | None:
        """Read a SQuAD file of predictions: a JSON object from ids to answers; an empty one means there is none."""
        if not isinstance(source, (str, Path)) or not _may_be_json(Path(source)):
            return None
        document = _read_json(Path(source), "utf-8")
        known = set(data.ids.to_list())
        if not isinstance(document, dict) or not known & set(document):
            return None
        import polars as pl

        answers = [NO_ANSWER if text == "" else str(text) for text in document.values()]
        system = Path(source).name.partition(".")[0]
        return pl.DataFrame({"id": list(document), "predicted": answers}).with_columns(system=pl.lit(system))

    def read_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str | None]:
        """Return the answers; if some questions have none, an empty answer says so."""
        if not any(row == [NO_ANSWER] for row in data.fields["references"].to_list()):
            return answers
        return [NO_ANSWER if answer == "" else answer for answer in answers]


class QuestionAnsweringTexts(TaskTexts):
    """The texts of an item, and figures."""

    def get_compared_texts(self, data: Dataset) -> dict[str, pl.Series]:
        """Return context and question."""
        return {"context": data.fields["context"], "question": data.texts}

    def leak_texts(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the question with its context, each alone, and the question with its answer."""
        import polars as pl

        def join(other: pl.Series) -> pl.Series:
            return pl.select(pl.concat_str(data.texts, other.fill_null(""), separator="\n")).to_series().alias("text")

        contexts = data.fields["context"]
        return {
            "question with context": join(contexts),
            "question": data.texts,
            "question with answer": join(self.kind.gold.require_gold(data)),
            "context": contexts,
        }

    def describe_items(self, data: Dataset) -> KindProfile:
        """Return lengths, questions per context, how often an answer is in the context, and answers that are not."""
        references, contexts = data.fields["references"].to_list(), data.fields["context"].to_list()
        ids, starts = data.ids.to_list(), data.fields["starts"].to_list()
        known = [(row or [NO_ANSWER], context) for row, context in zip(references, contexts, strict=True)]
        found = [any(each in context for each in row) or row == [NO_ANSWER] for row, context in known]
        moved = [
            any(not context[int(start) :].startswith(text) for text, start in zip(row, places or (), strict=False))
            for (row, context), places in zip(known, starts, strict=True)
        ]
        words = [len(row[0].split()) for row, _ in known if row[0] != NO_ANSWER]
        n = max(len(data), 1)
        figures = (
            Figure("words per answer", sum(words) / max(len(words), 1)),
            Figure("words per context", sum(len(context.split()) for context in contexts) / n),
            Figure("contexts", len(set(contexts))),
            Figure("references per question", sum(len(row) for row, _ in known) / n),
            Figure("answer is in the context", sum(found) / n, is_share=True),
            Figure("questions without an answer", sum(row == [NO_ANSWER] for row, _ in known) / n, is_share=True),
        )
        defects = count_defect(
            "misplaced answers",
            "have an answer that is not where the data says it begins",
            "Correct the positions of these answers.",
            moved,
            ids,
        )
        absent = [not any(_is_quoted(each, context) for each in row) for row, context in known]
        given_away = [
            any(_is_given_away(each, text) for each in row)
            for text, (row, _) in zip(data.texts.fill_null("").to_list(), known, strict=True)
        ]
        swapped = [away and is_absent for away, is_absent in zip(given_away, absent, strict=True)]
        if sum(swapped) > SWAPPED_SHARE * n:
            defects += count_defect(
                "swapped texts",
                "have their answer in the question and not in the context: question and context seem to be swapped",
                "Name the columns of question and context the right way round.",
                swapped,
                ids,
            )
            return KindProfile(figures, (), tuple(defects))
        if sum(absent) <= MAX_ABSENT * sum(
            row != [NO_ANSWER] for row, _ in known
        ):  # otherwise answers are not quotations
            defects += count_defect(
                "answers that are not in the context",
                "have an answer that is not in the context, though the others are quoted from it",
                "Check these answers: a system that quotes the context cannot give them.",
                absent,
                ids,
            )
        defects += count_defect(
            "answers in the question",
            "have an answer that the question already contains",
            "Reword these questions, unless they offer alternatives: a system can answer them without the context.",
            given_away,
            ids,
        )
        return KindProfile(figures, (), tuple(defects))


class QuestionAnsweringLearning(Learning):
    """Baselines and models."""

    def answer_baselines(self, data: Dataset, rows: Array, random_state: int = 0) -> Iterable[BaselineAnswers]:
        """Return the first sentence of the context, and the one that shares most words with the question."""
        from assay.kinds.tools.sentences import count_shared_words, split_sentences

        del random_state
        texts, contexts = data.texts.to_list(), data.fields["context"].to_list()
        cut: dict[str, list[str]] = {context: split_sentences(context) or [""] for context in set(contexts)}
        chosen = [(texts[row], cut[contexts[row]]) for row in rows.tolist()]
        yield BaselineAnswers("first-sentence", "position", [sentences[0] or None for _, sentences in chosen])
        best = [max(each, key=lambda sentence, text=text: count_shared_words(text, sentence)) for text, each in chosen]  # type: ignore[misc]
        yield BaselineAnswers("overlap-sentence", "overlap", [sentence or None for sentence in best])


register_kind(
    TaskKind(
        name="qa",
        title="question answering",
        description="A text, a question about it, and one or more right answers.",
        hub_task="question-answering",
        item_noun="question",
        layout=QuestionAnsweringLayout(),
        gold=QuestionAnsweringGold(label_form="text"),
        answers=QuestionAnsweringAnswers(),
        scoring=Scoring(
            metrics=("exact-match", "token-f1"),
            headline="exact-match",
            outcome="exact-match",
            baseline_metric="token-f1",
        ),
        texts=QuestionAnsweringTexts(),
        learning=QuestionAnsweringLearning(
            no_model="Answers are spans of free text, which a linear model cannot write; "
            "the baselines first-sentence and overlap-sentence are scored instead."
        ),
    )
)


def _is_quoted(answer: str, context: str) -> bool:
    """Return whether an answer is in the context, whatever the case; yes, no and no answer need not be."""
    words = _fold(answer)
    return answer == NO_ANSWER or words in DECISIONS or words in _fold(context)


def _is_given_away(answer: str, question: str) -> bool:
    """Return whether a question that offers no alternatives contains the answer, as words of its own.

    >>> _is_given_away("Tesla", "Who was Tesla's assistant?"), _is_given_away("Islam", "What is Islamism?")
    (True, False)
    """
    words, folded = _fold(answer), _fold(question)
    if answer == NO_ANSWER or words in DECISIONS or len(words) < MIN_LETTERS or _ALTERNATIVES.search(folded):
        return False
    if not words.isascii() or len(words) > MAX_LETTERS:
        return words in folded
    return any(not _touches_word(folded, start, start + len(words)) for start in _iterate_places(words, folded))


def _iterate_places(words: str, text: str) -> Iterator[int]:
    place = text.find(words)
    while place >= 0:
        yield place
        place = text.find(words, place + 1)


def _touches_word(text: str, start: int, end: int) -> bool:
    """Return whether the letter before or after a part of a text belongs to a word."""
    return any(letter.isalnum() or letter == "_" for letter in text[max(start - 1, 0) : start] + text[end : end + 1])


def _fold(text: str) -> str:
    return " ".join(text.casefold().split()).strip(".,;:!?。？ ")


def _may_be_json(path: Path) -> bool:
    return path.is_file() and path.name.removesuffix(".gz").removesuffix(".zst").endswith(".json")


def _read_json(path: Path, encoding: str) -> Any:
    from assay.data.readers.compression import read_content
    from assay.data.readers.encoding import to_utf8

    try:
        content = to_utf8(read_content(path), encoding, path).to_pybytes()
        return parse_json(content, path, repeated=RepeatedKeys()) if content.lstrip()[:1] == b"{" else None
    except AssayError:
        return None  # the reader of tables says what is wrong with it


def _load_squad(path: Path, encoding: str) -> RawTable | None:
    """Return the questions of a SQuAD file, None for any other file."""
    document = _read_json(path, encoding) if _may_be_json(path) else None
    if not isinstance(document, dict) or not isinstance(document.get("data"), list):
        return None
    from assay.data.readers.records import records_to_table

    rows = list(_flatten_squad(document["data"], path))
    return records_to_table(rows, path) if rows else None


def _load_squad_folder(folder: Path, encoding: str) -> dict[str, RawTable] | None:
    """Return the questions of the SQuAD files of a folder by part; None if one of its JSON files is something else."""
    from assay.data.readers.files import concatenate_tables, group_paths

    tables: dict[Path, RawTable] = {}
    for path in sorted(path for path in folder.iterdir() if _may_be_json(path)):
        table = _load_squad(path, encoding)
        if table is None:
            return None
        tables[path] = table
    try:
        groups = group_paths(list(tables))
    except AssayError:
        return None  # the names of some files mention no part, which the reader of tables says
    return {part: concatenate_tables(tables[path] for path in paths) for part, paths in groups.items()} or None


def _flatten_squad(articles: list[Any], place: object) -> Iterable[JsonObject]:
    for article in articles:
        for paragraph in _list_objects(article, "paragraphs", place) if isinstance(article, dict) else []:
            for item in _list_objects(paragraph, "qas", place):
                yield {
                    "id": item.get("id"),
                    "question": item.get("question"),
                    "context": paragraph.get("context"),
                    "answers": item.get("answers", []),
                    **({"title": article["title"]} if "title" in article else {}),
                }


def _list_objects(owner: JsonObject, name: str, place: object) -> list[JsonObject]:
    values = owner.get(name, [])
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise AssayError(f"'{name}' of a SQuAD file must be a list of objects", place=place)
    return values


def _read_references(cells: Sequence[str | None]) -> tuple[list[list[str] | None], list[list[str]]]:
    """Return the references of every row, each once, and where they begin, if that is known."""
    from assay.kinds.tools.cells import parse_cell, to_text

    references: list[list[str] | None] = []
    starts: list[list[str]] = []
    for cell in cells:
        value = parse_cell(cell)
        if isinstance(value, dict):  # {"text": […], "answer_start": […]}
            texts, places = value.get("text", []), value.get("answer_start", [])
        elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            texts = [each.get("text", "") for each in value]
            places = [each["answer_start"] for each in value if "answer_start" in each]
        else:
            texts, places = value if isinstance(value, list) else [cell] if cell else None, []
        texts = texts if texts is None or isinstance(texts, list) else [texts]
        written = None if texts is None else [to_text(text) for text in texts] or [NO_ANSWER]
        references.append(written)
        starts.append(_read_places(places))
    return references, starts


def _read_places(places: object) -> list[str]:
    """Return where answers begin as whole numbers; nothing if one of them is something else."""
    written = [str(place) for place in places] if isinstance(places, list) else []
    return written if all(text.isascii() and text.isdigit() for text in written) else []
