"""Save and load classifiers as JSON and arrays; reading never runs code, so strangers' files are safe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from assay import __version__
from assay.base.codec import to_plain
from assay.base.errors import AssayError
from assay.base.files import open_for_writing

if TYPE_CHECKING:
    from assay.models.base import TextClassifier

Model = TypeVar("Model", bound="TextClassifier")


def save(model: TextClassifier, folder: Path) -> None:
    """Write `assay.json` (settings, classes, values) and `arrays.npz` into a folder."""
    values, arrays = model._state()  # noqa: SLF001, the model's other half
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "arrays.npz", allow_pickle=False, **arrays)
    model._save_more(folder)  # noqa: SLF001
    about = {
        "assay": __version__,
        "model": type(model).__name__,
        "parameters": to_plain(model.get_params(deep=False)),
        "classes": to_plain(model.classes_),
        "class_kind": model.classes_.dtype.str,
        "n_sides": model.n_sides_,
        "values": values,
    }
    with open_for_writing(folder / "assay.json") as file:
        json.dump(about, file, ensure_ascii=False)


def load(kind: type[Model], folder: Path) -> Model:
    """Read a model of a kind, or say why the folder holds none."""
    about = _about(folder)
    if about["model"] != kind.__name__:
        raise AssayError(f"{folder}: holds a {about['model']}, not a {kind.__name__}.")
    model = kind(**_with_tuples(about["parameters"]))
    model.classes_ = np.array(about["classes"], dtype=about["class_kind"])
    model.n_sides_, model.notes_ = about["n_sides"], ()
    with np.load(folder / "arrays.npz", allow_pickle=False) as stored:
        arrays = dict(stored)
    model._restore(about["values"], arrays, folder)  # noqa: SLF001
    return model


def _about(folder: Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads((folder / "assay.json").read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise AssayError(f"{folder}: no saved model (assay.json is missing).") from error
    except json.JSONDecodeError as error:
        raise AssayError(f"{folder / 'assay.json'}: not JSON: {error}.") from error
    return about


def _with_tuples(parameters: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in parameters.items()}
