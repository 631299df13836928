"""Numbers as models write them: with separators, as fractions, in LaTeX, with a decimal comma, or as a word."""

from __future__ import annotations

import re

_SEPARATOR = r"(?:,|\{,\}|\\[,;!]|[\u00a0\u202f'’])"  # between thousands
_SIGN = r"[-−+]?"
NUMBER = re.compile(
    rf"{_SIGN}(?<![\d.,])\d{{1,3}}(?: \d{{3}}){{1,8}}(?:[.,]\d{{1,2}})?(?![.,]?\d)|"
    rf"{_SIGN}\d{{1,3}}(?:\.\d{{3}}){{1,8}},\d{{1,2}}(?!\d)"
    rf"|{_SIGN}(?:\d{{1,3}}(?:{_SEPARATOR}\d{{3}}){{1,8}}(?!\d)|\d{{1,40}})(?:\.\d{{1,40}}|,\d{{1,2}}(?![\d,]))?"
    rf"|{_SIGN}\.\d{{1,40}}"
)
FRACTION = re.compile(
    rf"(?P<sign>{_SIGN})\\[dt]?frac\s?\{{(?P<a>{_SIGN}\d{{1,15}})\}}\s?\{{(?P<b>\d{{1,15}})\}}"
    rf"|(?P<c>{_SIGN}\d{{1,15}})\s?/\s?(?P<d>\d{{1,15}})(?![\d/])"
)
GROUPED = re.compile(r"\d{1,3}(?:\.\d{3}){1,8}")  # 2.500, thousands in German and Spanish
SCALE = re.compile(r"\s?(thousand|million|billion|trillion)s?$", re.IGNORECASE)
SCALED = re.compile(r"\s(?:thousand|million|billion|trillion)\b", re.IGNORECASE)
_SCALES = {"thou": 1e3, "mill": 1e6, "bill": 1e9, "tril": 1e12}
_IGNORED = re.compile(r"[\s\u00a0\u202f'’]|\{,\}|\\[,;!]")
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()


def find_numbers(text: str) -> list[re.Match[str]]:
    r"""Return the numbers of a text in their order; a fraction is one number.

    >>> [match.group() for match in find_numbers(r"7/8 of 1{,}200 is \frac{1}{2}, not -3")]
    ['7/8', '1{,}200', '\\frac{1}{2}', '-3']
    """
    fractions = list(FRACTION.finditer(text))
    places = [(match.start(), match.end()) for match in fractions]
    whole = [
        match
        for match in NUMBER.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in places)
    ]
    return sorted([*fractions, *whole], key=lambda match: match.start())


def parse_number(text: str) -> float | None:
    """Return the value of a text that is one number, with units of money or percent; None for any other.

    >>> parse_number("$1,200.50"), parse_number("3,5"), parse_number("3/4"), parse_number("twelve")
    (1200.5, 3.5, 0.75, 12.0)
    >>> parse_number("1.5 million")
    1500000.0
    >>> parse_number("12 apples"), parse_number("½"), parse_number("1/0")
    (None, None, None)
    """
    cut = text.strip().strip("$€£%").rstrip(".").strip()
    scale = SCALE.search(cut)
    if scale:
        value = parse_number(cut[: scale.start()])
        return None if value is None else value * _SCALES[scale.group(1).lower()[:4]]
    if cut.lower() in _WORDS:
        return float(_WORDS.index(cut.lower()))
    fraction = FRACTION.fullmatch(cut)
    if fraction:
        return _divide(fraction)
    return to_float(cut) if NUMBER.fullmatch(cut) else None


def to_float(number: str) -> float:
    """Return the value of a number that `NUMBER` matches.

    >>> to_float("1.250,50"), to_float("−1,200")
    (1250.5, -1200.0)
    """
    cut = _IGNORED.sub("", number).replace("−", "-")
    head, comma, tail = cut.rpartition(",")
    is_decimal = comma and len(tail) < 3 and ("." not in tail)
    return float(f"{head.replace('.', '').replace(',', '')}.{tail}" if is_decimal else cut.replace(",", ""))


def _divide(fraction: re.Match[str]) -> float | None:
    above, below = (fraction["a"], fraction["b"]) if fraction["a"] else (fraction["c"], fraction["d"])
    if not int(below):
        return None
    sign = -1 if fraction["sign"] in ("-", "−") else 1
    return sign * int(above.replace("−", "-")) / int(below)
