"""Small archives and details that would take gigabytes are refused, and odd answers do not refuse a log."""

import gzip
import json
import struct
import zipfile

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from assay.base.errors import AssayError
from assay.logs import read_logs

HEADER = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "run_id": "r"}}
SAMPLE = {"id": 1, "epoch": 1, "input": "question", "target": "A", "scores": {"match": {"value": "C", "answer": "A"}}}


def write_eval(path, sample, names=("samples/1_epoch_1.json",)):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(HEADER))
        for name in names:
            archive.writestr(name, sample)
    return path


def test_a_small_archive_of_many_values_is_refused(tmp_path):
    sample = json.dumps(SAMPLE)[:-1] + ', "x": [' + "[]," * 5_000_000 + "0]}"
    path = write_eval(tmp_path / "bomb.eval", sample)
    assert path.stat().st_size < 30_000
    with pytest.raises(AssayError, match=r"bomb\.eval, samples/1_epoch_1\.json: the content decodes to more than"):
        read_logs(path)


def test_a_long_text_that_compresses_well_is_read(tmp_path):
    sample = json.dumps({**SAMPLE, "input": "the same words, again: [and] {again} " * 300_000})
    path = write_eval(tmp_path / "long.eval", sample)
    assert len(sample) > 200 * path.stat().st_size
    assert [record.score for record in read_logs(path).records] == [1.0]


def test_members_are_not_unpacked_beyond_the_size_they_claim(tmp_path):
    path = write_eval(tmp_path / "liar.eval", json.dumps({**SAMPLE, "input": "x" * 1000}))
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("samples/1_epoch_1.json").file_size
    content = path.read_bytes().replace(struct.pack("<I", size), struct.pack("<I", 100))
    path.write_bytes(content)
    with pytest.raises(AssayError, match=r"liar\.eval"):
        read_logs(path)


def test_members_that_overlap_are_refused(tmp_path):
    path = write_eval(tmp_path / "overlap.eval", json.dumps({**SAMPLE, "x": list(range(3000))}))
    with zipfile.ZipFile(path, "a") as archive:
        info = archive.getinfo("samples/1_epoch_1.json")
        for number in range(2, 30):
            copy = zipfile.ZipInfo(f"samples/{number}_epoch_1.json")
            copy.compress_type, copy.CRC = info.compress_type, info.CRC
            copy.file_size, copy.compress_size, copy.header_offset = info.file_size, info.compress_size, 0
            archive.filelist.append(copy)
            archive.NameToInfo[copy.filename] = copy
            archive._didModify = True
    with pytest.raises(AssayError, match=r"overlap\.eval: the members of the archive overlap"):
        read_logs(path)


def test_details_that_would_not_fit_into_memory_are_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_MAX_BYTES", "1e7")
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(10_000, np.int32)), pa.array(["x" * 100_000]))
    path = tmp_path / "details_t|0_2025-01-01T00-00-00.000000.parquet"
    parquet.write_table(pa.table({"example": text}), path, compression="zstd")
    assert path.stat().st_size < 100_000
    with pytest.raises(AssayError, match="the content decodes to more than 10,000,000 bytes"):
        read_logs(tmp_path)


@pytest.mark.parametrize("target", ["²", "9" * 5000, "ß", "-1"])
def test_an_odd_answer_refuses_no_log(tmp_path, target):
    arguments = {f"gen_args_{n}": {"arg_0": "Which?", "arg_1": f" {n}"} for n in range(2)}
    row = {"doc_id": 0, "doc": {"question": "Which?", "choices": ["x", "y"]}, "target": target, "arguments": arguments}
    row |= {"filtered_resps": [["-1.0", "False"], ["-2.0", "False"]], "filter": "none", "metrics": ["acc"], "acc": 1.0}
    (tmp_path / "samples_t_2025-01-01T00-00-00.000000.jsonl").write_text(json.dumps(row))
    (record,) = read_logs(tmp_path).records
    assert (record.score, record.content.gold) == (1.0, ())


def test_repeated_keys_of_logs_are_noted(tmp_path):
    path = write_eval(tmp_path / "log.eval", json.dumps(SAMPLE)[:-1] + ', "epoch": 1}')
    assert any("the key 'epoch' is repeated" in note for note in read_logs(path).notes)


def test_a_damaged_gzip_file_is_not_a_log(tmp_path):
    path = tmp_path / "samples_quiz.jsonl.gz"
    content = bytearray(gzip.compress(b'{"task_id": 1, "trial": 0, "reward": 1.0}\n' * 200, mtime=0))
    content[20:30] = bytes(10)
    path.write_bytes(content)
    with pytest.raises(AssayError):
        read_logs(path)


def test_other_methods_of_compression_are_refused(tmp_path):
    path = write_eval(tmp_path / "log.eval", json.dumps(SAMPLE))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:  # a megabyte may stand for gigabytes
        archive.writestr("header.json", json.dumps(HEADER))
    with pytest.raises(AssayError, match=r"log\.eval: header\.json is compressed by zip method 14"):
        read_logs(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"task_id":0,"reward":1.0,"traj":[' + b" " * 200_000_000 + b"]}\n", "more than 250 times its size"),
        (b'{"task_id":0,"reward":1.0,"traj":[]}\n' + b"\n" * 200_000_000, "more than 250 times its size"),
        (b'{"task_id":0,"reward":1.0,"traj":[]}\n' * 50, "its gzip data cannot be decompressed"),
    ],
    ids=["long line", "empty lines", "cut off"],
)
def test_compressed_trajectories_are_bounded(tmp_path, content, message):
    packed = gzip.compress(content)
    assert len(packed) < 1_000_000
    path = tmp_path / "gpt-airline.jsonl.gz"
    path.write_bytes(packed[:-9] if "cannot" in message else packed)
    with pytest.raises(AssayError, match=message):
        read_logs(path)
