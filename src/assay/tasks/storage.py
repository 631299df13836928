"""Cache entries: a value as a JSON tree and raw arrays, with a checksum. Reading an entry never runs code from it."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import io
import json
import math
from typing import Any

import numpy as np

from assay.base.parameters import Options

MAGIC = b"assay-cache-1\n"
_DIGEST_BYTES = 32
_PREFIX_BYTES = len(MAGIC) + _DIGEST_BYTES + 8
_PLAIN_KINDS = "biufU"  # bool, integers, floats, fixed-width text: never objects


def encode_entry(value: object) -> bytes:
    """Return a value as bytes: plain values, arrays, frames and dataclasses of this package, nested as you like.

    >>> decode_entry(encode_entry({"a": (1, float("nan")), "b": np.arange(3)}))
    {'a': (1, nan), 'b': array([0, 1, 2])}
    """
    blocks: list[bytes] = []
    tree = json.dumps(_encode(value, blocks), ensure_ascii=True).encode()
    body = b"".join([tree, *blocks])
    digest = hashlib.blake2b(body, digest_size=_DIGEST_BYTES).digest()
    return b"".join([MAGIC, digest, len(tree).to_bytes(8, "little"), body])


def decode_entry(content: bytes) -> Any:
    """Return the value of an entry; a ValueError if it is damaged or of another format."""
    if not content.startswith(MAGIC) or len(content) < _PREFIX_BYTES:
        raise ValueError("not a cache entry of this version")
    digest = content[len(MAGIC) : len(MAGIC) + _DIGEST_BYTES]
    n_tree = int.from_bytes(content[_PREFIX_BYTES - 8 : _PREFIX_BYTES], "little")
    body = memoryview(content)[_PREFIX_BYTES:]
    if hashlib.blake2b(body, digest_size=_DIGEST_BYTES).digest() != digest:
        raise ValueError("the checksum of the cache entry does not match")
    return _decode(json.loads(bytes(body[:n_tree])), body[n_tree:])


def _encode(value: object, blocks: list[bytes]) -> object:
    if value is None or type(value) in (str, bool, int):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, list):
        return [_encode(item, blocks) for item in value]
    if isinstance(value, tuple | frozenset | set):
        kind = "tuple" if isinstance(value, tuple) else "frozenset"
        return {kind: [_encode(item, blocks) for item in (value if kind == "tuple" else sorted(value))]}
    if isinstance(value, dict):
        return {"dict": [[_encode(key, blocks), _encode(item, blocks)] for key, item in value.items()]}
    if isinstance(value, np.ndarray | np.generic):
        return _encode_array(np.asarray(value), isinstance(value, np.generic), blocks)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _encode_dataclass(value, blocks)
    if type(value).__module__.startswith("polars."):
        return _encode_frame(value, blocks)
    raise TypeError(f"a {type(value).__name__} cannot be kept in the cache")


def _encode_array(array: np.ndarray[Any, Any], scalar: bool, blocks: list[bytes]) -> object:
    if array.dtype.kind == "O":
        return {"objects": [_encode(item, blocks) for item in array.ravel().tolist()], "shape": list(array.shape)}
    if array.dtype.kind not in _PLAIN_KINDS:
        raise TypeError(f"arrays of {array.dtype} cannot be kept in the cache")
    at = sum(map(len, blocks))
    blocks.append(np.ascontiguousarray(array).tobytes())
    return {"array": array.dtype.str, "shape": list(array.shape), "at": at, "scalar": scalar}


def _encode_dataclass(value: Any, blocks: list[bytes]) -> object:
    kind = type(value)
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
    encoded = {name: _encode(item, blocks) for name, item in fields.items()}
    return {"class": f"{kind.__module__}:{kind.__qualname__}", "fields": encoded}


def _encode_frame(value: Any, blocks: list[bytes]) -> object:
    import polars as pl

    series = isinstance(value, pl.Series)
    buffer = io.BytesIO()
    (value.to_frame() if series else value).write_ipc(buffer)
    at, content = sum(map(len, blocks)), buffer.getvalue()
    blocks.append(content)
    return {"frame": len(content), "at": at, "series": series}


def _decode(tree: object, blocks: memoryview) -> Any:
    if isinstance(tree, list):
        return [_decode(item, blocks) for item in tree]
    if not isinstance(tree, dict):
        return tree
    if "dict" in tree:
        return {_decode(key, blocks): _decode(item, blocks) for key, item in tree["dict"]}
    if "tuple" in tree:
        return tuple(_decode(item, blocks) for item in tree["tuple"])
    if "frozenset" in tree:
        return frozenset(_decode(item, blocks) for item in tree["frozenset"])
    if "float" in tree:
        return float(tree["float"])
    if "objects" in tree:
        array = np.empty(len(tree["objects"]), dtype=object)
        array[:] = [_decode(item, blocks) for item in tree["objects"]]
        return array.reshape(tree["shape"])
    if "array" in tree:
        return _decode_array(tree, blocks)
    if "class" in tree:
        return _find_dataclass(tree["class"])(**{name: _decode(item, blocks) for name, item in tree["fields"].items()})
    return _decode_frame(tree, blocks)


def _decode_array(tree: Options, blocks: memoryview) -> Any:
    dtype = np.dtype(tree["array"])
    if dtype.kind not in _PLAIN_KINDS:
        raise ValueError(f"arrays of {dtype} are not allowed in a cache entry")
    count = math.prod(tree["shape"])
    array = np.frombuffer(blocks, dtype, count, tree["at"]) if count else np.empty(0, dtype)
    array = array.reshape(tree["shape"]).copy()
    return array[()] if tree["scalar"] else array


def _decode_frame(tree: Options, blocks: memoryview) -> Any:
    import polars as pl

    frame = pl.read_ipc(io.BytesIO(bytes(blocks[tree["at"] : tree["at"] + tree["frame"]])))
    return frame.to_series() if tree["series"] else frame


def _find_dataclass(name: str) -> Any:
    """Return a dataclass of this package by its name; any other class is refused."""
    module, _, qualified = name.partition(":")
    if not (module == "assay" or module.startswith("assay.")) or "." in qualified:
        raise ValueError(f"the class {name} is not allowed in a cache entry")
    kind = getattr(importlib.import_module(module), qualified, None)
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind.__module__ == module):
        raise ValueError(f"the class {name} is not allowed in a cache entry")
    return kind
