"""Count the surprising findings of `docs/atlas.md` again, with plain Python and none of this package's code.

python -m benchmarks.atlas_checks
"""

from __future__ import annotations

import csv
import gzip
import json
import statistics
from collections import defaultdict
from pathlib import Path

SHARED = Path(__file__).parents[2] / "shared" / "data"


def read_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table."""
    with gzip.open(SHARED / name, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_lines(name: str) -> list[dict[str, object]]:
    """Return the objects of a file of JSON lines."""
    with gzip.open(SHARED / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check_mmlu_pro() -> None:
    """Count how often the longest option is right."""
    shares = defaultdict(list)
    for row in read_lines("mmlu_pro/items.jsonl.gz"):
        lengths = [len(str(option)) for option in row["options"]]  # type: ignore[attr-defined]
        is_longest = lengths[int(str(row["answer_index"]))] == max(lengths)
        hit = is_longest / lengths.count(max(lengths))
        for name in ("all", row["category"], f"source {str(row['src']).split('-')[0]}"):
            shares[name].append((hit, 1 / len(lengths)))
        if row["category"] == "biology" and str(row["src"]).startswith("stemez"):
            shares["biology of stemez"].append((hit, 1 / len(lengths)))
    for name, pairs in shares.items():
        hit, chance = (statistics.mean(values) for values in zip(*pairs, strict=True))
        print(f"MMLU-Pro, {name}: longest option right on {hit:.3f} of {len(pairs)}, chance {chance:.3f}")


def check_cacm() -> None:
    """Count judgements whose document does not exist."""
    documents = {row["_id"] for row in read_lines("cacm/corpus.jsonl.gz")}
    lines = (SHARED / "cacm" / "qrels.cacm.txt").read_text(encoding="utf-8").splitlines()
    judgements = [line.split() for line in lines]
    missing = [row for row in judgements if row[2] not in documents]
    topics = {row[0] for row in missing}
    print(
        f"CACM: {len(missing)} of {len(judgements)} judgements in {len(topics)} topics name no document: {missing[0][2]}"
    )


def check_figqa() -> None:
    """Count pairs of options and their keys."""
    keys = defaultdict(list)
    for row in read_rows("explainaboard/figqa_preds.tsv.gz"):
        keys[row["option0"], row["option1"]].append(row["gold"])
    both = sum(sorted(values) == ["0", "1"] for values in keys.values())
    print(f"FigQA: {len(keys)} pairs of options, {both} of them twice with both keys")


def check_quora() -> None:
    """Count duplicates among pairs about banknotes."""
    rows = read_rows("quora/quora.tsv.gz")
    notes = [row for row in rows if "500" in row["text_a"] and "1000" in row["text_a"]]
    shares = [statistics.mean(row["label"] == "1" for row in part) for part in (notes, rows)]
    print(f"Quora: {shares[0]:.3f} of {len(notes)} pairs with 500 and 1000 are duplicates, {shares[1]:.3f} of all")


def check_boards() -> None:
    """Compare the order of systems on single datasets with the mean of the others."""
    from scipy.stats import kendalltau

    tables: dict[str, dict[str, dict[str, float]]] = {"MMLU": {}, "SuperGLUE": {}}
    for row in read_rows("leaderboards/leaderboards.tsv.gz"):
        if row["benchmark"] in tables:
            column = f"{row['dataset']} ({row['metric']})"
            tables[row["benchmark"]].setdefault(column, {})[row["system"]] = float(row["score"])
    for title, table in tables.items():
        systems = sorted(set.intersection(*(set(column) for column in table.values())))
        columns = {name: [column[system] for system in systems] for name, column in table.items()}
        scaled = {
            name: [(value - statistics.mean(values)) / statistics.pstdev(values) for value in values]
            for name, values in columns.items()
        }
        taus = {}
        for name, values in columns.items():
            rest = [sum(other[at] for key, other in scaled.items() if key != name) for at in range(len(systems))]
            taus[name] = kendalltau(values, rest).statistic
        for name in sorted(taus, key=lambda key: taus[key])[:3]:
            spread = statistics.stdev(columns[name])
            print(f"{title}, {name}: τ = {taus[name]:.3f} over {len(systems)} systems, deviation {spread:.3f}")
    parity, accuracy = (tables["SuperGLUE"][f"AX-g ({metric})"] for metric in ("GPS", "acc"))
    perfect = [accuracy[system] for system, score in parity.items() if score == 100]
    print(f"SuperGLUE: accuracies of systems with parity 100: {sorted(perfect)}")


def check_records() -> None:
    """Compare records of items with published scores, and count lengths of a constant answer."""
    rows = read_rows("swebench_verified/resolved.tsv.gz")
    name = next(column for column in rows[0] if column.startswith("Claude 3.7 Sonnet"))
    print(f"SWE-bench Verified: {name} resolves {sum(row[name] == '1' for row in rows)} of {len(rows)} by its items")
    preferences = [float(row["NullModel"]) for row in read_rows("alpaca_eval/preferences.tsv.gz") if row["NullModel"]]
    lengths = {row["NullModel"] for row in read_rows("alpaca_eval/output_chars.tsv.gz")}
    print(f"AlpacaEval: NullModel wins {100 * (statistics.mean(preferences) - 1):.2f}% with {len(lengths)} length")


def main() -> None:
    """Print every count."""
    for check in (check_mmlu_pro, check_cacm, check_figqa, check_quora, check_boards, check_records):
        check()


if __name__ == "__main__":
    main()
