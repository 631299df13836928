"""Small inputs of every kind for first screens: samples of real data, and public layouts written from descriptions.

Only the standard library is used, so that checks of the package can share these files without sharing its code.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
N_ITEMS = 400
Row = dict[str, str]


@dataclass(frozen=True)
class Case:
    """An audit: a name, the kind of input, and the arguments of `assay audit`."""

    name: str
    kind: str
    arguments: tuple[str, ...]


CASES: dict[str, Callable[[Path, int], Case]] = {}


def case(kind: str) -> Callable[[Callable[[Path, int], Sequence[str]]], Callable[[Path, int], Case]]:
    """Register a function that writes the files of a case into a folder and returns the arguments."""

    def register(write: Callable[[Path, int], Sequence[str]]) -> Callable[[Path, int], Case]:
        def build(folder: Path, n_items: int) -> Case:
            folder.mkdir(parents=True, exist_ok=True)
            return Case(write.__name__, kind, tuple(map(str, write(folder, n_items))))

        CASES[write.__name__] = build
        return build

    return register


def write_cases(folder: Path, names: Iterable[str] | None = None, n_items: int = N_ITEMS) -> list[Case]:
    """Write the files of some cases, or of all, each into a folder of its own."""
    return [CASES[name](folder / name, n_items) for name in (CASES if names is None else names)]


def open_text(name: str) -> Iterable[str]:
    """Return the lines of a file of the shared data."""
    path = SHARED / name
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        yield from lines


def read_rows(name: str) -> list[Row]:
    """Read a tab-separated file of the shared data, without quoting."""
    return list(csv.DictReader(open_text(name), delimiter="\t", quoting=csv.QUOTE_NONE))


def sample(rows: list[Row], n: int, seed: int = 0) -> list[Row]:
    """Draw rows, and keep their order."""
    chosen = random.Random(seed).sample(range(len(rows)), min(n, len(rows)))
    return [rows[row] for row in sorted(chosen)]


def write_rows(path: Path, rows: list[Row], columns: Sequence[str] | None = None) -> Path:
    """Write rows as a tab-separated file without quoting."""
    names = list(rows[0]) if columns is None else list(columns)
    lines = ["\t".join(names), *("\t".join(row[name] for name in names) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_answers(path: Path, name: str, ids: set[str], systems: int | None = None) -> Path:
    """Write the answers of some systems to some items."""
    rows = [row for row in read_rows(name) if row["id"] in ids]
    known = [column for column in rows[0] if column in ("id", "gold", "group")]
    chosen = [column for column in rows[0] if column not in known][:systems]
    return write_rows(path, rows, [*known, *chosen])


def write_lines(path: Path, records: Iterable[object]) -> Path:
    """Write records as lines of JSON."""
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path


@case("classification")
def questions(folder: Path, n: int) -> Sequence[str]:
    """Classes with a training and a test part."""
    return [write_rows(folder / "questions.tsv", sample(read_rows("trec/trec.tsv.gz"), 2 * n))]


@case("classification")
def reviews(folder: Path, n: int) -> Sequence[str]:
    """Two classes without parts."""
    rows = sample(read_rows("cr/cr.tsv.gz"), n)
    return [write_rows(folder / "reviews.tsv", rows, ["id", "text", "label"])]


@case("classification")
def permuted(folder: Path, n: int) -> Sequence[str]:
    """Labels exchanged between the texts, so that nothing can be learned."""
    rows = sample(read_rows("cr/cr.tsv.gz"), n, 1)
    labels = [row["label"] for row in rows]
    random.Random(1).shuffle(labels)
    rows = [{**row, "label": label} for row, label in zip(rows, labels, strict=True)]
    return [write_rows(folder / "permuted.tsv", rows, ["id", "text", "label"])]


@case("classification")
def dated(folder: Path, n: int) -> Sequence[str]:
    """Dated texts of several sources."""
    rows = sample(read_rows("uci_news/uci_news.tsv.gz"), n)
    return [write_rows(folder / "dated.tsv", rows, ["id", "text", "label", "timestamp"])]


@case("classification")
def tested_on_dev(folder: Path, n: int) -> Sequence[str]:
    """A training and a development part, of which some items are in both."""
    rows = [{**row, "split": "train" if number % 3 else "dev"} for number, row in enumerate(sample(_news(), n))]
    copies = [{**row, "id": f"copy-{row['id']}", "split": "dev"} for row in rows[:40] if row["split"] == "train"]
    return [write_rows(folder / "tested_on_dev.tsv", rows + copies, ["id", "text", "label", "split"])]


def _news() -> list[Row]:
    return read_rows("ag_news/ag_news.tsv.gz")


@case("pairs")
def paraphrases(folder: Path, n: int) -> Sequence[str]:
    """Pairs with a training and a test part."""
    rows = sample(read_rows("msrp/msrp.tsv.gz"), 2 * n)
    return [write_rows(folder / "paraphrases.tsv", rows, ["id", "text_a", "text_b", "label", "split"])]


@case("pairs")
def inference(folder: Path, n: int) -> Sequence[str]:
    """Pairs of one part."""
    rows = sample(read_rows("mnli/mnli_dev_matched.tsv.gz"), 2 * n)
    return [write_rows(folder / "inference.tsv", rows, ["id", "text_a", "text_b", "label"])]


@case("pairs")
def minimal_pairs(folder: Path, n: int) -> Sequence[str]:
    """Pairs that differ in a few words from pairs with another label, by design."""
    rows = read_rows("snli_counterfactual/snli_counterfactual.tsv.gz")
    return [write_rows(folder / "minimal_pairs.tsv", sample(rows, 4 * n), ["id", "text_a", "text_b", "label", "split"])]


@case("pairs with answers")
def arguments(folder: Path, n: int) -> Sequence[str]:
    """Pairs of warrants, and the answers of systems to the test part."""
    rows = read_rows("arct/arct.tsv.gz")
    test = [row for row in rows if row["split"] == "test"]
    chosen = sample([row for row in rows if row["split"] != "test"], n) + test
    data = write_rows(folder / "arguments.tsv", chosen, ["id", "text_a", "text_b", "label", "split"])
    answers = write_answers(folder / "answers.tsv", "arct/pred_labels_test.tsv.gz", {row["id"] for row in test})
    return [data, "--predictions", answers]


@case("pairs with answers")
def related_questions(folder: Path, n: int) -> Sequence[str]:
    """Pairs of questions in groups, and the answers of systems."""
    rows = read_rows("semeval2016_cqa/cqa_B.tsv.gz")
    test = sample([row for row in rows if row["split"] == "test2016"], n)
    chosen = sample([row for row in rows if row["split"] == "train_part2"], n) + test
    data = write_rows(folder / "related.tsv", chosen, ["id", "text_a", "text_b", "label", "split", "group"])
    ids = {row["id"] for row in test}
    return [data, "--predictions", write_answers(folder / "answers.tsv", "semeval2016_cqa/pred_labels_B.tsv.gz", ids)]


@case("classification with answers")
def silent_system(folder: Path, n: int) -> Sequence[str]:
    """Three systems, of which one gives the same answer to everything."""
    rows = sample(read_rows("cr/cr.tsv.gz"), n, 2)
    generator = random.Random(2)
    names = sorted({row["label"] for row in rows})
    answers = [
        {
            "id": row["id"],
            "good": row["label"] if generator.random() < 0.85 else generator.choice(names),
            "fair": row["label"] if generator.random() < 0.6 else generator.choice(names),
            "constant": names[0],
        }
        for row in rows
    ]
    data = write_rows(folder / "silent.tsv", rows, ["id", "text", "label"])
    return [data, "--predictions", write_rows(folder / "answers.tsv", answers)]


@case("graded")
def stars(folder: Path, n: int) -> Sequence[str]:
    """Texts with grades."""
    rows = sample(read_rows("yelp_reviews/yelp_reviews.tsv.gz"), n)
    return [write_rows(folder / "stars.tsv", rows, ["id", "text", "label"]), "--task", "graded"]


@case("multiple choice with answers")
def exam(folder: Path, n: int) -> Sequence[str]:
    """Questions with four options, and the answers of systems."""
    rows = sample(read_rows("mmlu_redux/items.tsv.gz"), n)
    data = write_rows(folder / "exam.tsv", rows, ["id", "question", "A", "B", "C", "D", "answer"])
    ids = {row["id"] for row in rows}
    return [data, "--predictions", write_answers(folder / "answers.tsv", "mmlu_redux/pred_labels.tsv.gz", ids)]


@case("multiple choice with answers")
def exam_with_gaps(folder: Path, n: int) -> Sequence[str]:
    """Questions with up to ten options, and systems that leave some of them empty."""
    lines = sample([{"line": line} for line in open_text("mmlu_pro/items.jsonl.gz")], n)
    data = folder / "exam.jsonl"
    data.write_text("".join(row["line"] for row in lines), encoding="utf-8")
    ids = {str(json.loads(row["line"])["question_id"]) for row in lines}
    return [data, "--predictions", write_answers(folder / "answers.tsv", "mmlu_pro/pred_labels.tsv.gz", ids)]


@case("multiple choice")
def common_sense(folder: Path, n: int) -> Sequence[str]:
    """Questions with five options, without systems."""
    lines = sample([{"line": line} for line in open_text("commonsenseqa/dev_rand_split.jsonl.gz")], n)
    path = folder / "common_sense.jsonl"
    path.write_text("".join(row["line"] for row in lines), encoding="utf-8")
    return [path]


@case("multiple choice")
def labels_in_a_file(folder: Path, n: int) -> Sequence[str]:
    """Two solutions for a goal, with the labels in a file next to the data (the layout of PIQA)."""
    verbs, things = ("open", "clean", "carry", "cut"), ("jar", "shirt", "plank", "bottle", "lamp")
    generator = random.Random(3)
    records, labels = [], []
    for number in range(n // 2):
        verb, thing = generator.choice(verbs), generator.choice(things)
        right, wrong = f"use both hands to {verb} the {thing} number {number}", f"wait until the {thing} {number} moves"
        label = generator.randrange(2)
        pair = (right, wrong) if label == 0 else (wrong, right)
        records.append({"goal": f"How do I {verb} a {thing}? ({number})", "sol1": pair[0], "sol2": pair[1]})
        labels.append(label)
    write_lines(folder / "valid.jsonl", records)
    (folder / "valid-labels.lst").write_text("".join(f"{label}\n" for label in labels), encoding="utf-8")
    return [folder / "valid.jsonl"]


@case("multilabel")
def emotions(folder: Path, n: int) -> Sequence[str]:
    """Texts with sets of labels."""
    return [write_rows(folder / "emotions.tsv", sample(read_rows("goemotions/goemotions.tsv.gz"), n))]


@case("tagging")
def entities(folder: Path, n: int) -> Sequence[str]:
    """Sentences with entities, a training and a test part."""
    for part, name in (("train", "wnut17train.conll.gz"), ("test", "emerging.test.annotated")):
        sentences = re.split(r"\n\s*\n", "".join(open_text(f"wnut17/{name}")).strip())[:n]
        (folder / f"{part}.conll").write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")
    return [folder]


@case("tagging")
def parts_of_speech(folder: Path, n: int) -> Sequence[str]:
    """Sentences with parts of speech."""
    sentences = "".join(open_text("ud_english_ewt/en_ewt-ud-test_part.conllu.gz")).strip().split("\n\n")[:n]
    path = folder / "speech.conllu"
    path.write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")
    return [path]


@case("question answering")
def passages(folder: Path, n: int) -> Sequence[str]:
    """Questions about passages."""
    document = json.loads("".join(open_text("xquad_en/xquad.en.json.gz")))
    path = folder / "passages.json"
    path.write_text(json.dumps({**document, "data": document["data"][: max(n // 25, 4)]}), encoding="utf-8")
    return [path]


@case("generation with answers")
def arithmetic(folder: Path, n: int) -> Sequence[str]:
    """Problems with a number as the answer, and the answers of systems."""
    rows = sample(read_rows("gsm8k/items.tsv.gz"), n)
    data = write_rows(folder / "arithmetic.tsv", rows, ["id", "question", "answer"])
    ids = {row["id"] for row in rows}
    return [data, "--predictions", write_answers(folder / "answers.tsv", "gsm8k/pred_answers.tsv.gz", ids, 12)]


@case("generation with answers")
def translations(folder: Path, n: int) -> Sequence[str]:
    """Sentences with a reference, and the translations of systems."""
    rows = [row for row in read_rows("wmt_mqm_ted_ende/translations.tsv.gz") if row["translation"].strip()]
    systems = sorted({row["system"] for row in rows})
    reference, others = systems[0], systems[1:6]
    by_system = {
        name: {row["segment"]: row["translation"] for row in rows if row["system"] == name} for name in systems
    }
    segments = sorted(set.intersection(*(set(by_system[name]) for name in (reference, *others))), key=int)[: n // 2]
    sources = {row["segment"]: row for row in read_rows("wmt_mqm_ted_ende/sources.tsv.gz")}
    column = next(name for name in next(iter(sources.values())) if name in ("source", "text"))
    data = [{"id": name, "source": sources[name][column], "reference": by_system[reference][name]} for name in segments]
    answers = [{"id": name, **{system: by_system[system][name] for system in others}} for name in segments]
    return [
        write_rows(folder / "translations.tsv", data),
        "--predictions",
        write_rows(folder / "answers.tsv", answers),
        "--task",
        "generation",
    ]


@case("retrieval")
def abstracts(folder: Path, _: int) -> Sequence[str]:
    """Queries, judgements and documents."""
    for name in ("corpus.jsonl.gz", "queries.jsonl.gz"):
        (folder / name.removesuffix(".gz")).write_text("".join(open_text(f"cacm/{name}")), encoding="utf-8")
    (folder / "qrels").mkdir(exist_ok=True)
    lines = ["query-id\tcorpus-id\tscore"]
    for line in open_text("cacm/qrels.cacm.txt"):
        query, _, document, grade = line.split()
        lines.append(f"{query}\t{document}\t{grade}")
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [folder]


@case("preference")
def preferences(folder: Path, n: int) -> Sequence[str]:
    """Two answers, of which one is better."""
    rows = sample(read_rows("llmbar/items.tsv.gz"), n)
    records = [
        {
            "prompt": row["input"],
            "chosen": row[f"output_{row['label']}"],
            "rejected": row[f"output_{3 - int(row['label'])}"],
        }
        for row in rows
    ]
    return [write_lines(folder / "preferences.jsonl", records)]


@case("logs")
def inspect_logs(folder: Path, _: int) -> Sequence[str]:
    """Logs of one task and two models."""
    for name in ("data_arc_qwen.json", "data_arc_sonnet.json"):
        shutil.copyfile(SHARED / "eval_logs" / "inspect" / name, folder / name)
    return [folder]


@case("logs")
def harness_logs(folder: Path, _: int) -> Sequence[str]:
    """Logs of one task and one model."""
    for path in (SHARED / "eval_logs" / "lm_eval" / "EleutherAI__pythia-14m").glob("*_arc_*"):
        shutil.copyfile(path, folder / path.name)
    return [folder]


@case("logs")
def helm_run(folder: Path, _: int) -> Sequence[str]:
    """A run of HELM."""
    run = next((SHARED / "eval_logs" / "helm").iterdir())
    shutil.copytree(run, folder / run.name, dirs_exist_ok=True)
    return [folder]


@case("scores")
def published_scores(folder: Path, n: int) -> Sequence[str]:
    """Published scores of systems on several datasets."""
    rows = read_rows("leaderboards/nlp_progress.tsv.gz")
    names = sorted({row["benchmark"] for row in rows})
    kept = [row for row in rows if row["benchmark"] in names[: max(n // 20, 5)]]
    return ["--scores", write_rows(folder / "scores.tsv", kept, ["benchmark", "dataset", "metric", "system", "score"])]


@case("scores")
def leaderboard(folder: Path, n: int) -> Sequence[str]:
    """One row per system, one column per task."""
    rows = sample(read_rows("open_llm_leaderboard/scores.tsv.gz"), max(n // 10, 20))
    columns = ["model", "arc", "hellaswag", "mmlu", "truthfulqa", "winogrande", "gsm8k"]
    return ["--scores", write_rows(folder / "scores.tsv", rows, columns)]


@case("scores")
def board_with_gaps(folder: Path, n: int) -> Sequence[str]:
    """Scores of systems of which most lack some tasks."""
    rows = read_rows("mteb_results/scores.tsv.gz")
    tasks = sorted({row["task"] for row in rows})[:12]
    kept = [row for row in rows if row["task"] in tasks and row["split"] == "test"]
    systems = sorted({row["model"] for row in kept})[: max(n // 8, 40)]
    lines = [
        {"dataset": row["task"], "metric": "main", "system": row["model"], "score": row["main_score"]}
        for row in kept
        if row["model"] in systems
    ]
    return ["--scores", write_rows(folder / "scores.tsv", lines)]


@case("outcomes")
def resolved_issues(folder: Path, n: int) -> Sequence[str]:
    """Right or wrong of systems on items without texts."""
    rows = sample(read_rows("swebench_verified/resolved.tsv.gz"), n)
    systems = [name for name in rows[0] if name not in ("id", "repo")][:8]
    return ["--predictions", write_rows(folder / "resolved.tsv", rows, ["id", *systems])]


@case("votes")
def votes(folder: Path, n: int) -> Sequence[str]:
    """Votes between two answers."""
    rows = sample(read_rows("pandalm_votes/votes.tsv.gz"), n)
    winners = {"1": "a", "2": "b", "0": "tie"}
    lines = [
        {"model_a": row["model_a"], "model_b": row["model_b"], "winner": winners.get(row["majority"], "tie")}
        for row in rows
    ]
    return [write_rows(folder / "votes.tsv", lines)]


@case("judges")
def judges(folder: Path, n: int) -> Sequence[str]:
    """Verdicts of judges on pairs, with gold verdicts."""
    rows = sample(read_rows("llmbar/verdicts_order_12.tsv.gz"), n)
    columns = list(rows[0])[:14]
    return ["--verdicts", write_rows(folder / "verdicts.tsv", rows, columns)]


@case("graded")
def related_sentences(folder: Path, n: int) -> Sequence[str]:
    """Pairs with an entailment label and a grade (the layout of SICK)."""
    generator = random.Random(5)
    animals, places = ("dog", "cat", "horse", "bird", "child"), ("park", "street", "field", "house", "river")
    acts = ("running", "sleeping", "playing", "eating")
    rows = []
    for number in range(n):
        animal, place, act = generator.choice(animals), generator.choice(places), generator.choice(acts)
        kind = generator.choice(("ENTAILMENT", "NEUTRAL", "CONTRADICTION"))
        other = {
            "ENTAILMENT": f"An animal is {act} near the {place}",
            "NEUTRAL": f"A {animal} is {generator.choice(acts)} by a {generator.choice(places)} with {number} others",
            "CONTRADICTION": f"There is no {animal} {act} in the {place}",
        }[kind]
        grade = {"ENTAILMENT": 4.5, "NEUTRAL": 3.0, "CONTRADICTION": 3.6}[kind] + generator.uniform(-0.5, 0.5)
        part = ("TRAIN", "TRIAL", "TEST")[number % 5 // 2]
        rows.append(
            {
                "pair_ID": str(number + 1),
                "sentence_A": f"A {animal} is {act} in the {place} ({number})",
                "sentence_B": other,
                "entailment_label": kind,
                "relatedness_score": f"{grade:.2f}",
                "SemEval_set": part,
            }
        )
    return [write_rows(folder / "related.txt", rows)]


@case("tagging")
def token_table(folder: Path, n: int) -> Sequence[str]:
    """A table of tokens with the number of their sentence (the layout of Kaggle's entity corpus)."""
    generator = random.Random(6)
    names, verbs = ("Anna", "Bao", "Chidi", "Dana"), ("visited", "left", "praised", "painted")
    places = ("Lima", "Oslo", "Cairo", "Quito")
    lines = ["Sentence #,Word,POS,Tag"]
    for number in range(1, n // 2 + 1):
        words = [
            (generator.choice(names), "NNP", "B-per"),
            (generator.choice(verbs), "VBD", "O"),
            (generator.choice(places), "NNP", "B-geo"),
            (str(number), "CD", "O"),
        ]
        for place, (word, tag, entity) in enumerate(words):
            lines.append(f"{f'Sentence: {number}' if place == 0 else ''},{word},{tag},{entity}")
    path = folder / "ner_dataset.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [path]


@case("classification")
def meals(folder: Path, n: int) -> Sequence[str]:
    """Chinese reviews of two classes, with copies among them."""
    rows = sample(read_rows("waimai_zh/waimai.tsv.gz"), 2 * n)
    return [write_rows(folder / "meals.tsv", rows, ["id", "text", "label"])]


@case("classification")
def intents(folder: Path, n: int) -> Sequence[str]:
    """Short requests of many classes, of which one has most of the items."""
    return [write_rows(folder / "intents.tsv", sample(read_rows("atis/atis.tsv.gz"), 2 * n))]


@case("classification")
def mixed_languages(folder: Path, n: int) -> Sequence[str]:
    """Messages in Hindi and English with three classes and parts."""
    return [write_rows(folder / "mixed.tsv", sample(read_rows("sentiment_hi_latn/sentiment_hi_latn.tsv.gz"), 2 * n))]


@case("pairs")
def asked_before(folder: Path, n: int) -> Sequence[str]:
    """Pairs of questions that ask the same or not."""
    rows = sample(read_rows("quora/quora.tsv.gz"), 2 * n)
    return [write_rows(folder / "asked.tsv", rows, ["id", "text_a", "text_b", "label", "split"])]


@case("generation")
def segments(folder: Path, n: int) -> Sequence[str]:
    """Sentences with their document and a reference (the layout of WMT tables)."""
    sources = {row["segment"]: row for row in read_rows("wmt_mqm_ted_ende/sources.tsv.gz")}
    column = next(name for name in next(iter(sources.values())) if name in ("source", "text"))
    texts = {
        row["segment"]: row["translation"]
        for row in read_rows("wmt_mqm_ted_ende/translations.tsv.gz")
        if row["translation"].strip()
    }
    lines = [
        {"document": f"talk.{number // 20}", "seg_id": name, "source": sources[name][column], "reference": texts[name]}
        for number, name in enumerate(sorted(set(texts) & set(sources), key=int)[:n])
    ]
    return [write_rows(folder / "segments.tsv", lines)]


@case("tagging with answers")
def tagged_by_systems(folder: Path, n: int) -> Sequence[str]:
    """Sentences with entities, and the tags of systems."""
    sentences: dict[str, list[Row]] = {}
    for row in read_rows("wnut17/test_predictions.tsv.gz"):
        sentences.setdefault(row["sentence"], []).append(row)
    chosen = list(sentences.items())[:n]
    systems = [name for name in chosen[0][1][0] if name not in ("sentence", "token", "gold")]
    data = [
        {"id": name, "tokens": [row["token"] for row in rows], "tags": [row["gold"] for row in rows]}
        for name, rows in chosen
    ]
    answers = [{"id": name, **{s: " ".join(row[s] for row in rows) for s in systems}} for name, rows in chosen]
    return [
        write_lines(folder / "tagged.jsonl", data),
        "--predictions",
        write_rows(folder / "answers.tsv", answers),
    ]


@case("scores")
def board_of_the_hub(folder: Path, n: int) -> Sequence[str]:
    """One row per model, with settings, likes and raw scores next to the scores (the layout of the Open LLM Leaderboard)."""
    generator = random.Random(7)
    tasks = ("IFEval", "BBH", "MATH Lvl 5", "GPQA", "MUSR", "MMLU-PRO")
    rows = []
    for number in range(max(n // 10, 12)):
        level = generator.uniform(20, 60)
        row = {
            "Model": f"org{number % 7}/model-{number}",
            "Precision": "bfloat16",
            "Hub ❤️": str(generator.randrange(900)),
        }
        row |= {"#Params (B)": str(generator.choice((1, 3, 7, 13))), "Generation": str(generator.randrange(3))}
        scores = {task: level + generator.gauss(5 * place, 3) for place, task in enumerate(tasks)}
        row["Average ⬆️"] = f"{sum(scores.values()) / len(scores):.2f}"
        for task, score in scores.items():
            row |= {task: f"{score:.2f}", f"{task} Raw": f"{0.2 + 0.7 * score / 100:.4f}"}
        rows.append(row)
    return ["--scores", write_rows(folder / "board.tsv", rows)]


@case("scores")
def exported_runs(folder: Path, n: int) -> Sequence[str]:
    """One row per run with its settings and metrics (the layout of an export of Weights & Biases)."""
    generator = random.Random(8)
    rows = []
    for number in range(max(n // 20, 10)):
        row = {"Name": f"run-{number}", "State": "finished", "_runtime": f"{generator.uniform(100, 9000):.1f}"}
        row |= {"lr": generator.choice(("1e-4", "3e-4")), "seed": str(number), "batch_size": "32"}
        for metric, mean in (
            ("eval/accuracy", 0.8),
            ("squad/exact_match", 0.7),
            ("mnli/accuracy", 0.75),
            ("cola/mcc", 0.5),
        ):
            row[metric] = f"{mean + number / 200 + generator.gauss(0, 0.01):.4f}"
        rows.append(row)
    return ["--scores", write_rows(folder / "runs.tsv", rows)]


@case("votes")
def arena(folder: Path, n: int) -> Sequence[str]:
    """Votes with two kinds of ties and the first prompt (the layout of LMSYS)."""
    generator = random.Random(9)
    strength = {"alpha": 1.2, "beta": 0.6, "gamma": 0.0, "delta": -0.5}
    rows = []
    for number in range(2 * n):
        first, second = generator.sample(sorted(strength), 2)
        chance = 1 / (1 + 2.718 ** (strength[second] - strength[first]))
        draw = generator.random()
        winner = "tie" if draw < 0.1 else "tie (bothbad)" if draw < 0.2 else ""
        winner = winner or ("model_a" if generator.random() < chance else "model_b")
        rows.append(
            {"model_a": first, "model_b": second, "winner": winner, "judge": f"user_{number % 50}", "turn": "1"}
        )
    return [write_rows(folder / "arena.tsv", rows)]


@case("responses")
def responses(folder: Path, n: int) -> Sequence[str]:
    """Questions with options, and what models wrote."""
    lines = sample([{"line": line} for line in open_text("mmlu_pro_responses/items.jsonl.gz")], n // 2)
    data = folder / "items.jsonl"
    data.write_text("".join(row["line"] for row in lines), encoding="utf-8")
    ids = {str(json.loads(row["line"])["id"]) for row in lines}
    given = (json.loads(line) for line in open_text("mmlu_pro_responses/responses.jsonl.gz"))
    return [
        data,
        "--responses",
        write_lines(folder / "responses.jsonl", (row for row in given if str(row["id"]) in ids)),
    ]


@case("retrieval with answers")
def searched(folder: Path, n: int) -> Sequence[str]:
    """Queries, documents and judgements with the same ids, and a run."""
    abstracts(folder, n)
    path = folder / "qrels" / "test.tsv"
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    padded = [f"{query}\tCACM-{int(name.removeprefix('CACM-')):04d}\t{grade}" for query, name, grade in rows]
    path.write_text("\n".join([header, *padded]) + "\n", encoding="utf-8")
    run = folder.parent / "searched.run.txt"
    run.write_text("".join(open_text("cacm/run.bm25.txt.gz")), encoding="utf-8")
    return [folder, "--predictions", run]


@case("classification")
def german_news(folder: Path, n: int) -> Sequence[str]:
    """German articles with two parts, separated by semicolons and quoted, with columns named in German."""
    rows = sample(read_rows("gnad10/gnad10.tsv.gz"), n, 11)
    for name, part in (("train", rows[n // 4 :]), ("test", rows[: n // 4])):
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=";", quoting=csv.QUOTE_ALL)
            writer.writerow(["Nr", "Artikel", "Kategorie"])
            writer.writerows([number, row["text"], row["label"]] for number, row in enumerate(part, 1))
    return [folder, "--text", "Artikel", "--label", "Kategorie"]


@case("multiple choice with answers")
def figurative(folder: Path, n: int) -> Sequence[str]:
    """Phrases with two endings, the label as 0 or 1, and the answers of systems (the layout of Fig-QA)."""
    rows = sample(read_rows("explainaboard/figqa_preds.tsv.gz"), n, 12)
    names = {"id": "qid", "text": "startphrase", "option0": "ending1", "option1": "ending2", "gold": "labels"}
    data = [{new: row[old] for old, new in names.items()} for row in rows]
    systems = [name for name in rows[0] if name not in names]
    answers = [{"id": row["id"], **{name: row[name] for name in systems}} for row in rows]
    path = write_rows(folder / "figurative.tsv", data)
    roles = [
        "--text",
        "startphrase",
        "--choices",
        "ending1",
        "--choices",
        "ending2",
        "--label",
        "labels",
        "--id",
        "qid",
    ]
    return [path, *roles, "--predictions", write_rows(folder / "answers.tsv", answers)]


@case("generation with answers")
def tasks_of_many_kinds(folder: Path, n: int) -> Sequence[str]:
    """Short answers to inputs of many tasks, and two ways to ask one model."""
    rows = sample(read_rows("bbh/items.tsv.gz"), n, 13)
    data = write_rows(folder / "tasks.tsv", rows, ["id", "task", "input", "target"])
    given = {row["id"]: row for row in read_rows("bbh/answers.tsv.gz")}
    answers = [
        {"id": row["id"], **{name: text for name, text in given[row["id"]].items() if "davinci" in name}}
        for row in rows
        if row["id"] in given
    ]
    return [data, "--predictions", write_rows(folder / "answers.tsv", answers), "--task", "generation"]


@case("multilabel")
def comments(folder: Path, n: int) -> Sequence[str]:
    """Comments with six columns of 0 and 1, mostly 0 (the layout of a toxicity challenge)."""
    rows = sample(read_rows("goemotions/goemotions.tsv.gz"), n, 14)
    columns = ("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate")
    feelings = ("anger", "disgust", "annoyance", "fear", "disapproval", "embarrassment")
    label = next(name for name in rows[0] if name.startswith("label"))
    text = next(name for name in rows[0] if name.startswith("text"))
    lines = []
    for number, row in enumerate(rows):
        given = set(re.split(r"[|,;]", row[label]))
        flags = {column: str(int(name in given)) for column, name in zip(columns, feelings, strict=True)}
        lines.append({"id": f"{number:016x}", "comment_text": row[text], **flags})
    with (folder / "train.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    return [folder / "train.csv"]


@case("tagging")
def spanish_entities(folder: Path, n: int) -> Sequence[str]:
    """Spanish sentences with two columns, in files named by language and part (the layout of CoNLL 2002)."""
    generator = random.Random(15)
    people, places = ("Ana Ruiz", "José Núñez", "Inés", "Raúl Peña"), ("La Coruña", "México", "Perú", "Málaga")
    firms, acts = ("Telefónica", "EFE", "Banco Sur"), ("viajó a", "habló en", "nació en", "volvió de")
    for part, share in (("train", 2), ("testa", 1), ("testb", 1)):
        lines = []
        for number in range(n * share // 4):
            pieces = [
                (generator.choice(people), "PER"),
                (generator.choice(acts), ""),
                (generator.choice(places), "LOC"),
            ]
            if number % 3 == 0:
                pieces += [("con", ""), (generator.choice(firms), "ORG")]
            pieces += [(f"el {generator.randrange(1, 29)} de mayo", ""), (".", "")]
            for text, name in pieces:
                for place, word in enumerate(text.split()):
                    mark = "I" if place else "B"
                    lines.append(f"{word} {mark}-{name}" if name else f"{word} O")
            lines.append("")
        (folder / f"esp.{part}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ["--train", folder / "esp.train", "--dev", folder / "esp.testa", "--test", folder / "esp.testb"]


@case("votes")
def expert_votes(folder: Path, n: int) -> Sequence[str]:
    """Votes of experts on two turns of 80 questions (the layout of MT-Bench)."""
    generator = random.Random(16)
    strength = {
        "gpt-4": 1.5,
        "gpt-3.5-turbo": 0.8,
        "claude-v1": 0.9,
        "vicuna-13b": 0.1,
        "alpaca-13b": -0.9,
        "llama-13b": -1.4,
    }
    lines = []
    for number in range(n):
        first, second = generator.sample(sorted(strength), 2)
        chance = 1 / (1 + 2.718 ** (strength[second] - strength[first]))
        winner = "tie" if generator.random() < 0.2 else "model_a" if generator.random() < chance else "model_b"
        talk = [{"role": "user", "content": f"Question {81 + number % 80}"}, {"role": "assistant", "content": "Yes."}]
        lines.append(
            {
                "question_id": 81 + number % 80,
                "model_a": first,
                "model_b": second,
                "winner": winner,
                "judge": f"expert_{number % 9}",
                "conversation_a": talk,
                "conversation_b": talk,
                "turn": 1 + number % 2,
            }
        )
    return [write_lines(folder / "human_judgments.jsonl", lines)]


@case("scores")
def board_in_markdown(folder: Path, _: int) -> Sequence[str]:
    """A small table of a read-me file with a mean, people, bold cells and standard errors."""
    text = """| # | Model | Size | Avg | BoolQ | COPA | RTE | WiC | XSum (R-L) |
|---|:------|-----:|----:|------:|-----:|----:|----:|-----------:|
| – | Human | – | 89.5 | 89.0 | 100.0 | 93.6 | 80.0 | – |
| 1 | [Oak-2](https://example.org/oak) | 70B | **88.0** | **90.1 ± 0.5** | 97.0 | 92.1 | **77.4** | 38.2 |
| 2 | Elm-instruct | 34B | 86.9 | 88.7 ± 0.6 | **98.0** | **92.5** | 75.9 | **39.0** |
| 3 | Birch | 13B | 81.4 | 85.2 ± 0.6 | 91.0 | 85.6 | 71.2 | 36.9 |
| 4 | Fir-small | 7B | 75.9 | 80.3 ± 0.7 | 86.0 | 79.1 | 69.0 | 33.1 |
| 5 | Pine-base | 7B | 66.0 | 74.9 ± 0.8 | 72.0 | 63.2 | 61.8 | – |
"""
    (folder / "README.md").write_text(text, encoding="utf-8")
    return ["--scores", folder / "README.md"]


@case("pairs")
def yes_no_questions(folder: Path, n: int) -> Sequence[str]:
    """Questions about passages with true and false as answers (the layout of BoolQ)."""
    document = json.loads("".join(open_text("xquad_en/xquad.en.json.gz")))
    generator = random.Random(17)
    records = []
    for article in document["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"][:2]:
                answer = question["answers"][0]["text"]
                holds = generator.random() < 0.62
                other = answer if holds else generator.choice(records)["title"] if records else "nothing"
                records.append(
                    {
                        "question": f"is {other.lower()} the answer to {question['question'].lower().rstrip('?')}",
                        "title": answer,
                        "answer": holds,
                        "passage": paragraph["context"],
                    }
                )
    write_lines(folder / "train.jsonl", records[: n // 2])
    write_lines(folder / "dev.jsonl", records[n // 2 : n // 2 + n // 4])
    return [folder]


@case("multiple choice")
def gaps(folder: Path, n: int) -> Sequence[str]:
    """Sentences with a gap and two fillers, and a test part without answers (the layout of WinoGrande)."""
    generator = random.Random(18)
    names, things = (
        ("Ian", "Dennis", "Leslie", "Maria", "Rebecca", "Tanya"),
        ("menudo", "the sofa", "the violin", "rice"),
    )
    for part, number in (("train", n), ("dev", n // 4), ("test", n // 4)):
        records = []
        for place in range(number):
            first, second = generator.sample(names, 2)
            thing = generator.choice(things)
            sentence, right = generator.choice(
                (
                    (f"{first} sold {thing} to {second} because _ needed money.", 1),
                    (f"{first} gave {thing} to {second} since _ had asked for it on day {place}.", 2),
                    (f"{second} thanked {first} for {thing} before _ said that it was nothing.", 1),
                )
            )
            answer = "" if part == "test" else str(right)
            records.append(
                {"qID": f"{part}-{place}", "sentence": sentence, "option1": first, "option2": second, "answer": answer}
            )
        write_lines(folder / f"{part}.jsonl", records)
    return [folder]


@case("graded")
def captions(folder: Path, n: int) -> Sequence[str]:
    """Pairs with grades from 0 to 5 and their source (the layout of STS-B)."""
    rows = sample(read_rows("explainaboard/snli_test_preds.tsv.gz"), n, 19)
    grade = {"entailment": 4.0, "neutral": 2.4, "contradiction": 1.2}
    generator = random.Random(19)
    lines = [
        {
            "index": str(number),
            "genre": "main-captions",
            "filename": "images",
            "year": str(2012 + number % 4),
            "old_index": str(number),
            "source1": "none",
            "source2": "none",
            "sentence1": row["text_a"],
            "sentence2": row["text_b"],
            "score": f"{min(5.0, max(0.0, generator.gauss(grade[row['gold']], 0.8))):.3f}",
        }
        for number, row in enumerate(rows)
        if row["gold"] in grade
    ]
    return [write_rows(folder / "dev.tsv", lines)]


@case("classification")
def drug_effects(folder: Path, n: int) -> Sequence[str]:
    """Sentences of medical reports with quotes and commas, whether they are about side effects, and their report."""
    rows = sample(read_rows("ade/ade.tsv.gz"), 2 * n, 20)
    path = folder / "drug_effects.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["pmid", "text", "label"])
        writer.writerows([row["group"], row["text"], "1" if row["label"] == "related" else "0"] for row in rows)
    return [path]


@case("classification")
def encyclopedia(folder: Path, n: int) -> Sequence[str]:
    """Lines of JSON with the class as a word, train and test in files of their own."""
    rows = read_rows("dbpedia14/dbpedia14.tsv.gz")
    for part, seed, size in (("train", 21, 2 * n), ("test", 22, n // 2)):
        chosen = sample([row for row in rows if (row["split"] == "test") == (part == "test")] or rows, size, seed)
        write_lines(folder / f"{part}.jsonl", ({"text": row["text"], "label": row["label"]} for row in chosen))
    return [folder]


@case("classification")
def five_grades(folder: Path, n: int) -> Sequence[str]:
    """Five classes that have an order, with three parts."""
    return [write_rows(folder / "five_grades.tsv", sample(read_rows("sst1/sst1.tsv.gz"), 2 * n, 23))]


@case("classification with answers")
def film_answers(folder: Path, n: int) -> Sequence[str]:
    """Training sentences, and a test part with the answers of two systems."""
    answered = sample(read_rows("explainaboard/sst2_test_preds.tsv.gz"), n, 24)
    test = [{"id": row["id"], "text": row["text"], "label": row["gold"], "split": "test"} for row in answered]
    train = sample([row for row in read_rows("sst2/sst2.tsv.gz") if row["split"] == "train"], n, 24)
    data = write_rows(folder / "films.tsv", train + test)
    return [data, "--predictions", write_rows(folder / "answers.tsv", answered, ["id", "gold", "CNN", "LSTM"])]


@case("pairs with answers")
def translated_pairs(folder: Path, n: int) -> Sequence[str]:
    """Pairs of a translated benchmark in one language, with the answers of two systems."""
    rows = [row for row in read_rows("explainaboard/xnli_preds.tsv.gz") if row["lang"] == "en"]
    chosen = [{**row, "label": row["gold"]} for row in sample(rows, n, 25)]
    data = write_rows(folder / "pairs.tsv", chosen, ["id", "text_a", "text_b", "label"])
    systems = [name for name in chosen[0] if name not in ("id", "text_a", "text_b", "gold", "label", "lang")]
    return [data, "--predictions", write_rows(folder / "answers.tsv", chosen, ["id", "gold", *systems])]


@case("classification")
def revised_reviews(folder: Path, n: int) -> Sequence[str]:
    """Reviews and their revisions with the other label, in groups."""
    rows = read_rows("imdb_counterfactual/imdb_counterfactual.tsv.gz")
    groups = set(random.Random(26).sample(sorted({row["group"] for row in rows}), n // 2))
    kept = [row for row in rows if row["group"] in groups]
    return [write_rows(folder / "revised.tsv", kept, ["id", "text", "label", "split", "group"])]


@case("classification")
def short_films(folder: Path, n: int) -> Sequence[str]:
    """Lines of JSON whose columns have other names."""
    rows = sample(read_rows("mr/mr.tsv.gz"), n, 27)
    lines = ({"review": row["text"], "sentiment": row["label"]} for row in rows)
    return [write_lines(folder / "films.jsonl", lines), "--text", "review", "--label", "sentiment"]


@case("outcomes")
def graded_chats(folder: Path, n: int) -> Sequence[str]:
    """Scores from 1 to 10 that a judge gives to the answers of 20 systems, one column per system."""
    rows = sample(read_rows("wildbench_scores/scores.tsv.gz"), n, 28)
    columns = ["id", *[name for name in rows[0] if name != "id"][:20]]
    return ["--predictions", write_rows(folder / "scores.tsv", rows, columns)]


@case("scores")
def win_rates(folder: Path, n: int) -> Sequence[str]:
    """One score of each system with its standard error, and columns that are no scores."""
    rows = sample(read_rows("alpaca_eval/leaderboard.tsv.gz"), max(n // 10, 20), 29)
    columns = ["model", "length_controlled_winrate", "lc_standard_error", "n_total", "avg_length", "mode"]
    return ["--scores", write_rows(folder / "board.tsv", rows, columns)]


@case("pairs")
def comments_on_questions(folder: Path, n: int) -> Sequence[str]:
    """A question and a comment on another question, in groups, with times."""
    rows = read_rows("semeval2016_cqa/cqa_C.tsv.gz")
    groups = random.Random(30).sample(sorted({row["group"] for row in rows}), max(n // 10, 20))
    kept = [row for row in rows if row["group"] in set(groups)][: 2 * n]
    return [write_rows(folder / "comments.tsv", kept, ["id", "text_a", "text_b", "label", "group", "timestamp"])]
