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


def count_longest_options() -> dict[str, tuple[float, float, int]]:
    """Return how often the longest option is right, the chance of a blind guess, and the number of questions."""
    shares = defaultdict(list)
    for row in read_lines("mmlu_pro/items.jsonl.gz"):
        lengths = [len(str(option)) for option in row["options"]]  # type: ignore[attr-defined]
        is_longest = lengths[int(str(row["answer_index"]))] == max(lengths)
        hit = is_longest / lengths.count(max(lengths))
        for name in ("all", str(row["category"]), f"source {str(row['src']).split('-')[0]}"):
            shares[name].append((hit, 1 / len(lengths)))
        if row["category"] == "biology" and str(row["src"]).startswith("stemez"):
            shares["biology of stemez"].append((hit, 1 / len(lengths)))
    means = {name: [statistics.mean(values) for values in zip(*pairs, strict=True)] for name, pairs in shares.items()}
    return {name: (*means[name], len(pairs)) for name, pairs in shares.items()}  # type: ignore[misc]


def check_mmlu_pro() -> None:
    """Print how often the longest option is right."""
    for name, (hit, chance, n) in count_longest_options().items():
        print(f"MMLU-Pro, {name}: longest option right on {hit:.3f} of {n}, chance {chance:.3f}")


def count_right_verdicts() -> tuple[dict[str, float], float]:
    """Return the share of right verdicts of every judge of LLMBar over both orders, and the one of a constant verdict."""
    right: dict[str, list[bool]] = defaultdict(list)
    gold: list[str] = []
    for order in ("12", "21"):
        for row in read_rows(f"llmbar/verdicts_order_{order}.tsv.gz"):
            gold.append(row["gold"])
            for name, verdict in row.items():
                if name not in ("id", "gold") and verdict in ("1", "2"):
                    right[name].append(verdict == row["gold"])
    constant = max(gold.count(side) for side in set(gold)) / len(gold)
    return {name: statistics.mean(hits) for name, hits in right.items()}, constant


def check_llmbar() -> None:
    """Count the judges that are right less often than a constant verdict."""
    shares, constant = count_right_verdicts()
    worse = sum(share < constant for share in shares.values())
    print(f"LLMBar: {worse} of {len(shares)} judges are right less often than a constant verdict ({constant:.3f})")
    ordered = sorted(shares, key=lambda name: shares[name])
    for name in (ordered[0], ordered[len(ordered) // 2], ordered[-1]):
        print(f"LLMBar, {name}: right in {shares[name]:.3f}")
    rows = read_rows("llmbar/items.tsv.gz")
    shorter = [(len(row["output_1"]) < len(row["output_2"])) == (row["label"] == "1") for row in rows]
    print(f"LLMBar: the shorter answer is right in {statistics.mean(shorter):.3f} of {len(rows)}")
    vanilla = {name: round(share, 3) for name, share in shares.items() if name.endswith("/Vanilla")}
    print(f"LLMBar, plain prompts: {vanilla}")


def find_missing_documents() -> tuple[list[list[str]], int]:
    """Return the judgements of CACM whose document does not exist, and the number of all judgements."""
    documents = {row["_id"] for row in read_lines("cacm/corpus.jsonl.gz")}
    lines = (SHARED / "cacm" / "qrels.cacm.txt").read_text(encoding="utf-8").splitlines()
    judgements = [line.split() for line in lines]
    return [row for row in judgements if row[2] not in documents], len(judgements)


def check_cacm() -> None:
    """Count judgements whose document does not exist."""
    missing, n = find_missing_documents()
    topics = {row[0] for row in missing}
    print(f"CACM: {len(missing)} of {n} judgements in {len(topics)} topics name no document: {missing[0][2]}")


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


def read_boards() -> dict[str, dict[str, dict[str, float]]]:
    """Return the scores of MMLU and SuperGLUE: dataset, system, score."""
    tables: dict[str, dict[str, dict[str, float]]] = {"MMLU": {}, "SuperGLUE": {}}
    for row in read_rows("leaderboards/leaderboards.tsv.gz"):
        if row["benchmark"] in tables:
            column = f"{row['dataset']} ({row['metric']})"
            tables[row["benchmark"]].setdefault(column, {})[row["system"]] = float(row["score"])
    return tables


def compare_orders(table: dict[str, dict[str, float]]) -> dict[str, tuple[float, float, int]]:
    """Return Kendall's τ of every dataset with the mean of the others, its standard deviation, and the systems."""
    from scipy.stats import kendalltau

    systems = sorted(set.intersection(*(set(column) for column in table.values())))
    columns = {name: [column[system] for system in systems] for name, column in table.items()}
    scaled = {
        name: [(value - statistics.mean(values)) / statistics.pstdev(values) for value in values]
        for name, values in columns.items()
    }
    result = {}
    for name, values in columns.items():
        rest = [sum(other[at] for key, other in scaled.items() if key != name) for at in range(len(systems))]
        result[name] = float(kendalltau(values, rest).statistic), statistics.stdev(values), len(systems)
    return result


def find_perfect_parity(table: dict[str, dict[str, float]]) -> list[float]:
    """Return the accuracies of the systems of SuperGLUE with a gender parity of 100."""
    parity, accuracy = (table[f"AX-g ({metric})"] for metric in ("GPS", "acc"))
    return sorted(accuracy[system] for system, score in parity.items() if score == 100)


def check_boards() -> None:
    """Compare the order of systems on single datasets with the mean of the others."""
    tables = read_boards()
    for title, table in tables.items():
        rows = compare_orders(table)
        for name in sorted(rows, key=lambda key: rows[key][0])[:3]:
            tau, spread, n = rows[name]
            print(f"{title}, {name}: τ = {tau:.3f} over {n} systems, deviation {spread:.3f}")
    print(f"SuperGLUE: accuracies of systems with parity 100: {find_perfect_parity(tables['SuperGLUE'])}")


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
    for check in (check_mmlu_pro, check_llmbar, check_cacm, check_figqa, check_quora, check_boards, check_records):
        check()


if __name__ == "__main__":
    main()
