"""Collections as BEIR and TREC keep them: documents, queries, judgements, and the runs of systems."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from assay.base.errors import AssayError, join_names, shorten
from assay.data.columns.grades import is_number
from assay.data.columns.parts import find_part_in_path, sort_parts
from assay.data.columns.table import RawTable
from assay.data.left_out import LeftOut
from assay.data.readers.compression import read_content
from assay.data.readers.encoding import decode_text
from assay.data.readers.files import read_file
from assay.data.readers.formats import get_format_suffix
from assay.kinds.retrieval.markup import read_document, read_topic, split_records
from assay.kinds.retrieval.scores import rank_by_score
from assay.system.links import check_links
from assay.wording.sentences import choose_verb

RUN_SUFFIXES = (".txt", ".run", ".trec", ".tsv", ".test", ".trunc", ".res", "")
QUERY_WORDS, JUDGEMENT_WORD = ("queries", "topics", "query", "topic", "qry"), "qrel"
DOCUMENT_WORDS = ("corpus", "documents", "collection", "docs", "all")
N_RUN_COLUMNS, N_QREL_COLUMNS = 6, 4
MAX_GRADE = 10**9
MAX_UNKNOWN_SHARE = 0.05  # of the judgements: more of them with unknown queries are numbered in another way
MAX_LINE = 10_000  # bytes of the first line of a run
GZIP_MAGIC = b"\x1f\x8b"
_SEPARATORS = re.compile(r"[^a-z0-9]+")
LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_RUN_ENDINGS = re.compile(r"\.(txt|tsv|run|trec|gz|zst)")
Judgements = dict[str, dict[str, int]]


def load_collection(path: Path, encoding: str) -> dict[str, RawTable] | None:
    """Return the queries of a folder with their judgements, by part; None for anything that is not a collection."""
    if path.is_file():
        if not is_judgements(path.name):
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
    folder = path / "qrels"
    qrels = sorted(folder.iterdir()) if folder.is_dir() else [file for file in files if is_judgements(file.name)]
    queries = _find(files, QUERY_WORDS)
    if not queries or not qrels:
        return None
    check_links([*queries, *qrels], path)
    texts = read_queries(queries[0], encoding)
    documents = _find([file for file in files if file not in queries], DOCUMENT_WORDS)
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


def _find(files: list[Path], words: Sequence[str]) -> list[Path]:
    """Return the files whose names hold one of some words, in the order of the words; judgements are none."""
    names = {file: _SEPARATORS.split(file.name.lower()) for file in files if not is_judgements(file.name)}
    return [file for word in words for file, parts in names.items() if word in parts]


def is_judgements(name: str) -> bool:
    """Return whether a file holds judgements, by its name: qrels.txt, cranqrel, qrels.test.tsv."""
    return JUDGEMENT_WORD in name.lower()


def _note_unused(parts: dict[str, list[Path]]) -> tuple[str, ...]:
    unused = [file.name for files in parts.values() for file in files[1:]]
    used = join_names([files[0].name for files in parts.values()])
    return (f"judgements: {used}; not used: {join_names(unused)}",) if unused else ()


def _make_table(
    queries: dict[str, str], judgements: Judgements, corpus: pl.DataFrame | None, notes: tuple[str, ...], place: Path
) -> RawTable:
    left_out = _find_unknown_queries(queries, judgements, place)
    notes += tuple(f"{entry.n:,} judgements of {place.name} are left out: {entry.reason}" for entry in left_out)
    columns = {
        "id": list(queries),
        "query": list(queries.values()),
        "judgements": [json.dumps(judgements.get(name, {})) for name in queries],
    }
    return RawTable(
        pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)),
        (*notes, *_note_unknown_documents(corpus, judgements)),
        {"judgements": "objects"},
        {} if corpus is None else {"corpus": corpus},
        tuple(left_out),
    )


def _find_unknown_queries(queries: dict[str, str], judgements: Judgements, place: Path) -> list[LeftOut]:
    """Return the judgements whose query is not among the queries; raise if there are many, as numbers may be wrong."""
    unknown = [name for name in judgements if name not in queries]
    if not unknown:
        return []
    shown = f"{join_names(unknown, 2)} against {join_names(list(queries), 2) or 'no query'}"
    hint = "Check the ids of queries and judgements."
    numbers = {str(number) for number in range(1, len(queries) + 1)}
    if set(judgements) <= numbers:
        hint = (
            f"Are the judgements numbered in order? They use the numbers up to {len(queries):,}, as many as there are "
            "queries. If so, write these numbers as the ids of the queries."
        )
    if len(unknown) == len(judgements):
        raise AssayError(f"no query has judgements: their ids differ ({shown})", place=place, hint=hint)
    n_unknown = sum(len(judgements[name]) for name in unknown)
    n_judgements = sum(map(len, judgements.values()))
    if n_unknown > MAX_UNKNOWN_SHARE * n_judgements:
        fact = f"{n_unknown:,} of {n_judgements:,} judgements name queries that are not among the queries ({shown})"
        raise AssayError(fact, place=place, hint=hint)
    return [LeftOut("judgements", n_unknown, f"their queries are not among the queries ({join_names(unknown, 3)})")]


def _note_unknown_documents(corpus: pl.DataFrame | None, judgements: Judgements) -> tuple[str, ...]:
    if corpus is None:
        return ()
    known = set(corpus["id"].to_list())
    unknown = dict.fromkeys(name for grades in judgements.values() for name in grades if name not in known)
    note = f"{len(unknown):,} judged documents are not in the corpus ({join_names(list(unknown), 3)})"
    return (f"{note}: no system can find them. {advise_on_documents(unknown, known)}",) if unknown else ()


def advise_on_documents(unknown: Iterable[str], known: Iterable[str]) -> str:
    """Say what to do about judged documents that are not in the corpus, maybe because their ids are written differently.

    >>> advise_on_documents(["D-7", "X"], ["D-007", "D-008"])
    'Correct the ids of the judgements: 1 of these is in the corpus with other zeros or capitals (D-7 is D-007).'
    """
    by_form = {_fold_id(name): name for name in known}
    spelled = {name: by_form[_fold_id(name)] for name in unknown if _fold_id(name) in by_form}
    if not spelled:
        return "Add the documents, or remove the judgements."
    first, document = next(iter(spelled.items()))
    return (
        f"Correct the ids of the judgements: {len(spelled):,} of these {choose_verb(len(spelled), 'is', 'are')} in the "
        f"corpus with other zeros or capitals ({first} is {document})."
    )


def _fold_id(name: str) -> str:
    return LEADING_ZEROS.sub("", name.casefold())


def read_queries(path: Path, encoding: str) -> dict[str, str]:
    """Read queries from JSON lines, a table of two columns, or TREC topics."""
    if get_format_suffix(path) in (".jsonl", ".json", ".ndjson"):
        frame = read_file(path, encoding=encoding).frame
        name = next((name for name in ("_id", "id", "query_id", "qid") if name in frame.columns), None)
        text = next((name for name in ("text", "query", "title") if name in frame.columns), None)
        if name is None or text is None:
            columns = join_names(frame.columns, 10)
            raise AssayError(f"the queries need the columns _id and text; columns are {columns}", place=path)
        return dict(zip(frame[name].fill_null("").to_list(), frame[text].fill_null("").to_list(), strict=True))
    content = _read_text(path, encoding)
    topics = split_records(content)
    if topics:
        return dict(map(read_topic, topics))
    rows = [line.split("\t", 1) for line in content.splitlines() if "\t" in line]
    return {name.strip(): text.strip() for name, text in rows}


def read_documents(path: Path, encoding: str) -> pl.DataFrame:
    """Return the documents: id and text, the title in front."""
    if read_content(path)[:100].to_pybytes().lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        records = [read_document(record) for record in split_records(_read_text(path, encoding))]
        if not records:
            raise AssayError("the file holds no documents (<DOC>)", place=path)
        return pl.DataFrame(records, schema={"id": pl.String, "text": pl.String}, orient="row")
    frame = read_file(path, encoding=encoding).frame
    names = [name for name in ("_id", "id", "docid", "doc_id") if name in frame.columns]
    texts = [name for name in ("title", "text", "contents", "body") if name in frame.columns]
    if not names or not texts:
        columns = join_names(frame.columns, 10)
        raise AssayError(f"the documents need the columns _id and text; columns are {columns}", place=path)
    joined = pl.concat_str([pl.col(name).fill_null("") for name in texts], separator=" ").str.strip_chars()
    return frame.select(pl.col(names[0]).fill_null("").alias("id"), joined.alias("text"))


def read_judgements(path: Path, encoding: str = "utf-8") -> Judgements:
    """Read TREC judgements (query, 0, document, grade) or BEIR's (query-id, corpus-id, score with a header)."""
    judgements: Judgements = {}
    for number, line in enumerate(_read_text(path, encoding).splitlines()):
        cells = line.split()
        if len(cells) == N_QREL_COLUMNS - 1:
            cells = [cells[0], "0", *cells[1:]]
        if len(cells) != N_QREL_COLUMNS or not is_number(cells[3]):
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
    files = [Path(name) for name in names]
    return any(is_judgements(file.name) for file in files) and bool(_find(files, QUERY_WORDS))


def is_run(path: Path) -> bool:
    """Return whether a file is a TREC run, by its first line: query, Q0, document, rank, score, tag."""
    if not path.is_file():  # a pipe, which would be waited for
        return False
    with path.open("rb") as file:
        is_packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    try:
        with gzip.open(path) if is_packed else path.open("rb") as file:
            cells = file.readline(MAX_LINE).decode("utf-8", "replace").split()
    except (OSError, EOFError, zlib.error):
        return False  # damaged, which those who read it say
    return len(cells) == N_RUN_COLUMNS and cells[1].upper() == "Q0" and is_number(cells[3]) and is_number(cells[4])


def load_run(path: Path) -> pl.DataFrame | None:
    """Return the rankings of a TREC run (query, Q0, document, rank, score, tag); None for any other file."""
    if not path.is_file() or get_format_suffix(path) not in RUN_SUFFIXES:
        return None
    rankings: dict[str, list[tuple[str, float]]] = {}
    tags: set[str] = set()
    for line in _read_text(path, "utf-8").splitlines():
        cells = line.split()
        if not cells:
            continue
        if len(cells) != N_RUN_COLUMNS or not is_number(cells[4]):
            return None
        rankings.setdefault(cells[0], []).append((cells[2], float(cells[4])))
        tags.add(cells[5])
    stem = _RUN_ENDINGS.sub("", path.name)
    tag = tags.pop() if len(tags) == 1 else ""
    answers = [json.dumps(rank_by_score(pairs), ensure_ascii=False) for pairs in rankings.values()]
    system = stem if not tag or is_number(tag) else tag
    return pl.DataFrame({"id": list(rankings), "predicted": answers}).with_columns(system=pl.lit(system))


def _read_text(path: Path, encoding: str) -> str:
    return decode_text(read_content(path), encoding, path)
