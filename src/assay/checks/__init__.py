"""The checks of an audit, one folder each: what is measured, its rules, its row of the first screen and its view.

Charts are in modules that end in `charts`, which load the drawing library; `load_charts` imports them.
"""

from importlib import import_module
from pathlib import Path

from assay.checks.base import CHECKS, Check, CheckOutcome, check, list_tab
from assay.checks.findings import FINDINGS, Finding, NotChecked, rule
from assay.checks.measured import Measurements
from assay.checks.topics import TOPICS, find_topic, topic

_CHARTS = "charts"


def _list_modules() -> list[str]:
    """Return the modules of all checks, what is measured first: rules and views name the check they belong to."""
    home = Path(__file__).parent
    modules = [path.relative_to(home).with_suffix("") for path in home.glob("*/*.py") if path.stem != "__init__"]
    return [".".join(path.parts) for path in sorted(modules, key=lambda path: (path.name != "measure", path.parts))]


def load_charts() -> None:
    """Import the charts of all checks, so that they are registered."""
    for name in _list_modules():
        if name.endswith(_CHARTS):
            import_module(f"{__name__}.{name}")


for _name in _list_modules():
    if not _name.endswith(_CHARTS):
        import_module(f"{__name__}.{_name}")

__all__ = [
    "CHECKS",
    "FINDINGS",
    "TOPICS",
    "Check",
    "CheckOutcome",
    "Finding",
    "Measurements",
    "NotChecked",
    "check",
    "find_topic",
    "list_tab",
    "load_charts",
    "rule",
    "topic",
]
