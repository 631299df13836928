"""Audits to draw: one as the audits room writes it, and one whose every word means harm."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from assay.report import render

HARM = (
    "</script><script>document.title='PWNED'</script><img src=x onerror=\"document.title='PWNED'\"> "
    "{{ 7*7 }} {% raw %} ${7*7} ]]> --> \u202e\u2066abc \x00\x01\x1b\x7f\ud800\ufffe\u2028 🙂𝔘"
)
AUDIT: dict[str, Any] = json.loads((Path(__file__).parent / "audit.json").read_text(encoding="utf-8"))


def spoiled(value: Any, key: str = "") -> Any:
    """Replace every text of the data by harm; names that the audits room chooses itself stay."""
    ours = {
        "code",
        "severity",
        "section",
        "status",
        "measure",
        "case_group",
        "proposal",
        "metric",
        "task",
        "basis",
        "verdict",
    }
    if isinstance(value, str):
        return value if key in ours else f"{value} {HARM}"
    if isinstance(value, dict):
        return {name: spoiled(one, name) for name, one in value.items()}
    return [spoiled(one, key) for one in value] if isinstance(value, list) else value


@pytest.fixture(scope="session")
def page() -> str:
    return render(copy.deepcopy(AUDIT))


@pytest.fixture(scope="session")
def hostile_page() -> str:
    return render(made_hostile())


@pytest.fixture
def audit() -> dict[str, Any]:
    return copy.deepcopy(AUDIT)


@pytest.fixture
def hostile() -> dict[str, Any]:
    return made_hostile()


def made_hostile() -> dict[str, Any]:
    found = spoiled(copy.deepcopy(AUDIT))
    found["items_top"][0]["text"] = "<b>" + "x" * 1_000_000
    found["items_top"][1]["id"] = "&" * 1_000_000
    found["data"]["name"] = HARM * 1_000
    found["findings"][0]["claim"] += "<i>" * 400_000
    return found
