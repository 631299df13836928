"""Files that are not UTF-8 give the byte, its place and the likely encoding."""

from __future__ import annotations

import pytest

from assay.base.errors import AssayError
from assay.kinds import read

TEXTS = {
    "cp1252": "Schöne Grüße aus dem Café – “naïve”",
    "gb18030": "我们在这里说中文，这是一个很好的电影",
    "big5": "我們在這裡說中文，這是一部很好的電影",
    "shift_jis": "これは日本語の文章です。とても面白かった",
    "euc_jp": "これは日本語の文章です。とても面白かった",
    "euc_kr": "이 영화는 정말 재미있었어요",
    "cp1251": "Этот фильм очень хороший",
    "koi8_r": "Этот фильм очень хороший",
    "cp1250": "Příliš žluťoučký kůň úpěl ďábelské ódy",
    "cp1253": "Αυτή είναι μια πολύ καλή ταινία",
    "cp1256": "هذا فيلم جيد جدا",
}


@pytest.mark.parametrize("encoding", list(TEXTS))
def test_the_likely_encoding_is_named_and_reads_the_file(tmp_path, encoding):
    path = tmp_path / "x.csv"
    path.write_bytes(("text,label\nplain,a\n" + f"{TEXTS[encoding]},b\n" * 3).encode(encoding))
    with pytest.raises(
        AssayError, match=rf"line 3: byte 0x.. at position \d+ is not UTF-8; .*Read it with encoding= {encoding}\."
    ):
        read(path)
    assert read(path, encoding=encoding).texts.to_list()[1] == TEXTS[encoding]


def test_byte_position_and_line_are_right_far_into_a_file(tmp_path):
    path = tmp_path / "x.csv"
    head = "text,label\n".encode() + "é,a\n".encode() * 400_000  # noqa: UP012, next to its like
    path.write_bytes(head + b"caf\xe9,b\n")
    with pytest.raises(AssayError, match=f"line 400,?002: byte 0xe9 at position {len(head) + 3:,} is not UTF-8"):
        read(path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_byte_order_mark_gives_the_encoding(tmp_path, encoding):
    (tmp_path / "x.csv").write_bytes("text,label\nnaïve,a\n".encode(encoding))
    assert read(tmp_path / "x.csv").texts.to_list() == ["naïve"]
    assert read(tmp_path / "x.csv", encoding=encoding).texts.to_list() == ["naïve"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_recognised_without_its_mark(tmp_path, encoding):
    (tmp_path / "x.csv").write_bytes("text,label\nplain words,a\n".encode(encoding))
    with pytest.raises(AssayError, match=f"every other byte is 0x00; the file looks like {encoding}"):
        read(tmp_path / "x.csv")
    assert read(tmp_path / "x.csv", encoding=encoding).texts.to_list() == ["plain words"]


@pytest.mark.parametrize("content", [b'{"text": "a"}\n{"text": "caf\xe9"}\n', b'[{"text": "a"},\n{"text": "caf\xe9"}]'])
def test_json_gives_the_byte_too(tmp_path, content):
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(AssayError, match="line 2: byte 0xe9 at position"):
        read(tmp_path / "x.json")
    assert read(tmp_path / "x.json", encoding="latin-1").texts.to_list() == ["a", "café"]


def test_a_wrong_encoding_is_refused(tmp_path):
    (tmp_path / "x.csv").write_bytes("text,label\nöä,a\n".encode("cp1252"))
    with pytest.raises(AssayError, match="cannot be read as ascii, near byte 0"):
        read(tmp_path / "x.csv", encoding="ascii")
