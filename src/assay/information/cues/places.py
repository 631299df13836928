"""Where a cue is: in the text, in one text of a pair, or in one text but not in the other."""

from __future__ import annotations

from assay.wording.sentences import quote

TEXT, FIRST, SECOND = "text", "a", "b"
ONLY_FIRST, ONLY_SECOND = "a but not in b", "b but not in a"
ONE_OF_BOTH = "one but not in the other"
PlacedWord = tuple[str, str]  # a word, or two in a row, and its place
_MIRRORED = {ONLY_FIRST: ONLY_SECOND, ONLY_SECOND: ONLY_FIRST}
_PHRASES = {
    TEXT: "",
    FIRST: " in the first text",
    SECOND: " in the second text",
    ONLY_FIRST: " in the first text but not in the second",
    ONLY_SECOND: " in the second text but not in the first",
    ONE_OF_BOTH: " in one text but not in the other",
}
_VIEWS = {
    TEXT: "whether the text contains {words}",
    FIRST: "whether the first text contains {words}",
    SECOND: "whether the second text contains {words}",
    ONLY_FIRST: "whether the first text, but not the second, contains {words}",
    ONLY_SECOND: "whether the second text, but not the first, contains {words}",
    ONE_OF_BOTH: "whether the first text alone, the second text alone, or neither of them alone contains {words}",
}


def find_place(kind: str) -> str:
    """Return the place of a kind of cue.

    >>> find_place("word pair in b"), find_place("word in a but not in b"), find_place("number")
    ('b', 'a but not in b', '')
    """
    return kind.partition(" in ")[2]


def mirror_place(place: str) -> str | None:
    """Return the same place with the two texts exchanged, for words that one text has and the other has not."""
    return _MIRRORED.get(place)


def split_place(place: str) -> tuple[str, ...]:
    """Return the places of features that a place stands for.

    >>> split_place("one but not in the other"), split_place("a")
    (('a but not in b', 'b but not in a'), ('a',))
    """
    return (ONLY_FIRST, ONLY_SECOND) if place == ONE_OF_BOTH else (place,)


def describe_place(place: str) -> str:
    """Say where a word is; nothing for items of one text.

    >>> describe_place("b but not in a")
    ' in the second text but not in the first'
    """
    return _PHRASES.get(place, "")


def describe_kind(kind: str) -> str:
    """Name a kind of cue in full.

    >>> describe_kind("word in a but not in b"), describe_kind("word pair in text"), describe_kind("number")
    ('word in the first text but not in the second', 'word pair', 'number')
    """
    place = find_place(kind)
    return kind.partition(" in ")[0] + describe_place(place)


def describe_views(words: tuple[str, ...], places: tuple[str, ...]) -> str:
    """Say what a model sees that sees only whether words are at their places.

    >>> describe_views(("not", "no"), ("b", "b"))
    'whether the second text contains "not", and the same for "no"'
    """
    views: list[str] = []
    for place in dict.fromkeys(places):
        names = [quote(word) for word, where in zip(words, places, strict=True) if where == place]
        views.append(_VIEWS[place].format(words=names[0]))
        if len(names) > 1:
            views.append(f"the same for {', '.join(names[1:])}")
    return ", and ".join(views)
