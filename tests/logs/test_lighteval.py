import polars as pl
import pytest

from assay.discrimination import build_log_outcomes
from assay.logs import read_logs

DATE = "2025-04-02T10-00-00.000000"


def write(folder, model, scores, columns=("doc", "model_response", "metric"), ids=("", "")):
    home = folder / "details" / model / DATE
    home.mkdir(parents=True)
    doc, response, metric = columns
    rows = [
        {
            doc: {"id": ids[number], "query": f"q{number}", "choices": ["a", "b"], "gold_index": 0, "task_name": "arc"},
            response: {"text": ["a"]},
            metric: {"acc": score, "acc_norm": score},
        }
        for number, score in enumerate(scores)
    ]
    pl.DataFrame(rows).write_parquet(home / f"details_leaderboard|arc:challenge|25_{DATE}.parquet")


@pytest.mark.parametrize(
    "columns", [("doc", "model_response", "metric"), ("__doc__", "__model_response__", "__metric__")]
)
def test_documents_with_empty_ids_are_matched_by_content(tmp_path, columns):
    write(tmp_path, "org/one", [1.0, 0.0], columns)
    write(tmp_path, "org/two", [0.0, 0.0], columns)
    table = read_logs(tmp_path)
    accuracy = build_log_outcomes(table, "acc")[0]
    assert table.systems == ["org/one", "org/two"]
    assert accuracy.dataset == "leaderboard|arc:challenge"
    assert table.records[0].settings == (("n-shot", "25"),)
    assert sorted(accuracy.table[0].tolist()) == [0, 1]
    assert accuracy.table[1].tolist() == [0, 0]


def test_older_details_have_plain_columns(tmp_path):
    home = tmp_path / "details" / "m" / DATE
    home.mkdir(parents=True)
    rows = [
        {"example": f"q{n}", "full_prompt": "p", "choices": ["a"], "gold": ["a"], "metrics": {"acc": n}}
        for n in range(2)
    ]
    pl.DataFrame(rows).write_parquet(home / f"details_arc_{DATE}.parquet")
    assert sorted(build_log_outcomes(read_logs(tmp_path))[0].table[0].tolist()) == [0, 1]
