"""No command writes over what it reads, or over its own other outputs."""

from __future__ import annotations

import os

import click
import pytest

from assay.cli.main import VERBS, assay, status
from assay.cli.paths import INPUT, OUTPUT, OutputFolder, Verb

ROWS = "id\ttext\tlabel\tsplit\n" + "".join(
    f"{n}\tthe {'good' if n % 2 else 'bad'} film {n}\t{n % 2}\t{'train' if n % 3 else 'test'}\n" for n in range(30)
)
PREDICTIONS = "id\tone\ttwo\n" + "".join(f"{n}\t{n % 2}\t{n % 4 // 2}\n" for n in range(30))
FILES = {
    "data.tsv": ROWS,
    "p.tsv": PREDICTIONS,
    "f.tsv": "id\tfold\n" + "".join(f"{n}\t{n % 5 + 1}\n" for n in range(30)),
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    return tmp_path


CALLS = [
    ("audit data.tsv -o data.tsv", "--out data.tsv would overwrite DATA data.tsv"),
    ("audit data.tsv --predictions p.tsv -o p.tsv", "--out p.tsv would overwrite --predictions p.tsv"),
    ("audit data.tsv --predictions p.tsv --json ./p.tsv", "--json ./p.tsv would overwrite --predictions p.tsv"),
    ("audit data.tsv --scores p.tsv --items p.tsv", "--items p.tsv would overwrite --scores p.tsv"),
    ("audit data.tsv --card data.tsv", "--card data.tsv would overwrite DATA"),
    ("audit data.tsv --folds-out data.tsv", "--folds-out data.tsv would overwrite DATA"),
    ("audit --train f.tsv --test data.tsv --json data.tsv", "--json data.tsv would overwrite --test"),
    ("audit data.tsv --plan plan.toml --json plan.toml", "--json plan.toml would overwrite --plan"),
    ("audit data.tsv --json a.json -o ./a.json", "--out and --json both name"),
    ("audit data.tsv --items a.tsv --folds-out a.tsv", "--items and --folds-out both name a.tsv"),
    ("audit *.tsv -o p.tsv", "--out p.tsv would overwrite DATA *.tsv"),
    ("audit . --json data.tsv", "--json data.tsv would overwrite DATA ."),
    ("audit data.tsv -o link.tsv", "--out link.tsv would overwrite DATA"),
    ("audit data.tsv -o hard.tsv", "--out hard.tsv would overwrite DATA"),
    ("audit link.tsv -o data.tsv", "--out data.tsv would overwrite DATA link.tsv"),
    ("profile data.tsv --json data.tsv", "--json data.tsv would overwrite DATA"),
    ("split data.tsv -m random --n-folds 3 -o data.tsv", "--out data.tsv would overwrite DATA"),
    (
        "split parts/train.tsv -m random --test-size 9 --write-parts parts",
        "--write-parts parts would overwrite DATA",
    ),
    ("split parts -m random --test-size 0.2 --write-parts parts", "--write-parts parts would overwrite DATA parts"),
    ("compare data.tsv f.tsv --json f.tsv", "--json f.tsv would overwrite FOLDS f.tsv"),
    ("train data.tsv --folds f.tsv -o f.tsv", "--out f.tsv would overwrite --folds"),
    ("difficulty data.tsv --predictions p.tsv -o p.tsv", "--out p.tsv would overwrite --predictions"),
    ("evaluate data.tsv --predictions p.tsv -o p.tsv", "--out p.tsv would overwrite --predictions"),
    ("evaluate --predictions p.tsv --item-scores f.tsv --json f.tsv", "--json f.tsv would overwrite --item-scores"),
    ("information data.tsv --ngrams f.tsv -o f.tsv", "--out f.tsv would overwrite --ngrams"),
    ("discriminate p.tsv --json p.tsv", "--json p.tsv would overwrite SCORES p.tsv"),
    ("discriminate logs --write-every-eval-ever logs", "--write-every-eval-ever logs would overwrite SCORES logs"),
    ("forecast data.tsv --json data.tsv", "--json data.tsv would overwrite DATA"),
    ("diff a.json data.tsv --json data.tsv", "--json data.tsv would overwrite NEW.json"),
]


@pytest.mark.parametrize(("call", "said"), CALLS, ids=[call for call, _ in CALLS])
def test_an_output_over_an_input_is_refused_before_any_work(here, capsys, call, said):
    for folder in ("parts", "logs"):
        (here / folder).mkdir()
    (here / "parts" / "train.tsv").write_text(ROWS)
    (here / "plan.toml").write_text("[audit]\nseed = 1\n")
    (here / "link.tsv").symlink_to("data.tsv")
    os.link(here / "data.tsv", here / "hard.tsv")
    before = {path: path.read_bytes() for path in here.rglob("*.*") if path.is_file()}
    assert status(call.split()) == 2
    said_all = capsys.readouterr()
    assert said in said_all.err
    assert said_all.err.splitlines()[-1].startswith("Error: ")
    assert {path: path.read_bytes() for path in here.rglob("*.*") if path.is_file()} == before


def test_a_plan_found_in_the_folder_is_an_input_too(here, capsys):
    (here / "assay.toml").write_text('[audit]\ndata = "data.tsv"\nout = "assay.toml"\n')
    assert status(["audit"]) == 2
    assert "--out assay.toml would overwrite --plan assay.toml" in capsys.readouterr().err


FOLDS = "split data.tsv -m random --n-folds 3"


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        (f"{FOLDS} -o parts", 2, "--out parts is a folder"),
        (f"{FOLDS} -o none/f.tsv", 2, "there is no folder none"),
        (f"{FOLDS} --write-parts p.tsv", 2, "--write-parts p.tsv is a file"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_before_any_work(here, capsys, call, code, said):
    (here / "parts").mkdir()
    assert status(call.split()) == code
    assert said in capsys.readouterr().err


def test_a_folder_without_permission_is_refused_before_any_work(here, capsys, monkeypatch):
    def forbidden(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", forbidden)
    assert status(["split", "data.tsv", "-m", "random", "-o", "f2.tsv"]) == 1
    assert "cannot be written: Permission denied" in capsys.readouterr().err


@pytest.mark.parametrize(
    "call",
    [
        f"{FOLDS} -o old.tsv --json new.json",
        f"{FOLDS} -o /dev/null --json /dev/null",
        f"{FOLDS} --write-parts .",
        f"{FOLDS} --json -",
    ],
)
def test_other_files_are_written(here, call):
    (here / "old.tsv").write_text("old")
    assert status(call.split()) == 0
    assert (here / "data.tsv").read_text() == ROWS
    assert not os.path.isfile("/dev/null")  # noqa: PTH113


def path_like(parameter):
    shown = f"{parameter.metavar} {parameter.name}"
    return any(word in shown for word in ("FILE", "DIR", "FOLDER", "DATA", "SCORES", ".json"))


@pytest.mark.parametrize("verb", VERBS)
def test_every_parameter_that_names_a_file_says_whether_it_is_read_or_written(verb):
    command = assay.get_command(click.Context(assay), verb)
    assert isinstance(command, Verb)
    named = [one for one in command.params if path_like(one) and one.name != "cache"]
    odd = [one.name for one in named if one.type not in (INPUT, OUTPUT) and not isinstance(one.type, OutputFolder)]
    assert not odd
