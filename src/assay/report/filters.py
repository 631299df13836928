"""Ways to write text on the page: everything is escaped first."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_QUOTED = re.compile(r'"([^"]*)"')
_SPAN = re.compile(r"^(.*?)( ?\[[^\]]*\])$")


def marked(text: str) -> Markup:
    """Isolate a sentence from the direction of its neighbours, and mark the words of the data in double quotes.

    >>> marked('The word "not" < 5')
    Markup('<bdi>The word <bdi class="token">not</bdi> &lt; 5</bdi>')
    """
    parts = _QUOTED.split(text)
    told = [
        escape(part) if i % 2 == 0 else Markup('<bdi class="token">{}</bdi>').format(part)
        for i, part in enumerate(parts)
    ]
    return Markup("<bdi>{}</bdi>").format(Markup("").join(told))


def spread(number: str) -> Markup:
    """Set the interval of a number apart from it.

    >>> spread("0.81 [0.77, 0.85]")
    Markup('<bdi>0.81 <span class="span">[0.77, 0.85]</span></bdi>')
    """
    found = _SPAN.match(number)
    if found is None:
        return Markup("<bdi>{}</bdi>").format(number)
    return Markup('<bdi>{} <span class="span">{}</span></bdi>').format(found[1].strip(), found[2].strip())
