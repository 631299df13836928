"""What is proposed for datasets."""

from __future__ import annotations

import pytest

from assay.audits import audit
from assay.audits.dataset_proposals import proposals
from assay.cli.main import status
from assay.discrimination.verdict import NO, YES


@pytest.mark.parametrize(
    ("verdict", "headroom", "close", "expected"),
    [
        (YES, 20.0, 1, ("keep", YES)),
        (YES, 0.5, 1, ("keep", YES)),
        (YES, 0.5, 3, ("repair", "used up at the top")),
        (NO, 20.0, 3, ("repair", NO)),
        (NO, 0.5, 1, ("retire", "used up")),
        (NO, None, 1, ("repair", NO)),
    ],
)
def test_a_dataset_is_judged_by_its_verdict_and_its_room(verdict, headroom, close, expected):
    row = {"dataset": "d", "metric": "m", "verdict": verdict, "headroom": headroom, "n_within_one": close}
    (told,) = proposals([{**row, "upper": 100.0}])
    assert (told["proposal"], told["reason"]) == expected


def test_what_is_called_used_up_is_not_proposed_to_be_kept(made):
    crowd = [{"dataset": "top", "system": f"s{n}", "score": 99.9 - n / 10} for n in range(5)]
    tail = [{"dataset": "top", "system": f"t{n}", "score": 40.0 + 5 * n} for n in range(5)]
    found = audit(made(60), scores=[*crowd, *tail], only=["discrimination"])
    assert "A508" in {one.code for one in found.findings}
    assert [row["proposal"] for row in found.sections["discrimination"].result["proposals"]] == ["repair"]


def test_quick_models_judge_no_dataset(made):
    found = audit(made(200), only=["discrimination"]).sections["discrimination"]
    assert found.result["basis"] == "quick models"
    assert found.result["proposals"] == []


def test_several_datasets_are_counted_and_named_in_the_terminal(tmp_path, capsys):
    (tmp_path / "data.tsv").write_text("text\tlabel\none\ta\ntwo\tb\n")
    rows = [f"open\ts{n}\t{50 + 6 * n}\nfull\ts{n}\t{99.2 + n / 10}" for n in range(6)]
    (tmp_path / "scores.tsv").write_text("\n".join(["dataset\tsystem\tscore", *rows]) + "\n")
    call = ["audit", tmp_path / "data.tsv", "--scores", tmp_path / "scores.tsv", "--only", "discrimination"]
    assert status([*map(str, call), "--no-cache"]) == 0
    said = capsys.readouterr().out
    assert "Datasets: keep 1, repair 0, retire 1." in said
    assert "retire: full" in said
