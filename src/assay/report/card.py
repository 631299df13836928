"""A block for a dataset card: what a benchmark's authors should report of it (paper 000, section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from assay.base.numbers import format_interval, format_number, is_missing
from assay.report.chapter import accuracy, within
from assay.report.characters import visible
from assay.report.plain_audit import plain_audit

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&!@$]|:(?=//)|(?<=www)\.)")
LAMBDAS = {"lambda_var": "λ_var", "lambda_sva": "λ_sva", "lambda_hit": "λ_hit"}


def card(audit: Any) -> str:
    """Return a Markdown block: verdict, findings, features, λ, information, leaks, the split to use."""
    told = plain_audit(audit)
    data, settings = told.get("data") or {}, told.get("settings") or {}
    lines = ["## Benchmark audit", "", safe(told["verdict"], 1_500), ""]
    for part in (findings, numbers, features, advice):
        lines += part(told)
    seed = f"seed {settings.get('seed')}, {'quick' if settings.get('quick', True) else 'full'}"
    made = f"assay {safe(settings.get('version', ''))}, {seed}, data `{safe(data.get('fingerprint', ''))[:16]}`"
    return "\n".join([*lines, f"*Measured with {made}. Brackets hold 95 % intervals.*", ""])


def safe(value: object, most: int = 200) -> str:
    r"""Write text of the data so that Markdown shows it as it is, on one line, and makes no link of it.

    >>> print(safe("<b>*not*</b> | https://x"))
    \<b\>\*not\*\</b\> \| https\://x
    """
    return _SPECIAL.sub(r"\\\1", " ".join(visible(value, most).split()))


def table(title: str, columns: list[str], rows: list[list[str]]) -> list[str]:
    """Write a Markdown table, or nothing where there are no rows."""
    if not rows:
        return []
    head = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return [f"### {title}", "", *head, *("| " + " | ".join(row) + " |" for row in rows), ""]


def findings(told: Mapping[str, Any], most: int = 12) -> list[str]:
    """Write the errors and warnings, and how many notes there are."""
    grave = [one for one in told.get("findings") or [] if one.get("severity") in ("error", "warning")]
    rows = [[safe(one["severity"]), safe(one["code"]), safe(one["claim"], 400)] for one in grave[:most]]
    return table("Findings", ["", "code", "claim"], rows)


def numbers(told: Mapping[str, Any]) -> list[str]:
    """Write λ, the information beyond shortcuts, obvious items and leaks."""
    return table("Key numbers", ["measure", "value"], [[name, value] for name, value in _numbers(told)])


def _numbers(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for row in (within(told, "sections", "discrimination", "result", "datasets") or [])[:20]:
        for name, title in LAMBDAS.items():
            if not is_missing(row.get(name)):
                value = format_interval(row[name], row.get(f"{name}_low"), row.get(f"{name}_high"))
                yield f"{title} ({safe(row.get('dataset'), 60)})", safe(value)
    information = within(told, "sections", "information", "result") or {}
    for row in information.get("control") or []:
        value = format_interval(row.get("tsi"), row.get("tsi_low"), row.get("tsi_high"))
        yield f"TSI beyond {safe(row.get('shortcuts'), 60)} (nats)", safe(value)
    if not is_missing(information.get("entropy")):
        yield "entropy of the labels (nats)", format_number(information["entropy"])
    hard = within(told, "sections", "difficulty", "result") or {}
    if not is_missing(hard.get("obvious_share")):
        yield (
            "obvious items",
            safe(format_interval(hard["obvious_share"], hard.get("low"), hard.get("high"), percent=True)),
        )
    for leak in within(told, "sections", "profile", "result", "leaks") or []:
        count = f"{format_number(leak.get('count'))} of {format_number(leak.get('n'))}"
        yield f"{safe(leak.get('kind'))} copies of train in {safe(leak.get('part'), 60)}", count


def features(told: Mapping[str, Any]) -> list[str]:
    """Write the features of the data by part."""
    found = within(told, "sections", "profile", "result", "features") or {}
    parts = [part for part in ("all", "train", "test", "interaction") if found.get(part)]
    names = [
        name for name in (found[parts[0]] if parts else {}) if any(not is_missing(found[p].get(name)) for p in parts)
    ]
    rows = [[name.replace("_", " "), *(format_number(found[part].get(name)) for part in parts)] for name in names]
    return table("Features", ["feature", *parts], rows)


def advice(told: Mapping[str, Any]) -> list[str]:
    """Write what to do: the items, and the split to report beside the given one."""
    summary = told.get("items_summary") or {}
    told_items = ", ".join(f"{wish} {format_number(n)}" for wish, n in summary.items())
    families = [
        row
        for row in within(told, "sections", "splits", "result", "families") or []
        if not is_missing(row.get("accuracy"))
    ]
    lines = [f"- Items: {told_items}."] if told_items else []
    lines += [f"- Recommended split: {recommended(families)}"] if families else []
    return ["### Advice", "", *lines, ""] if lines else []


def recommended(families: list[Mapping[str, Any]]) -> str:
    """Name the split to report beside the given one: folds of alike texts, or the hardest there is."""
    drawn = [row for row in families if row["split"] not in ("standard", "random")] or families
    alike = [row for row in drawn if row["split"] == "sds-k-means"]
    chosen = alike[0] if alike else min(drawn, key=lambda row: (row["accuracy"], str(row["split"])))
    random = [row for row in families if row["split"] == "random"]
    beside = f", {safe(accuracy(random[0]))} at random" if random else ""
    asked = f"a quick model scores {safe(accuracy(chosen))} on it{beside}"
    return f"`{safe(chosen['split'], 60)}`, duplicates kept together, beside the given one ({asked})."
