"""A single word that tells the label."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.audits.function_words import WHAT_KIND, is_function_word
from assay.audits.wording import percent, quoted, shares
from assay.statistics import Interval, wilson

SURE = 0.001  # adjusted p; a stricter level than the search's, so that chance raises nothing
LIFT, LARGE = 0.05, 0.1  # of the precision over the label's share
NEARLY_ALWAYS, OFTEN = 0.9, 0.02
FORETOLD = 0.6  # area under the curve from which the other words of a text call for the word
MOST = 5
PLACES = {
    "word in a": " in the first text",
    "word in b": " in the second text",
    "word in a but not in b": " in the first text and not in the second",
    "word in b but not in a": " in the second text and not in the first",
}


def find(seen: Seen) -> Iterator[Finding]:
    """Report words that alone predict a label well above its share.

    A warning for function words, words that only one text of a pair has, and words that nearly always go with one label
    though nothing else in the text calls for them; other words, which may be the task itself, make one note together.
    """
    result = seen.result("information")
    base = result.get("label_shares", {})
    cues = once([cue for cue in result.get("cues", []) if telling(cue, base)])
    grave = [cue for cue in cues if suspicious(cue, base)]
    for cue in grave[:MOST]:
        precision = precision_of(cue)
        action = "Balance the word over the labels, or report scores on items without it."
        yield TOKENS.finding("warning", sentence(cue, base), precision, action, evidence(cue))
    others = [cue for cue in cues if cue not in grave]
    if others:
        first = others[0]
        named = ", ".join(quoted(cue["token"]) for cue in others[:MOST])
        claim = f"{sentence(first, base)} Words tied to a label: {named}; they may be what the task is about."
        told = {**evidence(first), "tokens": [cue["token"] for cue in others[:10]]}
        action = "Judge whether these words are the task; if not, balance them."
        yield TOKENS.finding("note", claim, precision_of(first), action, told)


def telling(cue: dict[str, Any], base: dict[str, float]) -> bool:
    """Tell whether a cue is a word that surely lifts a label by five points."""
    if cue["kind"] == "number" or cue["p"] >= SURE:
        return False
    return precision_of(cue).low > base.get(cue["label"], 1.0) + LIFT


def suspicious(cue: dict[str, Any], base: dict[str, float]) -> bool:
    """Tell whether a word is an artefact rather than the task."""
    low = precision_of(cue).low
    if is_function_word(cue["token"]) or "but not in" in cue["kind"]:
        return low > base[cue["label"]] + LARGE
    return low >= NEARLY_ALWAYS and cue["coverage"] >= OFTEN and not called_for(cue)


def called_for(cue: dict[str, Any]) -> bool:
    """Tell whether the other words of a text call for this one, as they do for a word of the topic."""
    context = cue.get("context")
    return context is not None and context["low"] is not None and bool(context["value"] >= FORETOLD)


def once(cues: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep the first, surest cue of every word, and word pairs only of words not yet named."""
    kept: list[dict[str, Any]] = []
    named: set[str] = set()
    for cue in cues:
        words = set(cue["token"].split())
        if not words & named:
            kept.append(cue)
            named |= words
    return kept


def precision_of(cue: dict[str, Any]) -> Interval:
    """Return the share of items with the word that have the label."""
    return wilson(round(cue["precision"] * cue["n_items"]), cue["n_items"])


def sentence(cue: dict[str, Any], base: dict[str, float]) -> str:
    """Say what a word tells."""
    named = PLACES.get(cue["kind"].replace("pair ", ""), "")
    several = " " in cue["token"]
    kind = WHAT_KIND[is_function_word(cue["token"])] + ("s" if several else "")
    return (
        f"The {kind} {quoted(cue['token'])}{named} alone {'point' if several else 'points'} to label "
        f"{quoted(cue['label'])}: right in {shares(precision_of(cue))} of {cue['n_items']:,} items that have "
        f"{'them' if several else 'it'}, where the label has {percent(base[cue['label']])} of all."
    )


def evidence(cue: dict[str, Any]) -> dict[str, Any]:
    """Return what the claim rests on."""
    names = ("token", "kind", "label", "precision", "coverage", "p")
    return {**{name: cue[name] for name in names}, "n": cue["n_items"]}


TOKENS = Check("A401", "information", "Token shortcut", find)
