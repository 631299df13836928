"""Real data that ships with the package."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from assay.base.errors import unknown_name


@dataclass(frozen=True)
class BundledBenchmark:
    """A benchmark that ships with the package: what it is, and its files."""

    name: str
    title: str
    licence: str
    folder: str
    files: dict[str, str]
    reviewed: str | None = None  # the column of people's verdicts on the items

    def find(self, file: str) -> Path:
        """Return the path of a file: data or predictions."""
        return Path(str(resources.files("assay.data"))) / self.folder / self.files[file]


BUNDLED = {
    row.name: row
    for row in (
        BundledBenchmark(
            "arguments",
            "Argument reasoning comprehension (SemEval-2018 Task 12): 1,970 items, 22 systems on 444 test items",
            "Apache-2.0",
            "arct",
            {"data": "arct.tsv.gz", "predictions": "predictions.tsv.gz"},
        ),
        BundledBenchmark(
            "mmlu-redux",
            "MMLU-Redux 2.0: 2,900 questions of 29 subjects reviewed by people, answers of 14 language models",
            "CC BY 4.0, MIT",
            "mmlu_redux",
            {"data": "mmlu_redux.tsv.gz", "predictions": "predictions.tsv.gz"},
            reviewed="error_type",
        ),
    )
}


def find_bundled(file: str = "data", name: str = "arguments") -> Path:
    """Return the path of a file of a bundled benchmark: data or predictions.

    >>> find_bundled("predictions").name
    'predictions.tsv.gz'
    """
    return get_bundled(name).find(file)


def get_bundled(name: str) -> BundledBenchmark:
    """Return a bundled benchmark by its name.

    >>> get_bundled("mmlu-redux").licence
    'CC BY 4.0, MIT'
    """
    if name not in BUNDLED:
        raise unknown_name("demo", name, BUNDLED)
    return BUNDLED[name]
