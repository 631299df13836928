"""The project's language: plain modern English in names, sentences and documentation."""

from __future__ import annotations

import ast
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Phrases of no technical English; each with what to write instead.
PHRASES = {
    r"stands? in for\b": "replaces, is used instead of",
    r"stands? in (?:train|test|dev|the (?:data|file|table|text|key))": "is in",
    r"word for word": "verbatim",
    r"\banew\b": "again",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\bgrav(?:e|er|est)\b": "serious, most serious",
    r"\bsurely\b": "with 95 % confidence",
    r"\bfore(?:told|tell|tells|telling|saw)\b": "predicted, forecast",
    r"\bused up\b": "saturated",
    r"\bdead items?\b": "uninformative item",
    r"\bruns? backwards\b": "negative discrimination",
    r"\boutvoted by\b": "most systems disagree with the gold label",
    r"\bone row an? \w+": "one row per …",
    r"\b(?:a|one) (?:score|line|file|key|subfolder|folder|row|column|answer) (?:a|an) (?!file|list)\w+": "one … per …",
    r"\bpapers? 00\d\b": "the authors and the year",
    r"\bSeed of what\b": "Random seed.",
    r"\bwhat is drawn\b": "random seed, sampling",
    r"\bat work\b": "running",
    r"\bwhence\b|\bthereof\b|\bwherein\b|\bthereby\b|\bhitherto\b|\bwhither\b|\bthither\b": "a plain connective",
    r"\bwhom\b": "which systems, who",
    r"\bin peace\b|\bfor good\b": "without error, permanently",
    r"\bin (?:this|the|our) house\b": "in this package",
    r"\bother rooms?\b|\brooms? of (?:the|this)\b": "other packages",
    r"\bthose there are\b": "the existing ones",
    r"\bas it is told\b|\bis told so\b": "as specified",
    r"\bbears? the name\b|\bbears it\b": "has the name",
}
NAMES = {
    r"[A-Z_]*\bMOST_\w+|\bMOST\b": "MAX_…",
    r"\bLEAST_\w+|\bLEAST\b": "MIN_…",
    r"\b_?(?:GRAVE|SURE|ENOUGH|FEW|MANY)\b|\b(?:GRAVE|SURE)_\w+": "the quantity",
    r"\b(?:Seen|Measured|Crossing|Chapter|Demands|Keep|Cut|Told|Found|Given|Asked)\b(?=[(:\[])": "a noun that says what it holds",
    r"\b(?:foretold|word_places|charts_of|CHAPTERS|Lifeline|lifeline|looking|shelf|Shelf)\b": "a name that says what it holds",
}
PARTICIPLES = frozenset(
    "asked audited built called changed checked chosen copied counted cut described drawn ended filled found given "
    "grouped held joined judged kept known listed looked made marked measured merged moved named noted ordered parted "
    "placed put ranked read_out renamed routed said sampled seen served shared shown sorted_out spoken spread taken told "
    "trained turned weighed worked written".split()
)
