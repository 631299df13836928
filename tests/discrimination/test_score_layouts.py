"""Score tables as people publish and paste them: columns that are not scores, documents, other languages."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import assay
from assay.base.errors import AssayError
from assay.data.readers.files import read_file
from assay.discrimination import discriminate, read_scores
from assay.inputs import InputKind, recognize

MARKDOWN = """# Results

| Model | MMLU | ARC |
|:--|--:|---|
| [qwen](https://x) | **70.1** | 60 |
| phi | 65.2 | 61.5 |

Some words.
"""
LATEX = r"""
\begin{table}\caption{Results}
\begin{tabular}{lcc}
\toprule
Model & MMLU $\uparrow$ & ARC \\ \midrule
qwen~\cite{bai} & \textbf{70.1} $\pm$ 0.3 & 60 \\
phi\_2 & 65.2 & 61.5 \\[2pt]
\bottomrule
\end{tabular}\end{table}
"""


def get_scores(source):
    table = read_scores(source)
    return {row.dataset: dict(zip(row.systems, row.scores.tolist(), strict=True)) for row in table.measurements}


def test_columns_of_the_open_llm_leaderboard_that_are_not_scores():
    frame = {
        "Model": ["a", "b", "c"],
        "Average ⬆️": [50.0, 40.0, 30.0],
        "IFEval Raw": [0.7, 0.6, 0.5],
        "IFEval": [70.0, 60.0, 50.0],
        "BBH": [40.0, 50.0, 60.0],
        "Hub ❤️": [1200, 3, 40],
        "Generation": [1, 2, 1],
        "#Params (B)": [7, 70, 3],
        "CO₂ cost (kg)": [1.5, 2.5, 0.5],
    }
    table = read_scores(frame)
    assert [row.dataset for row in table.measurements] == ["IFEval", "BBH"]
    assert table.left_out[0].n == 6


def test_settings_of_experiment_trackers_are_not_scores():
    wandb = {
        "Name": ["a", "b"],
        "seed": [1, 2],
        "lr": [0.1, 0.2],
        "Runtime": [60, 70],
        "_runtime": [61, 71],
        "_step": [5, 6],
        "acc": [0.5, 0.6],
    }
    assert list(get_scores(wandb)) == ["acc"]
    mlflow = {
        "run_id": ["f1", "f2"],
        "tags.mlflow.runName": ["a", "b"],
        "params.depth": ["3", "4"],
        "metrics.acc": [0.5, 0.6],
        "metrics.f1": [0.4, 0.7],
    }
    assert get_scores(mlflow) == {"acc": {"a": 50.0, "b": 60.0}, "f1": {"a": 40.0, "b": 70.0}}


def test_standard_errors_are_kept():
    frame = {"model": ["a", "b"], "mmlu": [0.5, 0.8], "mmlu_stderr": [0.05, 0.04], "arc": [0.6, 0.7]}
    mmlu, arc = read_scores(frame).measurements
    assert (mmlu.dataset, mmlu.standard_errors.tolist()) == ("mmlu", [5.0, 4.0])
    assert np.allclose(mmlu.n_items, [100, 100])
    assert arc.standard_errors is None
    long = {"system": ["a", "b"], "dataset": ["d", "d"], "score": [50.0, 80.0], "stderr": [5.0, 4.0]}
    assert read_scores(long).measurements[0].standard_errors.tolist() == [5.0, 4.0]


@pytest.mark.parametrize(("name", "content"), [("results.md", MARKDOWN), ("results.tex", LATEX)])
def test_tables_of_documents(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    scores = get_scores(path)
    assert [list(row.values()) for row in scores.values()] == [[70.1, 65.2], [60.0, 61.5]]
    assert next(iter(scores["ARC"])) == "qwen"
    assert recognize(path) is InputKind.SCORES


def test_the_largest_table_of_a_document_is_read_and_the_others_are_left_out(tmp_path):
    path = tmp_path / "results.md"
    path.write_text(MARKDOWN + "\n| a | b |\n|---|---|\n| 1 | 2 |\n", encoding="utf-8")
    table = read_scores(path)
    assert [(entry.what, entry.n) for entry in table.left_out] == [("tables", 1)]


def test_a_document_without_a_table_is_named(tmp_path):
    path = tmp_path / "results.md"
    path.write_text("# Nothing\n", encoding="utf-8")
    with pytest.raises(AssayError, match="the document holds no table"):
        read_scores(path)


def test_a_header_of_two_lines(tmp_path):
    path = tmp_path / "results.tex"
    header = [
        r"& \multicolumn{2}{c}{GLUE} & \multicolumn{2}{c}{Other} \\ \cmidrule(lr){2-3}",
        r"Model & dev & test & dev & test \\ \hline",
    ]
    rows = [r"a & 51 & 52 & 53 & 54 \\", r"b & 1 & 2 & 3 & 4 \\"]
    path.write_text("\n".join([r"\begin{tabular}{lcccc}", *header, *rows, r"\end{tabular}"]), encoding="utf-8")
    assert list(get_scores(path)) == ["GLUE dev", "GLUE test", "Other dev", "Other test"]


PAPER = r"""
\begin{tabular}{l|cc|c}
\multirow{2}{*}{Model/adapter} & \multicolumn{2}{c|}{English} & German \\ \cline{2-4}
 & News & Web & News \\ \hline
\multicolumn{4}{c}{\textit{Encoders}} \\
BERT$_{\text{base}}$ & 71.2\textsubscript{0.3} & 70.1{\tiny 0.2} & 60.0$^{*}$ \\
\rowcolor{gray!10} Ours$^\dagger$ & $\mathbf{76.2}_{\pm 0.3}$ & \textcolor{red}{77}{\small (+1.0)} & \textbf{68.5\%} \\
\end{tabular}
"""


def test_a_table_of_a_paper_with_groups_scripts_colours_and_headings(tmp_path):
    path = tmp_path / "results.tex"
    path.write_text(PAPER, encoding="utf-8")
    assert get_scores(path) == {
        "English News": {"BERT_base": 71.2, "Ours": 76.2},
        "Web": {"BERT_base": 70.1, "Ours": 77.0},
        "German News": {"BERT_base": 60.0, "Ours": 68.5},
    }
    assert "2 systems × 3 datasets; rows without a score: Encoders" in read_scores(path).notes[0]


@pytest.mark.parametrize("first", [["", "English", "", "German"], ["System", "English", "", "German"]])
def test_a_title_and_a_header_of_two_lines_in_csv_and_excel(tmp_path, first):
    openpyxl = pytest.importorskip("openpyxl", reason="the extra excel is not installed")
    second = ["" if first[0] else "System", "News", "Web", "News"]
    rows = [["Table 2: accuracy, tested"], first, second, ["a", "70.1", "60", "50"], ["b", "65.2", "61.5", "51"]]
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append([cell or None for cell in row])
    book.save(tmp_path / "scores.xlsx")
    lines = [",".join(f'"{cell}"' if "," in cell else cell for cell in row) for row in rows]
    (tmp_path / "scores.csv").write_text("\n".join([lines[0] + ",,,", *lines[1:], ""]), encoding="utf-8")
    for name in ("scores.csv", "scores.xlsx"):
        assert get_scores(tmp_path / name) == {
            "English News": {"a": 70.1, "b": 65.2},
            "Web": {"a": 60.0, "b": 61.5},
            "German News": {"a": 50.0, "b": 51.0},
        }


def test_data_with_an_unnamed_index_keeps_its_rows(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(",text,,label\na,good film,x,p\nb,bad film,y,n\nc,fine film,y,p\n", encoding="utf-8")
    assert assay.read(path).texts.to_list() == ["good film", "bad film", "fine film"]


def test_an_unnamed_first_column_of_words_names_the_systems(tmp_path):
    path = tmp_path / "scores.csv"
    pd.DataFrame({"mmlu": [70.1, 65.2], "arc": [60, 61.5]}, index=["a", "b"]).to_csv(path)
    assert get_scores(path) == {"mmlu": {"a": 70.1, "b": 65.2}, "arc": {"a": 60.0, "b": 61.5}}
    with pytest.raises(AssayError, match="no column 'system'"):
        read_scores(pd.DataFrame({"Unnamed: 0": [1, 2], "mmlu": [70.1, 65.2]}))


def test_marks_of_markdown_are_not_part_of_names_and_scores(tmp_path):
    path = tmp_path / "results.md"
    rows = ["| **[qwen](https://x.y)** | 71.2<sub>±0.3</sub> |", r"| phi\_2\* | <ins>60.5</ins><br>(0.2) |"]
    path.write_text("\n".join(["| Model | MMLU |", "|---|---|", *rows, ""]), encoding="utf-8")
    assert get_scores(path) == {"MMLU": {"qwen": 71.2, "phi_2*": 60.5}}


def test_columns_of_trackers_and_mteb_that_are_not_scores(tmp_path):
    table = {
        "Model": ["a", "b"],
        "Zero-shot": ["95%", "⚠️ NA"],
        "max_depth": ["3", "4"],
        "train/loss": ["0.3", "0.2"],
        "STS": ["85.3", "⚠️ NA"],
        "Retrieval": ["60.1", "61.2"],
    }
    assert get_scores(table) == {"STS": {"a": 85.3}, "Retrieval": {"a": 60.1, "b": 61.2}}
    shots = {"Model": ["a", "b"], "Zero-shot": ["55", "60"], "Few-shot": ["61", "62"]}
    assert list(get_scores(shots)) == ["Zero-shot", "Few-shot"]


@pytest.mark.parametrize("header", ["Modell", "Modèle", "modelo", "模型"])
def test_headings_of_other_languages(header):
    assert get_scores({header: ["a", "b"], "MMLU": [70.1, 60.2]}) == {"MMLU": {"a": 70.1, "b": 60.2}}


@pytest.mark.parametrize("title", ["Leaderboard of May\n", "Leaderboard of May,,\n\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_titles_above_the_header_and_utf_16(tmp_path, title, encoding):
    path = tmp_path / "scores.csv"
    path.write_bytes(f"{title}model,MMLU,ARC\na,70.1,60\nb,65.2,61.5\n".encode(encoding))
    assert get_scores(path)["MMLU"] == {"a": 70.1, "b": 65.2}
    assert any("Leaderboard of May" in note for note in read_scores(path).notes)


@pytest.mark.parametrize(
    "document",
    [
        {"a": {"mmlu": 70.1, "arc": 60}, "b": {"mmlu": 65.2, "arc": 61.5}},
        [{"model": "a", "scores": {"mmlu": 70.1, "arc": 60}}, {"model": "b", "scores": {"mmlu": 65.2, "arc": 61.5}}],
    ],
)
def test_nested_json(tmp_path, document):
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert get_scores(path) == {"mmlu": {"a": 70.1, "b": 65.2}, "arc": {"a": 60.0, "b": 61.5}}
    assert recognize(path) is InputKind.SCORES


def test_columns_as_pandas_writes_them(tmp_path):
    path = tmp_path / "scores.json"
    pd.DataFrame({"model": ["a", "b"], "mmlu": [70.1, 65.2]}).to_json(path)
    assert get_scores(path) == {"mmlu": {"a": 70.1, "b": 65.2}}


def test_pasted_markdown_on_standard_input():
    command = [sys.executable, "-m", "assay", "discriminate", "-", "--json", "-"]
    done = subprocess.run(command, input=MARKDOWN.encode(), capture_output=True, timeout=300, check=True)
    assert {row["dataset"] for row in json.loads(done.stdout)["result"]["datasets"]} == {"MMLU", "ARC"}


def test_excel(tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="the extra excel is not installed")
    book = openpyxl.Workbook()
    for row in (["Leaderboard of May"], ["Model", "MMLU", "ARC"], ["a", 70.1, 60], ["b", 65.2, None]):
        book.active.append(row)
    book.create_sheet("notes").append(["x"])
    content = io.BytesIO()
    book.save(content)
    path = tmp_path / "scores.xlsx"
    path.write_bytes(content.getvalue())
    assert get_scores(path) == {"MMLU": {"a": 70.1, "b": 65.2}, "ARC": {"a": 60.0}}
    assert [(entry.what, entry.n) for entry in read_scores(path).left_out] == [("sheets", 1), ("cells", 1)]
    path.write_bytes(content.getvalue()[:500])
    with pytest.raises(AssayError, match="the workbook cannot be read"):
        read_scores(path)


def test_small_scores_that_were_multiplied_are_not_noted_as_shares():
    table = read_scores({"system": ["x", "y"], "RTE": [0.8, 0.9], "hard": [0.003, 0.008]})
    assert not any("are they shares" in note for note in table.notes)


def test_rows_after_an_empty_line_of_a_markdown_table_are_counted(tmp_path):
    path = tmp_path / "board.md"
    path.write_text(
        "| model | a | b |\n|---|---|---|\n| x | 1 | 2 |\n| y | 3 | 4 |\n\n| z | 5 | 6 |\n", encoding="utf-8"
    )
    table = read_file(path)
    assert [(entry.what, entry.n) for entry in table.left_out] == [("rows", 1)]
    assert table.notes == ("1 lines of cells after an empty line belong to no table",)


def test_rows_without_a_system_are_left_out_and_counted(tmp_path):
    path = tmp_path / "scores.json"
    path.write_text(json.dumps([{"model": name, "MMLU": 60, "ARC": 50} for name in ("a", "b", None)]))
    table = read_scores(path)
    assert get_scores(path) == {"MMLU": {"a": 60.0, "b": 60.0}, "ARC": {"a": 50.0, "b": 50.0}}
    assert ("cells", 2, "no system") in [(entry.what, entry.n, entry.reason) for entry in table.left_out]
    assert discriminate(path)


def test_the_export_of_a_tracker_keeps_scores_only():
    """Columns of Weights & Biases and MLflow about the run, its speed and its machine are not scores."""
    runs = {
        "Name": ["a", "b"],
        "State": ["finished", "finished"],
        "Tags": ["", ""],
        "Created": ["2026-01-01", "2026-01-02"],
        "Runtime": ["10", "11"],
        "Sweep": ["", ""],
        "lr": ["0.1", "0.2"],
        "eval/accuracy": ["0.8", "0.9"],
        "eval/f1": ["0.7", "0.75"],
        "eval/samples_per_second": ["12.1", "13"],
        "train/global_step": ["100", "120"],
        "_step": ["100", "120"],
        "_timestamp": ["1", "2"],
    }
    assert set(read_scores(runs).to_frame()["dataset"]) == {"eval/accuracy", "eval/f1"}
    tracked = {
        "Run ID": ["x", "y"],
        "Name": ["a", "b"],
        "Start Time": ["2026", "2026"],
        "params.lr": ["1", "2"],
        "metrics.acc": ["0.8", "0.9"],
        "metrics.system/cpu_utilization_percentage": ["3", "4"],
    }
    assert set(read_scores(tracked).to_frame()["dataset"]) == {"acc"}


def test_indonesian_and_norwegian_are_languages_if_their_cells_have_decimals():
    table = {"model": ["a", "b"], "de": ["0.61", "0.72"], "id": ["0.58", "0.70"], "no": ["0.57", "0.69"]}
    assert set(read_scores(table).to_frame()["dataset"]) == {"de", "id", "no"}
    numbered = table | {"id": ["17", "18"], "no": ["1", "2"]}
    assert set(read_scores(numbered).to_frame()["dataset"]) == {"de"}


def test_metrics_with_the_name_of_a_fact_and_counts():
    table = {
        "model": ["a", "b"],
        "precision": ["0.71", "0.65"],
        "recall": ["0.5", "0.6"],
        "sample count": ["200", "210"],
    }
    scores = read_scores({**table, "# parsed": ["9", "8"], "delta": ["0.1", "0.2"]})
    assert [row.dataset for row in scores.measurements] == ["precision", "recall"]
    formats = read_scores({**table, "precision": ["bfloat16", "float16"]})
    assert [row.dataset for row in formats.measurements] == ["recall"]
