import gzip
import json

import pytest

from assay.cli.main import status


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "scores.tsv"
    rows = ["system\tRTE\tCoLA\tSST-2"] + [f"s{n}\t{60 + 3 * n}\t{50 + n}\t{97 - 0.1 * n}" for n in range(8)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def run_command(capsys, *arguments):
    assert status(["discriminate", *map(str, arguments), "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)["result"]


def test_scores_give_every_documented_key(capsys, table):
    result = run_command(capsys, table)
    assert {"datasets", "systems", "items", "keep", "correlations"} <= set(result)
    names = {"benchmark", "dataset", "metric", "n_systems", "mean", "verdict"}
    assert names <= set(result["datasets"][0])
    for name in ("lambda_var", "lambda_sva", "lambda_hit"):
        assert {"value", "low", "high"} <= set(result["datasets"][0][name])
    assert {"system", "score", "rank_low", "rank_high", "tie_group", "p_best"} <= set(result["systems"][0])
    assert result["datasets"][0]["lambda_hit"]["value"] is None


def test_the_json_names_command_settings_and_input(capsys, table):
    status(["discriminate", str(table), "--top", "5", "--json", "-"])
    content = json.loads(capsys.readouterr().out)
    assert content["command"] == "discriminate"
    assert "top=5" in content["signature"]
    assert content["data"]["name"] == "scores.tsv"


def test_the_same_seed_gives_the_same_bytes(capsys, table):
    texts = []
    for _ in range(2):
        status(["discriminate", str(table), "--json", "-", "--seed", "3"])
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_top_and_metric_and_bound_are_options(capsys, table):
    result = run_command(capsys, table, "--top", "3", "--top-by", "benchmark", "--upper", "CoLA=60")
    assert [row["n_systems"] for row in result["datasets"]] == [3, 3, 3]
    assert [row["upper"] for row in result["datasets"]] == [100, 60, 100]


@pytest.mark.parametrize("extra", [["--jobs", "2"], ["--jobs", "2", "--backend", "threads"]])
def test_jobs_and_back_end_do_not_change_the_result(capsys, table, extra):
    assert run_command(capsys, table, *extra) == run_command(capsys, table)


def test_an_unknown_back_end_is_refused(capsys, table):
    assert status(["discriminate", str(table), "--backend", "treads"]) == 2
    assert "Did you mean 'threads'" in capsys.readouterr().err


def test_lower_is_better_reverses_the_ranking(capsys, table):
    up, down = (run_command(capsys, table, *extra)["systems"] for extra in ([], ["--lower-is-better"]))
    assert up[0]["system"] == "s7"
    assert down[0]["system"] == "s0"


def test_tables_are_printed_and_notes_go_to_standard_error(capsys, table):
    assert status(["discriminate", str(table), "--by", "benchmark"]) == 0
    shown = capsys.readouterr()
    assert "λ_var" in shown.out
    assert "Keep" in shown.out
    assert "wide table of scores" in shown.err


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        ([], "Give SCORES", 2),
        (["{table}", "--predictions", "{table}"], "not both", 2),
        (["{table}", "--upper", "much"], "'much' is not a number", 2),
        (["{table}", "--over", "items"], "needs the outcomes of items", 2),
        (["{table}", "--metric", "F9"], "no metric 'F9'", 1),
        (["nowhere.tsv"], "nowhere.tsv", 1),
    ],
)
def test_wrong_options_give_one_line(capsys, table, arguments, message, code):
    assert status(["discriminate", *(part.format(table=table) for part in arguments)]) == code
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_predictions_give_items_and_intervals(capsys, tmp_path):
    path = tmp_path / "preds.tsv"
    gold = [str(n % 2) for n in range(80)]
    flipped = {"0": "1", "1": "0"}
    rows = [[f"i{n}", g, g, g if n % 4 else flipped[g], g if n % 3 else flipped[g]] for n, g in enumerate(gold)]
    path.write_text(
        "\n".join("\t".join(row) for row in [["id", "gold", "x", "y", "z"], *rows]) + "\n", encoding="utf-8"
    )
    result = run_command(capsys, "--predictions", path)
    assert [row["system"] for row in result["systems"]] == ["x", "y", "z"]
    assert result["datasets"][0]["lambda_hit"]["value"] > 0.8
    assert result["datasets"][0]["lambda_var"]["low"] is not None
    assert result["items"][0]["n_items"] == 80


def test_clustering_needs_groups(capsys, tmp_path):
    path = tmp_path / "preds.tsv"
    path.write_text("id\tgold\tx\n1\ta\ta\n2\tb\ta\n", encoding="utf-8")
    assert status(["discriminate", "--predictions", str(path), "--clustered"]) == 2
    assert "--clustered needs groups" in capsys.readouterr().err


def test_a_folder_of_logs_is_read_and_written(capsys, tmp_path):
    for model, scores in {"a": [1, 1, 0, 1], "b": [0, 1, 0, 1]}.items():
        home = tmp_path / "logs" / model
        home.mkdir(parents=True)
        rows = [
            {
                "doc_id": n,
                "doc": {},
                "target": "",
                "filter": "none",
                "metrics": ["acc"],
                "doc_hash": f"h{n}",
                "acc": score,
            }
            for n, score in enumerate(scores)
        ]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (home / "samples_arc_2025-01-01T00-00-00.jsonl").write_text(text, encoding="utf-8")
    result = run_command(capsys, tmp_path / "logs", "--write-every-eval-ever", tmp_path / "out")
    again = run_command(capsys, "--predictions", tmp_path / "out")
    for first, second in zip(result["systems"], again["systems"], strict=True):
        assert first.pop("p_best") == pytest.approx(second.pop("p_best"), abs=0.03)  # random, by the order of the files
        assert first == second
    assert any("4 items" in note for note in result["notes"])


def test_the_32_runs_of_semeval_2016_are_ranked_by_their_official_accuracies(capsys, shared):
    result = run_command(capsys, "--predictions", shared("semeval2016_cqa/pred_labels_A.tsv.gz"))
    with gzip.open(shared("semeval2016_cqa/official_scores.tsv.gz"), "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    official = {
        row[3]: 100 * float(row[4]) for row in lines if row[1] == "subtask A" and row[2].lower().startswith("acc")
    }
    systems = result["systems"]
    assert len(systems) == 32
    by_name = {row["system"]: row for row in systems}
    assert {name: round(row["score"], 2) for name, row in by_name.items()} == pytest.approx(official, abs=0.006)
    scores = [row["score"] for row in systems]
    assert scores == sorted(scores, reverse=True)
    for first in systems:
        for second in systems:
            assert (first["rank"] == second["rank"]) == (first["score"] == second["score"])
    assert by_name["SUper_team-primary"]["rank"] == by_name["SUper_team-contrastive1"]["rank"] == 5
    assert by_name["SUper_team-primary"]["tie_group"] == by_name["SUper_team-contrastive1"]["tie_group"]


def test_every_dataset_of_the_leaderboards_has_lambdas(capsys, shared):
    result = run_command(capsys, shared("leaderboards/leaderboards.tsv.gz"), "--by", "benchmark", "--top", "5")
    assert len(result["datasets"]) == 185
    known = {"GLUE", "SuperGLUE", "MMLU", "BIG-Bench Hard"}
    rows = [row for row in result["datasets"] if row["benchmark"] in known or row["benchmark"].startswith("Open LLM")]
    assert all(row[name]["value"] is not None for row in rows for name in ("lambda_var", "lambda_sva"))
    assert {row["n_systems"] for row in rows} == {5}
