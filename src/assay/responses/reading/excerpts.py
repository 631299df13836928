"""The part of a response that a page shows: the span that was read, and the text around it."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.marks import TEXT
from assay.wording.characters import make_visible

MAX_BEFORE, MAX_SPAN, MAX_AFTER = 320, 240, 160  # characters
CUT = "…"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The span of a response that was read, with the text before and after it; `…` marks text that is left out."""

    before: str = field(metadata=TEXT)
    span: str = field(metadata=TEXT)
    after: str = field(metadata=TEXT)

    def show(self) -> tuple[str, str, str]:
        r"""Return the three parts with control characters as symbols and with their breaks of lines.

        >>> Excerpt("a\x00\n", "b", "").show()
        ('a␀\n', 'b', '')
        """
        return _show(self.before), _show(self.span), _show(self.after)

    def shorten(self, n_before: int, n_after: int) -> Excerpt:
        """Return the excerpt with less text around the span.

        >>> Excerpt("We add both. The ", "answer is 7", ". Is it?").shorten(4, 1)
        Excerpt(before='…The ', span='answer is 7', after='.…')
        """
        return Excerpt(_keep_end(self.before, n_before), self.span, _keep_start(self.after, n_after))


def cut_excerpt(text: str | None, start: int, end: int) -> Excerpt | None:
    """Return the excerpt of a response around a span; None without any text.

    >>> cut_excerpt("The answer is 7.", 4, 15)
    Excerpt(before='The ', span='answer is 7', after='.')
    """
    if text is None or not text.strip():
        return None
    span = text[start : min(end, start + MAX_SPAN)] + (CUT if end - start > MAX_SPAN else "")
    before = text[max(0, start - MAX_BEFORE - 1) : start]
    return Excerpt(_keep_end(before, MAX_BEFORE), span, _keep_start(text[end : end + MAX_AFTER + 1], MAX_AFTER))


def _show(text: str) -> str:
    return make_visible(text, MAX_BEFORE + 2, keep_breaks=True) + ("\n" if text.endswith("\n") else "")


def _keep_end(text: str, n: int) -> str:
    return text if len(text) <= n else CUT + text[len(text) - n :]


def _keep_start(text: str, n: int) -> str:
    return text if len(text) <= n else text[:n] + CUT
