"""Cases of saved files: predictions, scores, folds, votes, audits, cache entries and files of the web page."""

from __future__ import annotations

import asyncio
import hashlib
import random
import re
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from assay.discrimination import read_scores
from assay.evaluation import read_predictions
from assay.splits import read_folds
from assay.tasks.storage import MAGIC, encode_entry
from assay.votes import read_votes
from benchmarks.fuzz.binary_mutations import pack
from benchmarks.fuzz.cases import N_ROWS, Case, InternalError, Outcome, read_folder, read_head, read_path

VERSION = "20250101-000000-00000abcdef"
PAGES = ("", "/state", "/partial", "/findings", "/sections", "/systems", "/compare", "/files", "/tools", "/splits")
PAGES += ("/items", "/items?search=a", "/items/0", "/items?proposal=keep&sort=suspicion")


def read_answers(path: Path) -> Outcome:
    """Read a file of predictions."""
    predictions = read_predictions(path)
    return Outcome(len(predictions), len(predictions.systems), notes=predictions.notes)


def read_score_table(path: Path) -> Outcome:
    """Read a table of scores."""
    table = read_scores(path)
    systems = {system for measurement in table.measurements for system in measurement.systems}
    n_scores = sum(len(measurement.systems) for measurement in table.measurements)
    return Outcome(n_scores, len(systems), len(table.measurements), table.notes)


def read_fold_file(path: Path) -> Outcome:
    """Read a folds file."""
    return Outcome(read_folds(path).frame.height)


def read_vote_table(path: Path) -> Outcome:
    """Read a table of votes."""
    votes = read_votes(path, winner="majority")
    return Outcome(len(votes), len(votes.systems), notes=tuple(votes.notes))


def list_saved_cases() -> Iterator[Case]:
    """Yield all cases of saved files."""
    yield from list_table_cases()
    yield _make_cache_case()
    yield from _list_model_cases()
    yield from _list_web_cases()


def list_table_cases() -> Iterator[Case]:
    """Yield tables with answers, scores, folds and votes."""
    rows = "".join(f"i{number}\t{number % 5 + 1}\n" for number in range(N_ROWS))
    wide = "".join(f"{n}\t{n % 2}\t{n % 3 // 2}\t{n % 2}\n" for n in range(N_ROWS))
    table = "".join(f"s{n},{60 + n},{90 + n / 10},{40 + 2 * n}\n" for n in range(8))
    contents = {
        "folds.tsv": (f"id\tfold\n{rows}", read_fold_file),
        "answers.tsv": (read_head("explainaboard/sst2_test_preds.tsv.gz"), read_answers),
        "wide_answers.tsv": (f"id\tgold\tone\ttwo\n{wide}", read_answers),
        "scores.tsv": (read_head("leaderboards/leaderboards.tsv.gz"), read_score_table),
        "wide_scores.csv": (f"system,RTE,SST,CoLA\n{table}", read_score_table),
        "votes.tsv": (read_head("pandalm_votes/votes.tsv.gz"), read_vote_table),
    }
    for name, (content, function) in contents.items():
        if content is not None:
            yield Case(f"saved {name}", {name: content.encode()}, name, partial(read_path, function=function))


def read_model(folder: Path) -> Outcome:
    """Load a saved model and use it."""
    from assay.models import LinearClassifier

    LinearClassifier.load(folder).predict(["a new text"])
    return Outcome()


def read_vector_file(path: Path) -> Outcome:
    """Read word vectors."""
    from assay.text.encoders.vector_files import read_vectors

    return Outcome(len(read_vectors(path).words))


def _list_model_cases() -> Iterator[Case]:
    """Yield files of models and of word vectors."""
    import numpy as np

    from assay.models import LinearClassifier

    with tempfile.TemporaryDirectory() as name:
        LinearClassifier().fit(["a good text", "a bad text"] * 5, ["a", "b"] * 5).save(name)
        files = {path.name: path.read_bytes() for path in sorted(Path(name).iterdir())}
    for target in files:
        yield Case(f"saved model {target}", files, target, partial(read_folder, function=read_model))
    text = b"".join(b"word%d %d 0.5 -1\n" % (n, n) for n in range(20))
    binary = b"20 3\n" + b"".join(b"word%d " % n + np.ones(3, "<f4").tobytes() + b"\n" for n in range(20))
    vectors = {"v.txt": text, "v.txt.gz": pack(text, ".gz"), "v.bin": binary}
    for target, content in vectors.items():
        yield Case(f"saved vectors {target}", {target: content}, target, partial(read_path, function=read_vector_file))


def _make_cache_case() -> Case:
    import numpy as np
    import polars as pl

    from assay.statistics import Interval

    value = {"a": (1, float("nan")), "b": np.arange(9.0), "c": pl.DataFrame({"x": ["y"]}), "d": Interval(0.5, 0.4, 0.6)}
    content = encode_entry(value)
    body = content[len(MAGIC) + 40 :]
    tree = body[: int.from_bytes(content[len(MAGIC) + 32 : len(MAGIC) + 40], "little")]
    pack = partial(_sign_entry, blocks=body[len(tree) :])
    return Case(
        "saved cache entry", {"tree.json": tree}, "tree.json", partial(read_folder, function=_read_entry), pack=pack
    )


def _sign_entry(tree: bytes, *, blocks: bytes) -> bytes:
    """Return an entry whose checksum is right, whatever its content."""
    body = tree + blocks
    digest = hashlib.blake2b(body, digest_size=32).digest()
    return b"".join([MAGIC, digest, len(tree).to_bytes(8, "little"), body])


def _read_entry(folder: Path) -> Outcome:
    """Load an entry from a cache; a damaged one counts as missing."""
    from assay.tasks.cache import TaskCache

    (path,) = folder.iterdir()
    (folder / "00").mkdir()
    path.rename(folder / "00" / "0.entry")
    TaskCache(folder).load("000")
    return Outcome()


def _list_web_cases() -> Iterator[Case]:
    """Yield every file that the web page stores for a finished audit."""
    with tempfile.TemporaryDirectory() as name:
        store = Path(name)
        _fill_store(store)
        _get_pages(store, "", highest=200)
        files = {str(path.relative_to(store)): path.read_bytes() for path in sorted(store.rglob("*")) if path.is_file()}
    for target in files:
        path = Path(target)
        if path.suffix in (".json", ".arrow"):
            yield Case(f"web {path.name}", files, target, _get_pages)


def _fill_store(folder: Path) -> None:
    """Audit a small dataset as the web page does, and decide on one item."""
    from assay.web.store import Version
    from assay.web.uploads import copy_local_file
    from assay.web.work.audit_run import run_audit
    from assay.web.work.cancellation import CancellationWatch
    from assay.web.work.worker import write_preview

    version = Version(folder / VERSION)
    version.folder.mkdir()
    version.write(
        "entry.json", {"created": "2025-01-01T00:00:00+00:00", "name": "d", "dataset": "d", "number": 1, "files": []}
    )
    generator = random.Random(0)
    words = "match goal oven flour butter striker bread referee".split()
    rows = [
        (f"i{n}", " ".join(generator.choices(words, k=6)), "ab"[n % 2], "test" if n % 3 else "train") for n in range(60)
    ]
    tables = {
        "data": ["id\ttext\tlabel\tsplit", *("\t".join(row) for row in rows)],
        "predictions": ["id\tone\ttwo", *(f"{row[0]}\t{row[2]}\t{'ab'[n % 3 == 0]}" for n, row in enumerate(rows))],
    }
    for kind, lines in tables.items():
        path = folder / f"{kind}.tsv"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        copy_local_file(version, kind, path, path.name)
        path.unlink()
    write_preview(version)
    version.update(options={"quick": True, "sections": ["profile", "discrimination"], "seed": 0, "ignore": []})
    version.update(started="2025-01-01T00:00:00+00:00")
    watch = CancellationWatch()
    watch.start = lambda: None  # type: ignore[method-assign]  # nothing stops it, not even the end of the input
    run_audit(version, watch)


def _get_pages(folder: Path, _target: str, *, highest: int = 499) -> Outcome:
    """Get every page of a version; none may end in an internal error, or a status above `highest`."""
    from assay.cli.web_tools import describe_tools
    from assay.web import Server

    with Server(folder, port=0, tools=describe_tools()) as server:
        for page in ("/", *(f"/versions/{VERSION}{name}" for name in PAGES)):
            status, content = asyncio.run(_get(server, page))
            if status > highest:
                reason = re.search(r"Internal error: \w+", content)
                raise InternalError(f"{page}: {reason[0] if reason else status}")
    return Outcome()


async def _get(server: object, address: str) -> tuple[int, str]:
    """Send one request to the application without a network."""
    path, _, query = address.partition("?")
    port, cookie, token = server.server_port, server.cookie, server.token  # type: ignore[attr-defined]
    headers = {"host": f"127.0.0.1:{port}", "cookie": f"{cookie}={token}"}
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", port),
        "client": ("127.0.0.1", 1),
        "asgi": {"version": "3.0"},
        "root_path": "",
        "extensions": {},
    }
    status, parts = 0, []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = int(message["status"])  # type: ignore[call-overload]
        else:
            parts.append(message.get("body", b""))

    await server.app(scope, receive, send)  # type: ignore[attr-defined]
    return status, b"".join(parts).decode("utf-8", "replace")  # type: ignore[arg-type]
