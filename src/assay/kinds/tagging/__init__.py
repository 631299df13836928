"""Sentences whose tokens have tags: named entities, parts of speech."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.kinds.facts import BaselineAnswers, KindProfile
from assay.kinds.kind import Certainty, Match, SharedValues, TaskKind, register_kind
from assay.kinds.parts import AnswerTexts, Gold, Layout, Learning, Scoring, TaskTexts
from assay.metrics.metric import combine_f1, combine_ratio, register_metric

if TYPE_CHECKING:
    import polars as pl

    from assay.base.arrays import Array
    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.data.columns.table import RawTable
    from assay.kinds.quick_models import QuickModel
    from assay.metrics import AnsweredItems

TOKEN_NAMES = ("tokens", "words", "token", "sentencetokens")
TAG_NAMES = (
    "tags",
    "nertags",
    "ner",
    "entities",
    "labels",
    "postags",
    "pos",
    "upos",
    "upostags",
    "chunktags",
    "xpostags",
    "xpos",
)
DOCUMENT_NAMES = ("document", "documentid", "docid", "doc")
BAR = "|"


@register_metric("entity-f1", kinds=("tagging",), combine=combine_f1, undefined="there are no entities")
def count_entities(items: AnsweredItems) -> Array:
    """F1 of entities, right if span and type are (as conlleval and seqeval count them)."""
    from assay.kinds.tagging.entities import count_entities

    return count_entities(*items.written)


@register_metric("token-accuracy", kinds=("tagging",), combine=combine_ratio)
def count_tokens(items: AnsweredItems) -> Array:
    """The share of tokens with the right tag."""
    from assay.kinds.tagging.entities import count_tokens

    return count_tokens(*items.written)


@register_metric(
    "unseen-entity-f1",
    kinds=("tagging",),
    combine=combine_f1,
    undefined="there is no training part, or no unseen entity",
)
def count_unseen_entities(items: AnsweredItems) -> Array:
    """Entity F1 of entities whose words are not an entity of the training part."""
    from assay.kinds.tagging.entities import count_entities

    return count_entities(*items.written, unseen=True)


@register_metric(
    "unseen-word-accuracy",
    kinds=("tagging",),
    combine=combine_ratio,
    undefined="there is no training part, or no unseen word",
)
def count_unseen_words(items: AnsweredItems) -> Array:
    """Token accuracy of words that do not occur in the training part."""
    from assay.kinds.tagging.entities import count_tokens

    return count_tokens(*items.written, unseen=True)


@register_metric("surface-f1", kinds=("tagging",), combine=combine_f1, undefined="there are no entities")
def count_surfaces(items: AnsweredItems) -> Array:
    """F1 of distinct pairs of an entity's words and its type, however often they occur."""
    from assay.kinds.tagging.entities import count_surfaces

    return count_surfaces(*items.written)


class TaggingLayout(Layout):
    """Where the columns are."""

    needs = "a CoNLL file, or a column of tokens and a column of tags, both lists"
    example: ClassVar[Mapping[str, Sequence[str]]] = {
        "tokens": ['["Ada", "Byron", "wrote"]', '["He", "saw", "Rome"]'],
        "tags": ['["B-person", "I-person", "O"]', '["O", "O", "B-place"]'],
    }

    def load(self, source: object, *, encoding: str, quoting: str) -> dict[str, RawTable] | None:  # noqa: ARG002
        """Read CoNLL and CoNLL-U files, alone or as the parts of a folder."""
        if not isinstance(source, (str, Path)):
            return None
        from assay.kinds.tagging.conll import load_conll

        return load_conll(Path(source), encoding)

    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Find a column of tokens and one of tags, both lists."""
        from assay.kinds.tools.cells import are_lists

        used = request.find_named(columns)
        names = [columns.get(request.text[0])] if len(request.text) == 1 else columns.find(TOKEN_NAMES, used)
        tokens = next((name for name in names if are_lists(columns[name].head(100).to_list())), None)
        if tokens is None:
            return None
        named = request.find_label(columns)
        wanted = [named] if named else columns.find(TAG_NAMES, {*used, tokens})
        tags = next((name for name in wanted if are_lists(columns[name].head(100).to_list())), None)
        if tags is None:
            return None
        documents = columns.find(DOCUMENT_NAMES, {*used, tokens, tags})[:1]
        return Match((tokens,), Certainty.CLEAR, tags, {"document": documents[0]} if documents else {})

    def build(self, columns: Columns, match: Match, shared: SharedValues) -> Dataset:
        """Read tokens and tags; the sentence is the tokens with spaces between them."""
        import polars as pl

        from assay.kinds.tagging.entities import collect_training
        from assay.kinds.tools.cells import parse_list

        assert match.label is not None
        tokens = [parse_list(cell) or [] for cell in columns[match.texts[0]].to_list()]
        tags = [parse_list(cell) for cell in columns[match.label].to_list()]
        for row, (words, cells) in enumerate(zip(tokens, tags, strict=True)):
            if cells is not None and len(words) != len(cells):
                fact = f"{len(words)} tokens and {len(cells)} tags"
                raise AssayError(fact, place=f"{shared.place}, item {shared.ids[row]}")
        data = super().build(columns, replace(match, label=None, fields={}), shared)
        marks = [None if row is None else [tag.replace(" ", "_") or "O" for tag in row] for row in tags]
        fields = {
            "tokens": pl.Series("tokens", tokens, dtype=pl.List(pl.String)),
            "tags": pl.Series("tags", marks, dtype=pl.List(pl.String)),
        }
        data = replace(data, sides=(fields["tokens"].list.join(" ").alias("text"),), fields=fields)
        if data.groups is None and "document" in match.fields:
            documents = columns[match.fields["document"]]
            data = replace(data, groups=documents.alias("group") if documents.n_unique() > 1 else None)
        names = {tag for row in marks for tag in row or ()}
        numbered = bool(names) and all(name.isdigit() for name in names)
        note = ("tags are numbers without names; entities cannot be counted",) if numbered else ()
        return replace(data, attachments={**data.attachments, **collect_training(data)}, notes=(*data.notes, *note))


class TaggingGold(Gold):
    """The right answers."""

    def get_gold(self, data: Dataset) -> pl.Series:
        """Return the tags of every sentence with spaces between them."""
        return data.fields["tags"].list.join(" ").alias("gold")

    def set_gold(self, data: Dataset, gold: Sequence[str | None]) -> Dataset:
        """Return the data with other tags."""
        from assay.kinds.tools.cells import replace_lists

        return replace_lists(data, "tags", [None if tags is None else tags.split(" ") for tags in gold])

    def get_label_sets(self, data: Dataset) -> list[Sequence[str] | None] | None:
        """Return the types of entities in every sentence, if tags mark entities."""
        from assay.kinds.tagging.entities import has_entities, list_entities

        if not has_entities(data):
            return None
        tags = data.fields["tags"].to_list()
        rows = zip(tags, list_entities(tags), strict=True)
        return [None if row is None else sorted({kind for _, _, kind in entities}) for row, entities in rows]


class TaggingAnswers(AnswerTexts):
    """The answers of systems."""

    def write_answers(self, answers: Sequence[str | None], texts: Sequence[str | None]) -> Sequence[str | None]:
        """Return the tagged entities with their types."""
        from assay.kinds.tagging.entities import describe_entities

        return describe_entities(answers, texts)

    def load_answers(self, source: object, data: Dataset) -> pl.DataFrame | None:
        """Read a CoNLL file whose last column is predicted, or a table with one row per token."""
        if not isinstance(source, (str, Path)):
            return None
        from assay.kinds.tagging.conll import load_answers

        return load_answers(Path(source), data)

    def read_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str | None]:
        """Return tags separated by spaces, also from lists; tags that differ from those of gold in case are theirs."""
        from assay.data.columns.spellings import adopt_spellings
        from assay.kinds.tools.cells import parse_list

        lists = [parse_list(answer) for answer in answers]
        joined = [answer if tags is None else " ".join(tags) for answer, tags in zip(answers, lists, strict=True)]
        said = {tag for answer in joined if answer for tag in answer.split()}
        names = adopt_spellings(said, {*data.fields["tags"].explode().drop_nulls().unique().to_list(), "O"})
        if not names:
            return joined
        return [answer and " ".join(names.get(tag, tag) for tag in answer.split()) for answer in joined]

    def list_answer_labels(self, answer: str) -> Sequence[str]:
        """Return the tags."""
        return answer.split()

    def describe_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str]:
        """Say how many answers have another number of tags than there are tokens."""
        lengths = data.fields["tokens"].list.len().to_list()
        pairs = zip(lengths, answers, strict=True)
        odd = sum(answer is not None and len(answer.split()) != length for length, answer in pairs)
        noun = "sentence" if odd == 1 else "sentences"
        return [f"has more or fewer tags than tokens in {odd:,} {noun}; missing tags count as O"] if odd else []


class TaggingScoring(Scoring):
    """The metrics."""

    def choose_metrics(self, data: Dataset) -> tuple[str, ...]:
        """Return entity F1 first if tags mark entities, and scores of unseen words if there is a training part."""
        from assay.kinds.tagging.entities import has_entities

        names = ["entity-f1"] if has_entities(data) else []
        names += ["token-accuracy"]
        if "training words" in data.attachments:
            names += (["unseen-entity-f1"] if has_entities(data) else []) + ["unseen-word-accuracy"]
        return tuple(names)


class TaggingTexts(TaskTexts):
    """The texts of an item, and figures."""

    def leak_texts(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the sentence, and the words of its entities."""
        from assay.kinds.tagging.entities import has_entities, list_entity_texts

        texts = {"sentence": data.texts}
        return texts | {"list of entities": list_entity_texts(data)} if has_entities(data) else texts

    def describe_items(self, data: Dataset) -> KindProfile:
        """Return tokens, tags, entities and how many of them training has, and broken sequences of tags."""
        from assay.kinds.tagging.figures import describe_tags

        return describe_tags(data)


class TaggingLearning(Learning):
    """Baselines and models."""

    def build_models(self, data: Dataset) -> Sequence[QuickModel]:
        """Return a linear tagger of windows of words, and the most frequent tag of each word."""
        from assay.kinds.tagging.models import build_models

        return build_models(data)

    def attach_training(self, data: Dataset, train: Dataset) -> Dataset:
        """Return the data with the words and entities of the rows that were learned from."""
        from assay.kinds.tagging.entities import list_training

        return replace(data, attachments={**data.attachments, **list_training(train)})

    def answer_baselines(self, data: Dataset, rows: Array, random_state: int = 0) -> Iterable[BaselineAnswers]:
        """Return the most frequent tag of each word, and a linear tagger of a window of words."""
        from assay.kinds.tagging.models import answer_baselines

        return answer_baselines(data, rows, random_state)

    def get_strata(self, data: Dataset) -> pl.Series | None:
        """Return the types of entities in every sentence."""
        import polars as pl

        types = self.kind.gold.get_label_sets(data)
        if types is None:
            return None
        return pl.Series("types", [BAR.join(names or ()) or "(none)" for names in types], dtype=pl.String)

    def set_split(self, method: str) -> Options:
        """Let the stratified split keep every type of entity even."""
        return {"separator": BAR} if method == "stratified" else {}


register_kind(
    TaskKind(
        name="tagging",
        title="tagging",
        description="A sentence cut into tokens, and a tag for each; answers are tags separated by spaces.",
        hub_task="token-classification",
        item_noun="sentence",
        layout=TaggingLayout(),
        gold=TaggingGold(label_form="tag sequence"),
        answers=TaggingAnswers(),
        scoring=TaggingScoring(
            metrics=("entity-f1", "token-accuracy", "unseen-entity-f1", "unseen-word-accuracy"),
            headline="entity-f1",
            outcome="token-accuracy",
        ),
        texts=TaggingTexts(),
        learning=TaggingLearning(),
    )
)
