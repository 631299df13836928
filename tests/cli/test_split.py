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


def test_json_holds_requested_and_actual_sizes_and_is_alone_on_standard_output(data, capsys):
    assert status(["split", str(data), "-m", "length", "--test-size", "0.2", "--json", "-"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["command"] == "split"
    sizes = {size["part"]: (size["requested"], size["n"]) for size in output["result"]["sizes"]}
    assert sizes == {"train": (19, 18), "test": (5, 6)}
    assert output["result"]["draws"][0]["parts"].count("test") == 6


def test_repeats_keep_the_groups_of_a_column_whole(data, tmp_path):
    out = tmp_path / "f.tsv"
    arguments = "-m random --test-size 6 --repeats 3 --group writer".split()
    assert status(["split", str(data), *arguments, "-o", str(out)]) == 0
    lines = [line.split("\t") for line in out.read_text().splitlines()]
    assert lines[0] == ["id", "part", "repeat"]
    assert len(lines) == 1 + 3 * 24
    for repeat in "012":
        parts = [part for _, part, number in lines[1:] if number == repeat]
        assert all(len(set(parts[start : start + 3])) == 1 for start in range(0, 24, 3))


def test_the_temporal_split_takes_its_dates_from_the_time_column(data, tmp_path):
    out = tmp_path / "f.tsv"
    arguments = "-m temporal --time date --test-size 4 -s gap=3d".split()
    assert status(["split", str(data), *arguments, "-o", str(out)]) == 0
    parts = [line.split("\t")[1] for line in out.read_text().splitlines()[1:]]
    assert parts == ["train"] * 17 + ["unused"] * 3 + ["test"] * 4


def test_parts_are_written_as_files(data, tmp_path):
    arguments = ["-m", "random", "--test-size", "0.25", "--write-parts", str(tmp_path / "parts")]
    assert status(["split", str(data), *arguments]) == 0
    back = read(tmp_path / "parts")
    assert sorted(back.ids.to_list()) == sorted(f"r{row}" for row in range(24))
    assert len(back.part("test")) == 6


def test_only_the_parts_that_are_named_are_split(tmp_path):
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
        (["-m", "length", "--n-folds", "5"], 2, "Give --test-size, or choose a method that makes folds"),
        (["-m", "temporal", "--n-folds", "5"], 2, "The temporal split needs dates. Give them with --time."),
        (["-m", "lenght"], 2, "No split 'lenght'. Did you mean 'length'?"),
        (
            ["-m", "random", "--n-folds", "5", "--test-size", "0.1"],
            2,
            "The random split makes folds or a test set, not both.",
        ),
        (["-m", "random", "--n-folds", "5", "--test-size", "0.1"], 2, "Give --n-folds for folds, or --test-size for"),
        (["-m", "random", "--dev-size", "0.1"], 2, "Give --test-size with --dev-size."),
        (["-m", "random", "--repeats", "0"], 2, "--repeats must be at least 1, not 0."),
        (["-m", "random", "--n-folds", "1"], 2, "--n-folds must be at least 2, not 1."),
        (
            ["-m", "random", "--test-size", "1.5"],
            2,
            "--test-size must be a share below 1 or a number of rows, not 1.5.",
        ),
        (["-m", "random", "--jobs", "0"], 2, "--jobs is 0"),
        (["-m", "random", "-s", "colour=1"], 2, "The random split has no parameter colour"),
        (["-m", "random", "--encoder", "tfidf"], 2, "The random split has no parameter encoder"),
        (["-m", "random", "--tokenizer", "tweet"], 2, "The random split has no parameter tokenizer"),
        (["-m", "random", "--n-folds", "50"], 1, "24 rows cannot make 50 folds."),
        (["-m", "temporal"], 2, "The temporal split needs dates"),
        (["-m", "random", "--parts", "train"], 1, "has no parts"),
    ],
)
def test_errors_are_one_line_with_the_options_of_the_command(tmp_path, capsys, arguments, code, message):
    path = tmp_path / "data.tsv"
    path.write_text("id\ttext\tlabel\n" + "".join(f"r{row}\tword {row}\tx\n" for row in range(24)))
    assert status(["split", str(path), *arguments]) == code
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("Error: ")
    assert message in error


def test_near_duplicates_and_groups_are_kept_together(tmp_path):
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
        arguments = "-m random --n-folds 5 --keep-together duplicates --group writer".split()
        assert status(["split", str(path), *arguments, "--seed", str(seed), "-o", str(out)]) == 0
        folds = dict(line.split("\t") for line in out.read_text().splitlines()[1:])
        assert len({folds[row] for row in ("0", "10", "30", "35")}) == 1


@pytest.mark.parametrize("method", ["-m sds-k-means --n-folds 3", "-m wasserstein --test-size 0.2 --repeats 3"])
def test_jobs_and_the_back_end_change_no_byte(data, tmp_path, method):
    outputs = []
    for number, work in enumerate(["--jobs 1", "--jobs 2", "--jobs 2 --backend processes"]):
        folds, result = tmp_path / f"{number}.tsv", tmp_path / f"{number}.json"
        arguments = [*method.split(), *work.split(), "-o", str(folds), "--json", str(result)]
        assert status(["split", str(data), *arguments]) == 0
        outputs.append((folds.read_bytes(), result.read_bytes()))
    assert outputs[0] == outputs[1] == outputs[2]


def test_windows_through_time_are_set_by_the_number_of_folds_or_a_setting(data, tmp_path):
    outputs = []
    for number, windows in enumerate(["--n-folds 3", "-s n_splits=3"]):
        out = tmp_path / f"{number}.tsv"
        arguments = ["-m", "temporal", "--time", "date", "--test-size", "4", *windows.split(), "-o", str(out)]
        assert status(["split", str(data), *arguments]) == 0
        outputs.append(out.read_text())
    assert outputs[0] == outputs[1]
    assert {line.split("\t")[2] for line in outputs[0].splitlines()[1:]} == {"0", "1", "2"}
