"""Text can be read and marks be seen, on light and on dark pages."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from assay.report.theme import CATEGORIES, DARK, MUTED, PAPER

CSS = (resources.files("assay.report") / "templates" / "page.css").read_text(encoding="utf-8")
LIGHT = dict(re.findall(r"--([\w-]+):(#[0-9a-f]{3,6})", CSS.split("@media")[0]))
NIGHT = dict(re.findall(r"--([\w-]+):(#[0-9a-f]{3,6})", CSS.split("@media")[1]))
ON = [(text, back) for text in ("ink", "muted", "accent") for back in ("paper", "page", "soft")]
ON += [(kind, f"{kind}-soft") for kind in ("error", "warning", "note", "good")]


def brightness(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * mark for mark in colour[1:])
    shares = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    low, high = sorted((brightness(first), brightness(second)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_the_guidelines_say():
    assert contrast("#000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize(("text", "back"), ON)
@pytest.mark.parametrize("colours", [LIGHT, NIGHT], ids=["light", "dark"])
def test_text_has_enough_contrast(colours, text, back):
    assert contrast(colours[text], colours[back]) >= 4.5


@pytest.mark.parametrize("colour", CATEGORIES)
def test_marks_and_words_of_charts_have_enough_contrast(colour):
    assert contrast(colour, PAPER) >= 4.5
    assert contrast(DARK[colour], DARK[PAPER]) >= 4.5
    assert min(contrast(MUTED, PAPER), contrast(DARK[MUTED], DARK[PAPER])) >= 4.5
