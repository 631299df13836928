"""The skill for coding agents: when to use which command, how to read the result, what not to conclude."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from assay.base.errors import AssayError
from assay.system.files import create_folder, open_for_writing

NAME, FILE = "assay", "SKILL.md"
# The folders of agents in a project, by the folder that says which agent is used; the last one is shared by several.
AGENT_FOLDERS = {".claude": ".claude/skills", ".agents": ".agents/skills"}
DEFAULT = ".agents/skills"


def read_skill() -> str:
    """Return the text of the skill."""
    return files(__name__).joinpath(FILE).read_text(encoding="utf-8")


def choose_skill_folder(project: Path) -> Path:
    """Return the folder of skills in a project: that of the agent that is used there."""
    chosen = next((place for mark, place in AGENT_FOLDERS.items() if (project / mark).is_dir()), DEFAULT)
    return project / chosen


def install_skill(folder: Path | None = None, *, overwrite: bool = False) -> tuple[Path, bool]:
    """Write the skill into a folder of skills; return the file, and whether it was written.

    A file with the same text is left alone. Another one is an error, unless `overwrite` is set.
    """
    path = (choose_skill_folder(Path.cwd()) if folder is None else folder) / NAME / FILE
    text = read_skill()
    if path.exists():
        if path.read_text(encoding="utf-8", errors="replace") == text:
            return path, False
        if not overwrite:
            fact = "There is another version of the skill, or it was edited."
            raise AssayError(fact, place=path, hint="Replace it with {overwrite}.")
    create_folder(path.parent)
    with open_for_writing(path) as file:
        file.write(text)
    return path, True
