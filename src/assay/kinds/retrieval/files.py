"""Collections as BEIR and TREC keep them: documents, queries, judgements, and the runs of systems."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from assay.base.errors import AssayError, join_names, shorten
from assay.base.links import check_links
from assay.data.columns.parts import find_part_in_path, sort_parts
from assay.data.columns.table import RawTable
from assay.data.readers.compression import read_content
from assay.data.readers.encoding import decode_text
from assay.data.readers.files import read_file
from assay.data.readers.formats import get_format_suffix
from assay.kinds.retrieval.scores import rank_by_score

RUN_SUFFIXES = (".txt", ".run", ".trec", ".tsv", ".test", ".trunc", ".res", "")
N_RUN_COLUMNS, N_QREL_COLUMNS = 6, 4
MAX_GRADE = 10**9
MAX_LINE = 10_000  # bytes of the first line of a run
GZIP_MAGIC = b"\x1f\x8b"
# Single tags: a pattern from a tag to its end would read the rest of the text again for every tag without one.
_TOPIC_START, _TOPIC_END = re.compile(r"<(?:DOC|top)>", re.I), re.compile(r"</(?:DOC|top)>", re.I)
_NUMBER_START, _NUMBER_END = re.compile(r"<(?:DOCNO|num)>", re.I), re.compile(r"</(?:DOCNO|num)>|\n", re.I)
_TITLE_START, _TITLE_END = re.compile(r"<title>", re.I), re.compile(r"</title>|<desc>", re.I)
_NUMBER_WORD = "number:"
_RUN_ENDINGS = re.compile(r"\.(txt|tsv|run|trec|gz|zst)")
Judgements = dict[str, dict[str, int]]


def load_collection(path: Path, encoding: str) -> dict[str, RawTable] | None:
    """Return the queries of a folder with their judgements, by part; None for anything that is no collection."""
    if path.is_file():
        if "qrels" not in path.name.lower():
            return None
        judgements = read_judgements(path, encoding)
        return (
            None
            if not judgements
            else {"": _make_table({name: name for name in judgements}, judgements, None, (), path)}
        )
    if not path.is_dir():
        return None
    files = sorted(child for child in path.iterdir() if child.is_file() and child.name[0] != ".")
    queries = _find(files, "queries") or _find(files, "topics")
    folder = path / "qrels"
    qrels = sorted(folder.iterdir()) if folder.is_dir() else [file for file in files if file.name.startswith("qrels")]
    if not queries or not qrels:
        return None
    check_links([*queries, *qrels], path)
    texts = read_queries(queries[0], encoding)
    documents = _find(files, "corpus") or _find(files, "documents") or _find(files, "collection")
    check_links(documents, path)
    corpus = read_documents(documents[0], encoding) if documents else None
    parts: dict[str, list[Path]] = {}
    for file in qrels:
        parts.setdefault(find_part_in_path(Path(file.name)) or "", []).append(file)
    if len(parts) > 1:
        parts.pop("", None)
    notes = _note_unused(parts)
    tables = {}
    for part in sort_parts(parts):
        judgements = read_judgements(parts[part][0], encoding)
        wanted = texts if len(parts) == 1 else {name: text for name, text in texts.items() if name in judgements}
        tables[part if len(parts) > 1 else ""] = _make_table(wanted, judgements, corpus, notes, parts[part][0])
    return tables


def _find(files: list[Path], start: str) -> list[Path]:
    return [file for file in files if file.name.lower().startswith(start)]


def _note_unused(parts: dict[str, list[Path]]) -> tuple[str, ...]:
    unused = [file.name for files in parts.values() for file in files[1:]]
    used = join_names([files[0].name for files in parts.values()])
    return (f"judgements: {used}; not used: {join_names(unused)}",) if unused else ()


def _make_table(
    queries: dict[str, str], judgements: Judgements, corpus: pl.DataFrame | None, notes: tuple[str, ...], place: Path
) -> RawTable:
    unknown = [name for name in judgements if name not in queries]
    if len(unknown) == len(judgements):
        shown = f"{join_names(unknown, 2)} against {join_names(list(queries), 2) or 'no query'}"
        fact = f"no query has judgements: their ids differ ({shown})"
        raise AssayError(fact, place=place, hint="Check the ids of queries and judgements.")
    columns = {
        "id": list(queries),
        "query": list(queries.values()),
        "judgements": [json.dumps(judgements.get(name, {})) for name in queries],
    }
    return RawTable(
        pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)),
        notes,
        {"judgements": "objects"},
        {} if corpus is None else {"corpus": corpus},
    )


def read_queries(path: Path, encoding: str) -> dict[str, str]:
    """Read queries from JSON lines, a table of two columns, or TREC topics."""
    if get_format_suffix(path) in (".jsonl", ".json", ".ndjson"):
        frame = read_file(path, encoding=encoding).frame
        name = next((name for name in ("_id", "id", "query_id", "qid") if name in frame.columns), None)
        text = next((name for name in ("text", "query", "title") if name in frame.columns), None)
        if name is None or text is None:
            columns = join_names(frame.columns, 10)
            raise AssayError(f"the queries need the columns _id and text; columns are {columns}", place=path)
        return dict(zip(frame[name].to_list(), frame[text].fill_null("").to_list(), strict=True))
    content = _read_text(path, encoding)
    topics = split_topics(content)
    if topics:
        return dict(_read_topic(topic) for topic in topics)
    rows = [line.split("\t", 1) for line in content.splitlines() if "\t" in line]
    return {name.strip(): text.strip() for name, text in rows}


def split_topics(content: str) -> list[str]:
    """Return the content of every topic or document of a TREC file.

    >>> split_topics("<top>one</top> <TOP>two</TOP> <top>cut off")
    ['one', 'two']
    """
    topics: list[str] = []
    position = 0
    while (start := _TOPIC_START.search(content, position)) and (end := _TOPIC_END.search(content, start.end())):
        topics.append(content[start.end() : end.start()])
        position = end.end()
    return topics


def _read_topic(topic: str) -> tuple[str, str]:
    r"""Return the number of a topic, and its title or else what follows the number.

    >>> _read_topic("<num> Number: 7\n<title> old cars\n<desc> more")
    ('7', 'old cars')
    """
    name, text = _cut_number(topic)
    if title := _TITLE_START.search(topic):
        end = _TITLE_END.search(topic, title.end())
        text = topic[title.end() : end.start() if end else None]
    return name, " ".join(text.split())


def _cut_number(topic: str) -> tuple[str, str]:
    start = _NUMBER_START.search(topic)
    if start is None:
        return "", topic
    text = topic[start.end() :].lstrip()
    if text[: len(_NUMBER_WORD)].lower() == _NUMBER_WORD:
        text = text[len(_NUMBER_WORD) :].lstrip()
    end = _NUMBER_END.search(text)
    return (text[: end.start()].strip(), text[end.end() :]) if end else ("", topic)


def read_documents(path: Path, encoding: str) -> pl.DataFrame:
    """Return the documents: id and text, the title in front."""
    frame = read_file(path, encoding=encoding).frame
    names = [name for name in ("_id", "id", "docid", "doc_id") if name in frame.columns]
    texts = [name for name in ("title", "text", "contents", "body") if name in frame.columns]
    if not names or not texts:
        columns = join_names(frame.columns, 10)
        raise AssayError(f"the documents need the columns _id and text; columns are {columns}", place=path)
    joined = pl.concat_str([pl.col(name).fill_null("") for name in texts], separator=" ").str.strip_chars()
    return frame.select(pl.col(names[0]).alias("id"), joined.alias("text"))


def read_judgements(path: Path, encoding: str = "utf-8") -> Judgements:
    """Read TREC judgements (query, 0, document, grade) or BEIR's (query-id, corpus-id, score with a header)."""
    judgements: Judgements = {}
    for number, line in enumerate(_read_text(path, encoding).splitlines()):
        cells = line.split()
        if len(cells) == N_QREL_COLUMNS - 1:
            cells = [cells[0], "0", *cells[1:]]
        if len(cells) != N_QREL_COLUMNS or not _is_number(cells[3]):
            if number == 0 or not cells:
                continue  # a header
            raise AssayError("not a judgement: query, 0, document, grade", place=f"{path}, line {number + 1}")
        if not abs(float(cells[3])) <= MAX_GRADE:
            fact = f"the grade is {shorten(cells[3], 40)}, not a number of at most {MAX_GRADE:,}"
            raise AssayError(fact, place=f"{path}, line {number + 1}")
        judgements.setdefault(cells[0], {})[cells[2]] = int(float(cells[3]))
    return judgements


def is_collection(names: Iterable[str]) -> bool:
    """Return whether the files of a folder are queries and judgements, by their names.

    >>> is_collection(["queries.jsonl", "qrels.txt", "corpus.jsonl"]), is_collection(["train.tsv", "test.tsv"])
    (True, False)
    """
    lower = [name.lower() for name in names]
    return any(name.startswith("qrels") for name in lower) and any(
        name.startswith(("queries", "topics")) for name in lower
    )


def is_run(path: Path) -> bool:
    """Return whether a file is a TREC run, by its first line: query, Q0, document, rank, score, tag."""
    with path.open("rb") as file:
        is_packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    try:
        with gzip.open(path) if is_packed else path.open("rb") as file:
            cells = file.readline(MAX_LINE).decode("utf-8", "replace").split()
    except (OSError, EOFError, zlib.error):
        return False  # damaged, which those who read it say
    return len(cells) == N_RUN_COLUMNS and cells[1].upper() == "Q0" and _is_number(cells[3]) and _is_number(cells[4])


def load_run(path: Path, queries: set[str]) -> pl.DataFrame | None:
    """Return the rankings of a TREC run (query, Q0, document, rank, score, tag); None for any other file."""
    if not path.is_file() or get_format_suffix(path) not in RUN_SUFFIXES:
        return None
    rankings: dict[str, list[tuple[str, float]]] = {}
    tags: set[str] = set()
    for line in _read_text(path, "utf-8").splitlines():
        cells = line.split()
        if not cells:
            continue
        if len(cells) != N_RUN_COLUMNS or not _is_number(cells[4]):
            return None
        rankings.setdefault(cells[0], []).append((cells[2], float(cells[4])))
        tags.add(cells[5])
    if not queries & set(rankings):
        return None
    stem = _RUN_ENDINGS.sub("", path.name)
    tag = tags.pop() if len(tags) == 1 else ""
    answers = [json.dumps(rank_by_score(pairs), ensure_ascii=False) for pairs in rankings.values()]
    system = stem if not tag or _is_number(tag) else tag
    return pl.DataFrame({"id": list(rankings), "predicted": answers}).with_columns(system=pl.lit(system))


def _read_text(path: Path, encoding: str) -> str:
    return decode_text(read_content(path), encoding, path)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
