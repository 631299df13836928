"""`eval.yaml` of benchmarks on the Hugging Face hub: which columns are the input, the target and the choices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.base.errors import AssayError, join_names
from assay.data.metadata.description import Description
from assay.system.json import JsonObject
from assay.system.links import check_links, check_relative
from assay.system.yaml import read_yaml

EVAL_YAML = "eval.yaml"
MAX_NAME_BITS = 64  # of a name that is a whole number; Python refuses to write very long ones
LITERAL = "literal:"  # a target that is the same for every item, and no column


def read_eval_yaml(path: Path) -> Description:
    """Read the roles of the columns, and the folder of the task's configuration if there is one."""
    tasks = _read_tasks(path)
    specs: list[Any] = [task.get("field_spec") for task in tasks]
    configs = {_to_name(task.get("config", "default"), "config", path) for task in tasks}
    if not all(isinstance(spec, dict) for spec in specs):
        raise AssayError("a task has no field_spec", place=path)
    if any(spec != specs[0] for spec in specs) or len(configs) > 1:
        names = join_names(_to_name(task.get("id", "without id"), "id", path) for task in tasks)
        hint = "Read the files of one task, and name their columns with {text} and {label}."
        raise AssayError(f"it describes several tasks with different data ({names})", place=path, hint=hint)
    spec, folder = specs[0], path.parent / check_relative(configs.pop(), path)
    check_links([folder], path.parent)
    choices = spec.get("choices") or []
    columns = [_to_name(name, "choices", path) for name in (choices if isinstance(choices, list) else [choices])]
    target = _to_name(spec.get("target", "target"), "target", path)
    return Description(
        file=path,
        source=folder if folder.is_dir() else path.parent,
        task="multiple-choice" if choices else "generation",
        text=_to_name(spec.get("input", "input"), "input", path),
        label=None if target.startswith(LITERAL) else target,
        choices=tuple(columns),
        id=_to_name(spec["id"], "id", path) if spec.get("id") else None,
    )


def _to_name(value: object, key: str, path: Path) -> str:
    """Return the name of a column, task or folder; lists, objects and very long numbers are refused."""
    if not isinstance(value, str | int | float) or (isinstance(value, int) and value.bit_length() > MAX_NAME_BITS):
        raise AssayError(f"'{key}' is not a name", place=path)
    return str(value)


def _read_tasks(path: Path) -> list[JsonObject]:
    content = read_yaml(path)
    tasks = content.get("tasks") if isinstance(content, dict) else None
    if not isinstance(tasks, list) or not tasks or not all(isinstance(task, dict) for task in tasks):
        raise AssayError("it lists no tasks", place=path)
    return tasks
