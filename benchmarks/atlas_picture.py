"""Draw the five findings of `docs/atlas.md` that surprised most, from the counts of `atlas_checks`.

python -m benchmarks.atlas_picture
"""

from __future__ import annotations

import statistics
from pathlib import Path

import altair as alt

from benchmarks import atlas_checks as checks

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "atlas.svg"
Bars = dict[str, float]


def count_bars() -> dict[str, Bars]:
    """Return the bars of every panel, in percent or as τ."""
    longest = checks.count_longest_options()
    categories = ("biology", "computer science", "philosophy", "history", "business")
    verdicts, constant = checks.count_right_verdicts()
    missing, n = checks.find_missing_documents()
    boards = checks.read_boards()
    order = {name.removesuffix(" (acc)"): row[0] for name, row in checks.compare_orders(boards["MMLU"]).items()}
    parity = checks.find_perfect_parity(boards["SuperGLUE"])
    return {
        "MMLU-Pro: the longest option is right (%)": {
            **{name: 100 * longest[name][0] for name in categories},
            "blind guess": 100 * longest["all"][1],
        },
        "LLMBar: judges that are right (%)": {
            "best of 65": 100 * max(verdicts.values()),
            "median": 100 * statistics.median(verdicts.values()),
            "worst": 100 * min(verdicts.values()),
            "constant verdict": 100 * constant,
        },
        "CACM: judgements (%)": {"name a document": 100 - 100 * len(missing) / n, "name none": 100 * len(missing) / n},
        "MMLU: agreement with the other subjects (τ)": {
            name: order[name] for name in ("moral_disputes", "public_relations", "econometrics", "college_chemistry")
        },
        "SuperGLUE: accuracy at perfect gender parity (%)": {
            f"system {number}": value for number, value in enumerate(parity, start=1)
        },
    }


def draw_panel(title: str, bars: Bars) -> alt.Chart:
    """Draw one panel: a bar and its value per row."""
    rows = [{"name": name.replace("_", " "), "value": value, "text": f"{value:.2g}"} for name, value in bars.items()]
    base = alt.Chart(alt.Data(values=rows), title=alt.TitleParams(title, anchor="start", fontSize=12))
    y = alt.Y("name:N", sort=None, title=None, axis=alt.Axis(labelLimit=160))
    x = alt.X("value:Q", title=None, axis=alt.Axis(grid=False, tickCount=3))
    bar = base.mark_bar(color="#4c63b6").encode(x=x, y=y)
    text = base.mark_text(align="left", dx=3).encode(x=x, y=y, text="text:N")
    return (bar + text).properties(width=260, height=18 * len(bars))


def main() -> None:
    """Write the picture."""
    panels = [draw_panel(title, bars) for title, bars in count_bars().items()]
    columns = [alt.vconcat(*panels[:2], panels[2]), alt.vconcat(*panels[3:])]
    alt.hconcat(*columns).configure_view(stroke=None).save(PICTURE)


if __name__ == "__main__":
    main()
