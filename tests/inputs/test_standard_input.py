"""A hyphen is standard input in every command that takes a file."""

from __future__ import annotations

import gzip
import io
import json

import pytest

from assay.base.errors import AssayError
from assay.cli.main import status
from assay.inputs.standard_input import spool_standard_input

TABLE = "id\ttext\tlabel\n" + "".join(f"i{n}\ta {('good', 'bad')[n % 2]} film {n}\t{n % 2}\n" for n in range(8))


@pytest.fixture
def send(monkeypatch):
    def send(content: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))

    return send


def run_command(capsys, *arguments):
    assert status([*map(str, arguments), "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_data_from_standard_input_is_that_of_the_file(compress, send, capsys, tmp_path):
    (tmp_path / "data.tsv").write_text(TABLE)
    send(compress(TABLE.encode()))
    piped = run_command(capsys, "profile", "-")
    named = run_command(capsys, "profile", tmp_path / "data.tsv")
    assert piped["data"]["fingerprint"] == named["data"]["fingerprint"]
    assert piped["data"]["name"] == "standard-input"


def test_options_take_standard_input_too(send, capsys, tmp_path):
    (tmp_path / "data.tsv").write_text(TABLE)
    send(("id\tpredicted\n" + "".join(f"i{n}\t{n % 2}\n" for n in range(8))).encode())
    result = run_command(capsys, "evaluate", tmp_path / "data.tsv", "--predictions", "-")
    assert result["result"]["systems"][0]["value"] == 1.0


def test_standard_input_is_read_once(send, capsys):
    send(TABLE.encode())
    assert status(["evaluate", "-", "--predictions", "-"]) == 2
    assert "only once" in capsys.readouterr().err


def test_empty_and_endless_input_are_refused(send, monkeypatch):
    send(b"")
    with pytest.raises(AssayError, match="standard input: it is empty"), spool_standard_input():
        pass
    monkeypatch.setenv("ASSAY_MAX_BYTES", "1000")
    send(b"a" * 2_000_000)
    with pytest.raises(AssayError, match="standard input: the content"), spool_standard_input():
        pass
