"""The stress table for kinds of task beside classes (Søgaard et al. 2021, Table 2), with small models.

    python -m benchmarks.stress_kinds [--write]

Parts of speech (UD English EWT, logistic regression on words and endings), quality estimation (TED talks with MQM scores,
ridge regression on TF-IDF, RMSE), emotions (GoEmotions, the nearest to emoji) and news (UCI). Five draws of every random
family, a tenth of the items tested. `--write` keeps the result in benchmarks/results/stress_kinds.json.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.papers.rows import DATA, RESULTS, read_table

SPLITS = ("random", "length", "wasserstein", "rare-words")
N_DRAWS, MAX_ITEMS = 5, 3000
Score = Callable[[np.ndarray, np.ndarray], float]


def draw_splits(texts: list[str], labels: list[str]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield family, training rows and test rows."""
    from assay.splits import SPLITS as SPLITTERS

    for name in SPLITS:
        kind = SPLITTERS[name]
        splitter = kind(test_size=0.1, random_state=0, n_repeats=N_DRAWS if kind.is_random else 1)
        for train, test in splitter.split(texts, labels):
            yield name, train, test


def score_tags() -> tuple[list[str], list[str], Score]:
    """Return sentences of EWT and the accuracy of a tagger that sees a word, its ending and its neighbours."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    sentences: list[list[tuple[str, str]]] = [[]]
    with gzip.open(DATA / "ud_english_ewt" / "en_ewt-ud-test_part.conllu.gz", "rt", encoding="utf-8") as file:
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) == 10 and cells[0].isdigit():
                sentences[-1].append((cells[1], cells[3]))
            elif not line.strip() and sentences[-1]:
                sentences.append([])
    sentences = [sentence for sentence in sentences if sentence]

    def describe(sentence: list[tuple[str, str]], place: int) -> dict[str, Any]:
        words = ["<", *(word.lower() for word, _ in sentence), ">"]
        word = words[place + 1]
        near = {"word": word, "before": words[place], "after": words[place + 2], "end2": word[-2:], "end3": word[-3:]}
        return near | {"upper": sentence[place][0][0].isupper(), "digit": word[0].isdigit()}

    features = [[describe(sentence, place) for place in range(len(sentence))] for sentence in sentences]
    tags = [[tag for _, tag in sentence] for sentence in sentences]

    def score(train: np.ndarray, test: np.ndarray) -> float:
        vectorizer = DictVectorizer()
        X = vectorizer.fit_transform([each for row in train for each in features[row]])
        model = LogisticRegression(C=3.0, max_iter=60).fit(X, [tag for row in train for tag in tags[row]])
        gold = [tag for row in test for tag in tags[row]]
        predicted = model.predict(vectorizer.transform([each for row in test for each in features[row]]))
        return float(np.mean(predicted == np.array(gold)))

    return [" ".join(word for word, _ in sentence) for sentence in sentences], ["s"] * len(sentences), score


def score_quality() -> tuple[list[str], list[str], Score]:
    """Return translations and minus the RMSE of their score, in standard deviations of all scores."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import Ridge

    table = read_table("wmt_mqm_ted_ende/translations.tsv.gz")
    table = table.with_columns(table["mqm"].cast(float, strict=False)).drop_nulls(["mqm", "translation"])
    table = table.sample(min(MAX_ITEMS, len(table)), seed=0)
    texts = np.array(table["translation"].to_list(), dtype=object)
    grades = table["mqm"].to_numpy()
    grades = (grades - grades.mean()) / grades.std()

    def score(train: np.ndarray, test: np.ndarray) -> float:
        vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=2)
        model = Ridge(alpha=3.0).fit(vectorizer.fit_transform(texts[train]), grades[train])
        errors = model.predict(vectorizer.transform(texts[test])) - grades[test]
        return -float(np.sqrt((errors**2).mean()))

    return texts.tolist(), ["s"] * len(texts), score


def score_classes(path: str, column: str) -> tuple[list[str], list[str], Score]:
    """Return labelled texts and the accuracy of logistic regression on TF-IDF."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    table = read_table(path)
    table = table.filter(~table[column].str.contains(r"\|"))
    table = table.sample(min(MAX_ITEMS, len(table)), seed=0)
    texts, labels = (np.array(table[name].to_list(), dtype=object) for name in ("text", column))

    def score(train: np.ndarray, test: np.ndarray) -> float:
        vectorizer = TfidfVectorizer(sublinear_tf=True)
        model = LogisticRegression(C=5.0, max_iter=200).fit(
            vectorizer.fit_transform(texts[train]), labels[train].astype(str)
        )
        return float(np.mean(model.predict(vectorizer.transform(texts[test])) == labels[test].astype(str)))

    return texts.tolist(), labels.tolist(), score


KINDS: dict[str, tuple[str, Callable[[], tuple[list[str], list[str], Score]]]] = {
    "tagging": ("UD English EWT, accuracy of tags", score_tags),
    "regression": ("TED with MQM, minus RMSE in standard deviations", score_quality),
    "emotions": ("GoEmotions, accuracy", lambda: score_classes("goemotions/goemotions.tsv.gz", "labels")),
    "news": ("UCI news, accuracy", lambda: score_classes("uci_news/uci_news.tsv.gz", "label")),
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    rows = []
    for kind, (data, make) in KINDS.items():
        texts, labels, score = make()
        scores: dict[str, list[float]] = {}
        for split, train, test in draw_splits(texts, labels):
            scores.setdefault(split, []).append(score(train, test))
        means = {split: float(np.mean(values)) for split, values in scores.items()}
        lowest = min((split for split in means if split != "random"), key=means.__getitem__)
        row = {"kind": kind, "data": data, "n": len(texts), "scores": scores, "random": means["random"]}
        rows.append(row | {"lowest_split": lowest, "lowest": means[lowest]})
        print(kind, {split: round(value, 4) for split, value in means.items()}, flush=True)
        if options.write:
            (RESULTS / "stress_kinds.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
