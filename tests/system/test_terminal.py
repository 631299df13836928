"""No text can control a terminal or a build server."""

import io
import json
import sys

import pytest
from rich.text import Text

from assay.system.terminal import SafeStream, guard_streams, make_console
from assay.wording.characters import escape_hidden, escape_json

CONTROLS = [
    *map(chr, range(32)),
    *map(chr, range(127, 160)),
    "\u2028",
    "\u2029",
    "\u202a",
    "\u202e",
    "\u2066",
    "\u2069",
]


@pytest.fixture
def output():
    return io.StringIO()


@pytest.mark.parametrize("character", [character for character in CONTROLS if character != "\n"])
def test_every_control_character_is_made_visible(output, character):
    SafeStream(output, "standard output").write(f"a{character}b\n")
    assert character not in output.getvalue()
    assert output.getvalue().startswith("a\\")


@pytest.mark.parametrize("text", ["plain words", "héllo 漢字 λ − …", "a\nb", "👩‍🔬"])
def test_other_text_is_not_changed(text):
    assert escape_hidden(text) == text


@pytest.mark.parametrize("command", ["::error::x", "  ::set-output name=a::b", "\u00a0::add-mask::x"])
def test_a_line_cannot_begin_with_a_command(output, command):
    stream = SafeStream(output, "standard output")
    stream.write(f"{command}\nwords\n{command}\n")
    assert not [line for line in output.getvalue().splitlines() if line.strip().startswith("::")]


def test_a_command_written_in_two_pieces_is_broken(output):
    stream = SafeStream(output, "standard output")
    stream.write("  ")
    stream.write("::error::x\n")
    stream.write("a")
    stream.write("::b\n")
    assert output.getvalue() == "  \\::error::x\na::b\n"


@pytest.mark.parametrize("command", ["##[error]", "##vso[task.x]", "##teamcity[x]"])
def test_commands_inside_a_line_are_broken(output, command):
    SafeStream(output, "standard output").write(f"a {command} b")
    assert "##" not in output.getvalue()


def test_json_keeps_its_values():
    value = {"a": "\x1b \x9b \u202e ##[x] \ud800 é 👩‍🔬", "::error::": ["\n::x"]}
    text = json.dumps(value, ensure_ascii=False, indent=1)
    for encoding in ("utf-8", "cp1252", "ascii"):
        escaped = escape_json(text, encoding)
        assert json.loads(escaped) == value
        assert "\x9b" not in escaped
        assert "##[" not in escaped
    assert escape_json(text, "ascii").isascii()


def test_a_console_shows_our_styles_and_no_others(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    with guard_streams():
        make_console().print(Text("a\x1b[2Jb", style="bold"))
    output = capsys.readouterr().out
    assert "\\x1b[2J" in output
    assert "\x1b[1m" in output


@pytest.mark.parametrize(
    ("encoding", "signs"), [("ascii", "- lambda ... -> <= +/- \\xe9 \\u6f22"), ("cp1252", "- lambda")]
)
def test_signs_that_an_encoding_lacks_have_equivalents(encoding, signs):
    content = io.BytesIO()
    stream = SafeStream(io.TextIOWrapper(content, encoding), "standard output")
    stream.write("− λ … → ≤ ± é 漢")
    stream.flush()
    assert content.getvalue().decode(encoding).startswith(signs)


def test_the_streams_are_put_back():
    before = sys.stdout, sys.stderr
    with guard_streams():
        assert isinstance(sys.stdout, SafeStream)
        inner = sys.stdout
        with guard_streams():
            assert sys.stdout is inner
    assert (sys.stdout, sys.stderr) == before
