"""PandaLM and WildBench: counts of votes and mean scores of every judge and model."""

from __future__ import annotations

import re
from collections import Counter

import polars as pl

import assay
from assay.data import read_table

MEANS = """v2.0522|gpt-4-turbo-2024-04-09|Llama-3-8B-OpenHermes-243K 5.883
v2.0522|gpt-4-turbo-2024-04-09|Llama-3-8B-ShareGPT-112K 6.257
v2.0522|gpt-4-turbo-2024-04-09|Llama-3-8B-Tulu-330K 6.273
v2.0522|gpt-4-turbo-2024-04-09|Llama-3-8B-Ultrachat-200K 6.017
v2.0522|gpt-4-turbo-2024-04-09|Llama-3-8B-WildChat 6.442
v2.0522|gpt-4-turbo-2024-04-09|Llama-3-8B-WizardLM-196K 6.077
v2.0522|gpt-4-turbo-2024-04-09|Phi-3-mini-128k-instruct 6.908
v2.0522|gpt-4-turbo-2024-04-09|Qwen1.5-72B-Chat-greedy 7.797
v2.0522|gpt-4-turbo-2024-04-09|gemma-2b-it 5.311
v2.0522|gpt-4-turbo-2024-04-09|gemma-7b-it 6.193
v2.0522|gpt-4-turbo-2024-04-09|gpt-3.5-turbo-0125 7.105
v2.0522|gpt-4-turbo-2024-04-09|reka-flash-20240226 7.410
v2.0522|gpt-4o-2024-05-13|Phi-3-mini-128k-instruct 6.284
v2.0522|gpt-4o-2024-05-13|Qwen1.5-72B-Chat 7.220
v2.0522|gpt-4o-2024-05-13|Qwen1.5-72B-Chat-greedy 7.167
v2.0522|gpt-4o-2024-05-13|gemma-2b-it 4.727
v2.0522|gpt-4o-2024-05-13|gemma-7b-it 5.499
v2.0522|gpt-4o-2024-05-13|gpt-3.5-turbo-0125 6.606
v2.0522|gpt-4o-2024-05-13|reka-core-20240501 7.043
v2.0522|gpt-4o-2024-05-13|reka-edge 6.153
v2.0522|gpt-4o-2024-05-13|reka-flash-20240226 6.720
v2.0625|gpt-4o-2024-05-13|Phi-3-mini-128k-instruct 6.287
v2.0625|gpt-4o-2024-05-13|Qwen1.5-72B-Chat-greedy 7.173
v2.0625|gpt-4o-2024-05-13|gemma-2b-it 4.738
v2.0625|gpt-4o-2024-05-13|gemma-7b-it 5.509
v2.0625|gpt-4o-2024-05-13|gpt-3.5-turbo-0125 6.614
v2.0625|gpt-4o-2024-05-13|reka-core-20240501 7.052
v2.0625|gpt-4o-2024-05-13|reka-edge 6.159
v2.0625|gpt-4o-2024-05-13|reka-flash-20240226 6.730"""


def test_mean_scores_of_wildbench(shared):
    published = dict(re.findall(r"(\S+) (\d\.\d+)", MEANS))
    table = read_table(shared("wildbench_scores/scores.tsv.gz"))
    result = assay.evaluate(None, table, compare=False)
    assert {system.system: f"{system.value:.3f}" for system in result.systems} == published
    assert (len(published), result.n_items) == (29, 1024)
    scored = [
        {name.split("|")[2] for name in published if name.startswith(f"v2.0522|{judge}")}
        for judge in ("gpt-4-t", "gpt-4o")
    ]
    assert len(scored[0] & scored[1]) == 6


def test_votes_of_pandalm(shared):
    path = shared("pandalm_votes/votes.tsv.gz")
    data = assay.read(path)
    votes = Counter(vote for number in (1, 2, 3) for vote in data.column(f"vote_{number}"))
    assert (len(data), votes) == (999, {"0": 326, "1": 1255, "2": 1416})
    assert data.column("majority").null_count() == 0
    table = read_table(path)
    models = set(table["model_a"]) | set(table["model_b"])
    assert models == {"bloom-7b", "cerebras-gpt-6.7B", "llama-7b", "opt-7b", "pythia-6.9b"}
    assert pl.Series(data.column("majority")).is_in(["0", "1", "2"]).all()
