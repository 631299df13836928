"""Items that the better systems get wrong."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import count_noun, format_share, quote
from assay.statistics import wilson

LEAST_SYSTEMS = 6
FEW = 10
NEARLY_ALL = 0.8


def find(seen: Seen) -> Iterator[Finding]:
    """Report items that run against the ranking at 5 % false discoveries; below six systems nobody can tell."""
    result = seen.result("discrimination")
    back = result.get("backwards")
    if not back or result["basis"] != "predictions":
        return
    share = wilson(back["count"], max(back["n"], 1))
    if back["n_systems"] < LEAST_SYSTEMS:
        claim = (
            f"Cannot tell whether items run backwards: {count_noun(back['n_systems'], 'system')} are too few, "
            f"{LEAST_SYSTEMS} or better 20 would."
        )
        yield BACKWARDS.finding("note", claim, share, "Collect the predictions of more systems.", {"n": back["n"]})
    elif back["count"]:
        claim = (
            f"{count_noun(back['count'], 'item')} of {back['n']:,} ({format_share(share)}) run backwards: the better a system "
            "is on the others, the more often it is wrong here."
        )
        action = "Check the gold label of these items first; their key may be wrong." + one_sided(
            back.get("keys") or {}
        )
        evidence = {"ids": back["ids"], "n": back["n"], "count": back["count"], "n_systems": back["n_systems"]}
        evidence["keys"] = back.get("keys")
        yield BACKWARDS.finding("warning", claim, share, action, evidence)


def one_sided(keys: dict[str, int]) -> str:
    """Warn where nearly all of these items have one key: then better systems may only give this answer less often.

    >>> one_sided({"no": 1, "yes": 9})[:44]
    ' Nearly all (9 of 10) have the key "yes", wh'
    """
    n = sum(keys.values())
    most = max(keys, key=lambda name: keys[name], default="")
    if n < FEW or keys[most] < NEARLY_ALL * n:
        return ""
    told = (
        f" Nearly all ({keys[most]} of {n}) have the key {quote(most)}, which better systems may only give less often:"
    )
    return f"{told} hard items, not wrong keys."


BACKWARDS = Check("A504", "discrimination", "Backwards items", find)
