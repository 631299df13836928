"""What is proposed for datasets."""

from __future__ import annotations

from assay.audits import audit
from assay.cli.main import status


def test_a_saturated_dataset_is_not_proposed_to_be_kept(made):
    crowd = [{"dataset": "top", "system": f"s{n}", "score": 99.9 - n / 10} for n in range(5)]
    tail = [{"dataset": "top", "system": f"t{n}", "score": 40.0 + 5 * n} for n in range(5)]
    result = audit(made(60), scores=[*crowd, *tail], only=["discrimination"])
    assert "A508" in {finding.code for finding in result.findings}
    assert [row.proposal for row in result.evidence.discrimination.datasets] == ["repair"]


def test_quick_models_judge_no_dataset(made):
    evidence = audit(made(200), only=["discrimination"]).evidence.discrimination
    assert evidence.basis == "quick models"
    assert [row.proposal for row in evidence.datasets] == [None]


def test_several_datasets_are_counted_and_named_in_the_terminal(tmp_path, capsys):
    (tmp_path / "data.tsv").write_text("text\tlabel\none\ta\ntwo\tb\n")
    rows = [f"open\ts{n}\t{50 + 6 * n}\nfull\ts{n}\t{99.2 + n / 10}" for n in range(6)]
    (tmp_path / "scores.tsv").write_text("\n".join(["dataset\tsystem\tscore", *rows]) + "\n")
    call = ["audit", tmp_path / "data.tsv", "--scores", tmp_path / "scores.tsv", "--only", "discrimination"]
    assert status([*map(str, call), "--no-cache"]) == 0
    printed = capsys.readouterr().out
    assert "Datasets: keep 1, repair 0, retire 1." in printed
    assert "retire: full" in printed
