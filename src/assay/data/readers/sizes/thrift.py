"""Thrift's compact protocol, in which Parquet writes its metadata.

Format: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md. Every value takes at least one
byte, so lengths are checked against the bytes that are left: time and memory grow with the content and no faster.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Struct: TypeAlias = dict[int, Any]  # values by the number of their field

_MAX_DEPTH = 16
_DOUBLE_BYTES = 8


def read_struct(raw: memoryview, position: int, depth: int = 0) -> tuple[Struct, int]:
    """Return the fields of a struct by number, and the position after it; strings are slices of `raw`."""
    if depth > _MAX_DEPTH:
        raise ValueError("values nested too deep")
    fields: dict[int, Any] = {}
    number = 0
    while True:
        head = raw[position]
        position += 1
        if head == 0:
            return fields, position
        if head >> 4:
            number += head >> 4
        else:
            number, position = _read_number(raw, position)
        fields[number], position = _read_value(raw, position, head & 15, depth)


def _read_value(raw: memoryview, position: int, kind: int, depth: int) -> tuple[Any, int]:
    if kind in (1, 2):  # true and false, in the type itself
        return kind == 1, position
    if kind == 3:
        return raw[position], position + 1
    if kind in (4, 5, 6):
        return _read_number(raw, position)
    if kind == 7:
        return None, _skip(raw, position, _DOUBLE_BYTES)
    if kind == 8:
        length, position = _read_unsigned(raw, position)
        end = _skip(raw, position, length)
        return raw[position:end], end
    if kind in (9, 10):
        return _read_list(raw, position, depth + 1)
    if kind == 12:
        return read_struct(raw, position, depth + 1)
    raise ValueError(f"the unknown type {kind}")


def _read_list(raw: memoryview, position: int, depth: int) -> tuple[list[Any], int]:
    if depth > _MAX_DEPTH:
        raise ValueError("values nested too deep")
    head = raw[position]
    kind = head & 15
    count, position = (head >> 4, position + 1) if head >> 4 < 15 else _read_unsigned(raw, position + 1)
    _skip(raw, position, count * (_DOUBLE_BYTES if kind == 7 else 1))
    values = []
    for _ in range(count):
        if kind in (1, 2):  # in a list, true and false take a byte each
            value, position = raw[position] == 1, position + 1
        else:
            value, position = _read_value(raw, position, kind, depth)
        values.append(value)
    return values, position


def _skip(raw: memoryview, position: int, length: int) -> int:
    """Return the position after a value of a known length."""
    if length > len(raw) - position:
        raise ValueError("a value that does not fit into the metadata")
    return position + length


def _read_number(raw: memoryview, position: int) -> tuple[int, int]:
    value, position = _read_unsigned(raw, position)
    return (value >> 1) ^ -(value & 1), position


def _read_unsigned(raw: memoryview, position: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70:
        byte = raw[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
        shift += 7
    raise ValueError("a number of more than ten bytes")
