"""Text can be read and marks be seen, on light and on dark pages."""

from __future__ import annotations

import re
from importlib import resources
from itertools import combinations

import numpy as np
import pytest

from assay.views.theme import CATEGORIES, DARK, MUTED, PAPER

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


# Linear RGB to what people with each kind of colour vision see (Machado et al. 2009, severity 1).
VISION = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
XYZ = ((0.4125, 0.3576, 0.1804), (0.2127, 0.7152, 0.0722), (0.0193, 0.1192, 0.9503))
WHITE = (0.9505, 1.0, 1.0888)


def see(colour, vision):
    """Return the CIE L*a*b* of a colour as it is seen."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = np.array([s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares])
    xyz = np.array(XYZ) @ np.clip(np.array(VISION[vision]) @ linear, 0, 1) / np.array(WHITE)
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("colours", [CATEGORIES, [DARK[colour] for colour in CATEGORIES]], ids=["light", "dark"])
def test_any_two_categories_differ_for_every_kind_of_colour_vision(colours, vision):
    distances = [np.linalg.norm(see(one, vision) - see(other, vision)) for one, other in combinations(colours, 2)]
    assert min(distances) > 8
