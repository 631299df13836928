"""Single texts with one class each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from assay.kinds.kind import TaskKind, register_kind
from assay.kinds.parts import Scoring
from assay.kinds.tools.labelled_texts import LabelledTextLayout

if TYPE_CHECKING:
    from assay.data.columns.table import RawTable


class ClassificationLayout(LabelledTextLayout):
    """Where the columns are."""

    needs = "one text column, or a folder of texts per class"
    text_counts: ClassVar = (1,)
    example: ClassVar = {"text": ["a good film", "a bad film"], "label": ["pos", "neg"]}

    def load(self, source: object, *, encoding: str, quoting: str) -> dict[str, RawTable] | None:  # noqa: ARG002
        """Read folders with one file per text and one folder per class."""
        if not isinstance(source, (str, Path)):
            return None
        from assay.kinds.tools.text_folders import load_text_folders

        return load_text_folders(Path(source), encoding)


register_kind(
    TaskKind(
        name="classification",
        title="classification",
        description="One text, one of several classes: sentiment, topic, intent. Data without labels is read as this, too.",
        layout=ClassificationLayout(),
        scoring=Scoring(metrics=("accuracy", "precision", "recall", "f1", "macro-f1", "mcc"), headline="accuracy"),
    )
)
