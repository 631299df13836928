"""Parts as separate files."""

import pytest

from assay.base.errors import AssayError
from assay.kinds import read
from assay.splits import BootstrapSplit, RandomSplit, write_parts

ROWS = {
    "id": list("abcdefgh"),
    "text": [f"a text, {row}" for row in range(8)],
    "label": list("xyxyxyxy"),
    "extra": list("12345678"),
}


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "parquet"])
def test_the_parts_read_together_are_the_data(tmp_path, form):
    data = read(ROWS)
    draws = [RandomSplit(test_size=2, dev_size=1).partition(data.texts)]
    paths = write_parts(tmp_path / "parts", data, draws, form)
    assert [path.name for path in paths] == [f"train.{form}", f"dev.{form}", f"test.{form}"]
    back = read(tmp_path / "parts")
    assert {part: len(back.part(part)) for part in ("train", "dev", "test")} == {"train": 5, "dev": 1, "test": 2}
    assert sorted(back.ids.to_list()) == ROWS["id"]
    assert sorted(back.column("extra").to_list()) == ROWS["extra"]


def test_folds_and_repeats_have_separate_files(tmp_path):
    data = read(ROWS)
    paths = write_parts(tmp_path, data, list(RandomSplit(n_splits=2, n_repeats=2).iterate_partitions(data.texts)))
    assert [str(path.relative_to(tmp_path)) for path in paths] == [
        f"repeat-{r}/fold-{f}.tsv" for r in (0, 1) for f in (1, 2)
    ]


def test_rows_of_a_bootstrap_occur_once_with_their_weight(tmp_path):
    data = read(ROWS)
    write_parts(tmp_path, data, [BootstrapSplit().partition(data.texts)])
    train = read(tmp_path / "train.tsv")
    assert sum(map(int, train.column("weight"))) == 7


def test_cells_that_a_tsv_cannot_hold_are_an_error_that_names_other_formats(tmp_path):
    data = read({"text": ["one\ntwo", "three", "four"], "label": list("xyx")})
    with pytest.raises(
        AssayError,
        match=r"Cells of text hold tabs or line breaks, which a TSV file cannot\. Choose csv, jsonl or parquet",
    ):
        write_parts(tmp_path, data, [RandomSplit(n_splits=2).partition(data.texts)])
