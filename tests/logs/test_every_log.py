from pathlib import Path

import pytest
from benchmarks.fuzz.log_cases import EXAMPLES

import assay.logs.readers
from assay.base.errors import AssayError, MissingFileError, UsageError
from assay.logs import LOGS, LogReader, read_logs

READERS = Path(assay.logs.readers.__file__).parent


@pytest.mark.parametrize("name", LOGS)
def test_every_format_finds_nothing_in_an_empty_folder(name, tmp_path):
    reader = LOGS[name]()
    assert isinstance(reader, LogReader)
    assert reader.find_files(tmp_path) == []


def test_every_module_of_a_reader_is_loaded():
    modules = [path for path in READERS.glob("*.py") if "@LOGS.add(" in path.read_text(encoding="utf-8")]
    assert len(modules) >= 6
    assert {path.stem for path in modules} <= {reader.__module__.rpartition(".")[2] for reader in LOGS.values()}


@pytest.mark.parametrize("name", LOGS)
def test_every_format_describes_itself_and_reads_its_example(name, tmp_path):
    """The example of a reader, or the logs of `benchmarks/fuzz`, which damages them."""
    reader = LOGS[name]
    assert reader.__doc__.partition("\n")[0].endswith(".")
    for path, text in reader.example.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert name in EXAMPLES or [record.score for record in read_logs(tmp_path).records]


def test_a_folder_without_logs_lists_the_formats(tmp_path):
    with pytest.raises(
        AssayError, match=r"no logs were found; known formats are atif, eval-results, every-eval-ever, helm,"
    ):
        read_logs(tmp_path)


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(MissingFileError, match="no such file or folder"):
        read_logs(tmp_path / "nowhere")


def test_an_unknown_format_has_a_hint(tmp_path):
    with pytest.raises(UsageError, match="Did you mean 'inspect'"):
        read_logs(tmp_path, "inspct")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("samples_arc_2025-01-01T00-00-00.jsonl", True),
        ("0b1c_samples.jsonl", True),
        ("run.eval", True),
        ("details_arc_2025-01-01T00-00-00.parquet", True),
        ("per_instance_stats.json", True),
        ("predictions.jsonl", False),
        ("samples.tsv", False),
    ],
)
def test_logs_are_recognised_by_their_file_name(name, expected, tmp_path):
    assert any(reader().recognises(tmp_path / name) for reader in LOGS.values()) is expected


def test_a_table_of_logs_shows_its_size_and_becomes_a_frame(tmp_path):
    (tmp_path / "m").mkdir()
    row = '{"doc_hash": "h", "filter": "none", "metrics": ["acc"], "acc": 1.0}'
    (tmp_path / "m" / "samples_arc.jsonl").write_text(f"{row}\n{row}\n", encoding="utf-8")
    table = read_logs(tmp_path)
    assert repr(table).endswith("lm-evaluation-harness: 2 records of 1 systems on 1 tasks)")
    frame = table.to_frame()
    assert frame.select("system", "task", "metric", "item", "repeat", "score").rows() == [
        ("m", "arc", "acc,none", "h", 0, 1.0),
        ("m", "arc", "acc,none", "h", 1, 1.0),
    ]
