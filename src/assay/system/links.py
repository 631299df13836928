"""Follow no link and no name out of a folder."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath

from assay.base.errors import AssayError

LINKS_VARIABLE = "ASSAY_FOLLOW_LINKS"


def check_links(paths: Iterable[Path], folder: Path) -> None:
    """Raise for a path of a folder that a symbolic link leads out of it, as in an archive that was made to do so.

    The snapshots in the cache of the Hugging Face hub consist of links to blobs next to them.
    """
    if os.environ.get(LINKS_VARIABLE):
        return
    root = Path(os.path.realpath(folder))
    if "snapshots" in root.parts:
        place = len(root.parts) - root.parts[::-1].index("snapshots") - 1
        root = Path(*root.parts[:place]) if place > 1 and Path(*root.parts[:place], "blobs").is_dir() else root
    for path in paths:
        target = Path(os.path.realpath(path))
        if target != root and root not in target.parents:
            raise AssayError(
                "this link leads out of the folder",
                place=path,
                hint=f"Name its target instead, or set {LINKS_VARIABLE}=1 if you trust it.",
            )


def check_relative(name: str, place: Path) -> str:
    """Return the name of a file or folder that a file at `place` gives; raise if it leads out of the folder of that file."""
    plain = PurePosixPath(name.replace("\\", "/"))
    if plain.is_absolute() or ".." in plain.parts or PureWindowsPath(name).drive or "\0" in name:
        raise AssayError(f"it names a file outside its folder ({name})", place=place)
    return name


def check_hub_name(name: str) -> str:
    """Return the name of a model that assay loads without being asked; raise if the working folder has a folder of it.

    The libraries that load models would read that folder, which a download may contain, instead of the model.
    """
    if Path(name).exists():
        fact = f"a folder in the working folder has the name of the model {name} and would be read instead"
        raise AssayError(fact, place=name, hint=f"Run assay in another folder, or name this one as ./{name}.")
    return name


def get_fixed_folder(pattern: Path) -> Path:
    """Return the folder that a pattern names before its first wildcard.

    >>> get_fixed_folder(Path("data/de/*/*.csv")).as_posix()
    'data/de'
    """
    return next(parent for parent in pattern.parents if not glob.has_magic(str(parent)))
