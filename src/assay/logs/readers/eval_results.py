"""Results in model repositories of the Hugging Face hub (Community Evals)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.base.errors import AssayError
from assay.logs.formats import LOGS, LogReader
from assay.logs.readers.files import list_files
from assay.logs.records import LogRecord, parse_score
from assay.system.yaml import read_yaml

FOLDER, SUFFIXES = ".eval_results", (".yaml", ".yml")
CACHE_MARK = "models--"  # before the name of a model in the cache of the hub
DEFAULT_TASK = "default"
VALUE = "value"


@LOGS.add("eval-results")
class EvalResults(LogReader):
    """Read `<model>/.eval_results/*.yaml`: scores on benchmarks of the hub, no items."""

    example: ClassVar = {
        "org/model-a/.eval_results/gpqa.yaml": "- dataset: {id: Idavidrein/gpqa, task_id: diamond}\n  value: 71\n",
        "org/model-b/.eval_results/gpqa.yaml": "- dataset: {id: Idavidrein/gpqa, task_id: diamond}\n  value: 64.5\n",
    }

    def __init__(self) -> None:
        super().__init__()
        self.home: Path | None = None

    def find_files(self, folder: Path) -> list[Path]:
        """Return the files of all models under a folder."""
        self.home = folder
        return [path for path in list_files(folder, SUFFIXES) if self.recognises(path)]

    def recognises(self, path: Path) -> bool:
        """Return whether a file is in the folder for results."""
        return path.suffix in SUFFIXES and path.absolute().parent.name == FOLDER

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield one record per entry and metric; entries with notes are systems of their own, such as "with tools"."""
        entries = read_yaml(path)
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise AssayError("it is not a list of results", place=path)
        model = name_model(path, self.home)
        for entry in entries:
            dataset = entry.get("dataset")
            if not isinstance(dataset, dict) or not isinstance(dataset.get("id"), str):
                raise AssayError("a result has no dataset with an id", place=path)
            system = f"{model} ({entry['notes']})" if isinstance(entry.get("notes"), str) else model
            task = name_task(dataset)
            for metric, score in list_scores(entry):
                yield LogRecord(
                    system, task, metric, task, score, error=score is None, benchmark=dataset["id"], is_aggregate=True
                )


def name_task(dataset: dict[str, Any]) -> str:
    """Return the name of a task, with the id of the dataset unless the task is its only one.

    >>> name_task({"id": "cais/hle", "task_id": "default"}), name_task({"id": "openai/gsm8k", "task_id": "main"})
    ('cais/hle', 'openai/gsm8k main')
    """
    task = dataset.get("task_id")
    return dataset["id"] if task in (None, "", DEFAULT_TASK) else f"{dataset['id']} {task}"


def list_scores(entry: dict[str, Any]) -> Iterator[tuple[str, float | None]]:
    """Yield the names of the metrics with their values: one without a name, or a list of them."""
    metrics = entry.get("metrics")
    if isinstance(metrics, list):
        for metric in metrics:
            if isinstance(metric, dict):
                yield str(metric.get("metric_id", VALUE)), parse_score(metric.get(VALUE))
    else:
        yield VALUE, parse_score(entry.get(VALUE))


def name_model(path: Path, home: Path | None) -> str:
    """Return the name of the model whose repository holds a file.

    >>> name_model(Path("hub/org/model/.eval_results/hle.yaml"), Path("hub"))
    'org/model'
    >>> name_model(Path("/c/models--org--model/snapshots/1a2b/.eval_results/hle.yaml"), Path("/c"))
    'org/model'
    """
    folders = path.absolute().parts[:-2]
    cached = [name for name in folders if name.startswith(CACHE_MARK)]
    if cached:
        return cached[-1].removeprefix(CACHE_MARK).replace("--", "/", 1)
    inner = path.parent.parent.relative_to(home).parts if home is not None else ()
    name = "/".join(inner[-2:]) or folders[-1]
    return name.replace("__", "/", 1) if "/" not in name else name
