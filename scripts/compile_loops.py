"""Compile the loops of assay into files that are used instead of compiling on the first run.

A workload of small made-up benchmarks calls the loops; the machine code of all that it compiles is kept, with the
versions, instructions and sources that it belongs to. x86 code needs AVX2 and FMA (processors since 2013 to 2015); it
is not used on others, nor with another version of numba or Python.

    python scripts/compile_loops.py                  for this checkout (src/assay/base/compiled)
    python scripts/compile_loops.py --wheel FILE     a wheel for this platform, next to the wheel for all platforms
"""

from __future__ import annotations

import argparse
import ast
import base64
import csv
import hashlib
import io
import json
import os
import platform
import sys
import tempfile
import warnings
import zipfile
from collections import Counter
from pathlib import Path

X86 = ("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.1", "sse4.2")
TARGETS = {"x86_64": ("x86-64-v3", X86), "AMD64": ("x86-64-v3", X86)}  # others: the instructions all of them have
INSIDE = "assay/base/compiled"


def main() -> int:
    """Compile, and write the files or the wheel."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, metavar="FILE", help="The wheel for all platforms.")
    options = parser.parse_args()
    processor, instructions = TARGETS.get(platform.machine(), ("generic", ()))
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "NUMBA_CACHE_DIR": folder,
            "NUMBA_CPU_NAME": processor,
            "NUMBA_CPU_FEATURES": ",".join(f"+{name}" for name in instructions),
            "ASSAY_CACHE": str(Path(folder, "assay")),
        }
        files = compile_loops(list(instructions))
    if options.wheel:
        print(write_wheel(options.wheel, files))
    else:
        write_files(files)
    return 0


def compile_loops(instructions: list[str]) -> dict[str, bytes]:
    """Run the workload and return the files with the code."""
    from assay.base import loops

    recorded = loops.start_recording()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run_workload()
    places, start = {}, 0
    for name in sorted(recorded):
        places[name] = (start, len(recorded[name]))
        start += len(recorded[name])
    index = {
        "platform": loops.describe_platform(),
        "instructions": instructions,
        "sources": {name: loops.hash_source(loops.PACKAGE / name) for name in list_sources(loops.list_loop_modules())},
        "loops": places,
    }
    print(f"{len(places)} loops, {start / 1e6:.1f} MB")
    code = b"".join(recorded[name] for name in sorted(recorded))
    return {loops.INDEX: json.dumps(index, indent=0).encode(), loops.CODE: code}


def list_sources(modules: list[str]) -> list[str]:
    """Return the files of modules with loops, and of the modules of this package that they import at their top."""
    from assay.base import loops

    files = {Path(*module.split(".")[1:]).with_suffix(".py") for module in modules if module.startswith("assay.")}
    for file in tuple(files):
        for node in ast.parse((loops.PACKAGE / file).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("assay."):
                imported = Path(*str(node.module).split(".")[1:]).with_suffix(".py")
                if (loops.PACKAGE / imported).is_file():
                    files.add(imported)
    return sorted(file.as_posix() for file in files)


def run_workload() -> None:
    """Call the loops with the types of arguments that commands use: tables of every kind, systems and scores."""
    import numpy as np

    import assay
    from assay.data.bundled import BUNDLED, get_bundled

    generator = np.random.default_rng(0)
    texts = assay.read(get_bundled(next(iter(BUNDLED))).find("data")).texts
    frequent = Counter(" ".join(texts).split()).most_common(800)  # English, which some features need
    words = [word for word, _ in frequent] + ["Größe", "naïve", "東京", "don't", "3.5"]
    chances = 1 / np.arange(1, len(words) + 1)

    def write(n_rows: int, n_words: int = 14) -> list[str]:
        drawn = generator.choice(len(words), size=(n_rows, n_words), p=chances / chances.sum())
        texts = [" ".join(words[word] for word in row) + "." for row in drawn]
        return texts[: n_rows - n_rows // 20] + texts[: n_rows // 20]  # with copies

    def label(n_rows: int, n_labels: int) -> list[str]:
        return [f"label {number}" for number in generator.integers(n_labels, size=n_rows)]

    n = 400
    parts = ["train"] * 280 + ["test"] * 120
    ids = [str(number) for number in range(n)]
    gold = {labels: label(n, labels) for labels in (2, 6)}
    tables = [
        {"id": ids, "text": write(n), "label": gold[6], "split": parts},
        {"id": ids, "text": write(n), "label": gold[2], "split": parts},
        {"id": ids, "text": write(n), "label": gold[2]},
        {"id": ids, "text1": write(n), "text2": write(n), "label": gold[2], "split": parts},
        {"id": ids, "text1": write(n), "text2": write(n), "label": label(n, 3)},
        {"id": ids, "text": write(n), "score": generator.normal(size=n).round(2).tolist(), "split": parts},
    ]
    for table in tables:
        answers = table.get("label")
        predictions = None
        if answers is not None:
            predictions = {
                f"system {number}": [
                    answer if generator.random() < 0.6 + number / 10 else answers[0] for answer in answers
                ]
                for number in range(3)
            }
        assay.audit(table, predictions=predictions, cache=False)
        assay.profile(table)
        if predictions:
            assay.evaluate(table, predictions)


def write_files(files: dict[str, bytes]) -> None:
    """Write the code into the checkout."""
    from assay.base.loops import FOLDER

    FOLDER.mkdir(exist_ok=True)
    for name, content in files.items():
        (FOLDER / name).write_bytes(content)


def write_wheel(wheel: Path, files: dict[str, bytes]) -> Path:
    """Write a wheel for this Python and platform that has the code, and return its path."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{name_platform()}"
    name, version, *_ = wheel.name.split("-")
    target = wheel.with_name(f"{name}-{version}-{tag}.whl")
    information = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(wheel) as source:
        contents = {entry: source.read(entry) for entry in source.namelist() if not entry.endswith("/")}
    contents |= {f"{INSIDE}/{entry}": content for entry, content in files.items()}
    lines = contents[f"{information}/WHEEL"].decode().splitlines()
    kept = [line for line in lines if line and not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    contents[f"{information}/WHEEL"] = "\n".join([*kept, "Root-Is-Purelib: false", f"Tag: {tag}", ""]).encode()
    contents[f"{information}/RECORD"] = write_record(contents, f"{information}/RECORD")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in contents.items():
            archive.writestr(zipfile.ZipInfo(entry, date_time=(2020, 2, 2, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return target


def write_record(contents: dict[str, bytes], own: str) -> bytes:
    """Return the list of files with hashes that a wheel has."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    for entry, content in contents.items():
        if entry != own:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            writer.writerow([entry, f"sha256={digest}", len(content)])
    writer.writerow([own, "", ""])
    return lines.getvalue().encode()


def name_platform() -> str:
    """Return the platform as wheels name it; the code needs no library but numba's, so any glibc will do."""
    import sysconfig

    own = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return own.replace("linux_", "manylinux_2_17_") if own.startswith("linux_") else own


if __name__ == "__main__":
    sys.exit(main())
