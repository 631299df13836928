"""`assay compare` as a user calls it."""

import json

import pytest

from assay.cli.main import status

WORDS = "ash bay cod doe elk fir gum hay ivy jay".split()


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.tsv"
    rows = [
        f"r{row}\t{' '.join(WORDS[(row * step) % 10] for step in range(1, 3 + row % 7))}\t{'xy'[row % 2]}\n"
        for row in range(80)
    ]
    path.write_text("id\ttext\tlabel\n" + "".join(rows), encoding="utf-8")
    return path


def test_splits_are_shown_side_by_side_under_the_names_of_their_files(data, tmp_path, capsys):
    for method in ("random", "length"):
        arguments = ["-m", method, "--test-size", "0.2", "-o", str(tmp_path / f"{method}.tsv")]
        assert status(["split", str(data), *arguments]) == 0
    capsys.readouterr()
    files = [str(tmp_path / "random.tsv"), str(tmp_path / "length.tsv")]
    assert status(["compare", str(data), *files, "--permutations", "20", "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)["result"]
    assert list(result) == ["random", "length"]
    for split in result.values():
        assert {"parts", "divergence", "leaks"} <= set(split)
        for measure in ("oov", "jsd", "wasserstein", "mmd", "a_distance"):
            assert {"value", "low", "high"} <= set(split["divergence"][measure]["null"])
        assert set(split["parts"]) == {"train", "test"}
        assert len(split["projection"]["x"]) == 80


def test_without_files_the_parts_of_the_data_are_compared(tmp_path, capsys):
    path = tmp_path / "data.tsv"
    rows = [f"{WORDS[row % 10]} {WORDS[row % 7]}\tx\t{'test' if row % 4 == 0 else 'train'}\n" for row in range(40)]
    path.write_text("text\tlabel\tsplit\n" + "".join(rows))
    assert status(["compare", str(path), "--permutations", "5"]) == 0
    assert "given" in capsys.readouterr().out


def test_a_folds_file_of_other_data_is_refused(data, tmp_path, capsys):
    (tmp_path / "f.tsv").write_text("id\tfold\nr0\t1\nzz\t2\n")
    assert status(["compare", str(data), str(tmp_path / "f.tsv")]) == 1
    assert "Error: f.tsv: 1 of 2 ids are not in the data: zz." in capsys.readouterr().err


def test_jobs_and_the_back_end_change_no_byte(data, tmp_path):
    folds = tmp_path / "folds.tsv"
    assert status(["split", str(data), "-m", "random", "--n-folds", "3", "-o", str(folds)]) == 0
    outputs = []
    for number, work in enumerate(["--jobs 1", "--jobs 2", "--jobs 2 --backend processes"]):
        result = tmp_path / f"{number}.json"
        arguments = [str(folds), "--permutations", "25", "--json", str(result), *work.split()]
        assert status(["compare", str(data), *arguments]) == 0
        outputs.append(result.read_bytes())
    assert outputs[0] == outputs[1] == outputs[2]


def test_without_folds_or_parts_the_error_names_the_options(data, capsys):
    assert status(["compare", str(data)]) == 2
    assert "Name a folds file, or the column of the parts with --split." in capsys.readouterr().err
