"""Save and load classifiers as JSON and arrays. Reading a saved model never runs code from it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from assay import __version__
from assay.base.codec import to_plain
from assay.base.errors import AssayError, MissingFileError
from assay.base.parameters import Options
from assay.system.files import create_folder, open_for_writing, write_together
from assay.system.json import read_json
from assay.system.limits import check_unpacked_size

if TYPE_CHECKING:
    from assay.models.base import TextClassifier

Model = TypeVar("Model", bound="TextClassifier")


def save_model(model: TextClassifier, folder: Path) -> None:
    """Write `assay.json` (settings, classes, values) and `arrays.npz` into a folder."""
    values, arrays = model._state()  # noqa: SLF001, the model's other half
    header = {
        "assay": __version__,
        "model": type(model).__name__,
        "parameters": to_plain(model.get_params(deep=False)),
        "classes": to_plain(model.classes_),
        "class_kind": model.classes_.dtype.str,
        "n_sides": model.n_sides_,
        "values": values,
    }
    with write_together():
        create_folder(folder)
        with open_for_writing(folder / "arrays.npz", "wb") as content:
            np.savez(content, allow_pickle=False, **arrays)
        model._save_more(folder)  # noqa: SLF001
        with open_for_writing(folder / "assay.json") as file:
            json.dump(header, file, ensure_ascii=False)


def load_model(kind: type[Model], folder: Path) -> Model:
    """Read a saved model of a class."""
    header = _read_header(folder)
    if header.get("model") != kind.__name__:
        raise AssayError(f"a saved {header.get('model', 'file')}, not a {kind.__name__}", place=folder)
    try:
        return _restore_model(kind, header, folder)
    except (AssayError, MemoryError):
        raise
    except Exception as error:  # a part is missing or of another type; which, only the model knows
        fact = f"the saved model is damaged ({type(error).__name__}: {error})"
        raise AssayError(fact, place=folder, hint="Train it again.") from error


def _restore_model(kind: type[Model], header: Options, folder: Path) -> Model:
    model = kind(**_lists_to_tuples(header["parameters"]))
    model.classes_ = np.array(header["classes"], dtype=header["class_kind"])
    if not model.classes_.ndim == 1 <= len(model.classes_):
        raise AssayError("the saved model is damaged: it has no classes", place=folder, hint="Train it again.")
    model.n_sides_, model.notes_ = header["n_sides"], ()
    arrays = _read_arrays(folder / "arrays.npz")
    model._restore(header["values"], arrays, folder)  # noqa: SLF001
    return model


def _read_arrays(path: Path) -> Options:
    """Read the arrays, if they do not unpack to far more than the file; they are stored without compression."""
    with zipfile.ZipFile(path) as archive:
        check_unpacked_size(sum(info.file_size for info in archive.infolist()), path.stat().st_size, path)
    with np.load(path, allow_pickle=False) as stored:
        return dict(stored)


def _read_header(folder: Path) -> Options:
    try:
        header = read_json(folder / "assay.json")
    except MissingFileError as error:
        raise MissingFileError("no saved model (assay.json is missing)", place=folder) from error
    if not isinstance(header, dict):
        raise AssayError("not a saved model: a JSON object is expected", place=folder / "assay.json")
    return header


def _lists_to_tuples(parameters: Options) -> Options:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in parameters.items()}
