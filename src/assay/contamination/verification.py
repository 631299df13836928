"""Was the item itself seen, or only a sibling of it? Passages are compared on numbers, symbols and rare words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np

TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[^\w\s]")
MARGIN = 0.5  # of the length of an item, searched on both sides of its passage
TAG = re.compile(r"</?(\w+)>")
LETTER_WORDS = "aist"  # of English: words, and what an apostrophe leaves
RARE_ITEMS, RARE_SHARE = 2, 0.02  # a word of at most so many items, or of this share of them, is rare
MAX_EDITS = 2  # replaced passages of an item that is otherwise verbatim
MIN_SHARED_SPAN, MIN_SAME_LENGTH = 0.8, 0.5  # of two items in one passage
MAX_ITEMS = 10_000  # whose words are remembered: an item is compared with several documents
MIN_ADVANTAGE = 0.01  # in closeness, of the item that a passage belongs to


@dataclass(frozen=True)
class PassageMatch:
    """How an item and a passage differ, and where the passage is in its document (numbers of tokens).

    `item_seen` is the share of numbers, symbols and rare words of the item that the passage does not replace by others.
    """

    item_seen: float
    closeness: float  # words that are the same, as a share of the mean length of item and passage
    start: int
    end: int


def find_rare_words(texts: Sequence[str]) -> frozenset[str]:
    """Return the words that set an item apart from the others."""
    counts = Counter(word for text in texts for word in {token for token in cut_tokens(text) if token.isalpha()})
    limit = max(RARE_ITEMS, RARE_SHARE * len(texts))
    return frozenset(word for word, count in counts.items() if count <= limit)


def cut_tokens(text: str) -> list[str]:
    """Cut a text into numbers, words and symbols; the brackets of a tag are not symbols.

    >>> cut_tokens("Find 2x + 1,500 = y <br>!")
    ['find', '2', 'x', '+', '1,500', '=', 'y', 'br', '!']
    """
    return TOKEN.findall(normalise_text(text))


def normalise_text(text: str) -> str:
    """Return a text in lower case with single spaces, and tags without brackets."""
    return " ".join(TAG.sub(r" \1 ", unicodedata.normalize("NFKC", text).lower()).split())


@dataclass(frozen=True)
class CutText:
    """The words and numbers of a text, and the symbols before each of them and after the last."""

    words: list[str]
    symbols: list[list[str]]


def separate_symbols(tokens: Sequence[str]) -> CutText:
    """Separate words and numbers from the symbols between them.

    >>> separate_symbols(["2", "x", "+", "3", "!"])
    CutText(words=['2', 'x', '3'], symbols=[[], [], ['+'], ['!']])
    """
    text = CutText([], [[]])
    for token in tokens:
        if token[0].isalnum():
            text.words.append(token)
            text.symbols.append([])
        else:
            text.symbols[-1].append(token)
    return text


@lru_cache(maxsize=MAX_ITEMS)
def _cut_item(text: str) -> tuple[str, CutText]:
    plain = normalise_text(text)
    return plain, separate_symbols(TOKEN.findall(plain))


def compare_item(text: str, document: str, rare_words: Collection[str]) -> PassageMatch:
    """Compare an item with the passage of a document that has most of its words.

    >>> same = compare_item("What is 3 + 4?", "They ask: what is 3 + 4? Seven.", ())
    >>> same.item_seen, same.closeness
    (1.0, 1.0)
    >>> compare_item("What is 3 + 4?", "They ask: what is 3 - 4?", ()).item_seen < 1
    True
    """
    (plain, item), whole = _cut_item(text), normalise_text(document)
    place = find_verbatim(plain, whole)
    if place >= 0:
        start = sum(token[0].isalnum() for token in TOKEN.findall(whole[:place]))
        return PassageMatch(item_seen=1.0, closeness=1.0, start=start, end=start + len(item.words))
    return align_item(item, TOKEN.findall(whole), rare_words)


def find_verbatim(item: str, document: str) -> int:
    """Return where a document has an item verbatim, as whole words and numbers; −1 if nowhere or not certain.

    >>> [find_verbatim("3 + 4", text) for text in ("is 3 + 4?", "is 13 + 4", "is 3 + 4.5")]
    [3, -1, -1]
    """
    place = document.find(item) if item else -1
    if place < 0:
        return -1
    before, after = document[:place][-1:], document[place + len(item) :][:1]
    is_cut = (item[0].isalnum() and _goes_on(before)) or (item[-1].isalnum() and _goes_on(after))
    return -1 if is_cut else place


def _goes_on(mark: str) -> bool:
    return mark.isalnum() or mark in (".", ",")


def align_item(item: CutText, tokens: Sequence[str], rare_words: Collection[str]) -> PassageMatch:
    """Compare an item with the passage of a document that has most of its words, word by word."""
    places = [place for place, token in enumerate(tokens) if token[0].isalnum()]
    first, last = _find_window(item.words, [tokens[place] for place in places])
    start, stop = ([0, *(place + 1 for place in places)][first], [*places, len(tokens)][last])
    passage = separate_symbols(tokens[start:stop])
    codes = SequenceMatcher(None, item.words, passage.words, autojunk=False).get_opcodes()
    equal = [code[1:] for code in codes if code[0] == "equal"]
    replaced = list(_list_replaced(item.words, passage.words, codes))
    n_conflicts = sum(_count_conflicts(mine, other) for mine, other, _ in replaced)
    inner = [mine for mine, other, is_inner in replaced if is_inner and len(mine) == len(other)]
    if len(inner) <= MAX_EDITS:
        n_conflicts += sum(word in rare_words and not is_decisive(word) for mine in inner for word in mine)
    n_conflicts += sum(_count_other_symbols(item, passage, block) for block in equal)
    n_decisive = sum(is_decisive(word) or word in rare_words for word in item.words)
    n_decisive += sum(is_decisive(symbol) for symbols in item.symbols for symbol in symbols)
    n_found = sum(block[1] - block[0] for block in equal)
    start, end = (equal[0][2], equal[-1][3]) if equal else (0, 0)
    return PassageMatch(
        item_seen=1 - n_conflicts / max(n_decisive, n_conflicts, 1),
        closeness=2 * n_found / max(len(item.words) + end - start, 1),
        start=first + start,
        end=first + end,
    )


def _list_replaced(
    item: Sequence[str], passage: Sequence[str], codes: Sequence[tuple[str, int, int, int, int]]
) -> Iterator[tuple[Sequence[str], Sequence[str], bool]]:
    """Yield words of an item, those that the passage has in their place, and whether words around them are the same.

    At the ends of the item the passage goes on with other words: as many are compared as the item has.
    """
    for kind, a, b, c, d in codes:
        if kind != "replace":
            continue
        if a == 0:
            yield item[a:b], passage[max(c, d - (b - a)) : d], False
        elif b == len(item):
            yield item[a:b], passage[c : min(d, c + b - a)], False
        else:
            yield item[a:b], passage[c:d], True


@lru_cache(maxsize=MAX_ITEMS)
def is_decisive(token: str) -> bool:
    """Return True for a number, a symbol that is not punctuation, and a single letter that is not a word.

    >>> [is_decisive(token) for token in ("3", "+", "∨", "x", "the", ",", "a")]
    [True, True, True, True, False, False, False]
    """
    if len(token) == 1 and not token.isalnum():
        return unicodedata.category(token).startswith("S") or token in "-*/%^&~"
    return token[0].isdigit() or (len(token) == 1 and token.isascii() and token not in LETTER_WORDS)


def _count_conflicts(mine: Sequence[str], other: Sequence[str]) -> int:
    """Count numbers and single letters of an item in whose place a passage has others."""
    total = 0
    for kind in (str.isdigit, str.isalpha):
        here = [word for word in mine if is_decisive(word) and kind(word[0])]
        there = [word for word in other if is_decisive(word) and kind(word[0])]
        if there:
            total += (Counter(here) - Counter(there)).total()
    return total


def _count_other_symbols(item: CutText, passage: CutText, block: tuple[int, int, int, int]) -> int:
    """Count places between equal words that have other symbols in a passage; a missing symbol does not count."""
    a, b, c, _ = block
    total = 0
    for step in range(1, b - a):
        mine, other = item.symbols[a + step], passage.symbols[c + step]
        if other and sorted(filter(is_decisive, mine)) != sorted(filter(is_decisive, other)):
            total += 1
    return total


def _find_window(item: Sequence[str], words: Sequence[str]) -> tuple[int, int]:
    """Return the part of a document that has most words of an item, with a margin."""
    size = len(item) + int(MARGIN * len(item)) + 1
    if len(words) <= size:
        return 0, len(words)
    wanted, counts = set(item), Counter(words)
    weights = np.array([1 / counts[word] if word in wanted else 0.0 for word in words])  # frequent words say little
    sums = np.concatenate([[0.0], np.cumsum(weights)])
    start = int((sums[len(item) :] - sums[: -len(item)]).argmax())
    return max(0, start - size + len(item)), min(len(words), start + size)


def find_siblings(places: Sequence[tuple[str, int]], comparisons: Sequence[PassageMatch]) -> Iterator[int]:
    """Yield the numbers of items whose passage is another item, which is closer to it.

    `places` are the documents of the items.
    """
    by_document: dict[tuple[str, int], list[int]] = {}
    for number, place in enumerate(places):
        by_document.setdefault(place, []).append(number)
    for numbers in by_document.values():
        for number in numbers:
            if any(_is_closer(comparisons[other], comparisons[number]) for other in numbers):
                yield number


def _is_closer(other: PassageMatch, mine: PassageMatch) -> bool:
    """Return True if another item is closer to the same passage."""
    shared = min(other.end, mine.end) - max(other.start, mine.start)
    shortest, longest = sorted((other.end - other.start, mine.end - mine.start))
    is_same = shared >= MIN_SHARED_SPAN * shortest and shortest >= MIN_SAME_LENGTH * longest
    return is_same and other.closeness > mine.closeness + MIN_ADVANTAGE
