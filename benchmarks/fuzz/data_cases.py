"""Cases of data: every file format, every kind of task, layouts of their own, and metadata."""

from __future__ import annotations

import encodings.aliases
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import polars as pl

from assay import read
from assay.data.readers.formats import FORMATS
from assay.kinds import KINDS
from benchmarks.fuzz.binary_mutations import COMPRESSED, pack
from benchmarks.fuzz.cases import N_ROWS, SHARED, Case, Outcome, make_command, read_folder, read_head, read_path

Sink = io.BytesIO
# How a frame is written in each format: a new format needs an entry.
WRITERS: dict[str, Callable[[pl.DataFrame, Sink], Any]] = {
    "csv": lambda frame, sink: frame.write_csv(sink),
    "tsv": lambda frame, sink: frame.write_csv(sink, separator="\t"),
    "json": lambda frame, sink: frame.write_ndjson(sink),
    "parquet": lambda frame, sink: frame.write_parquet(sink),
    "arrow": lambda frame, sink: frame.write_ipc(sink),
    "markdown": lambda frame, sink: sink.write(
        _write_rows(frame, "| ", " | ", " |", "|---" * frame.width + "|").encode()
    ),
    "latex": lambda frame, sink: sink.write(_write_tabular(frame).encode()),
    "excel": lambda frame, sink: sink.write(write_workbook([frame.columns, *frame.rows()])),
}


def _write_rows(frame: pl.DataFrame, start: str, between: str, end: str, rule: str) -> str:
    cells = [[(cell or "").replace("|", " ").replace("&", " ") for cell in row] for row in frame.rows()]
    header, *rows = [f"{start}{between.join(row)}{end}" for row in (frame.columns, *cells)]
    return "\n".join([header, rule, *rows])


def _write_tabular(frame: pl.DataFrame) -> str:
    rows = _write_rows(frame, "", " & ", r" \\", r"\hline")
    return f"\\begin{{tabular}}{{{'l' * frame.width}}}\n{rows}\n\\end{{tabular}}\n"


def write_workbook(rows: Iterable[Iterable[str | None]]) -> bytes:
    """Return a workbook as small as Excel accepts it, so that no package is needed to write one."""
    cells = [[f'<c t="inlineStr"><is><t>{escape(cell or "")}</t></is></c>' for cell in row] for row in rows]
    sheet = "".join(f"<row>{''.join(row)}</row>" for row in cells)
    main, package = "http://schemas.openxmlformats.org", "http://schemas.openxmlformats.org/package/2006"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    office = f"{main}/officeDocument/2006/relationships"
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
        f'<Override PartName="/xl/sheet1.xml" ContentType="{types}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}/spreadsheetml/2006/main" xmlns:r="{office}">'
        '<sheets><sheet name="one" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/worksheet" Target="sheet1.xml"/></Relationships>',
        "xl/sheet1.xml": f'<worksheet xmlns="{main}/spreadsheetml/2006/main"><sheetData>{sheet}</sheetData></worksheet>',
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def read_data(path: Path) -> Outcome:
    """Read a dataset."""
    data = read(path)
    return Outcome(len(data), notes=data.notes)


def read_with_encoding(folder: Path, target: str) -> Outcome:
    """Read data in the encoding that a file names."""
    data = read(folder / "d.tsv", encoding=(folder / target).read_text(encoding="utf-8", errors="replace"))
    return Outcome(len(data), notes=data.notes)


def list_data_cases() -> Iterator[Case]:
    """Yield all cases of data."""
    text = read_head("sst2/sst2.tsv.gz")
    assert text is not None
    frame = pl.read_csv(text.encode(), separator="\t", quote_char=None, infer_schema=False)
    yield from _list_formats(frame)
    yield from _list_kinds()
    yield from _list_layouts()
    yield from _list_metadata(frame)
    names = tuple(
        name.encode() for name in sorted({*encodings.aliases.aliases, "rot13", "zlib", "idna", "no such", ""})
    )
    files = {"d.tsv": text.encode(), "encoding": b"utf-8"}
    yield Case("option --encoding", files, "encoding", read_with_encoding, values=names)


def _list_formats(frame: pl.DataFrame) -> Iterator[Case]:
    reader = partial(read_path, function=read_data)
    for name, file_format in FORMATS.items():
        if name not in WRITERS or (name == "excel" and find_spec("openpyxl") is None):
            continue
        content = _write(frame, name)
        for suffix in file_format.suffixes:
            document = json.dumps(frame.to_dicts(), ensure_ascii=False).encode() if suffix == ".json" else content
            yield Case(f"data {suffix}", {f"d{suffix}": document}, f"d{suffix}", reader, (f"format {name}",))
        for compression in COMPRESSED:
            path = f"d{file_format.suffixes[0]}{compression}"
            yield Case(f"data {path[1:]}", {path: pack(content, compression)}, path, reader)
    parts = {f"{part}.tsv": _write(frame, "tsv") for part in ("train", "test")}
    yield Case("data in parts", parts, "test.tsv", partial(read_folder, function=read_data))


def _write(frame: pl.DataFrame, name: str) -> bytes:
    sink = io.BytesIO()
    WRITERS[name](frame, sink)
    return sink.getvalue()


def _list_kinds() -> Iterator[Case]:
    """Yield the example of every kind as a table and as JSON lines: read, profiled, and scored with its gold answers."""
    for name, kind in KINDS.items():
        example: Mapping[str, Any] = kind.layout.example
        n_rows = len(next(iter(example.values())))
        frame = pl.DataFrame({column: list(cells) * (N_ROWS // n_rows) for column, cells in example.items()})
        frame = frame.with_columns(pl.int_range(frame.height).cast(pl.String).alias("id"))
        rows = [{column: _parse(cell) for column, cell in row.items()} for row in frame.to_dicts()]
        lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
        gold = kind.gold.get_gold(read(frame))
        answers = pl.DataFrame({"id": frame["id"], "one": gold, "two": gold.reverse()}).write_csv(separator="\t")
        table = frame.write_csv(separator="\t", quote_style="never")
        files = {"d.tsv": table.encode(), "d.jsonl": lines, "p.tsv": answers.encode()}
        covers = (f"kind {name}",)
        for target in ("d.tsv", "d.jsonl"):
            yield make_command(f"profile {target} --task {name}", files, target, covers)
        for target in ("d.jsonl", "p.tsv"):
            line = f"evaluate d.jsonl --task {name} --predictions p.tsv --resamples 20"
            yield make_command(line, files, target, covers)


def _parse(cell: str) -> Any:
    return json.loads(cell) if cell[:1] in "[{" else cell


def _list_layouts() -> Iterator[Case]:
    alone, together = partial(read_path, function=read_data), partial(read_folder, function=read_data)
    squad = json.loads((SHARED / "xquad_en" / "xquad.en_first_article.json").read_text(encoding="utf-8"))
    squad["data"] = [{**article, "paragraphs": article["paragraphs"][:3]} for article in squad["data"][:1]]
    yield Case("data SQuAD", {"squad.json": json.dumps(squad).encode()}, "squad.json", alone)
    for name in ("wnut17/emerging.dev.conll", "ud_english_ewt/en_ewt-ud-test_first40.conllu"):
        content = read_head(name, 200)
        if content is not None:
            file = Path(name).name
            yield Case(f"data {Path(file).suffix}", {file: content.encode()}, file, alone)
    yield from _list_collections(together)
    yield from _list_texts_in_files(together)
    yield from _list_nested(alone)
    rows = {"p.tsv": b"sentence1\tsentence2\tlabel\n" + b"a b\tc d\t1\nb c\td e\t0\n" * 20}
    yield Case("data pairs", rows, "p.tsv", alone)


def _list_texts_in_files(together: Callable[[Path, str], Outcome]) -> Iterator[Case]:
    """Yield a folder with one text per file and one folder per class, and data with its labels in another file."""
    texts = {
        f"{part}/{name}/{number}.txt": f"a {name} text, number {number}".encode()
        for part in ("train", "test")
        for name in ("pos", "neg")
        for number in range(5)
    }
    yield Case("data folders of classes", texts, "test/neg/0.txt", together)
    rows = "".join(json.dumps({"goal": f"do {n}", "sol1": "this", "sol2": f"that {n}"}) + "\n" for n in range(20))
    labelled = {"valid.jsonl": rows.encode(), "valid-labels.lst": b"0\n1\n" * 10}
    for target in labelled:
        yield Case(f"data with labels {target}", labelled, target, together)


def _list_nested(alone: Callable[[Path, str], Outcome]) -> Iterator[Case]:
    """Yield values inside others: rows inside a JSON document, columns of lists, lists and arrays as they are printed."""
    rows = [{"id": n, "text": f"text number {n}", "label": "ab"[n % 2]} for n in range(20)]
    documents = {
        "rows": {"version": 1, "examples": rows},
        "columns": {name: [row[name] for row in rows] for name in rows[0]},
        "tokens": [{"tokens": ["a", "b", "c"], "ner_tags": ["O", "B-X", "I-X"]}] * 20,
    }
    for name, document in documents.items():
        yield Case(f"data {name} of JSON", {"d.json": json.dumps(document).encode()}, "d.json", alone)
    printed = {
        "lists": "['one', 'two', 'three']",
        "arrays": "['one' 'two'\n 'three']",
        "objects": "{'text': array(['one', 'two'], dtype=object), 'label': array(['A', 'B'], dtype=object)}",
    }
    for name, cell in printed.items():
        frame = pl.DataFrame({"question": [f"question {n}" for n in range(20)], "choices": cell, "answer": ["A"] * 20})
        yield Case(f"data printed {name}", {"d.csv": frame.write_csv().encode()}, "d.csv", alone)


def _list_collections(together: Callable[[Path, str], Outcome]) -> Iterator[Case]:
    """Yield every file of a retrieval collection, as BEIR and as TREC write it, and a run."""
    names = {
        "topics.txt": ("cacm/topics.cacm.txt", 60),
        "qrels.txt": ("cacm/qrels.cacm.txt", 40),
        "queries.jsonl": ("cacm/queries.jsonl.gz", 10),
        "corpus.jsonl": ("cacm/corpus.jsonl.gz", 20),
        "run.txt": ("cacm/run.bm25.txt.gz", 60),
    }
    contents = {name: read_head(*source) for name, source in names.items()}
    if any(content is None for content in contents.values()):
        return
    files = {name: content.encode() for name, content in contents.items() if content is not None}
    files["topics.txt"] = files["topics.txt"].rpartition(b"<DOC>")[0]
    numbers = set(re.findall(rb"<DOCNO>\s*(\d+)", files["topics.txt"]))
    judged = [line for line in files["qrels.txt"].splitlines(keepends=True) if line.split()[0] in numbers]
    files["qrels.txt"] = b"".join(judged)
    trec = {name: files[name] for name in ("topics.txt", "qrels.txt")}
    beir = {"queries.jsonl": files["queries.jsonl"], "corpus.jsonl": files["corpus.jsonl"]}
    beir["qrels/test.tsv"] = b"query-id\tcorpus-id\tscore\n" + files["qrels.txt"].replace(b" Q0 ", b"\t").replace(
        b" ", b"\t"
    )
    topics = "".join(f'<topic number="{n}"><query>q {n}</query><title>t &amp; u</title></topic>\n' for n in range(1, 6))
    records = "".join(f"<DOC><DOCNO>d{n}</DOCNO><TITLE>t</TITLE><TEXT>text</TEXT></DOC>\n" for n in range(1, 6))
    xml = {"topics.xml": f"<topics>\n{topics}</topics>\n".encode(), "docs.xml": records.encode()}
    xml["qrels.txt"] = "".join(f"{n} 0 d{n} 1\n" for n in range(1, 6)).encode()
    for collection in (trec, beir, xml):
        for target in collection:
            yield Case(f"data collection {target}", collection, target, together)
    yield Case("data qrels", {"qrels.txt": files["qrels.txt"]}, "qrels.txt", partial(read_path, function=read_data))
    folder = {f"c/{name}": content for name, content in beir.items()}
    command = "evaluate c --predictions run.txt --resamples 20"
    case = make_command(command, {"run.txt": files["run.txt"]}, "run.txt", ())
    yield Case(case.name, {**folder, **case.files}, "run.txt", case.read)


def _list_metadata(frame: pl.DataFrame) -> Iterator[Case]:
    """Yield files that describe data: Croissant, eval.yaml, and a folder that Hugging Face saved."""
    table = _write(frame, "tsv")
    fields = [
        {"@type": "cr:Field", "@id": f"r/{name}", "dataType": kind, "source": {"fileObject": {"@id": "f"},
         "extract": {"column": name}}}
        for name, kind in (("id", "sc:Text"), ("text", "sc:Text"), ("label", ["sc:Text", "cr:Label"]))
    ]  # fmt: skip
    croissant = {
        "@context": {"@vocab": "https://schema.org/", "cr": "http://mlcommons.org/croissant/"},
        "@type": "sc:Dataset",
        "name": "example",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "distribution": [{"@type": "cr:FileObject", "@id": "f", "contentUrl": "d.tsv", "encodingFormat": "text/tsv"}],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "r", "key": {"@id": "r/id"}, "field": fields}],
    }
    files = {"croissant.json": json.dumps(croissant, indent=1).encode(), "d.tsv": table}
    yield Case("metadata Croissant", files, "croissant.json", partial(read_path, function=read_data))
    eval_yaml = "name: example\ntasks:\n  - id: t\n    config: default\n    split: test\n    field_spec:\n"
    eval_yaml += "      input: text\n      target: label\n"
    together = partial(read_folder, function=read_data)
    files = {"eval.yaml": eval_yaml.encode(), "test.tsv": table}
    yield Case("metadata eval.yaml", files, "eval.yaml", together)
    arrow = _write(frame, "arrow")
    saved = {"train/data-00000-of-00001.arrow": arrow, "dataset_dict.json": b'{"splits": ["train"]}'}
    saved["train/state.json"] = json.dumps({"_data_files": [{"filename": "data-00000-of-00001.arrow"}]}).encode()
    for target in saved:
        yield Case(f"data saved {Path(target).name}", saved, target, together)
