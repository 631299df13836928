"""Options that would have no effect are refused."""

import pytest

from assay.cli.main import status


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.tsv"
    path.write_text("system\tRTE\tCoLA\nx\t60\t70\ny\t80\t75\n", encoding="utf-8")
    return path


OF_ITEMS = [
    ["--label", "gold"],
    ["--clustered"],
    ["--share", "0.5"],
    ["--resampling", "subsample"],
    ["--missing-predictions", "wrong"],
    ["--write-every-eval-ever", "folder"],
]


@pytest.mark.parametrize("option", OF_ITEMS, ids=lambda option: option[0])
def test_a_score_table_refuses_options_of_items(scores, option, capsys):
    assert status(["discriminate", str(scores), *option]) == 2
    assert f"{option[0]} has no effect here" in capsys.readouterr().err


def test_columns_without_data_are_refused(tmp_path, capsys):
    path = tmp_path / "predictions.tsv"
    path.write_text("id\tx\ty\n0\t1\t0\n1\t1\t1\n2\t0\t1\n", encoding="utf-8")
    assert status(["discriminate", "--predictions", str(path), "--label", "gold"]) == 2
    assert "Name the dataset with --data" in capsys.readouterr().err


def test_options_of_a_study_are_refused_without_it(tmp_path, capsys):
    path = tmp_path / "data.tsv"
    path.write_text("text\tlabel\n" + "a b\tx\nc d\ty\n" * 10, encoding="utf-8")
    assert status(["train", str(path), "--slices", "4", "--no-cache"]) == 2
    assert "--slices has no effect here" in capsys.readouterr().err
