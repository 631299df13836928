import json
import struct
import zipfile
import zlib

import pytest
import zstandard

from assay.base.errors import AssayError
from assay.discrimination import build_log_outcomes
from assay.logs import LOGS, read_logs

HEADER = {
    "version": 2,
    "status": "success",
    "eval": {"run_id": "r", "task": "arc", "model": "openai/gpt-x", "config": {"epochs": 2}},
}


def sample(number, value, epoch=1, **extra):
    row = {
        "id": number,
        "epoch": epoch,
        "input": f"question {number}",
        "choices": ["a", "b"],
        "target": "A",
        "scores": {"choice": {"value": value, "answer": "A"}},
    }
    return row | extra


def write(path, samples, header=HEADER, head="header.json"):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(head, json.dumps(header))
        for row in samples:
            archive.writestr(f"samples/{row['id']}_epoch_{row['epoch']}.json", json.dumps(row))
    return path


def write_zstd(path, samples, n_frames=1):
    """Write a zip file with members of method 93, which the zipfile module of Python 3.11 cannot write."""
    members = {"header.json": HEADER} | {f"samples/{row['id']}_epoch_{row['epoch']}.json": row for row in samples}
    body, directory = b"", b""
    for name, content in members.items():
        raw = json.dumps(content).encode()
        size = -(-len(raw) // n_frames)
        packed = b"".join(zstandard.compress(raw[start : start + size]) for start in range(0, len(raw), size))
        common = struct.pack("<HHHHHIIIHH", 63, 0, 93, 0, 33, zlib.crc32(raw), len(packed), len(raw), len(name), 0)
        directory += (
            b"PK\x01\x02"
            + struct.pack("<H", 63)
            + common
            + struct.pack("<HHHII", 0, 0, 0, 0, len(body))
            + name.encode()
        )
        body += b"PK\x03\x04" + common + name.encode() + packed
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, len(members), len(members), len(directory), len(body), 0)
    path.write_bytes(body + directory + end)
    return path


def test_letters_become_numbers(tmp_path):
    write(tmp_path / "log.eval", [sample(1, "C"), sample(2, "I"), sample(3, "P"), sample(4, "N"), sample(5, 0.25)])
    outcomes = build_log_outcomes(read_logs(tmp_path))[0]
    assert sorted(outcomes.table[0].tolist()) == [0, 0, 0.25, 0.5, 1]
    assert (outcomes.systems, outcomes.dataset, outcomes.metric) == (("openai/gpt-x",), "arc", "choice")


def test_zstd_members_are_read(tmp_path):
    write_zstd(tmp_path / "log.eval", [sample(1, "C"), sample(2, "I")])
    assert sorted(build_log_outcomes(read_logs(tmp_path))[0].table[0].tolist()) == [0, 1]


def test_zstd_members_of_several_frames_are_read(tmp_path):
    write_zstd(tmp_path / "log.eval", [sample(1, "C"), sample(2, "I")], n_frames=3)
    assert sorted(build_log_outcomes(read_logs(tmp_path))[0].table[0].tolist()) == [0, 1]


def test_epochs_are_repeats(tmp_path):
    write(tmp_path / "log.eval", [sample(1, "C", 1), sample(1, "I", 2)])
    table = read_logs(tmp_path)
    assert [record.repeat for record in table.records] == [0, 1]
    assert build_log_outcomes(table)[0].table.tolist() == [[0.5]]
    assert any("2 repeats" in note and "moves by 0.707 between repeats" in note for note in table.notes)


def test_an_error_is_not_a_wrong_answer(tmp_path):
    failed = sample(2, "I", error={"message": "timeout"}, scores={})
    write(tmp_path / "log.eval", [sample(1, "C"), failed])
    table = read_logs(tmp_path)
    assert [record.score for record in table.records] == [1.0, None]
    assert any("1 answer without a score is not counted as wrong" in note for note in table.notes)


def test_an_unfinished_log_is_read_from_its_journal(tmp_path):
    write(tmp_path / "log.eval", [sample(1, "C")], head="_journal/start.json")
    assert read_logs(tmp_path).systems == ["openai/gpt-x"]


def test_a_score_of_several_values_gives_several_metrics(tmp_path):
    write(tmp_path / "log.eval", [sample(1, {"a": 1, "b": 0})])
    assert [entry.metric for entry in build_log_outcomes(read_logs(tmp_path))] == ["choice/a", "choice/b"]


def test_a_json_log_gives_the_same_records(tmp_path):
    write(tmp_path / "one.eval", [sample(1, "C")])
    (tmp_path / "json").mkdir()
    (tmp_path / "json" / "two.json").write_text(json.dumps({**HEADER, "samples": [sample(1, "C")]}), encoding="utf-8")
    assert read_logs(tmp_path / "json").records == read_logs(tmp_path / "one.eval").records


def test_a_file_that_is_not_an_archive_is_an_error(tmp_path):
    (tmp_path / "log.eval").write_bytes(b"no zip")
    with pytest.raises(AssayError, match="not a zip archive"):
        read_logs(tmp_path)


def test_an_archive_without_header_is_an_error(tmp_path):
    write(tmp_path / "log.eval", [sample(1, "C")], head="other.json")
    with pytest.raises(AssayError, match=r"no header\.json inside"):
        read_logs(tmp_path)


@pytest.mark.parametrize(
    ("name", "n_samples", "accuracy"),
    [
        ("2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", 10, 0.8),
        ("2025-05-12T20-28-13-04-00_popularity.json", 3, 2 / 3),
        ("data_arc_sonnet.json", 5, 1.0),
        ("data_arc_qwen.json", 3, 1 / 3),
    ],
)
def test_real_logs_have_the_accuracy_of_their_headers(name, n_samples, accuracy, shared):
    records = list(LOGS["inspect"]().read_records(shared(f"eval_logs/inspect/{name}")))
    assert len(records) == n_samples
    assert sum(record.score for record in records) / n_samples == pytest.approx(accuracy)
