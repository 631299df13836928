"""Damaged files give an error that names the file, never a traceback of a parser."""

import json
import random
import shutil

import polars as pl
import pytest

from assay.base.errors import AssayError
from assay.logs import read_logs

REAL = [
    "inspect/log_formats.eval",
    "inspect/mmlu-summary-choices.eval",
    "inspect/data_arc_qwen.json",
    "lm_eval/perturbed_math/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl",
    "helm/mmlu-subject=philosophy,method=multiple_choice_joint,model=openai_gpt2/per_instance_stats.json",
    "every_eval_ever/98ea850e-7019-4728-a558-8b1819ec47c2.json",
    "every_eval_ever/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40_samples.jsonl",
]
N_MUTANTS = 40


def mutate(content, generator):
    """Truncate, overwrite, delete or repeat a part of the bytes."""
    start = generator.randrange(len(content))
    stop = min(len(content), start + generator.randrange(1, 60))
    kind = generator.randrange(4)
    if kind == 0:
        return content[:start]
    if kind == 1:
        return content[:start] + generator.randbytes(stop - start) + content[stop:]
    return content[:start] + content[stop:] if kind == 2 else content[:stop] + content[start:]


def check_mutants(path, folder, seed):
    content, generator = path.read_bytes(), random.Random(seed)
    target = folder / path.name
    messages = []
    for _ in range(N_MUTANTS):
        target.write_bytes(mutate(content, generator))
        try:
            read_logs(folder)
        except AssayError as error:
            messages.append(str(error))
    assert all(len(message) < 1000 and "\n" not in message for message in messages)
    return len(messages)


@pytest.mark.parametrize("name", REAL)
def test_damaged_real_logs_give_one_line(name, shared, tmp_path):
    path = shared(f"eval_logs/{name}")
    folder = tmp_path / path.parent.name
    folder.mkdir()
    if path.name == "per_instance_stats.json":
        shutil.copy(path.parent / "run_spec.json", folder)
    assert check_mutants(path, folder, seed=0) > 0


def test_damaged_lighteval_details_give_one_line(tmp_path):
    date = "2025-04-02T10-00-00.000000"
    folder = tmp_path / "details" / "m" / date
    folder.mkdir(parents=True)
    rows = [{"doc": {"query": f"q{n}", "choices": ["a"], "gold_index": 0}, "metric": {"acc": n % 2}} for n in range(9)]
    path = tmp_path / f"details_arc_{date}.parquet"
    pl.DataFrame(rows).write_parquet(path)
    assert check_mutants(path, folder, seed=0) > 0


def test_damaged_mteb_results_give_one_line(tmp_path):
    folder = tmp_path / "m" / "r"
    folder.mkdir(parents=True)
    path = tmp_path / "A.json"
    path.write_text(json.dumps({"task_name": "A", "scores": {"test": [{"main_score": 0.5}]}}), encoding="utf-8")
    assert check_mutants(path, folder, seed=0) > 0


@pytest.mark.parametrize("content", ["[]", "7", "null", '{"evaluation_results": 3}', '{"evaluation_results": [[]]}'])
def test_json_of_another_shape_names_the_file(content, tmp_path):
    (tmp_path / "u.json").write_text(content + " " * 10 + '{"evaluation_results": 1}' * (content[0] != "{"))
    with pytest.raises(AssayError, match=r"u\.json: (not JSON|this is not a valid)"):
        read_logs(tmp_path)


def test_schemas_are_not_logs(shared):
    table = read_logs(shared("eval_logs/every_eval_ever"))
    assert len(table.systems) == 2


def test_a_log_that_no_format_recognises_is_named(shared, tmp_path):
    shutil.copy(shared("eval_logs/inspect/log_formats.json"), tmp_path / "whole.json")
    (tmp_path / "damaged.json").write_text("{}", encoding="utf-8")
    table = read_logs(tmp_path)
    assert "1 file not used, as of no known log format: damaged.json." in table.notes


def test_files_next_to_the_logs_of_a_run_are_not_named(shared):
    for folder in ("helm", "lm_eval", "every_eval_ever"):
        assert not [note for note in read_logs(shared(f"eval_logs/{folder}")).notes if "not used" in note]
