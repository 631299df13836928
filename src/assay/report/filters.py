"""Filters of the page's templates: everything is escaped first."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from assay.wording.characters import make_visible
from assay.wording.sentences import set_minus_signs

_QUOTED = re.compile(r'"([^"]*)"')
_AFTER_SEPARATOR = re.compile(r"(?<=[/_])(?=.)")
_WITH_INTERVAL = re.compile(r"^([^\[]*?)( ?\[[^\[\]]*\])$")


def mark_quotes(text: str) -> Markup:
    """Isolate a sentence from the direction of its neighbours, and mark text from the data in double quotes.

    >>> mark_quotes('The word "not" < 5')
    Markup('<bdi>The word <bdi class="token">not</bdi> &lt; 5</bdi>')
    >>> mark_quotes("kappa -0.02 [-0.04, 0.01] in 2024-05-01")
    Markup('<bdi>kappa −0.02 [−0.04, 0.01] in 2024-05-01</bdi>')
    """
    parts = _QUOTED.split(text)
    pieces = [
        escape(set_minus_signs(part)) if number % 2 == 0 else Markup('<bdi class="token">{}</bdi>').format(part)
        for number, part in enumerate(parts)
    ]
    return Markup("<bdi>{}</bdi>").format(Markup("").join(pieces))


def allow_breaks(name: str) -> Markup:
    """Let a long name break after its separators, and not within a word.

    >>> allow_breaks("org/mmlu_pro<b>")
    Markup('org/<wbr>mmlu_<wbr>pro&lt;b&gt;')
    """
    return Markup("<wbr>").join(escape(part) for part in _AFTER_SEPARATOR.split(name))


def split_interval(number: str) -> Markup:
    """Set the interval of a number apart from it.

    >>> split_interval("0.81 [0.77, 0.85]")
    Markup('<bdi>0.81 <span class="span">[0.77, 0.85]</span></bdi>')
    """
    match = _WITH_INTERVAL.match(number)
    if match is None:
        return Markup("<bdi>{}</bdi>").format(number)
    return Markup('<bdi>{} <span class="span">{}</span></bdi>').format(match[1].strip(), match[2].strip())


FILTERS = {"visible": make_visible, "quotes": mark_quotes, "interval": split_interval, "breaks": allow_breaks}
