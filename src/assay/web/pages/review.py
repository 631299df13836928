"""The tab in which people review gold labels, one item after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from assay.system.json import JsonObject
from assay.text.characters import word_pattern
from assay.web.items.table import ItemTable
from assay.web.pages.items import MAX_TEXT, TABLES
from assay.web.pages.tabs import find_audit, find_systems, render_tab
from assay.web.pages.templates import render_template
from assay.web.reviews import LabelReview, estimate_bad_items, identify_verdict, is_bad, load_review
from assay.web.server import Server
from assay.web.store import Version
from assay.wording.characters import make_visible
from assay.wording.numbers import format_interval

DIGITS = tuple("0123456789")
MAX_BUTTONS = 9  # labels that have a key
MAX_LISTED = 200
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def review_page(server: Server, version: Version, reviewer: str, values: Mapping[str, str]) -> str:
    """Render the item to review next, or how to begin; with `fragment` the item alone."""
    review, table = load_review(version), TABLES.open(version.folder)
    audit = find_audit(version)
    is_private = audit is not None and audit.settings.private
    if review is None or not review.items or not reviewer or table is None or is_private:
        return render_tab(server, version, "review", review=review, has_items=table is not None, is_private=is_private)
    context = describe_state(version, review, table, reviewer, values)
    if "fragment" in values:
        return render_template("review_item.html", server, id=version.id, **context)
    return render_tab(server, version, "review", has_items=True, is_private=False, **context)


def describe_state(
    version: Version, review: LabelReview, table: ItemTable, reviewer: str, values: Mapping[str, str]
) -> JsonObject:
    """Return the item to show, the progress, and the estimate from all complete batches."""
    again = values.get("again") == "1"
    item = review.get_item(values["item"]) if values.get("item") else review.find_next(reviewer, again=again)
    batch = item["batch"] if item else review.n_batches
    n_done, n_items = review.count_settled(batch)
    return {
        "review": review,
        "reviewer": reviewer,
        "again": again,
        "batch": batch,
        "n_done": n_done,
        "n_batch": n_items,
        "last": review.find_last(reviewer),
        "estimate": describe_estimate(review, table),
        "reviewed": list_reviewed(review, reviewer),
        **({} if item is None else describe_item(version, review, table, item, reviewer)),
        "item": item,
        "skipped": review.find_skipped(),
    }


def describe_item(
    version: Version, review: LabelReview, table: ItemTable, item: JsonObject, reviewer: str
) -> JsonObject:
    """Return the parts of one item: texts with marked words, buttons, and the answers of systems."""
    verdict = review.get_verdict(item["id"], reviewer)
    row = table.find_row(item["id"])
    answers = [] if row is None else table.find_answers(row)
    systems = [(name, *answer) for name, answer in zip(find_systems(version), answers, strict=False)]
    given = Counter(answer for _, answer, score in systems if answer is not None and score is not None)
    words = {word.lower() for word in item.get("words", [])}
    texts = item["texts"]
    tags = texts.get("tags") if len(texts.get("tags") or []) == len(texts.get("tokens") or []) else None
    buttons = choose_buttons(item)
    keys = choose_keys(buttons)
    return {
        "texts": [
            (name, mark_words(value, words) if isinstance(value, str) else value)
            for name, value in texts.items()
            if name not in ("choices", "tokens", "tags")
        ],
        "choices": list(zip(LETTERS, texts["choices"], strict=False)) if "choices" in texts else [],
        "tokens": list(zip(texts["tokens"], tags or [""] * len(texts["tokens"]), strict=True))
        if "tokens" in texts
        else [],
        "buttons": list(zip(buttons, keys, strict=True)),
        "key_of_none": "x" if "0" in keys else "0",
        "preselected": choose_preselected(item, verdict.verdict if verdict else "", verdict.label if verdict else ""),
        "verdict": verdict,
        "seen": identify_verdict(verdict),
        "systems": systems,
        "given": given.most_common(),
        "responses": [] if row is None else table.find_responses(row),
    }


def choose_buttons(item: JsonObject) -> list[str]:
    """Return the labels that get a button with a number: all, or of many the gold label and the suggested one.

    >>> choose_buttons({"options": ["a", "b"], "label": "b", "suggested": None})
    ['a', 'b']
    >>> choose_buttons({"options": list("abcdefghijkl"), "label": "k", "suggested": "c"})
    ['k', 'c']
    """
    options = item["options"]
    if len(options) <= MAX_BUTTONS:
        return list(options)
    return list(dict.fromkeys(label for label in (item["label"], item["suggested"]) if label in options))


def choose_keys(buttons: Sequence[str]) -> list[str]:
    """Return the key of every label: the label itself if all are digits, else its number.

    >>> choose_keys(["food", "sport"]), choose_keys(["0", "1"]), choose_keys(["0", "10"])
    (['1', '2'], ['0', '1'], ['1', '2'])
    """
    if all(label in DIGITS for label in buttons):
        return list(buttons)
    return [str(number) for number in range(1, len(buttons) + 1)]


def choose_preselected(item: JsonObject, verdict: str, label: str) -> str:
    """Return the value of the button that has the focus: the verdict so far, the suggested label, or the gold label.

    >>> choose_preselected({"options": ["a", "b"], "label": "a", "suggested": "b"}, "", "")
    'label b'
    >>> choose_preselected({"options": [], "label": "a", "suggested": None}, "", "")
    'ok'
    """
    wanted = label or (item["label"] if verdict == "ok" else "" if verdict else item["suggested"] or item["label"])
    if wanted and wanted in choose_buttons(item):
        return f"label {wanted}"
    return "bad" if verdict == "bad" else "ok"


def mark_words(text: str, words: set[str]) -> list[tuple[str, bool]]:
    """Return the pieces of a text, with whether each is one of the words.

    >>> mark_words("A good film", {"good"})
    [('A ', False), ('good', True), (' film', False)]
    """
    pieces: list[tuple[str, bool]] = []
    text, end = make_visible(text, MAX_TEXT, keep_breaks=True), 0
    for match in word_pattern().finditer(text):
        if match[0].lower() in words:
            pieces += [(text[end : match.start()], False), (match[0], True)]
            end = match.end()
    return [piece for piece in [*pieces, (text[end:], False)] if piece[0]]


def describe_estimate(review: LabelReview, table: ItemTable) -> JsonObject | None:
    """Return the estimated number of bad items, as people read it; None before the first batch is complete."""
    estimate = estimate_bad_items(review, table)
    if estimate is None:
        return None
    complete = review.count_complete()
    return {
        "bad": format_interval(estimate.bad, "rounded:0"),
        "share": format_interval(estimate.bad_share, "percent"),
        "n_items": estimate.n_items,
        "n_reviewed": estimate.n_reviewed,
        "n_bad": sum(is_bad(review.verdicts.get(item["id"], {})) for item in review.items if item["batch"] <= complete),
        "n_batches": complete,
        "agreement": [
            (" and ".join(pair.reviewers), pair.n, format_interval(pair.agreement, "percent"))
            for pair in estimate.agreement
        ],
    }


def list_reviewed(review: LabelReview, reviewer: str) -> list[tuple[str, str, str]]:
    """Return the items that a reviewer has seen, the last one first: id, verdict and right label."""
    rows = [(rows[reviewer], id_) for id_, rows in review.verdicts.items() if reviewer in rows]
    ordered = sorted(rows, key=lambda row: -row[0].number)[:MAX_LISTED]
    return [(id_, verdict.verdict, verdict.label) for verdict, id_ in ordered]
