"""A single word that tells the label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import choose_verb, count_noun, format_percent, format_share, quote
from assay.information.cues.word_kinds import explain_fragment, is_function_word, is_number, name_word_kind
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
Cue = Mapping[str, Any]


def find(seen: Seen) -> Iterator[Finding]:
    """Report words that alone predict a label well above its share.

    A warning for function words, numbers, words that only one text of a pair has, and words that nearly always go with
    one label, if nothing else in the text calls for them; other words, which may be the task itself, make one note.
    """
    cues = once([cue for cue in with_shares(seen) if telling(cue)])
    grave = [cue for cue in cues if suspicious(cue)]
    for number, cue in enumerate(grave[:MOST]):
        more = left_out(len(grave) - MOST) if number == MOST - 1 else ""
        action = "Balance the word over the labels, or report scores on items without it; if it is the task, say so."
        yield TOKENS.finding("warning", sentence(cue) + more, precision_of(cue), action, evidence(cue))
    others = [cue for cue in cues if cue not in grave and not is_function_word(cue["token"])]
    if others:
        first = others[0]
        named = ", ".join(quote(cue["token"]) + explain_fragment(cue["token"]) for cue in others[:MOST])
        claim = f"{sentence(first)} Words tied to a label: {named}; they may be what the task is about."
        told = {**evidence(first), "tokens": [cue["token"] for cue in others[:10]]}
        action = "Judge whether these words are the task; if not, balance them."
        yield TOKENS.finding("note", claim, precision_of(first), action, told)


def left_out(n: int) -> str:
    """Say how many more words there are.

    >>> left_out(1), left_out(0)
    (' So does 1 more word.', '')
    """
    return f" So {choose_verb(n, 'does', 'do')} {count_noun(n, 'more word')}." if n > 0 else ""


def with_shares(seen: Seen) -> list[Cue]:
    """Return the words with the share of their label among the items, and among all words of their place."""
    result = seen.result("information")
    base = result.get("label_shares", {})
    places = seen.result("profile").get("word_shares", {})
    commonest = max(base.values(), default=1.0)
    words = [cue for cue in result.get("cues", []) if cue["kind"] != "number" and cue["label"] in base]
    return [
        {
            **cue,
            "share": base[cue["label"]],
            "any_word": places.get(cue["kind"].replace("pair ", ""), base).get(cue["label"], base[cue["label"]]),
            "likely": min(0.5, commonest),
        }
        for cue in words
    ]


def telling(cue: Cue) -> bool:
    """Tell whether a word makes its label the likely one, and surely lifts it by five points."""
    return cue["p"] < SURE and cue["precision"] >= cue["likely"] and lift(cue) > LIFT


def lift(cue: Cue) -> float:
    """Return by how much a word surely lifts its label, over its share and over what any word of that place tells."""
    return precision_of(cue).low - max(cue["share"], cue["any_word"])


def suspicious(cue: Cue) -> bool:
    """Tell whether a word is an artefact rather than the task."""
    if called_for(cue) or unmeasured(cue):
        return False
    if is_function_word(cue["token"]) or is_number(cue["token"]) or "but not in" in cue["kind"]:
        return lift(cue) > LARGE
    return precision_of(cue).low >= NEARLY_ALWAYS and bool(cue["coverage"] >= OFTEN)


def called_for(cue: Cue) -> bool:
    """Tell whether the other words of a text call for this one, as they do for a word of the topic."""
    context = cue.get("context")
    return context is not None and context["low"] is not None and bool(context["value"] >= FORETOLD)


def unmeasured(cue: Cue) -> bool:
    """Tell whether nobody looked if the other words call for this one, though it may be a word of the topic."""
    asked = cue["precision"] >= NEARLY_ALWAYS and not is_function_word(cue["token"])
    return asked and cue.get("context") is None


def once(cues: list[Cue]) -> list[Cue]:
    """Keep the first, surest cue of every word, and word pairs only of words not yet named."""
    kept: list[Cue] = []
    named: set[str] = set()
    for cue in cues:
        words = set(cue["token"].split())
        if not words & named:
            kept.append(cue)
            named |= words
    return kept


def precision_of(cue: Cue) -> Interval:
    """Return the share of items with the word that have the label."""
    return wilson(round(cue["precision"] * cue["n_items"]), cue["n_items"])


def sentence(cue: Cue) -> str:
    """Say what a word tells."""
    token, several = cue["token"], " " in cue["token"]
    place = PLACES.get(cue["kind"].replace("pair ", ""), "")
    any_word = f" and any word there goes with it in {format_percent(cue['any_word'])}"
    subject = f"{name_word_kind(token)} {quote(token)}{explain_fragment(token)}{place}"
    return (
        f"The {subject} alone {'point' if several else 'points'} to label "
        f"{quote(cue['label'])}: right in {format_share(precision_of(cue))} of {cue['n_items']:,} items that have "
        f"{'them' if several else 'it'}, where the label has {format_percent(cue['share'])} of all"
        f"{any_word if cue['any_word'] > cue['share'] + LIFT else ''}."
    )


def evidence(cue: Cue) -> dict[str, Any]:
    """Return what the claim rests on."""
    names = ("token", "kind", "label", "precision", "coverage", "p", "share", "any_word")
    return {**{name: cue[name] for name in names}, "n": cue["n_items"]}


TOKENS = Check("A401", "information", "Token shortcut", find)
