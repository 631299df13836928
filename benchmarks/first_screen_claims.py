"""One table of all sentence patterns of a first screen, and how each is recomputed from the raw files.

Every pattern says what it claims, in which unit, about which items, part or systems, and has a function that recomputes
its numbers: by a loop over the raw files where that is possible, else from the evidence in the JSON of the audit
("unchecked", as an independent computation would have to train the same models). Nothing of the package is used.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from benchmarks.first_screen_models import (
    SETTINGS,
    WHOLE_TEXTS,
    bound_score,
    lose_under_split,
    score_view,
    tell_parts_apart,
)
from benchmarks.first_screen_raw import POWER, Raw, read_table, score_by_word

Verdict = Literal["true", "misleading", "false", "unchecked"]
Check = Callable[["Screen", "re.Match[str]"], Verdict]
NUMBER = r"[−-]?\d[\d,]*(?:\.\d+)?"
INTERVAL = rf"(?: \[(?P<low>{NUMBER})%?, (?P<high>{NUMBER})%?\])?"
NAME = r'"[^"]*"'
TOPICS = {
    "leakage": "A101 A102 A103 A109 A110 A414 A417 A801 A802",
    "shortcuts": "A302 A401 A402 A403 A404 A406 A407 A410 A411 A412 A415 A416",
    "labels": "A104 A105 A106 A107 A108 A111 A206 A405 A413 A504 A505 A509",
    "split": "A201 A202 A203 A204 A205 A207",
    "difficulty": "A301 A503",
}
STATUSES = {"error": "problem", "warning": "warning"}
ADVICE = {"error": "Do not trust scores before this is fixed.", "warning": "Trust scores with care."}
COPIES = ("A101", "A102")
ONE_OF = re.compile(r" This is one of (\d+) such findings\.$")
VAGUE = re.compile(r"\b(this baseline|the dataset|this model|this system|this number|look at them)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """A sentence of the first screen, and where it is."""

    place: str
    text: str
    topic: str = ""


@dataclass
class Screen:
    """The JSON of an audit, and the raw files it was made from."""

    name: str
    kind: str
    result: dict[str, Any]
    raw: Raw
    subtitle: str = ""

    @cached_property
    def findings(self) -> list[dict[str, Any]]:
        """The findings."""
        return list(self.result["findings"])

    @cached_property
    def rows(self) -> dict[str, dict[str, Any]]:
        """The rows by topic."""
        return {row["topic"]: row for row in self.result["overview"]["rows"]}

    @cached_property
    def serious(self) -> list[dict[str, Any]]:
        """The errors and warnings, the worst first; copies of training items count with all copies of their part."""
        rows = [row for row in self.findings if row["severity"] != "note"]

        def effect(row: dict[str, Any]) -> float:
            same = [other for other in rows if row["code"] in COPIES and other["code"] in COPIES]
            copies = sum(other["stake"] for other in same if other["subject"] == row["subject"])
            return max(row["stake"] or 0.0, copies)

        return sorted(
            rows, key=lambda row: (row["severity"] != "error", -effect(row), -(row["stake"] or 0.0), row["code"])
        )

    def find_evidence(self, section: str) -> dict[str, Any]:
        """Return what a section measured, empty if it was not made."""
        return (self.result["sections"].get(section) or {}).get("evidence") or {}

    def list_statements(self) -> Iterator[Statement]:
        """Yield every sentence of the first screen, and the claim of every finding."""
        if self.subtitle:
            yield Statement("subtitle", self.subtitle)
        for row in self.result["overview"]["rows"]:
            text = f"{row['number']} {row['unit']}" if row["number"] else row["reason"]
            yield Statement("status", f"{row['title']}: {row['status']}", row["topic"])
            yield Statement("row", text, row["topic"])
        for action in self.result["overview"]["actions"]:
            yield Statement("action", f"{action['action']} ({action['code']})")
        for sentence in self.split_verdict():
            yield Statement("verdict", sentence)
        for finding in self.findings:
            yield Statement("finding", f"{finding['code']}: {finding['claim']}")

    def split_verdict(self) -> list[str]:
        """Split the verdict into its parts: headline, counts, claims that are quoted, and the rest by sentence."""
        rest, parts = self.result["verdict"], []
        headline = self.result["overview"]["headline"]
        if not rest.startswith(headline):
            raise AssertionError(f"The verdict does not begin with the headline: {rest}")
        parts.append(headline)
        rest = rest[len(headline) :].strip()
        for finding in self.serious:
            for begin in ("First: ", "Most serious: "):
                if begin + finding["claim"] in rest:
                    parts.append(begin + finding["claim"])
                    rest = rest.replace(begin + finding["claim"], "", 1)
        power = re.search(r"(The first two systems|Two systems like this one).*$", rest)
        if power:
            parts.append(power.group(0))
            rest = rest[: power.start()]
        return parts + [part for part in re.split(r"(?<=\.)\s+", rest.strip()) if part]


@dataclass(frozen=True)
class Pattern:
    """A sentence pattern: what it claims, its unit, what it speaks of, and how it is recomputed."""

    name: str
    place: str
    regex: re.Pattern[str]
    unit: str
    about: str
    check: Check


PATTERNS: list[Pattern] = []


def pattern(place: str, regex: str, *, unit: str, about: str) -> Callable[[Check], Check]:
    """Register the function that recomputes a pattern; its docstring is the claim."""

    def register(check: Check) -> Check:
        PATTERNS.append(Pattern(check.__name__, place, re.compile(regex, re.DOTALL), unit, about, check))
        return check

    return register


def find_pattern(statement: Statement) -> tuple[Pattern, re.Match[str]] | None:
    """Return the first pattern that fits a whole statement."""
    for entry in PATTERNS:
        if entry.place == statement.place and (match := entry.regex.fullmatch(statement.text)):
            return entry, match
    return None


def judge(screen: Screen, statement: Statement) -> tuple[Verdict, str]:
    """Return whether a statement is true, with the name of its pattern; a difference is the reason."""
    found = find_pattern(statement)
    if found is None:
        return "false", "no pattern"
    entry, match = found
    try:
        return entry.check(screen, match), entry.name
    except AssertionError as difference:
        return "false", f"{entry.name}: {difference}"


def read(text: str | None) -> float:
    """Read a number as it is printed."""
    return math.nan if text is None else float(text.replace(",", "").replace("−", "-"))


def expect(said: str | float | None, counted: float, unit: float = 1.0, what: str = "") -> None:
    """Compare a printed number with a recomputed one, up to rounding."""
    value = read(said) if isinstance(said, str) or said is None else said
    digits = len(said.partition(".")[2]) if isinstance(said, str) else 6
    if not abs(value - unit * counted) <= 0.5000001 * 10**-digits:
        raise AssertionError(f"{what or 'said'} {said}, counted {unit * counted:.6g}")


def require(condition: object, message: str) -> None:
    """Fail with a message."""
    if not condition:
        raise AssertionError(message)


def find_topic(code: str) -> str:
    """Return the row of the first screen that a rule belongs to."""
    return next((topic for topic, codes in TOPICS.items() if code in codes.split()), "ranking")


# --- statuses -------------------------------------------------------------------------------------------------------


@pattern("status", r"(?P<title>\w+): (?P<status>ok|warning|problem|unclear|not checked)", unit="", about="one row")
def row_status(screen: Screen, match: re.Match[str]) -> Verdict:
    """The status is that of the worst finding of the row; ok needs a check that was made and no wide interval."""
    row = next(row for row in screen.rows.values() if row["title"] == match["title"])
    own = [finding for finding in screen.findings if find_topic(finding["code"]) == row["topic"]]
    severities = {finding["severity"] for finding in own}
    worst = next((STATUSES[name] for name in ("error", "warning") if name in severities), None)
    if worst is not None:
        require(row["status"] == worst, f"{row['status']}, but a finding is {worst}")
        return "true"
    require(row["status"] in ("ok", "unclear", "not checked"), f"{row['status']} without a finding")
    if row["status"] != "ok":
        return "true"
    checked = {rule["code"] for rule in screen.result["passed"]} | {finding["code"] for finding in own}
    require(any(find_topic(code) == row["topic"] for code in checked), "ok, but nothing was checked")
    ends = re.search(r"\((?P<low>[\d.]+)% to (?P<high>[\d.]+)%\)", row["unit"])
    require(not ends or not (float(ends["low"]) < 1 and float(ends["high"]) >= 5), "ok with a wide interval")
    open_actions = [action for action in screen.result["overview"]["actions"] if action["code"] in _codes(own)]
    require(not open_actions, "ok, but there is something to do")
    return "true"


def _codes(findings: list[dict[str, Any]]) -> set[str]:
    return {finding["code"] for finding in findings}


# --- rows -----------------------------------------------------------------------------------------------------------


@pattern(
    "row",
    rf"(?P<share>{NUMBER})% of (?P<part>\w+) items are also in (?P<reference>\w+), exactly or nearly",
    unit="share of the part",
    about="items of a part with an equal or similar item of the same label in the part that systems learn from",
)
def leaked_share(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many items of the part are also in the reference part."""
    if screen.raw.items is None or not screen.raw.count_parts():
        return "unchecked"
    n = screen.raw.count_parts()[match["part"]]
    exact, near, _ = screen.raw.find_copies(match["part"], match["reference"])
    said = read(match["share"]) / 100 * n
    require(
        abs(said - exact - near) <= max(1.0, 0.1 * (exact + near)), f"said {said:.1f} of {n}, counted {exact + near}"
    )
    return "true"


@pattern(
    "row",
    rf"(?P<value>{NUMBER})(?: points)?{INTERVAL}(?P<unit_of>(?: of [\w-]+)?) above "
    r"(?P<base>a constant answer|a blind guess) for a model that sees only (?P<sees>.+)",
    unit="points of accuracy or of the metric that is named",
    about="held-out items (all items for positions and lengths of answers)",
)
def shortcut_gain(screen: Screen, match: re.Match[str]) -> Verdict:
    """A model that sees only this scores so many points above the most frequent label, or a guess."""
    low, high = read(match["low"]), read(match["high"])
    require(math.isnan(low) or low <= read(match["value"]) <= high, "the value is outside of its interval")
    questions, sees = screen.raw.options_of_items, match["sees"]
    if questions is not None and sees == "the position":
        counts, chance = Counter(place for _, place in questions), Counter[int]()
        for options, _ in questions:
            chance.update({place: 1 / len(options) for place in range(len(options))})
        gain = max(counts[place] - chance[place] for place in chance) / len(questions)
        expect(match["value"], gain, 100)
        return "true"
    if questions is not None and sees == "the length of the answers":
        return _compare_longest(questions, low, high)
    if (
        sees in ("the first word", "the last word")
        and screen.raw.items is not None
        and "␞" not in screen.raw.items[0].text
    ):
        end = 0 if sees == "the first word" else -1
        pairs = [
            (words[end] if words else "", item.label or "")
            for words, item in zip(screen.raw.words, screen.raw.items, strict=True)
        ]
        by_word, constant = score_by_word(pairs)
        gain = 100 * (by_word - constant)
        require(math.isnan(low) or low - 5 <= gain <= high + 5, f"own folds give {gain:.1f}")
        return "true"
    word = re.fullmatch(SIDED_WORD, sees)
    if word and screen.raw.items is not None:
        return _compare_sided_word(screen, word["word"], low, high)
    own = score_view(screen.raw, sees)
    if own is None or " of " in match["unit_of"]:
        return "unchecked"
    allowed = bound_score(own[0], own[3], math.nan, WHOLE_TEXTS if "text of the pair" in sees else SETTINGS)
    require(low - allowed <= own[0] - own[2] <= high + allowed, f"own model gains {own[0] - own[2]:.1f}")
    return "true"


SIDED_WORD = r'whether the first text alone, the second text alone, or neither of them alone contains "(?P<word>\w+)"'


def _compare_sided_word(screen: Screen, word: str, low: float, high: float) -> Verdict:
    pairs = []
    for item in screen.raw.items or ():
        first, second = (word in re.findall(r"\w+", text.lower()) for text in item.text.split("␞"))
        pairs.append((f"{first - second}", item.label or ""))
    by_word, constant = score_by_word(pairs)
    gain = 100 * (by_word - constant)
    require(low - 2 <= gain <= high + 2, f"own folds give {gain:.1f}")
    return "true"


def _compare_longest(questions: list[tuple[list[str], int]], low: float, high: float) -> Verdict:
    right = chance = 0.0
    for options, place in questions:
        longest = max(map(len, options))
        ties = [number for number, option in enumerate(options) if len(option) == longest]
        right += (place in ties) / len(ties)
        chance += 1 / len(options)
    gain = 100 * (right - chance) / len(questions)
    require(low - 1 <= gain <= high + 1, f"the longest answer gains {gain:.1f} points")
    return "true"


@pattern(
    "row",
    rf"(?P<share>{NUMBER})% of (?P<n>{NUMBER}) items are expected to have a wrong label or another defect"
    rf"(?: \((?P<low>{NUMBER})% to (?P<high>{NUMBER})%\))?",
    unit="share of the judged items",
    about="items with evidence on their gold label",
)
def bad_share(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many of the judged items are expected to be bad, by the model of the suspects."""
    for section in ("information", "discrimination"):
        suspects = screen.find_evidence(section).get("suspects")
        if suspects and suspects["n_judged"] == read(match["n"]):
            try:
                expect(match["share"], suspects["expected_bad"]["value"] / suspects["n_judged"], 100)
            except AssertionError:
                continue
            require(read(match["low"]) <= read(match["share"]) <= read(match["high"]), "outside of its interval")
            return "unchecked"
    raise AssertionError("no section expects this number")


@pattern(
    "row",
    rf"(?P<low>{NUMBER})% to (?P<high>{NUMBER})% of (?P<n>{NUMBER}) items may have a wrong label or another defect; the "
    "evidence does not tell how many",
    unit="share of the judged items",
    about="items with evidence on their gold label",
)
def bad_range(screen: Screen, match: re.Match[str]) -> Verdict:
    """The interval of the share of bad items begins at nearly nothing, and ends at 5% or more."""
    low, high = read(match["low"]), read(match["high"])
    require(low < 1 and high >= 5, "the evidence tells how many")
    found = [screen.find_evidence(section).get("suspects") for section in ("information", "discrimination")]
    for suspects in filter(None, found):
        n, ends = suspects["n_judged"], suspects["expected_bad"]
        require(n != read(match["n"]) or ends["low"] < 1, "some items are expected to be bad")
        if (
            n == read(match["n"])
            and abs(100 * ends["low"] / n - low) < 0.6
            and abs(100 * ends["high"] / n - high) < 0.6
        ):
            return "unchecked"
    raise AssertionError("no section expects this interval")


@pattern(
    "row",
    rf"(?P<value>{NUMBER})(?: points)?{INTERVAL} (?P<change>less|more) (?P<metric>[\w-]+) of the quick model with the "
    r"(?P<split>.+) split than with random folds(?P<chance>, which may be chance)?",
    unit="points of the metric, or the metric itself if it is no share",
    about="the same items under two kinds of folds",
)
def split_loss(screen: Screen, match: re.Match[str]) -> Verdict:
    """The quick model loses so much under this split, compared with random folds."""
    stress = screen.find_evidence("splits").get("stress") or screen.find_evidence("model").get("stress") or []
    row = next((row for row in stress if row["split"] == match["split"]), None)
    require(row is not None, "no such split was measured")
    assert row is not None
    scale = 100 if "points" in match.string else 1
    first, second = (row.get("random_accuracy"), row.get("accuracy"))
    if first is None:
        first, second = row["random_score"], row["score"]
    sign = 1 if match["change"] == "less" else -1
    require(
        abs(sign * read(match["value"]) - scale * (first - second)) <= 0.06 * scale**0.5,
        "not the difference of the scores",
    )
    slack = 0.006 * scale  # half a printed unit may be lost
    low, high = read(match["low"]), read(match["high"])
    contains_zero = low <= slack and high >= -slack if match["chance"] else low < -slack and high > slack
    require(contains_zero == bool(match["chance"]), "chance is not said, or said wrongly")
    return retrain_split(screen, match["split"], match["metric"], sign * low, sign * high)


def retrain_split(screen: Screen, split: str, metric: str, first: float, second: float) -> Verdict:
    """Train under a split of the same kind: the loss must be near the printed interval."""
    own = lose_under_split(screen.raw, split) if metric == "accuracy" and screen.raw.items is not None else None
    low, high = sorted((first, second))
    if own is None or (low > 0 and screen.raw.options_of_items is not None):
        return "unchecked"  # a model of whole texts learns nothing of options, and so cannot lose anything
    allowed = bound_score(50, 0.0, own[1], WHOLE_TEXTS)
    require(low - allowed <= own[0] <= high + allowed, f"own model loses {own[0]:.1f} points with such a split")
    return "true"


@pattern(
    "row",
    rf"(?P<share>{NUMBER})% of texts can be assigned to (?P<first>\w+) or (?P<second>\w+) by a classifier, where a guess "
    r"gets 50%",
    unit="share of texts, as many of each part",
    about="texts of two parts",
)
def part_classifier(screen: Screen, match: re.Match[str]) -> Verdict:
    """A classifier finds the part of so many texts."""
    require(list(screen.find_evidence("splits")["compared"]) == [match["first"], match["second"]], "other parts")
    require(50 - 10 <= read(match["share"]) <= 100, "no share of a classifier")
    if screen.raw.rows is not None and "group" in screen.raw.rows[0]:
        return "unchecked"  # groups are kept whole, or their items tell the part
    own = tell_parts_apart(screen.raw, match["first"], match["second"])
    if own is None:
        return "unchecked"
    require(
        abs(read(match["share"]) - own[0]) <= bound_score(own[0], own[3], own[4], WHOLE_TEXTS), f"own {own[0]:.0f}%"
    )
    return "true"


@pattern(
    "row",
    r"(?P<k>\d+) of (?P<n>\d+) systems?(?: that could be ranked \((?P<all>[\d,]+) were given\))? may be first"
    r"(?P<votes> by the votes)?(?: on (?P<board>[^:]+?))?(?P<higher> if higher is better)?(?:: (?P<names>.+))?",
    unit="systems",
    about="the given systems on the items that they answered",
)
def possible_firsts(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many systems may be first: the best one, and those that differ from it by no more than chance."""
    if screen.raw.outcomes is None:
        return _count_board(screen, match)
    scores = screen.raw.find_scores()
    require(int(match["n"]) == len(scores), f"{len(scores)} systems were given")
    best = next(iter(scores))
    worse = close = 0
    for name in scores:
        gap, error, _ = screen.raw.compare(best, name)
        z = gap / error if error and not math.isnan(error) else 0.0
        close += z < 1.5
        worse += z < 4.5
    require(close <= int(match["k"]) <= max(worse, 1), f"{close} are within 1.5 standard errors, {worse} within 4.5")
    names = re.findall(r'"([^"]*)"', match["names"] or "")
    require(not names or best[:39] in [name[:39] for name in names], f"{best} scores best")
    return "true"


def _count_board(screen: Screen, match: re.Match[str]) -> Verdict:
    path = screen.raw.options.get("--scores") or (screen.raw.data if screen.kind == "votes" else None)
    if path is None or path.is_dir():
        return "unchecked"
    systems = set()
    for row in read_table(path):
        systems |= {row[name] for name in ("system", "model", "Model", "Name", "model_a", "model_b") if name in row}
    left_out = sum(entry["n"] for entry in screen.result["data"]["left_out"] if entry["what"] == "systems")
    n = int(match["all"] or match["n"])
    if match["board"] is None and n != len(systems) and n + left_out != len(systems):
        raise AssertionError(f"{len(systems)} systems were given, {n} ranked and {left_out} said to be left out")
    return "unchecked"


@pattern(
    "row", r"(?P<k>\d+) of (?P<n>\d+) datasets? tells? (?:its|their) systems apart", unit="datasets", about="datasets"
)
def datasets_apart(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many datasets tell their systems apart."""
    rows = screen.find_evidence("discrimination")["datasets"]
    require(int(match["n"]) == len(rows), f"{len(rows)} datasets")
    return "unchecked"


@pattern(
    "row",
    rf"(?P<share>{NUMBER})% of the (?P<n>{NUMBER}) items(?: that every system was run on)? have the full score "
    r"\((?P<metric>[^)]+)\) with (?P<who>.+)",
    unit="share of the items",
    about="items that all systems answered",
)
def solved_by_all(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many items have the full score with all systems."""
    if screen.raw.outcomes is None:
        return "unchecked"
    shared = set.intersection(*(set(row) for row in screen.raw.outcomes.values()))
    solved = sum(all(row[key] == 1 for row in screen.raw.outcomes.values()) for key in shared)
    expect(match["n"], len(shared), what="items")
    expect(match["share"], solved / len(shared), 100)
    n = {"the only system": 1, "both systems": 2}.get(match["who"]) or int(match["who"].split()[1])
    require(n == len(screen.raw.outcomes), "another number of systems")
    return "true"


@pattern(
    "row",
    r"(?P<n>\d+) checks? of this question found no serious problem\.",
    unit="checks",
    about="the rules of one row",
)
def sound_row(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many rules of this row were checked, and none has an error or warning."""
    checked = _codes(screen.findings) | {rule["code"] for rule in screen.result["passed"]}
    counts = Counter(map(find_topic, checked))
    require(int(match["n"]) in counts.values(), "no row has so many checks")
    return "true"


REASONS: dict[str, Callable[[Screen], object]] = {
    r"The data has no parts to compare\.": lambda screen: len(screen.raw.count_parts()) < 2,
    r"No system was given\. This needs predictions, scores or logs of at least two systems\.": lambda screen: (
        not ({"--predictions", "--scores"} & set(screen.raw.options))
    ),
    r"No predictions were given\. This needs the answers of at least five systems\.": lambda screen: (
        "--predictions" not in screen.raw.options and screen.kind != "logs"
    ),
    r"Only one system was given\. This needs at least two\.": lambda screen: (
        screen.raw.answers is None or len(screen.raw.answers) == 1
    ),
    r"This needs the items of a benchmark with their gold labels\.": lambda screen: (
        screen.raw.data is None or screen.kind == "votes"
    ),
    r"Fewer than 5 systems have predictions\.": lambda screen: len(screen.raw.answers or ()) < 5,
    r"No gold label was compared with anything\. This needs the answers of systems, .+": lambda screen: (
        not any(screen.find_evidence(section).get("suspects") for section in ("information", "discrimination"))
    ),
    r"The evidence orders the items, but cannot tell how many labels are wrong\. .+": lambda screen: any(
        (screen.find_evidence(section).get("suspects") or {}).get("order_only")
        for section in ("information", "discrimination")
    ),
    r"The quick model finds too little signal to lose any\.": lambda screen: (
        (screen.find_evidence("splits").get("signal") or {"low": 0})["low"] <= 0.1
    ),
}
OWN_REASONS = (
    r"(This needs|There is|There are|No |The data|The score|Texts are|Fewer than|Not requested|Does not apply|Nothing was"
    r"|At least|Scores without|The sampling errors|\d+ |The section|The tested|The first two).+\.?"
)


@pattern("row", "|".join(f"(?:{regex})" for regex in REASONS), unit="", about="a row that was not checked")
def known_reason(screen: Screen, match: re.Match[str]) -> Verdict:
    """The row was not checked for this reason, which holds for the raw files."""
    holds = next(holds for regex, holds in REASONS.items() if re.fullmatch(regex, match.string))
    require(holds(screen), "the reason does not hold for these files")
    return "true"


@pattern("row", r".+", unit="as in the finding", about="as in the finding")
def quoted_claim(screen: Screen, match: re.Match[str]) -> Verdict:
    """The row quotes a finding, or gives the reason of a rule."""
    text = ONE_OF.sub("", match.string).removesuffix(".")
    claims = [finding for finding in screen.findings if finding["claim"].startswith(text) or finding["title"] == text]
    if claims:
        return "true"
    reasons = {rule["reason"] for rule in screen.result["not_checked"]}
    require(match.string in reasons or re.fullmatch(OWN_REASONS, match.string), "neither a claim nor a reason")
    return "true"


# --- actions --------------------------------------------------------------------------------------------------------


@pattern("action", r"(?P<action>.+) \((?P<code>A\d+)\)", unit="", about="the items or systems of a finding")
def first_action(screen: Screen, match: re.Match[str]) -> Verdict:
    """The action is that of a finding with this code, and names what it is about."""
    actions = [row["action"] for row in screen.findings if row["code"] == match["code"]]
    require(match["action"] in actions, "not the action of a finding")
    require(not VAGUE.search(match["action"]), "does not say what it is about")
    return "true"


# --- verdict --------------------------------------------------------------------------------------------------------


def _check_advice(screen: Screen, text: str) -> None:
    severity = screen.serious[0]["severity"] if screen.serious else None
    require(severity is not None and ADVICE[severity] in text, f"the worst finding is {severity}")
    close = re.search(r"This is close to the threshold of (.+)\.$", text)
    if close:
        require(screen.serious[0]["limit"] == close.group(1), "another threshold")


@pattern(
    "verdict",
    rf"Scores on (?P<part>\w+) can be too high(?: by up to (?P<points>{NUMBER}) points, because so many|, because "
    rf"(?P<share>{NUMBER})% of its) items are (?P<how>.+?)\. (?P<advice>Do not trust|Trust) .+",
    unit="points of a score on this part",
    about="items of the part that are also in training",
)
def leak_headline(screen: Screen, match: re.Match[str]) -> Verdict:
    """A score on this part can be too high by the share of leaked items, the number of the row."""
    _check_advice(screen, match.string)
    row = screen.rows["leakage"]
    require(row["number"] == f"{match['points'] or match['share']}%", f"the row says {row['number']}")
    averaged = screen.kind.split()[0] not in ("pairs", "tagging", "multilabel", "graded")
    require((match["points"] is not None) == averaged, "points are a bound only for a mean over items")
    require(f"of {match['part']} items are {match['how']}" == row["unit"], "another part than in the row")
    return "true"


@pattern(
    "verdict",
    rf"A model that sees only (?P<sees>.+?) scores about (?P<points>{NUMBER} points) "
    r"(?P<above>(?:of [\w-]+ )?above .+?)\. .+",
    unit="points of accuracy or of the metric that is named",
    about="held-out items",
)
def shortcut_headline(screen: Screen, match: re.Match[str]) -> Verdict:
    """A model of the shortcut scores so much above a constant answer or a guess, the number of the row."""
    _check_advice(screen, match.string)
    row = screen.rows["shortcuts"]
    require(row["number"].startswith(match["points"]), f"the row says {row['number']}")
    require(
        row["unit"] == f"{match['above']} for a model that sees only {match['sees']}", "another model than in the row"
    )
    return "true"


@pattern(
    "verdict",
    rf"Scores can be wrong by about (?P<points>{NUMBER}) points, because of wrong gold labels or bad items\. .+",
    unit="points of a score",
    about="items that are expected to be bad",
)
def label_headline(screen: Screen, match: re.Match[str]) -> Verdict:
    """As many points as there are items in a hundred that are expected to be bad, the number of the row."""
    _check_advice(screen, match.string)
    require(screen.rows["labels"]["number"] == f"{match['points']}%", f"the row says {screen.rows['labels']['number']}")
    return "unchecked"


@pattern(
    "verdict",
    r"No serious problem was found in (?P<n>\d+) checks?(?:, but (?P<doubt>.+?))?\.(?: Unclear: (?P<unclear>.+)\.)?",
    unit="checks",
    about="all rules that were checked",
)
def sound_headline(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many rules were checked and none has an error or warning; the rows that are unclear are named."""
    require(not screen.serious, "there is a serious finding")
    checked = _codes(screen.findings) | {rule["code"] for rule in screen.result["passed"]}
    require(int(match["n"]) == len(checked), f"{len(checked)} were checked")
    unclear = [row["title"].lower() for row in screen.rows.values() if row["status"] == "unclear"]
    require((match["unclear"] or "").split(", ") == (unclear or [""]), f"unclear are {unclear}")
    if screen.name == "permuted":
        require(match["doubt"], "nothing can be learned, and this is not said")
    return "true"


@pattern("verdict", r"Nothing could be checked\.", unit="", about="all rules")
def nothing_checked(screen: Screen, match: re.Match[str]) -> Verdict:  # noqa: ARG001
    """No rule was checked."""
    require(not screen.findings and not screen.result["passed"], "something was checked")
    return "true"


@pattern(
    "verdict",
    r"(?P<claim>.+\.) (?:Do not trust scores before this is fixed|Trust scores with care)\..*",
    unit="",
    about="",
)
def claim_headline(screen: Screen, match: re.Match[str]) -> Verdict:
    """The claim of the worst finding, its beginning, or the name of its rule, with the advice of its severity."""
    _check_advice(screen, match.string)
    worst = screen.serious[0]
    text = ONE_OF.sub("", match["claim"]).removesuffix(".")
    one_of = ONE_OF.search(match["claim"])
    same = [row for row in screen.serious if (row["code"], row["severity"]) == (worst["code"], worst["severity"])]
    require(not one_of or int(one_of[1]) == len(same), f"there are {len(same)} such findings")
    require(worst["claim"].startswith(text) or worst["title"] == text, "not the worst finding")
    return "true"


@pattern("verdict", r"(?:First|Most serious): (?P<claim>.+)", unit="as in the finding", about="as in the finding")
def first_claim(screen: Screen, match: re.Match[str]) -> Verdict:
    """The claim of the worst finding; "Most serious" if it is an error."""
    require(match["claim"] == screen.serious[0]["claim"], "not the worst finding")
    require(match.string.startswith("Most") == (screen.serious[0]["severity"] == "error"), "another severity")
    return "true"


@pattern(
    "verdict",
    r"(?:(?P<errors>\d+) errors?)?(?: and )?(?:(?P<warnings>\d+) warnings?)?(?P<none>, no error)?\.",
    unit="findings",
    about="errors and warnings",
)
def severity_counts(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many errors and warnings were raised."""
    counts = Counter(finding["severity"] for finding in screen.findings)
    said = (int(match["errors"] or 0), int(match["warnings"] or 0))
    require(said == (counts["error"], counts["warning"]), f"there are {counts}")
    return "true"


@pattern("verdict", r"Then: (?P<titles>.+)\.", unit="", about="the rules of the other serious findings")
def other_rules(screen: Screen, match: re.Match[str]) -> Verdict:
    """The names of the other rules with errors or warnings."""
    worst = screen.serious[0]["code"]
    titles = {row["title"].lower() for row in screen.serious if row["code"] != worst}
    require({title.lower() for title in match["titles"].split("; ")} == titles, f"these are {titles}")
    return "true"


@pattern("verdict", r"Not checked: (?P<titles>.+)\.", unit="rows", about="rows")
def missing_rows(screen: Screen, match: re.Match[str]) -> Verdict:
    """Exactly the rows whose status is "not checked"."""
    rows = [row["title"].lower() for row in screen.rows.values() if row["status"] == "not checked"]
    require(match["titles"].split(", ") == rows, f"these are {rows}")
    return "true"


@pattern("verdict", r"(?P<n>\d+) of (?P<all>\d+) checks (?:was|were) not made\.", unit="checks", about="all rules")
def missing_checks(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many of all rules were neither passed nor raised."""
    known = _codes(screen.findings) | {rule["code"] for rule in screen.result["passed"] + screen.result["ignored"]}
    require(int(match["n"]) == len(screen.result["not_checked"]), "another number of checks")
    require(int(match["all"]) == len(known) + int(match["n"]), "the checks do not add up")
    return "true"


def check_smallest_difference(screen: Screen, match: re.Match[str]) -> Verdict:
    """The paired standard error of the first two systems, times 2.80, and their difference."""
    if screen.raw.outcomes is None or match["first"] is None:
        return "unchecked"
    first, second = match["first"].strip('"'), match["second"].strip('"')
    names = {name[:39]: name for name in screen.raw.outcomes}
    first, second = names[first[:39]], names[second[:39]]
    gap, error, n = screen.raw.compare(first, second)
    scores = list(screen.raw.find_scores().items())
    require(scores[0][1] - screen.raw.find_scores()[first] < 1e-9, f"{scores[0][0]} scores best")
    expect(match["n"], n, what="items")
    unit = 100 if "points" in match.string else 1
    expect(match["gap"], abs(gap), unit)
    needed = unit * POWER * error
    require(abs(read(match["needed"]) - needed) <= 0.06 * needed + 0.0006 * unit, "another difference")
    return "true"


SMALLEST = (
    rf"(?:The first two systems(?:, (?P<first>{NAME}) and (?P<second>{NAME}),)?|Two systems like this one, with unrelated "
    rf"errors,) must differ by (?P<needed>{NUMBER})(?: points)?(?: in [\w@.-]+)? to be distinguished on (?:the )?"
    rf"(?P<n>{NUMBER}) items(?: that both answered)? \(80% power\)\.(?: They are (?P<gap>{NUMBER})(?: points)? apart\.)?.*"
)


@pattern("verdict", SMALLEST, unit="points of the metric that ranks", about="the first two systems on shared items")
def smallest_difference(screen: Screen, match: re.Match[str]) -> Verdict:
    """The first two systems need this difference, and differ by this."""
    return check_smallest_difference(screen, match)


@pattern("subtitle", r".+", unit="items, systems, votes", about="what was read and what was left out")
def subtitle(screen: Screen, match: re.Match[str]) -> Verdict:
    """So many items were read, and everything that was not used is counted."""
    first = re.match(rf"(?P<n>{NUMBER}) (?P<noun>\w+)", match.string)
    require(first, "no count")
    assert first is not None
    if screen.raw.items is not None and screen.raw.data is not None:
        left_out = sum(entry["n"] for entry in screen.result["data"]["left_out"] if entry["what"] == "rows")
        require(read(first["n"]) + left_out == len(screen.raw.items), f"{len(screen.raw.items)} rows were given")
        missing = sum(item.label is None for item in screen.raw.items)
        said = re.search(rf"(?P<n>{NUMBER}|all) without a gold label", match.string)
        if 0 < missing < len(screen.raw.items) and "multilabel" not in screen.kind:
            known = (f"{missing:,}", f"{missing - left_out:,}")
            require(said and said["n"] in known, f"{missing} have no gold label")
        return "true"
    for entry in screen.result["data"]["left_out"]:
        require(entry["what"].removesuffix("s") in match.string, f"does not say {entry}")
    return "unchecked"
