"""Objects in memory read as files do."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from assay.base.errors import AssayError, MissingFileError
from assay.kinds import read

COLUMNS = {"id": ["a", "b", "c"], "text": ["x", "y", None], "label": [1, 0, 1]}


def objects():
    import pandas as pd

    frame = pl.DataFrame(COLUMNS)
    return {
        "dict of lists": COLUMNS,
        "dict of arrays": {name: np.array(values, dtype=object) for name, values in COLUMNS.items()},
        "list of dicts": frame.to_dicts(),
        "polars": frame,
        "lazy": frame.lazy(),
        "arrow": frame.to_arrow(),
        "batches": frame.to_arrow().to_reader(),
        "pandas": pd.DataFrame(COLUMNS),
        "pandas with categories": pd.DataFrame(COLUMNS).astype({"label": "category"}),
        "pandas of objects": pd.DataFrame(COLUMNS, dtype=object),
    }


@pytest.mark.parametrize("kind", list(objects()))
def test_every_object_gives_the_same_data(kind):
    data = read(objects()[kind])
    assert data.to_frame().rows() == [("a", "x", "1"), ("b", "y", "0"), ("c", "", "1")]
    assert data.fingerprint == read(COLUMNS).fingerprint


def test_a_list_of_texts_is_data():
    assert read(["one", "two"]).to_frame().rows() == [("0", "one"), ("1", "two")]


def test_a_column_of_several_types_is_text_in_pandas():
    import pandas as pd

    frame = pd.DataFrame({"text": ["a", 2, None], "label": [True, "x", pd.NA]})
    assert read(frame).to_frame().rows() == [("0", "a", "true"), ("1", "2", "x"), ("2", "", None)]


def test_an_arrow_table_with_a_repeated_name_is_an_error():
    table = pa.table([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    with pytest.raises(AssayError, match="column 'text' more than once"):
        read(table)


def hugging_face():
    datasets = pytest.importorskip("datasets")
    names = datasets.ClassLabel(names=["neg", "pos"])
    features = datasets.Features({"text": datasets.Value("string"), "label": names})
    train = datasets.Dataset.from_dict({"text": ["a", "b", "c"], "label": [1, 0, 1]}, features=features)
    test = datasets.Dataset.from_dict({"text": ["d"], "label": [-1]}, features=features)
    return datasets.DatasetDict({"train": train, "validation": test})


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_hugging_face_datasets_give_names_of_labels_and_parts():
    both = hugging_face()
    data = read(both)
    assert data.labels.to_list() == ["pos", "neg", "pos", None]
    assert data.parts.to_list() == ["train", "train", "train", "dev"]
    assert read(both["train"].select([2, 1])).texts.to_list() == ["c", "b"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_saved_hugging_face_datasets_are_read_without_the_package(tmp_path):
    both = hugging_face()
    both.save_to_disk(str(tmp_path / "both"))
    both["train"].save_to_disk(str(tmp_path / "one"), num_shards=2)
    both["train"].to_parquet(str(tmp_path / "x.parquet"))
    assert read(tmp_path / "both").fingerprint == read(both).fingerprint
    assert read(tmp_path / "one").fingerprint == read(both["train"]).fingerprint
    assert read(tmp_path / "x.parquet").labels.to_list() == ["pos", "neg", "pos"]
    code = "import sys\nfrom assay.kinds import read\nread(sys.argv[1])\n"
    code += "print({'datasets', 'pandas', 'torch'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "both")], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_parts_of_one_meaning_are_put_together(tmp_path):
    both = hugging_face()
    both["validation_mismatched"] = both["train"]
    assert read(both).parts.to_list() == ["train"] * 3 + ["dev"] * 4
    both.save_to_disk(str(tmp_path / "both"))
    assert read(tmp_path / "both").fingerprint == read(both).fingerprint


def test_names_of_the_hub_are_loaded_by_the_package(monkeypatch):
    datasets = pytest.importorskip("datasets")
    loaded = []

    def load(name, configuration):
        loaded.append((name, configuration))
        return hugging_face()

    monkeypatch.setattr(datasets, "load_dataset", load)
    assert len(read("hf:some-owner/some-name:plain")) == 4
    assert len(read("hf:some-name")) == 4
    assert loaded == [("some-owner/some-name", "plain"), ("some-name", None)]


def test_a_name_that_the_hub_does_not_know_is_an_error(monkeypatch):
    datasets = pytest.importorskip("datasets")

    def load(*_):
        raise FileNotFoundError("no such dataset\nand more")

    monkeypatch.setattr(datasets, "load_dataset", load)
    with pytest.raises(AssayError, match=r"hf:x: the hub has no such dataset \(no such dataset\)"):
        read("hf:x")


def test_without_the_extra_a_hub_name_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(AssayError, match=r'needs datasets: pip install "benchassay\[datasets\]"'):
        read("hf:x")


def test_a_mistyped_folder_is_never_sent_to_the_hub(monkeypatch):
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets, "load_dataset", lambda *_: pytest.fail("the hub was asked"))
    with pytest.raises(MissingFileError, match="revews/imdb: there is no such file or folder"):
        read("revews/imdb")
