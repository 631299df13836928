"""Folders with one file per text and one folder per class, such as `train/pos/0_9.txt` of aclImdb."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from assay.data.columns.parts import find_part_in_path, sort_parts
from assay.data.columns.table import RawTable
from assay.data.readers.compression import read_content
from assay.data.readers.encoding import decode_text
from assay.data.readers.formats import get_format_suffix, is_data_file
from assay.system.limits import check_unpacked_size
from assay.system.links import check_links

UNLABELLED = {"unsup", "unlabeled", "unlabelled", "unsupervised"}
MIN_CLASSES = 2


def load_text_folders(path: Path, encoding: str) -> dict[str, RawTable] | None:
    """Return the texts of a folder with a folder per class, or with such folders by part; None for anything else."""
    if not path.is_dir():
        return None
    classes = _find_classes(path)
    if classes:
        return {"": _read_classes(classes, path, encoding)}
    parts = {part: folder for folder in _list_folders(path) if (part := find_part_in_path(folder))}
    found = {part: _find_classes(folder) for part, folder in parts.items()}
    if not found or not all(found.values()):
        return None
    check_links(parts.values(), path)
    return {part: _read_classes(found[part], parts[part], encoding) for part in sort_parts(found)}


def _list_folders(path: Path) -> list[Path]:
    return sorted(child for child in path.iterdir() if child.is_dir() and child.name[0] not in "._")


def _find_classes(path: Path) -> dict[str, list[Path]]:
    """Return the files of each class; nothing if a folder holds anything but texts, or if there are tables."""
    if any(child.is_file() and is_data_file(child) and not _is_text(child) for child in path.iterdir()):
        return {}
    folders = _list_folders(path)
    classes = {folder.name: sorted(child for child in folder.iterdir() if child.name[0] != ".") for folder in folders}
    are_texts = [files and all(file.is_file() and _is_text(file) for file in files) for files in classes.values()]
    has_parts = any(find_part_in_path(folder) for folder in folders)
    return classes if len(classes) >= MIN_CLASSES and all(are_texts) and not has_parts else {}


def _is_text(path: Path) -> bool:
    """Return whether a file is a text of its own: a .txt, or a number as in 20 Newsgroups."""
    return get_format_suffix(path) == ".txt" or path.name.isdigit()


def _read_classes(classes: dict[str, list[Path]], folder: Path, encoding: str) -> RawTable:
    ids, texts, labels = [], [], []
    n_bytes = n_packed = 0
    for name, files in classes.items():
        check_links(files, folder)
        for file in files:
            content = read_content(file)
            n_bytes, n_packed = n_bytes + len(content), n_packed + file.stat().st_size
            check_unpacked_size(n_bytes, n_packed, folder)
            ids.append(f"{name}/{file.name.partition('.')[0]}")
            texts.append(decode_text(content, encoding, file).strip())
            labels.append("" if name.lower() in UNLABELLED else name)
    frame = pl.DataFrame(
        {"id": ids, "text": texts, "label": labels}, schema=dict.fromkeys(("id", "text", "label"), pl.String)
    )
    return RawTable(frame, (f"one file per text; labels are the folders {', '.join(classes)}",))
