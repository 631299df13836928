"""`assay split` as a user calls it."""

import json

import pytest

from assay.cli.main import status
from assay.kinds import read
from assay.splits import read_folds

WORDS = "ash bay cod doe elk fir gum hay".split()
ROWS = "id\ttext\tlabel\tdate\twriter\n" + "".join(
    f"r{row}\t{' '.join(['word'] * (1 + row % 7))} w{row}\t{'xy'[row % 2]}\t2020-01-{1 + row:02d}\tp{row // 3}\n"
    for row in range(24)
)


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.tsv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_folds_have_the_ids_of_the_data(data, tmp_path, capsys):
    assert status(["split", str(data), "-m", "stratified", "--n-folds", "4", "-o", str(tmp_path / "f.tsv")]) == 0
    folds = read_folds(tmp_path / "f.tsv")
    assert folds.frame["id"].to_list() == [f"r{row}" for row in range(24)]
    assert sorted(folds.frame["fold"].value_counts()["count"]) == [6] * 4
    assert "stratified split" in capsys.readouterr().out


def test_sizes_asked_and_reached_stand_in_the_json_and_nothing_else_on_standard_output(data, capsys):
    assert status(["split", str(data), "-m", "length", "--test-size", "0.2", "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["command"] == "split"
    sizes = {size["part"]: (size["asked"], size["n"]) for size in told["result"]["sizes"]}
    assert sizes == {"train": (19, 18), "test": (5, 6)}
    assert told["result"]["draws"][0]["parts"].count("test") == 6


def test_repeats_groups_and_settings(data, tmp_path):
    out = tmp_path / "f.tsv"
    assert (
        status(
            [
                "split",
                str(data),
                "-m",
                "random",
                "--test-size",
                "6",
                "--repeats",
                "3",
                "--group",
                "writer",
                "-o",
                str(out),
            ]
        )
        == 0
    )
    lines = [line.split("\t") for line in out.read_text().splitlines()]
    assert lines[0] == ["id", "part", "repeat"]
    assert len(lines) == 1 + 3 * 24
    for repeat in "012":
        parts = [part for _, part, number in lines[1:] if number == repeat]
        assert all(len(set(parts[start : start + 3])) == 1 for start in range(0, 24, 3))


def test_the_temporal_split_takes_its_dates_from_the_time_column(data, tmp_path):
    out = tmp_path / "f.tsv"
    arguments = [
        "split",
        str(data),
        "-m",
        "temporal",
        "--time",
        "date",
        "--test-size",
        "4",
        "-s",
        "gap=3d",
        "-o",
        str(out),
    ]
    assert status(arguments) == 0
    parts = [line.split("\t")[1] for line in out.read_text().splitlines()[1:]]
    assert parts == ["train"] * 17 + ["unused"] * 3 + ["test"] * 4


def test_parts_are_written_as_files(data, tmp_path):
    assert (
        status(["split", str(data), "-m", "random", "--test-size", "0.25", "--write-parts", str(tmp_path / "parts")])
        == 0
    )
    back = read(tmp_path / "parts")
    assert sorted(back.ids.to_list()) == sorted(f"r{row}" for row in range(24))
    assert len(back.part("test")) == 6


def test_only_the_parts_named_are_split(tmp_path):
    path = tmp_path / "data.tsv"
    path.write_text(
        "text\tlabel\tsplit\n" + "".join(f"t{row}\tx\t{'test' if row > 5 else 'train'}\n" for row in range(9))
    )
    out = tmp_path / "f.tsv"
    assert status(["split", str(path), "-m", "random", "--n-folds", "2", "--parts", "train", "-o", str(out)]) == 0
    assert [line.split("\t")[0] for line in out.read_text().splitlines()] == ["id", *"012345"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-m", "length", "--n-folds", "5"], 2, "The length split makes one test set, not folds"),
        (["-m", "temporal", "--n-folds", "5"], 2, "set n_splits"),
        (["-m", "lenght"], 2, "No split 'lenght'. Did you mean 'length'?"),
        (["-m", "random", "--n-folds", "5", "--test-size", "0.1"], 2, "Folds or a test set, not both"),
        (["-m", "random", "-s", "colour=1"], 2, "The random split has no parameter colour"),
        (["-m", "random", "--encoder", "tfidf"], 2, "The random split has no parameter encoder"),
        (["-m", "random", "--n-folds", "50"], 1, "24 rows cannot make 50 folds."),
        (["-m", "temporal"], 2, "The temporal split needs dates"),
        (["-m", "random", "--parts", "train"], 1, "has no parts"),
    ],
)
def test_what_cannot_be_done_is_said_on_one_line(tmp_path, capsys, arguments, code, message):
    path = tmp_path / "data.tsv"
    path.write_text("id\ttext\tlabel\n" + "".join(f"r{row}\tword {row}\tx\n" for row in range(24)))
    assert status(["split", str(path), *arguments]) == code
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("Error: ")
    assert message in error


def test_near_duplicates_can_be_kept_together_and_groups_with_them(tmp_path):
    texts = [
        f"the {WORDS[row % 8]} sat on the {WORDS[row // 8]} and looked at the sea for {row} days" for row in range(40)
    ]
    texts[10], texts[30] = texts[0], texts[0]
    path, out = tmp_path / "data.tsv", tmp_path / "f.tsv"
    path.write_text(
        "text\tlabel\twriter\n"
        + "".join(f"{text}\tx\t{'k' if row in (30, 35) else row}\n" for row, text in enumerate(texts))
    )
    for seed in range(3):
        arguments = [
            "split",
            str(path),
            "-m",
            "random",
            "--n-folds",
            "5",
            "--keep-together",
            "duplicates",
            "--group",
            "writer",
        ]
        assert status([*arguments, "--seed", str(seed), "-o", str(out)]) == 0
        folds = dict(line.split("\t") for line in out.read_text().splitlines()[1:])
        assert len({folds[row] for row in ("0", "10", "30", "35")}) == 1
