"""Descriptions of data in metadata files next to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.base.errors import join_names
from assay.system.json import JsonObject


@dataclass(frozen=True)
class Description:
    """The data that a metadata file describes: a path, or one per part, and the columns of roles it names."""

    file: Path
    source: Path | None
    parts: dict[str, Path] = field(default_factory=dict)
    task: str | None = None
    text: str | None = None
    label: str | None = None
    choices: tuple[str, ...] = ()
    id: str | None = None
    split: str | None = None

    @property
    def roles(self) -> JsonObject:
        """Return the roles that are named, as arguments of `assay.read`."""
        roles: dict[str, Any] = {"text": self.text, "label": self.label, "id": self.id, "split": self.split}
        roles["choices"] = self.choices[0] if len(self.choices) == 1 else list(self.choices)
        return {role: columns for role, columns in roles.items() if columns}

    @property
    def note(self) -> str:
        """Say what was taken from the file."""
        roles = [
            f"{role} {columns if isinstance(columns, str) else join_names(columns)}"
            for role, columns in self.roles.items()
        ]
        return f"{self.file.name}: {'; '.join(roles) if roles else 'names the files'}"
