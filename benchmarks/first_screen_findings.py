"""The claims of findings in the table of sentence patterns: how each is recomputed from the raw files."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.first_screen_claims import (
    INTERVAL,
    NAME,
    NUMBER,
    SMALLEST,
    Screen,
    Verdict,
    check_smallest_difference,
    expect,
    pattern,
    read,
    require,
    retrain_split,
)
from benchmarks.first_screen_models import (
    SETTINGS,
    WHOLE_TEXTS,
    bound_score,
    count_cue,
    count_sure_contradictions,
    list_labelled,
    measure_entropy_share,
    score_side,
    score_view,
    see_number,
)
from benchmarks.first_screen_raw import read_table

EVIDENCE = Path(__file__).resolve().parents[1] / "src" / "assay" / "forecast" / "evidence.parquet"
SLACK = 0.05  # of the range of a feature
COUNT = rf"(?P<count>{NUMBER}) (?P<noun>\w+) of (?P<n>{NUMBER})"
SHARE = rf"\((?P<share>{NUMBER})%\)"
IN_PART = rf"{COUNT} in (?P<part>\w+) {SHARE}"


def claim(code: str, regex: str, *, unit: str, about: str) -> Any:
    """Register a claim of a rule; its text begins with the code."""
    return pattern("finding", rf"{code}: {regex}", unit=unit, about=about)


def compare_count(match: re.Match[str], counted: int, n: int, tolerance: float = 0.0) -> None:
    """Compare a count, its total and its share with what was counted."""
    expect(match["n"], n, what="total")
    require(abs(read(match["count"]) - counted) <= tolerance, f"said {match['count']}, counted {counted}")
    expect(match["share"], read(match["count"]) / n, 100, what="share")


@claim("A101", rf"{IN_PART} (?:is|are) also in (?P<reference>\w+), verbatim\.", unit="items of a part", about="copies")
def exact_copies(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many items of the part are in the reference part with the same words."""
    if screen.raw.items is None or not screen.raw.count_parts():
        return "unchecked"
    exact, _, _ = screen.raw.find_copies(match["part"], match["reference"])
    compare_count(match, exact, screen.raw.count_parts()[match["part"]], max(1, 0.02 * exact))
    return "true"


@claim(
    "A102",
    rf"{IN_PART} shares? at least 80% of the words and word pairs, or all words but one or two, with an item of "
    r"(?P<reference>\w+)"
    r"(?:, not counting exact copies|(?P<other> that has another label))\.",
    unit="items of a part",
    about="near copies, with the same label or with another one",
)
def near_copies(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many items of the part share 80% of words and word pairs with an item of the reference part, or more words."""
    if screen.raw.items is None or not screen.raw.count_parts():
        return "unchecked"
    _, near, contrast = screen.raw.find_copies(match["part"], match["reference"])
    counted = contrast if match["other"] else near
    tolerance = max(1, 0.15 * counted)
    if read(match["count"]) > counted + tolerance:  # items with one or two other words are not counted here
        return "unchecked"
    compare_count(match, counted, screen.raw.count_parts()[match["part"]], tolerance)
    return "true"


@claim(
    "A103",
    rf"{COUNT} {SHARE} repeats? an earlier item(?P<same> of the same part)?\.",
    unit="items",
    about="items after the first of each group of copies in a part",
)
def repeated_items(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many items repeat an earlier one of their part; parts are named only if there are some."""
    if screen.raw.items is None:
        return "unchecked"
    compare_count(match, screen.raw.count_repeats(), len(screen.raw.items), max(1, 0.02 * read(match["count"])))
    require(bool(match["same"]) == (len(screen.raw.count_parts()) > 1), "there are no parts, or they are not named")
    return "true"


@claim(
    "A104",
    rf"{COUNT} {SHARE} (?:has|have) a copy with a different label(?:; nearly all of these copies differ in .+)?\.",
    unit="items",
    about="copies",
)
def conflicting_labels(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many items have the same words as an item with another label."""
    if screen.raw.items is None:
        return "unchecked"
    compare_count(match, screen.raw.count_conflicts(), len(screen.raw.items), max(1, 0.05 * read(match["count"])))
    return "true"


@claim(
    "A105",
    rf"(?:The label )?(?P<label>{NAME}) (?:has|is right for) (?P<share>{NUMBER})%{INTERVAL} of the items.+",
    unit="share of the items",
    about="the most frequent label",
)
def dominant_label(screen: Screen, match: re.Match[str]) -> Verdict:
    """The most frequent label has so many of the labelled items."""
    labels = [item.label for item in screen.raw.items or () if item.label]
    if not labels:
        return "unchecked"
    expect(match["share"], max(Counter(labels).values()) / len(labels), 100)
    return "true"


@claim(
    "A106",
    rf"(?P<k>\d+) labels? of (?P<n>\d+) (?:has|have) fewer than 10 items in (?P<place>[\w ]+?), such as (?P<label>{NAME}) "
    rf"with (?P<count>{NUMBER}): .+",
    unit="labels",
    about="labels in the test part, or in all data",
)
def rare_labels(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many labels have fewer than ten items in the part."""
    items = screen.raw.items
    if items is None or screen.kind == "multilabel":
        return "unchecked"
    names = {item.label for item in items if item.label}
    chosen = [item for item in items if match["place"] in ("the data", item.part)]
    counts = Counter(dict.fromkeys(names, 0)) + Counter(item.label for item in chosen if item.label)
    rare = [name for name in names if counts[name] < 10]
    require((len(rare), len(names)) == (int(match["k"]), int(match["n"])), f"{len(rare)} of {len(names)} are rare")
    expect(match["count"], counts[match["label"].strip('"')])
    return "true"


@claim("A107", rf"{COUNT} {SHARE} (?:has|have) (?P<what>.+)\.", unit="items", about="broken or untidy texts")
def broken_texts(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many items have a text of this kind."""
    if screen.raw.items is None:
        return "unchecked"
    expect(match["n"], len(screen.raw.items), what="total")
    expect(match["share"], read(match["count"]) / len(screen.raw.items), 100)
    if "escaped characters" in match["what"]:
        escaped = sum(
            re.search(r"&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]+);|#\d{2,5};", item.text) is not None
            for item in screen.raw.items
        )
        require(abs(read(match["count"]) - escaped) <= max(1, 0.05 * escaped), f"{escaped} items")
        return "true"
    return "unchecked"


@claim(
    "A109",
    rf"{IN_PART} belongs? to (?P<groups>{NUMBER}) groups? that (?:is|are) also in (?P<reference>\w+).+",
    unit="items",
    about="groups",
)
def shared_groups(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many items of the part belong to groups that the reference part has too."""
    rows = screen.raw.rows
    if rows is None or "group" not in rows[0]:
        return "unchecked"
    known = {row["group"] for row in rows if row["split"] == match["reference"]}
    chosen = [row for row in rows if row["split"] == match["part"]]
    compare_count(match, sum(row["group"] in known for row in chosen), len(chosen))
    return "true"


@claim(
    "A203",
    rf"Texts of (?P<tested>\w+) are (?P<word>longer|shorter) than those of (?P<learned>\w+): (?P<first>{NUMBER}) against "
    rf"(?P<second>{NUMBER}) (?P<unit>\w+) on average; .+ with probability (?P<share>{NUMBER})%\.",
    unit="words",
    about="texts of two parts",
)
def length_drift(screen: Screen, match: re.Match[str]) -> Verdict:
    """Mean numbers of words, and the probability that a text of one part is longer, ties counted as half."""
    if screen.raw.items is None or not screen.raw.count_parts() or match["unit"] != "words":
        return "unchecked"
    lengths: dict[str, list[int]] = {match["tested"]: [], match["learned"]: []}
    for item, words in zip(screen.raw.items, screen.raw.words, strict=True):
        if item.part in lengths:
            lengths[item.part].append(len(words))
    means = {part: sum(values) / len(values) for part, values in lengths.items()}
    require((means[match["tested"]] > means[match["learned"]]) == (match["word"] == "longer"), "the other way round")
    for said, part in (("first", "tested"), ("second", "learned")):
        require(
            abs(read(match[said]) / means[match[part]] - 1) < 0.15, f"{means[match[part]]:.1f} words in {match[part]}"
        )
    pairs = [(a > b) + (a == b) / 2 for a in lengths[match["tested"]] for b in lengths[match["learned"]]]
    share = sum(pairs) / len(pairs)
    share = share if match["word"] == "longer" else 1 - share
    require(abs(read(match["share"]) - 100 * share) < 2, f"probability {100 * share:.1f}%")
    return "true"


@claim(
    "A204",
    rf"Labels differ between (?P<learned>\w+) and (?P<tested>\w+): .*?(?P<label>{NAME}) has (?P<first>{NUMBER})% of "
    rf"(?P=learned) and (?P<second>{NUMBER})% of (?P=tested).*",
    unit="share of the items of a part",
    about="labels of two parts",
)
def label_drift(screen: Screen, match: re.Match[str]) -> Verdict:
    """The label has so many of the items of each part."""
    if screen.raw.items is None or screen.kind in ("tagging", "multilabel") or "…" in match["label"]:
        return "unchecked"
    for said, part in (("first", "learned"), ("second", "tested")):
        labels = [item.label for item in screen.raw.items if item.part == match[part] and item.label]
        expect(match[said], labels.count(match["label"].strip('"')) / len(labels), 100, what=match[part])
    return "true"


@claim(
    "A410",
    rf"(?P<share>{NUMBER})%{INTERVAL} of the (?P<n>[\d,]+) (?P<noun>\w+)s are answered correctly .+? above a blind guess "
    rf"\((?P<chance>{NUMBER})%\)\.",
    unit="share of the items",
    about="items that a model of the answers alone gets right",
)
@claim(
    "A412",
    rf"(?P<share>{NUMBER})%{INTERVAL} of the (?P<n>[\d,]+) (?P<noun>\w+)s are answered correctly .+? above a blind guess "
    rf"\((?P<chance>{NUMBER})%\)\.",
    unit="share of the items",
    about="items whose longest answer is right",
)
def blind_answers(screen: Screen, match: re.Match[str]) -> Verdict:
    """A blind guess scores one over the number of options; the longest answer is right for so many items."""
    questions = screen.raw.options_of_items
    if questions is None:
        return "unchecked"
    expect(match["chance"], sum(1 / len(options) for options, _ in questions) / len(questions), 100, what="guess")
    if "longest" not in match.string:
        return "unchecked"
    right = 0.0
    for options, place in questions:
        lengths = [len(option) for option in options]
        right += (lengths[place] == max(lengths)) / lengths.count(max(lengths))
    share = 100 * right / len(questions)
    require(abs(read(match["share"]) - share) < 2, f"{share:.1f}%")
    return "true"


@claim(
    "A411",
    rf"The right answer is in position (?P<place>{NAME}) for (?P<share>{NUMBER})% of the .+ for (?P<chance>{NUMBER})%\.",
    unit="share of the items",
    about="positions",
)
def skewed_position(screen: Screen, match: re.Match[str]) -> Verdict:
    """The right answer has this position in so many questions."""
    questions = screen.raw.options_of_items
    if questions is None:
        return "unchecked"
    place = "ABCDEFGHIJ".index(match["place"].strip('"'))
    expect(match["share"], sum(right == place for _, right in questions) / len(questions), 100)
    return "true"


@claim("A413", rf"{COUNT} {SHARE} (?:has|have|is|are) (?P<what>.+)\.", unit="items", about="defective items")
def defective_items(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many items have this defect; options are the same if their words are."""
    expect(match["share"], read(match["count"]) / read(match["n"]), 100)
    questions = screen.raw.options_of_items
    if questions is None or "two options with the same text" not in match["what"]:
        return "unchecked"
    equal = sum(len({" ".join(text.split()) for text in options}) < len(options) for options, _ in questions)
    compare_count(match, equal, len(questions))
    return "true"


@claim(
    "A502",
    rf"(?P<k>{NUMBER}) of (?P<n>{NUMBER}) systems(?: that could be ranked \([\d,]+ were given\))? may be first"
    rf"(?: on (?P<board>{NAME}))?: "
    rf"(?:(?P<best>{NAME}) (?:and (?P<equal>{NUMBER}) others? have the same best score|scores best), and "
    rf"(?P<others>{NUMBER}) (?:others?|systems?) cannot be distinguished from (?:it|them)"
    r"(?: over (?P<datasets>\d+) datasets)? with all pairs of systems compared at once|.+)\.",
    unit="systems",
    about="the given systems",
)
def shared_first_place(screen: Screen, match: re.Match[str]) -> Verdict:
    """The best system, and the number of those that may be first, as in the row."""
    n_best = 1 + read(match["equal"] or "0")
    require(match["others"] is None or read(match["k"]) == read(match["others"]) + n_best, "the counts do not add up")
    row = screen.rows["ranking"]
    if match["board"] is None and row["number"]:
        require(row["number"] == match["k"], f"the row says {row['number']}")
    if screen.raw.outcomes is None or match["best"] is None:
        return "unchecked"
    scores = screen.raw.find_scores()
    best = next(name for name in scores if name[:39] == match["best"].strip('"')[:39])
    require(abs(scores[best] - max(scores.values())) < 1e-9, f"{next(iter(scores))} scores best")
    return "true"


@claim(
    "A512",
    rf"(?P<who>The only system|Both systems|All (?P<n>{NUMBER}) systems) (?:have the (?P<kind>best possible|same)"
    rf"|scores? (?P<zero>0) on) (?P<rest>.+?)(?:: (?P<value>{NUMBER}))?\.",
    unit="the metric",
    about="systems of a dataset",
)
def equal_scores(screen: Screen, match: re.Match[str]) -> Verdict:
    """All systems have the same score on the dataset: so many of a hundred, the best, or none."""
    n = {"The only system": 1, "Both systems": 2}.get(match["who"]) or read(match["n"])
    path = screen.raw.options.get("--scores")
    if path is not None:
        rows, dataset = read_table(path), re.search(r'on "([^"]+)"', match.string)
        if dataset is None or dataset[1] not in rows[0]:
            return "unchecked"
        scores = [float(row[dataset[1]]) for row in rows]
    elif screen.raw.outcomes is not None:
        scores = [100 * value for value in screen.raw.find_scores().values()]
    else:
        return "unchecked"
    require(len(scores) == n and max(scores) - min(scores) < 1e-9, f"scores are {min(scores):g} to {max(scores):g}")
    expect(match["value"] or (0.0 if match["zero"] else 100.0), scores[0])
    return "true"


@claim(
    "A503",
    rf"(?P<share>{NUMBER})%{INTERVAL} of the items do not distinguish between the (?P<k>\d+) systems: all answer "
    rf"(?P<right>{NUMBER}) correctly and (?P<wrong>{NUMBER}) wrongly\.",
    unit="share of the items",
    about="items that all systems answered",
)
def uninformative_items(screen: Screen, match: re.Match[str]) -> Verdict:
    """All systems are right on so many items, and wrong on so many."""
    if screen.raw.outcomes is None:
        return "unchecked"
    table = list(screen.raw.outcomes.values())
    shared = set.intersection(*map(set, table))
    right = sum(all(row[key] == 1 for row in table) for key in shared)
    wrong = sum(all(row[key] == 0 for row in table) for key in shared)
    require(int(match["k"]) == len(table), f"{len(table)} systems")
    require((read(match["right"]), read(match["wrong"])) == (right, wrong), f"{right} right and {wrong} wrong")
    expect(match["share"], (right + wrong) / len(shared), 100)
    return "true"


claim("A507", SMALLEST, unit="points of the metric that ranks", about="the first two systems")(
    check_smallest_difference
)


@claim(
    "A510",
    rf"(?:(?P<k>{NUMBER}) of (?P<n>\d+) systems score|(?P<name>{NAME}) scores) below a constant answer "
    rf"\((?P<base>{NUMBER})%\)(?: beyond chance)?.*? (?P<share>{NUMBER})%{INTERVAL}\.",
    unit="share of the items",
    about="systems and the most frequent label",
)
def below_constant(screen: Screen, match: re.Match[str]) -> Verdict:
    """The most frequent label of the answered items has this share, and a system is right less often."""
    if screen.raw.outcomes is None or screen.raw.items is None:
        return "unchecked"
    answered = set(next(iter(screen.raw.outcomes.values())))
    labels = [item.label for item in screen.raw.items if item.id in answered]
    expect(match["base"], max(Counter(labels).values()) / len(labels), 100, what="constant")
    low = min(screen.raw.find_scores().values())
    expect(match["share"], low, 100, what="worst")
    return "true"


@claim(
    "A508",
    rf"(?P<name>{NAME})(?: \((?P<metric>[^)]+)\))? is saturated: the best system has (?P<best>{NUMBER}) of 100, and "
    rf"(?P<k>\d+) others are within one point of it\.",
    unit="points of the metric",
    about="the scores of one dataset",
)
def saturated(screen: Screen, match: re.Match[str]) -> Verdict:
    """The best score of the dataset, and how many others are at most one point lower."""
    path = screen.raw.options.get("--scores")
    rows = [] if path is None else read_table(path)
    if not rows or "dataset" not in rows[0]:
        return "unchecked"
    scores = [
        float(row["score"])
        for row in rows
        if row["dataset"] == match["name"].strip('"') and match["metric"] in (None, row["metric"])
    ]
    scores = [100 * score for score in scores] if max(scores) <= 1 else scores
    require(abs(max(scores) - read(match["best"])) < 0.06, f"the best is {max(scores)}")
    require(sum(score >= max(scores) - 1 for score in scores) - 1 == int(match["k"]), "another number within a point")
    return "true"


@claim(
    "A701",
    rf"Judge (?P<judge>{NAME}) is (?:worse|not better) than a constant verdict: it is right in "
    rf"(?P<share>{NUMBER})%{INTERVAL}, always answering (?P<verdict>{NAME}) in (?P<constant>{NUMBER})%\."
    r"(?: (?P<k>\d+) of (?P<n>\d+) judges are not better.+)?",
    unit="share of the verdicts",
    about="one judge and the most frequent gold verdict",
)
def weak_judge(screen: Screen, match: re.Match[str]) -> Verdict:
    """A judge agrees with the gold verdict in so many items, and the most frequent gold verdict in so many."""
    rows = read_table(screen.raw.options["--verdicts"])
    name = next(column for column in rows[0] if column[:39] == match["judge"].strip('"')[:39])
    known = [row for row in rows if row[name]]
    expect(match["share"], sum(row[name] == row["gold"] for row in known) / len(known), 100)
    gold = Counter(row["gold"] for row in rows)
    expect(match["constant"], gold.most_common(1)[0][1] / len(rows), 100, what="constant")
    return "true"


@claim(
    "A722",
    r"The votes do not decide which system is first: (?P<k>\d+) of (?P<n>\d+) may be \(.+\)\.",
    unit="systems",
    about="systems with votes",
)
def undecided_votes(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many of the systems with votes may be first, as in the row."""
    require(screen.rows["ranking"]["number"] in ("", match["k"]), "the row has another number")
    systems = {row[name] for row in screen.raw.rows or () for name in ("model_a", "model_b")}
    require(int(match["n"]) <= len(systems), f"{len(systems)} systems have votes")
    return "unchecked"


def compare_with_evidence(screen: Screen, match: re.Match[str]) -> Verdict:
    """The value of the finding is in its sentence, and inside its interval."""
    code, _, text = match.string.partition(": ")
    finding = next(row for row in screen.findings if row["code"] == code and row["claim"] == text)
    low, value, high = finding["low"], finding["value"], finding["high"]
    if None not in (low, value, high) and code != "A202":  # whose interval is that of chance
        require(low - 1e-9 <= value <= high + 1e-9, "the value is outside of its interval")
    needed = re.search(rf"({NUMBER}) [\w -]*items would be needed", text)
    require(needed is None or read(needed.group(1)) > finding["n"], "so many items are there")
    require("predict labels" not in text or low is None or low > 0, "nothing is predicted")
    for first, point, last in re.findall(rf"({NUMBER})(?:%| points)? \[({NUMBER})%?, ({NUMBER})%?\]", text):
        require(
            not math.isnan(read(first)) and read(point) <= read(first) + 1 and read(first) - 1 <= read(last), "interval"
        )
    return RETRAINED[code](screen, text, finding) if code in RETRAINED else "unchecked"


def require_near(said: float, own: float, allowed: float, what: str) -> None:
    """Fail if a printed number is further from the own one than other folds and settings explain."""
    require(abs(said - own) <= allowed, f"{what} {said:g}, own model {own:.1f} ± {allowed:.1f}")


def retrain_words(screen: Screen, text: str, finding: dict[str, Any]) -> Verdict:
    """Train models that see only the words, and the whole texts; count the items of single words."""
    if screen.raw.items is None or screen.result["settings"].get("private"):
        return "unchecked"
    group = re.search(
        rf"A model that sees only (?P<sees>.+) scores (?P<score>{NUMBER})%, (?P<gain>{NUMBER}) points?.*? above the most "
        rf"frequent label; the quick model scores (?P<full>{NUMBER})%",
        text,
    )
    if group is None:
        return count_cues(screen, text)
    own, whole = score_view(screen.raw, group["sees"]), score_side(screen.raw, None)
    if own is None or whole is None:
        return "unchecked"
    n = finding["n"]
    require_near(read(group["score"]), own[0], bound_score(own[0], own[3], n), "score")
    require_near(read(group["gain"]), own[0] - own[2], bound_score(own[0], own[3], n), "gain")
    require_near(read(group["full"]), whole[0], bound_score(whole[0], whole[3], n, WHOLE_TEXTS), "quick model")
    return "true"


CUE = re.compile(
    rf"(?:The|the) (?:inserted |content |function )?(?:word|words|number|character|characters)s? (?P<token>{NAME})"
    rf"(?: \([^)]*\))?(?P<place> in [\w ]+?)? alone predicts? the label (?P<label>{NAME}): right on (?P<share>{NUMBER})%"
    rf"{INTERVAL} of the (?P<n>{NUMBER}) items that (?:contain|have) (?:it|them)(?: there)?, while the label has "
    rf"(?P<all>{NUMBER})% of all items"
)
ALSO = re.compile(rf"(?P<token>{NAME})(?: \([^()]*\))?(?P<place> in [\w ]+?)? \((?P<n>{NUMBER}) items?\)")


def find_place(phrase: str | None) -> str:
    """Return the place that a phrase names, in the words of PLACES."""
    first, _, lacking = (phrase or " in the text").removeprefix(" in ").partition(" but not in the ")
    return f"{first}, but not the {lacking}," if lacking else first


def count_cues(screen: Screen, text: str) -> Verdict:
    """Count the items that have a word, and how many of them have its label; all words that are named."""
    match = CUE.search(text)
    if match is None or len(screen.raw.items or ()) > screen.find_evidence("information").get("n_searched", 0):
        return "unchecked"  # the search saw a part of the items
    token, label = match["token"].strip('"'), match["label"].strip('"')
    n, right, share = count_cue(screen.raw, token, find_place(match["place"]), label)
    require(abs(read(match["n"]) - n) <= max(1, 0.03 * n), f"{n} items have {token}")
    require(abs(read(match["share"]) - 100 * right / max(n, 1)) <= 2, f"the label in {right} of {n}")
    expect(match["all"], share, 100, what="label")
    for other in ALSO.finditer(text.partition("Also associated with a label: ")[2]):
        n, _, _ = count_cue(screen.raw, other["token"].strip('"'), find_place(other["place"]), "")
        require(abs(read(other["n"]) - n) <= max(1, 0.03 * n), f"{n} items have {other['token']}")
    return "true"


def retrain_view(screen: Screen, text: str, finding: dict[str, Any]) -> Verdict:
    """Train a model that sees only one text of a pair, or one thing of the text."""
    match = re.search(
        rf"(?:sees only (?P<sees>.+?) is right on|(?P<side>The (?:first|second) text of the pair) alone predicts the label:) "
        rf"(?P<score>{NUMBER})%.*?, (?P<gain>{NUMBER}) points?",
        text,
    )
    sees = None if match is None else match["sees"] or f"the{match['side'][3:]}"
    own = None if sees is None else score_view(screen.raw, sees)
    if own is None or match is None:
        return "unchecked"
    settings = WHOLE_TEXTS if match["side"] else SETTINGS
    require_near(read(match["score"]), own[0], bound_score(own[0], own[3], finding["n"], settings), "score")
    require_near(read(match["gain"]), own[0] - own[2], bound_score(own[0], own[3], finding["n"], settings), "gain")
    return "true"


def retrain_quick_model(screen: Screen, text: str, finding: dict[str, Any]) -> Verdict:
    """Train a model of the whole texts; its kappa says whether there is a signal."""
    match = re.search(rf"kappa (?P<kappa>{NUMBER}){INTERVAL}", text)
    own = None if screen.raw.items is None else score_side(screen.raw, None)
    if match is None or own is None:
        return "unchecked"
    allowed = bound_score(50, own[3], finding["n"], WHOLE_TEXTS) / 50
    low, high = (read(match[end] or match["kappa"]) for end in ("low", "high"))
    require(low - allowed <= own[1] <= high + allowed, f"own model has kappa {own[1]:.2f} ± {allowed:.2f}")
    return "true"


def measure_number(screen: Screen, text: str, finding: dict[str, Any]) -> Verdict:  # noqa: ARG001
    """Compute the entropy of the labels that a number takes away."""
    match = re.search(rf'the number "(?P<name>[^"]+)" .+ by (?P<share>{NUMBER})%', text)
    rows = list_labelled(screen.raw) if screen.raw.items is not None else []
    values = None if match is None or not rows else see_number(screen.raw, match["name"])
    if match is None or values is None:
        return "unchecked"
    own = 100 * measure_entropy_share(
        [values[row] for row in rows], [screen.raw.items[row].label or "" for row in rows]
    )  # type: ignore[index]
    require_near(read(match["share"]), own, max(2.0, 0.35 * own), "share of the entropy")
    return "true"


def retrain_contradictions(screen: Screen, text: str, finding: dict[str, Any]) -> Verdict:  # noqa: ARG001
    """Train a model of the whole texts, and count the labels it contradicts among the fifth of which it is most sure."""
    match = re.match(rf"A text model contradicts (?P<k>{NUMBER}) of the (?P<n>{NUMBER}) labels", text)
    own = None if match is None or screen.raw.items is None else count_sure_contradictions(screen.raw)
    if own is None or match is None:
        return "unchecked"
    expect(match["n"], own[1], what="labels")
    require(abs(read(match["k"]) - own[0]) <= 3 + 3 * own[0] ** 0.5, f"own model contradicts {own[0]}")
    return "true"


def count_outside(screen: Screen, text: str, finding: dict[str, Any]) -> Verdict:  # noqa: ARG001
    """Count the features of the dataset that lie outside of those of all datasets the forecast was fitted on."""
    import polars as pl

    match = re.search(r"resembles this one in (?P<n>\d+) of its features", text)
    if match is None:
        return "unchecked"
    fitted, outside = pl.read_parquet(EVIDENCE), set()
    for name, value in screen.find_evidence("forecast")["features"].items():
        if name in fitted.columns and value is not None:
            known = fitted[name].cast(pl.Float64).drop_nulls().drop_nans()
            low, high = float(known.min()), float(known.max())  # type: ignore[arg-type]
            slack = SLACK * (high - low)
            outside |= {name} if value < low - slack or value > high + slack else set()
    named = set(screen.find_evidence("forecast")["outside"])
    require(len(named) == int(match["n"]), f"{len(named)} are named")
    require(named <= outside, f"{sorted(named - outside)} are inside")
    return "true"


def retrain_hard_split(screen: Screen, text: str, finding: dict[str, Any]) -> Verdict:
    """Train under a split of the same kind; the loss must be near the interval of the finding."""
    match = re.search(rf"{NUMBER}% under random folds and {NUMBER}% under the (?P<split>[\w-]+) split", text)
    if match is None or finding["low"] is None:
        return "unchecked"
    return retrain_split(screen, match["split"], "accuracy", 100 * finding["low"], 100 * finding["high"])


RETRAINED: dict[str, Any] = {
    "A108": retrain_contradictions,
    "A201": retrain_hard_split,
    "A205": retrain_hard_split,
    "A601": count_outside,
    "A401": retrain_words,
    "A402": retrain_view,
    "A403": retrain_view,
    "A405": retrain_quick_model,
    "A407": measure_number,
}


# Claims that an independent computation can check only by training the same models: their beginnings, units and subjects.
MODELLED: dict[str, tuple[str, str, str]] = {
    "A108": (r"(\d[\d,]* items? of|A text model contradicts) .+", "items", "items with evidence against their label"),
    "A509": (r"\d[\d,]* items? of .+", "items", "items whose label most systems contradict"),
    "A110": (r"In \d.+ pairs of \w+ a side is also in \w+; .+", "share of pairs", "sides of pairs"),
    "A201": (r"A random split is optimistic: on the same items .+", "points of accuracy", "the same items"),
    "A202": (r"The texts of \w+ differ from those of \w+ beyond chance in .+", "measures", "texts of two parts"),
    "A205": (r"(Scores fall over time|Cannot tell whether scores fall over time): .+", "points", "the latest items"),
    "A206": (r"The gold labels of test look reversed: .+", "kappa", "test labels"),
    "A207": (r"A random split is optimistic: on the same items .+", "points of the metric", "the same items"),
    "A301": (r".+ loses? more than ten points where the words do not give the answer away: .+", "points", "systems"),
    "A302": (r"\d.+ of the pairs are obvious: .+", "share of pairs", "pairs that share words or not"),
    "A401": (r".+", "points, or share of items", "items with a word"),
    "A402": (
        r"The (first|second) text of the pair alone predicts the label: .+",
        "share of held-out items",
        "one side",
    ),
    "A403": (
        r"A baseline that sees only .+ is right on .+ held-out items, .+",
        "share of held-out items",
        "a baseline",
    ),
    "A404": (r"(Beyond shortcuts the quick model|Cannot tell whether there is anything) .+", "share", "labels"),
    "A405": (r"(The quick model|No signal|Cannot tell whether the labels can be predicted).+", "kappa", "labels"),
    "A406": (r"Shortcuts alone .+", "share of held-out items", "held-out items"),
    "A407": (
        r"Knowing the number .+ reduces the uncertainty \(entropy\) of the label by .+",
        "share of entropy",
        "labels",
    ),
    "A414": (r"\d.+ of eight words or more that is also in .+", "items", "texts of items"),
    "A415": (r"A model that answers from .+ scores .+", "the metric", "items under random folds"),
    "A416": (r"What the quick model learns, it learns from the answers alone .+", "points", "items"),
    "A417": (r"\d.+ of the entities in \w+ are also entities of train.+", "share of entities", "entities of a part"),
    "A501": (r".+", "λ", "datasets"),
    "A504": (r"(Cannot tell whether items have negative discrimination: |\d).+", "items", "items"),
    "A505": (r".+ than chance would.+", "kappa", "systems"),
    "A506": (r"Scores are unreliable: alpha .+", "alpha", "items and systems"),
    "A511": (r"The first place depends on the metric: .+", "the metrics", "systems"),
    "A521": (r"\d+ datasets? of \d+ ranks? systems unlike the others: .+", "datasets", "datasets"),
    "A601": (r"The forecast is out of its range: .+", "features", "the dataset"),
    "A602": (r"This dataset is not expected to tell systems apart: .+", "λ", "the dataset"),
    "A702": (r"Judge .+ changes its verdict in .+", "share of items", "one judge"),
    "A703": (r"Judge .+ prefers the answer shown (first|second): .+", "share of verdicts", "one judge"),
    "A704": (r"Judge .+ prefers longer answers: .+", "share of verdicts", "one judge"),
    "A705": (r"A constant answer scores high: .+", "score of a judge", "a system"),
    "A706": (r"The \d+ judges disagree: .+", "alpha", "judges"),
    "A707": (r"Judge .+ prefers answers of its own family: .+", "share of verdicts", "one judge"),
    "A721": (r"\d+ systems? of \d+ have no rating, because .+", "systems", "systems"),
    "A723": (r"Another system is often first when .+", "share of resamples", "votes"),
    "A111": (r".+", "labels", "labels that differ in case, spaces or spelling"),
    "A112": (r".+", "the metric", "totals of a harness and of the items"),
    "A901": (r".+ responses of .+", "share of responses", "one system"),
    "A902": (r".+ state an answer that was not extracted .+", "responses", "one system"),
    "A903": (r".+ state no answer, and yet have an extracted one; .+", "responses", "one system"),
    "A904": (r"Every response of every system scores zero.+", "", "all systems"),
    "A905": (r".+ responses of .+", "share of responses", "one system"),
    "A906": (r".+ responses of .+", "share of responses", "one system"),
    "A907": (r".+ responses of .+", "share of responses", "one system"),
    "A908": (r".+ responses of .+", "share of responses", "one system"),
    "A909": (r"The order of .+ of systems changes if every response is read; .+", "pairs", "systems"),
    "A910": (r"\d+ tasks? of .+: candidates for a look\.", "tasks", "tasks of agents"),
    "A801": (r"\d.+ in the training corpus, nearly verbatim\.", "items", "items of a part"),
    "A802": (r"\d.+ in the training corpus, next to the question or in full\.", "items", "answers of a part"),
}
for _code, (_regex, _unit, _about) in MODELLED.items():
    claim(_code, _regex, unit=_unit, about=_about)(compare_with_evidence)

KNOWN_CODES = {*MODELLED, "A101", "A102", "A103", "A104", "A105", "A106", "A107", "A109", "A203", "A204"} | {
    *("A410", "A411", "A412", "A413", "A502", "A503", "A507", "A508", "A510", "A512", "A701", "A722"),
}
