"""JSON of unknown origin is bounded in memory and depth, and repeated keys do not pass unnoticed."""

import re
import tracemalloc
from pathlib import Path

import pytest

import assay
from assay.base.errors import AssayError
from assay.kinds import read
from assay.system.json import MAX_DEPTH, RepeatedKeys, _measure_values, _scan_marks, parse_json, parse_literal

SOURCE = Path(assay.__file__).parent
# Files that only assay itself writes, or that ship with it, and values that the user types.
TRUSTED = {
    "base/loops.py",
    *(
        "cli/finished_runs.py",
        "cli/options.py",
        "forecast/evidence.py",
        "forecast/predictor.py",
        "models/neural/training/checkpoints.py",
    ),
    *("report/exports/base.py", "tasks/storage.py"),
}
SHAPES = {
    "lists": "[" + "[]," * 30_000 + "0]",
    "nested lists": "[" + "[[[[]]]]," * 10_000 + "0]",
    "objects": "[" + "{}," * 30_000 + "0]",
    "objects of one key": "[" + '{"a":1},' * 20_000 + "0]",
    "keys": "{" + ",".join(f'"k{number}":{number}' for number in range(20_000)) + "}",
    "numbers": "[" + "1000," * 30_000 + "0]",
    "fractions": "[" + "1e5," * 30_000 + "0]",
    "texts": "[" + '"é1",' * 30_000 + "0]",
    "emoji": "[" + '"😀😀",' * 20_000 + "0]",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_measured_size_bounds_what_python_takes(shape):
    text = SHAPES[shape]
    tracemalloc.start()
    parse_json(text, shape)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 4 * len(text) + _measure_values(_scan_marks(text)[1]) > 0.9 * peak


def test_a_document_larger_than_the_limit_is_refused():
    text = "[" + "[]," * 30_000 + "0]"
    assert len(parse_json(text, "x", limit=10_000_000)) == 30_001
    with pytest.raises(AssayError, match=r"x\.json: the content decodes to more than 1,000,000 bytes"):
        parse_json(text, "x.json", limit=1_000_000)


def test_marks_inside_of_texts_are_not_values():
    text = '["' + '[{,:\\"\\\\' * 10_000 + '"]'
    assert parse_json(text, "x", limit=1_000_000) == ['[{,:"\\' * 10_000]
    assert _scan_marks(text) == (1, {"{": 0, "[": 1, ",": 0, ":": 0})


def test_marks_are_counted_across_blocks(monkeypatch):
    text = '{"a": [1, "x]}", [2]], "b": {}}'
    expected = _scan_marks(text)
    assert expected == (3, {"{": 2, "[": 2, ",": 3, ":": 2})
    for size in (1, 2, 7):
        monkeypatch.setattr("assay.system.json._BLOCK_BYTES", size)
        assert _scan_marks(text) == expected


@pytest.mark.parametrize("opener", ["[", '{"a":'])
def test_deep_documents_are_refused(opener):
    closer = "]" if opener == "[" else "}"
    assert parse_json(opener * MAX_DEPTH + "1" + closer * MAX_DEPTH, "x")
    for depth in (MAX_DEPTH + 1, 100_000):
        with pytest.raises(AssayError, match="nested more than 200 deep"):
            parse_json(opener * depth + "1" + closer * depth, "x")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1", "x: not JSON: Expecting ',' delimiter at column 3."),
        ("[1,\n2", "x: not JSON: Expecting ',' delimiter at line 2, column 2."),
        (b"\xff", "x: not JSON: byte 0 is not UTF-8."),
        ("9" * 5000, "x: not JSON that can be read: a number has more than 4,300 digits."),
        ('{"a": 1, "a": 2}', "x: not JSON that can be read: an object has the key 'a' twice. Remove one of them."),
    ],
)
def test_damaged_documents_are_named(content, message):
    with pytest.raises(AssayError) as caught:
        parse_json(content, "x")
    assert str(caught.value) == message


def test_of_repeated_keys_the_last_value_counts_and_they_are_noted():
    keys = RepeatedKeys()
    assert parse_json('{"b": {"a": 1, "a": 2}, "c": 1, "c": 2}', "x", repeated=keys) == {"b": {"a": 2}, "c": 2}
    assert keys.notes == ("x: the key 'a' is repeated in one object; the last value is used. So is another key.",)


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@pytest.mark.parametrize("colon", [":", " :"])
def test_json_and_json_lines_treat_repeated_keys_alike(tmp_path, suffix, colon):
    rows = [f'{{"text": "t{number}", "label": "a"}}' for number in range(4)]
    rows[2] = f'{{"text": "t2", "label"{colon} "first", "label": "last", "more": null}}'
    path = tmp_path / f"data{suffix}"
    path.write_text("\n".join(rows) if suffix == ".jsonl" else f"[{', '.join(rows)}]")
    data = assay.read(path)
    assert data.labels.to_list() == ["a", "a", "last", "a"]
    assert any("the key 'label' is repeated" in note for note in data.notes)


def test_literals_of_python_are_bounded(monkeypatch):
    assert parse_literal("[('a', None)]") == [("a", None)]
    for text in ("[" * 10_000, "[x]", "[1", "{[]: 1}", "[" + "-" * 100_000 + "1]"):
        with pytest.raises(ValueError, match=r"not a value|nested more"):
            parse_literal(text)
    monkeypatch.setenv("ASSAY_MAX_BYTES", "1e6")
    with pytest.raises(ValueError, match=r"decodes to more|too long"):
        parse_literal("[" + "0," * 10_000 + "0]")


@pytest.mark.parametrize("text", ["[...]", "[b'a']", "{'a', 'b'}", "{(1, 2): 3}", "[1j]", "['a' * 9]"])
def test_literals_that_json_cannot_hold_are_not_lists(text):
    with pytest.raises(ValueError, match="not a value as Python prints it"):
        parse_literal(text)
    table = {"question": ["Which?", "What?"], "choices": [text, "['a', 'b']"], "answer": ["A", "B"]}
    with pytest.raises(AssayError, match="choices"):
        read(table, task="multiple-choice")


def test_json_of_strangers_is_parsed_in_one_place():
    pattern = re.compile(r"\bjson\.loads?\(|literal_eval|read_ndjson\(|yaml\.\w*load")
    users = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py") if pattern.search(path.read_text())}
    parsers = {"system/json.py", "data/readers/json_text.py", "system/yaml.py"}
    assert users == TRUSTED | parsers
