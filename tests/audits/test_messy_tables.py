"""Leaderboards as people keep them: each is audited alone, and the page says what it is about."""

from __future__ import annotations

import pytest

import assay
from assay.report import render_page

# Name, content, systems, and the score of the first system on each dataset, in percent if it is one.
TABLES = {
    "missing cells": (
        "model,MMLU,GSM8K,Average\ngpt,86.4,92.0,89.2\nllama,N/A,56.8,\nqwen,70.1,n/a,70.1\nphi,-,51,\n",
        4,
        {"MMLU": 86.4, "GSM8K": 92.0},
    ),
    "errors": (
        "Model,ARC,HellaSwag\na,90.1 ± 1.2,80.2±0.4\nb,88 +/- 1,79.9 ± 0.5\nc,70.0 ± 2,60.5 ± 0.7\n",
        3,
        {"ARC": 90.1, "HellaSwag": 80.2},
    ),
    "percent signs": (
        "system,RTE,SST-2\na,90%,97.1%\nb,80%,97.2%\nc,60.5%,97.3%\n",
        3,
        {"RTE": 90.0, "SST-2": 97.1},
    ),
    "facts and links": (
        "Rank,Model,Average,Params (B),Release date,License,MMLU,BBH\n"
        "1,[qwen](https://x.y/q),80.5,72,2024-06-01,apache-2.0,82,79\n"
        "2,[llama](https://x.y/l),75.5,70,2024-04-18,llama3,79,72\n"
        "3,<a href='p'>phi</a>,70,3.8,2024-04-22,mit,69,71\n",
        3,
        {"MMLU": 82.0, "BBH": 79.0},
    ),
    "bold cells and marks": (
        "#\tModel Name\tMMLU\tHumanEval\n1\tgpt-4\t**86.4**\t**67.0**\n2\tclaude\t78.5\t56.0\n3\tllama\t68.9\t29.9*\n",
        3,
        {"MMLU": 86.4, "HumanEval": 67.0},
    ),
    "semicolons and decimal commas": (
        "Model;MMLU;GSM8K\na;86,4;92,0\nb;70,1;56,8\nc;60;50,5\n",
        3,
        {"MMLU": 86.4, "GSM8K": 92.0},
    ),
    "ratings": (
        'model,Arena Elo,Votes,MT-bench\na,"1,287","45,000",9.1\nb,"1,250","30,120",8.7\nc,"1,101","9,999",7.2\n',
        3,
        {"Arena Elo": 1287.0, "MT-bench": 9.1},
    ),
    "footnotes": (
        "model,MMLU,GSM8K\na,86.4,92.0\nb,70.1,56.8\nc,60.2,50.5\n,,\n* 5-shot,,\n",
        3,
        {"MMLU": 86.4, "GSM8K": 92.0},
    ),
    "directions": (
        'model,"MMLU (5-shot, acc)",Toxicity ↓,Size\na,86.4,4.1,7B\nb,70.1,5.6,13B\nc,65.0,9.2,70B\n',
        3,
        {"MMLU (5-shot, acc)": 86.4, "Toxicity ↓": 4.1},
    ),
    "brackets and dashes": (
        "model,MMLU,GSM8K\na,90.1 (1.2),85.3*\nb,88.0 (0.9),—\nc,70.2 (1.0),60.1†\n",
        3,
        {"MMLU": 90.1, "GSM8K": 85.3},
    ),
    "long": (
        "model,task,metric,value\na,mmlu,acc,0.864\na,gsm8k,acc,0.92\nb,mmlu,acc,0.70\nb,gsm8k,acc,0.56\n",
        2,
        {"mmlu": 86.4, "gsm8k": 92.0},
    ),
    "one row per dataset": (
        "Benchmark,gpt,llama,qwen\nMMLU,86.4,70.1,75.2\nGSM8K,92,56.8,80.0\n",
        3,
        {"MMLU": 86.4, "GSM8K": 92.0},
    ),
}


@pytest.mark.parametrize(("content", "n_systems", "scores"), TABLES.values(), ids=TABLES)
def test_a_table_as_people_keep_it_is_audited(content, n_systems, scores, tmp_path):
    from assay.discrimination import read_scores

    path = tmp_path / ("board.tsv" if "\t" in content else "board.csv")
    path.write_text(content, encoding="utf-8")
    table = read_scores(path)
    assert {entry.dataset: round(float(entry.scores[0]), 6) for entry in table.measurements} == scores
    result = assay.audit(scores=path)
    assert result.sections["discrimination"].status == "done"
    assert result.evidence.discrimination.n_systems <= n_systems
    page = render_page(result)
    assert f"{len(scores)} datasets" in page
    assert "0 items" not in page


def test_an_arrow_says_which_end_is_better(tmp_path):
    result = assay.discriminate({"model": ["a", "b", "c"], "Toxicity ↓": [4.1, 5.6, 9.2], "Style ↑": [40, 50, 60]})
    assert {row.dataset: row.lower_is_better for row in result.datasets} == {"Toxicity ↓": True, "Style ↑": False}


def test_the_page_of_votes_counts_votes_and_systems():
    votes = {"model_a": list("xxxxyyyy"), "model_b": list("yyyyzzzz"), "winner": list("aaabaabb")}
    page = render_page(assay.audit(votes))
    assert "8 votes · 3 systems" in page
    assert "0 items" not in page
