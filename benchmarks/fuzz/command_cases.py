"""Cases of commands: every option that takes a file, with that file damaged, through the real entry point."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click

from assay.cli.main import VERBS, assay, main
from assay.cli.paths import INPUT
from assay.logs import LOGS
from benchmarks.fuzz.binary_mutations import pack
from benchmarks.fuzz.cases import Case, Outcome, make_command, read_head, read_path
from benchmarks.fuzz.data_cases import WRITERS
from benchmarks.fuzz.log_cases import EXAMPLES

Files = dict[str, bytes]
LABELS = ("positive", "negative")
# What all commands read in the same way; one command that reads each is enough.
DATA_OPTIONS = ("source", "train", "dev", "test")
# Commands that take seconds and read data as the others do.
SLOW = ("information", "train")
# Options that are not tried, each with the reason.
NOT_TRIED = {"profile perplexity_model": "a language model, which another package reads"}
# Files that commands make from the others, which further commands read.
MAKING = (
    "audit data.tsv --predictions wide.tsv --corpus corpus.txt --only profile,contamination,discrimination --no-cache "
    "--json audit.json --items items.tsv",
    "audit data.tsv --only profile --no-cache --items items.parquet",
    "audit --scores scores.tsv --cost cost.tsv --no-cache --json audit_scores.json",
    "audit --votes votes.tsv --no-cache --json audit_votes.json",
    "audit --verdicts verdicts.tsv --no-cache --json audit_verdicts.json",
    "suspects data.tsv --predictions wide.tsv --no-text-model -o suspects.tsv --json suspects.json",
)
# Every file that a line names and that is not an output is damaged in turn.
LINES = (
    "audit data.tsv --only profile --no-cache",
    "audit data.tsv.gz --only profile --no-cache",
    "audit data.jsonl.zst --only profile --no-cache",
    "audit data.tsv --predictions wide.tsv --only discrimination --no-cache",
    "audit data.tsv --corpus corpus.txt --only contamination --no-cache",
    "audit data.tsv --only profile --reviewed review --predictions wide.tsv --no-cache",
    "audit --scores scores.tsv --cost cost.tsv --no-cache",
    "audit --votes votes.tsv --no-cache",
    "audit votes.tsv --no-cache",
    "audit --verdicts verdicts.tsv --no-cache",
    "audit --plan plan.toml",
    "audit samples_quiz.jsonl --only profile --no-cache",
    "profile --train train.tsv --dev dev.tsv --test test.tsv",
    "evaluate data.tsv --predictions long.tsv --resamples 20",
    "evaluate data.tsv --predictions long.jsonl --resamples 20",
    "evaluate data.tsv --predictions wide.tsv --contrast one two --items answered.tsv --resamples 20",
    "evaluate data.tsv --predictions wide.tsv --item-scores item_scores.tsv --folds folds.tsv --resamples 20",
    "evaluate data.tsv --predictions wide.tsv --folds folds.tsv --new-sample new.tsv --resamples 20",
    "compare data.tsv folds.tsv --permutations 5",
    "split data.tsv --method random -o split.tsv",
    "train data.tsv --folds folds.tsv -o answers.tsv",
    "train data.tsv --splits random --slices 3 --new-sample train.tsv",
    "difficulty data.tsv --predictions wide.tsv --item-scores item_scores.tsv",
    "information data.tsv --ngrams ngrams.txt --stop-words stop_words.txt --n-folds 2 --no-cache",
    "information train.tsv --predictions one.tsv --n-folds 2 --no-cache",
    "suspects data.tsv --predictions wide.tsv --no-text-model --reviewed review",
    "suspects data.tsv --probabilities probabilities.tsv --no-text-model",
    "contamination data.tsv --corpus corpus.txt",
    "contamination data.tsv --corpus corpus.jsonl",
    "contamination data.tsv --corpus corpus.csv",
    "contamination data.tsv --corpus corpus.parquet",
    "contamination data.tsv --corpus corpus.txt.gz",
    "contamination data.tsv --corpus corpus.jsonl.zst",
    "review plan data.tsv --suspects suspects.tsv --predictions wide.tsv --budget 8 -o review.tsv",
    "review estimate data.tsv --reviewed reviewed.tsv --suspects suspects.tsv --predictions wide.tsv",
    "review estimate data.tsv --reviewed reviewed.tsv --reviewed reviewed2.tsv",
    "review estimate data.tsv --reviewed half.tsv -o further.tsv",
    "repair data.tsv --audit audit.json --drop retire,leak -o repaired.tsv",
    "repair data.tsv --audit items.tsv --drop retire,leak -o repaired.tsv",
    "repair data.tsv --audit items.parquet --drop suspects -o repaired.jsonl",
    "repair data.tsv --suspects suspects.tsv --relabel --predictions wide.tsv -o repaired.tsv",
    "repair data.tsv --suspects suspects.json --relabel -o repaired.tsv",
    "discriminate scores.tsv --cost cost.tsv",
    "discriminate leaderboard.csv",
    "discriminate leaderboard.md",
    "discriminate leaderboard.tex",
    "discriminate leaderboard.xlsx",
    "discriminate leaderboard.json",
    "discriminate votes.tsv",
    "discriminate --predictions wide.tsv --data data.tsv --item-scores item_scores.tsv --cost item_costs.tsv",
    "responses data.tsv --responses responses.tsv -o states.tsv",
    "responses data.tsv --responses responses.parquet",
    "responses data.tsv --responses responses.tsv.gz",
    "responses samples_quiz.jsonl",
    "responses gpt-airline.jsonl.gz",
    "responses simulations.json",
    "responses trajectory.json",
    "audit data.tsv --responses responses.jsonl --only responses --no-cache",
    "judges verdicts.tsv --swapped swapped.tsv --resamples 20",
    "judges wide_verdicts.tsv --gold gold --resamples 20",
    "decide data.tsv --predictions wide.tsv --baseline one --candidate two --draws draws.tsv",
    "decide test_scores.tsv --baseline one --candidate two",
    "decide history.tsv --history",
    "decide --judge judged.tsv --gold human --baseline one --candidate two",
    "convert samples_quiz.jsonl -o converted",
    "forecast data.tsv --recommend 1 --chosen train.tsv",
    "forecast --train train.tsv --test test.tsv",
    "diff audit.json audit2.json",
    "checklist audit.json --name betterbench --markdown checklist.md",
    "watch samples_quiz.jsonl --once --only profile",
)  # fmt: skip


def read_audit(path: Path) -> Outcome:
    """Read a saved audit and write it as a page."""
    from assay.audits import Audit
    from assay.report import render_page

    render_page(Audit.from_json(path))
    return Outcome()


def list_command_cases(lines: Sequence[str] = LINES, making: Sequence[str] = MAKING) -> Iterator[Case]:
    """Yield a case for every file that a command line names; the lines in `making` write files for the others."""
    files = make_files(making)
    for name in sorted(files):
        if name.startswith("audit"):
            yield Case(f"saved {name}", {name: files[name]}, name, partial(read_path, function=read_audit))
    seen = set()
    for line in lines:
        for target, covers in find_inputs(line).items():
            if target not in files:  # an optional package is missing
                continue
            key = (*covers, target, "--reviewed" in line)  # the same data for the same command once
            if any(name.endswith(" source") for name in covers) and (key in seen or line.startswith(SLOW)):
                continue
            seen.add(key)
            yield make_command(line, _add_named_files(line, files), target, tuple(covers))


def list_parameters() -> list[str]:
    """Return every parameter that takes an input: the command and the name of the parameter."""
    names = []
    for verb in VERBS:
        command = assay.get_command(None, verb)  # type: ignore[arg-type]
        assert command is not None
        names += [f"{verb} {parameter.name}" for parameter in command.params if parameter.type is INPUT]
    return names


def list_uncovered() -> list[str]:
    """Return the parameters that no line tries."""
    covered = {name for line in LINES for names in find_inputs(line).values() for name in names}
    shared = {name.rpartition(" ")[2] for name in covered} & set(DATA_OPTIONS)
    wanted = [name for name in list_parameters() if name not in NOT_TRIED]
    return [name for name in wanted if name not in covered and name.rpartition(" ")[2] not in shared]


def find_inputs(line: str) -> dict[str, list[str]]:
    """Return the inputs that a command line names, each with the parameters it is given to."""
    words = line.split()
    n_words = 2 if " ".join(words[:2]) in VERBS else 1
    verb, arguments = " ".join(words[:n_words]), words[n_words:]
    command = assay.get_command(None, verb)  # type: ignore[arg-type]
    assert command is not None
    context = click.Context(command, resilient_parsing=True)
    values, _, order = command.make_parser(context).parse_args(list(arguments))
    paths: dict[str, list[str]] = {}
    for parameter in order:
        if parameter.type is INPUT and parameter.name in values:
            value = values[parameter.name]
            for path in value if isinstance(value, list | tuple) else [value]:
                if isinstance(path, str):
                    paths.setdefault(path, []).append(f"{verb} {parameter.name}")
    return paths


def _add_named_files(line: str, files: Files) -> Files:
    """Return the files that a line needs: a plan names data."""
    names = {*line.split(), *(["data.tsv"] if "--plan" in line else [])}
    return {name: content for name, content in files.items() if name in names}


def make_files(making: Sequence[str] = MAKING) -> Files:
    """Return all files that the command lines name."""
    files = _make_tables()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in files.items():
            (folder / path).write_bytes(content)
        before = Path.cwd()
        os.chdir(folder)
        try:
            for line in making:
                _run_quietly(line)
        finally:
            os.chdir(before)
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    return {**files, "audit2.json": files["audit.json"]} if "audit.json" in files else files


def _run_quietly(line: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
        try:
            main(line.split())
        except SystemExit as request:
            if request.code:
                raise RuntimeError(f"assay {line}: {errors.getvalue()[-300:]}") from None


def _make_tables() -> Files:
    import polars as pl

    head = read_head("sst2/sst2.tsv.gz")
    assert head is not None
    rows = [line.split("\t") for line in head.splitlines()[1:]]
    generator = random.Random(0)
    ids, texts, gold = [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]
    parts = ["test" if number % 3 == 0 else "train" for number in range(len(rows))]
    review = ["ok" if number % 5 else "wrong" for number in range(len(rows))]
    answers = [[_flip(label, share, generator) for label in gold] for share in (0.9, 0.7, 0.5)]
    shares = [generator.uniform(0.6, 0.9) if label == LABELS[0] else generator.uniform(0.1, 0.4) for label in gold]
    votes = [[*generator.sample("abcd", 2), generator.choice(["model_a", "model_b", "tie"])] for _ in range(60)]
    verdicts = [[number, judge, generator.choice("AB"), "A"] for judge in "xy" for number in range(30)]
    swapped = [[number, judge, "AB"[verdict == "A"], "A"] for number, judge, verdict, _ in verdicts]
    wide = [[number, "AB"[number % 2], *generator.choices("AB", k=3)] for number in range(30)]
    long = [[*row, share, 1 - share] for name in "ab" for row, share in zip(zip(ids, [name] * 99, gold), shares)]  # noqa: B905
    replies = [["one", name, f"The answer is {label}.", label] for name, label in zip(ids, gold, strict=True)]
    data = [list(row) for row in zip(ids, texts, gold, parts, review, strict=True)]
    frame = pl.DataFrame({"id": ids, "text": texts, "label": gold})
    documents = ["Some other text.", texts[0], f"Before. {texts[1]} After.", "The last one."]
    lines = "".join(json.dumps({"n": 1, "text": text}) + "\n" for text in documents).encode()
    scores = [[f"s{n}", 60 + n, 90 + n / 10, 40 + 2 * n] for n in range(8)]
    quiz = next(EXAMPLES["lm-evaluation-harness"]())
    sink = io.BytesIO()
    pl.DataFrame({"text": documents}).write_parquet(sink)
    columns = ["id", "text", "label", "split", "review"]
    files = {
        "data.tsv": _write(columns, data),
        "reviewed.tsv": _write(
            ["id", "draw_probability", "label", "verdict", "right_label"],
            [[row[0], 1, row[2], row[4], ""] for row in data],
        ),
        "train.tsv": _write(columns[:3], [row[:3] for row in data[:20]]),
        "dev.tsv": _write(columns[:3], [row[:3] for row in data[20:30]]),
        "test.tsv": _write(columns[:3], [row[:3] for row in data[30:]]),
        "wide.tsv": _write(["id", "gold", "one", "two", "three"], [list(row) for row in zip(ids, gold, *answers)]),  # noqa: B905
        "new.tsv": _write(["id", "gold", "one", "two", "three"], [[f"n{n}", *["positive"] * 4] for n in range(20)]),
        "long.tsv": _write(["id", "system", "predicted", "prob:positive", "prob:negative"], long),
        "one.tsv": _write(["id", "system", "predicted", "prob:positive", "prob:negative"], long[: len(ids)]),
        "folds.tsv": _write(["id", "fold"], [[name, number % 4 + 1] for number, name in enumerate(ids)]),
        "item_scores.tsv": _write(["id", "one", "two", "three"], [[name, 0.1, share, 0.5] for name, share in zip(ids, shares)]),  # noqa: B905, E501
        "item_costs.tsv": _write(["id", "system", "cost"], [[name, system, 2] for system in ("one", "two", "three") for name in ids]),  # noqa: E501
        "probabilities.tsv": _write(["id", *LABELS], [[name, share, 1 - share] for name, share in zip(ids, shares)]),  # noqa: B905
        "votes.tsv": _write(["model_a", "model_b", "winner"], votes),
        "verdicts.tsv": _write(["id", "judge", "verdict", "gold"], verdicts),
        "swapped.tsv": _write(["id", "judge", "verdict", "gold"], swapped),
        "wide_verdicts.tsv": _write(["id", "gold", "j1", "j2", "j3"], wide),
        "responses.tsv": _write(["system", "id", "response", "extracted"], replies),
        "responses.jsonl": "".join(json.dumps({"model": row[0], "id": row[1], "response": row[2]}) + "\n" for row in replies).encode(),  # noqa: E501
        "scores.tsv": _write(["system", "RTE", "SST", "CoLA"], scores),
        "leaderboard.csv": _write(["Model", "Average", "MMLU (acc)", "IFEval"], scores).replace(b"\t", b","),
        "history.tsv": _write(["id", "gold", *(f"run{n}" for n in range(9))], [[name, label, *(_flip(label, 0.5 + n / 20, generator) for n in range(9))] for name, label in zip(ids, gold, strict=True)]),  # noqa: E501
        "draws.tsv": _write(["id", "draw_probability", "run"], [[name, 0.5, "yes"] for name in ids]),
        "test_scores.tsv": _write(["system", "score", "stderr"], [["one", 70, 0.5], ["two", 72, 0.5]]),
        "judged.tsv": _write(["id", "system", "score", "human"], [[n, system, n % 2, n % 3] for n in range(30) for system in ("one", "two")]),  # noqa: E501
        "cost.tsv": _write(["system", "cost"], [[row[0], number + 1] for number, row in enumerate(scores)]),
        "corpus.txt": "\n\n".join(documents).encode(),
        "corpus.jsonl": lines,
        "corpus.csv": pl.DataFrame({"n": [1] * 4, "text": documents}).write_csv().encode(),
        "corpus.parquet": sink.getvalue(),
        "ngrams.txt": b"the\nof a\nnot\n",
        "stop_words.txt": b"the\na\nof\n",
        "plan.toml": b'[audit]\ndata = "data.tsv"\nonly = "profile"\nseed = 3\nlabel = "label"\nno-cache = true\n'
        b'fail-on = ["error"]\nbudget = 1.5\nignore = ["A101=known"]\n',
        "samples_quiz.jsonl": next(iter(quiz.values())),
    }  # fmt: skip
    files["data.tsv.gz"] = pack(files["data.tsv"], ".gz")
    files["data.jsonl.zst"] = pack(frame.write_ndjson().encode(), ".zst")
    files["long.jsonl"] = pl.read_csv(files["long.tsv"], separator="\t", quote_char=None).write_ndjson().encode()
    files["corpus.txt.gz"] = pack(files["corpus.txt"], ".gz")
    files["corpus.jsonl.zst"] = pack(lines, ".zst")
    files["responses.tsv.gz"] = pack(files["responses.tsv"], ".gz")
    sink = io.BytesIO()
    pl.read_ndjson(files["responses.jsonl"]).write_parquet(sink)
    files["responses.parquet"] = sink.getvalue()
    files["reviewed2.tsv"] = files["reviewed.tsv"]
    files["half.tsv"] = b"".join(files["reviewed.tsv"].replace(b"\t1\t", b"\t0.5\t").splitlines(keepends=True)[:21])
    return files | _make_leaderboards(scores) | _make_trajectories()


def _make_leaderboards(scores: Sequence[Sequence[object]]) -> Files:
    """Return a table of scores in the forms in which people publish them."""
    import polars as pl

    names = ["Model", "Average", "MMLU", "IFEval"]
    frame = pl.DataFrame([[str(cell) for cell in row] for row in scores], schema=names, orient="row")
    files = {}
    for suffix, name in ((".md", "markdown"), (".tex", "latex"), (".xlsx", "excel")):
        sink = io.BytesIO()
        WRITERS[name](frame, sink)
        files[f"leaderboard{suffix}"] = sink.getvalue()
    if find_spec("openpyxl") is None:
        del files["leaderboard.xlsx"]
    nested = [{"model": row[0], "scores": {"mmlu": {"acc": row[2], "stderr": 0.4}, "arc": row[3]}} for row in scores]
    return files | {"leaderboard.json": json.dumps(nested).encode()}


def _make_trajectories() -> Files:
    """Return conversations of agents."""
    turns = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "find", "arguments": "{}"}}]},
        {"role": "tool", "name": "find", "content": "Error: no such flight"},
        {"role": "assistant", "content": "Done."},
    ]
    trials = [
        {"task_id": n // 2, "trial": n % 2, "reward": float(n % 3 == 0), "info": {"task": {"instruction": "Book it."}},
         "traj": turns, "agent_cost": 0.1}
        for n in range(8)
    ]  # fmt: skip
    simulations = {
        "info": {"agent_info": {"llm": "m"}, "environment_info": {"domain_name": "airline"}},
        "tasks": [{"id": str(n), "user_scenario": {"instructions": {"task": "Book it."}}} for n in range(4)],
        "simulations": [
            {"task_id": str(trial["task_id"]), "trial": trial["trial"], "reward_info": {"reward": trial["reward"]},
             "messages": turns, "termination_reason": "max_steps", "agent_cost": 0.1, "duration": 2.5}
            for trial in trials
        ],
    }  # fmt: skip
    (trajectory,) = (text for path, text in LOGS["atif"].example.items() if path.endswith("trajectory.json"))
    lines = "".join(json.dumps(trial) + "\n" for trial in trials).encode()
    return {
        "gpt-airline.jsonl.gz": pack(lines, ".gz"),
        "simulations.json": json.dumps(simulations).encode(),
        "trajectory.json": trajectory.encode(),
    }


def _flip(label: str, share: float, generator: random.Random) -> str:
    return label if generator.random() < share else LABELS[label == LABELS[0]]


def _write(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    return "".join("\t".join(map(str, row)) + "\n" for row in [columns, *rows]).encode()
