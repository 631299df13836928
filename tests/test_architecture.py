"""The package is built as ARCHITECTURE.md says."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import assay

HOME = Path(assay.__file__).parent
# Each package imports only from the packages before it.
LAYERS = [
    "wording",
    "base",
    "system",
    "views",
    "data",
    "text",
    "statistics",
    "metrics",
    "tasks",
    "logs",
    "kinds",
    "inputs",
    "contamination",
    "features",
    "splits",
    "difficulty",
    "evaluation",
    "responses",
    "votes",
    "judges",
    "discrimination",
    "decisions",
    "models",
    "information",
    "suspects",
    "reviews",
    "forecast",
    "checks",
    "audits",
    "testing",
    "report",
    "integrations",
    "web",
    "cli",
]
PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
# Packages whose import has another name.
DISTRIBUTIONS = {
    "charset_normalizer": "charset-normalizer",
    "inspect_ai": "inspect-ai",
    "sklearn": "scikit-learn",
    "vl_convert": "vl-convert-python",
}
MAX_MODULES = 17
HEAVY = ["numpy", "polars", "sklearn", "numba", "torch", "pyarrow", "scipy", "altair"]


def imported_names(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def imported_packages(path: Path) -> set[str]:
    parts = [name.split(".") for name in imported_names(path) if name.startswith("assay.")]
    return {part[1] for part in parts} & set(LAYERS)


MODULES = sorted({*HOME.rglob("*.py")} - {HOME / "__init__.py", HOME / "__main__.py"})


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(HOME)))
def test_a_package_imports_only_from_packages_before_it(path):
    package = path.relative_to(HOME).parts[0].removesuffix(".py")
    allowed = set(LAYERS[: LAYERS.index(package)]) | {package} if package in LAYERS else set()
    assert imported_packages(path) <= allowed


def test_every_folder_is_a_known_package():
    folders = {path.name for path in HOME.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(LAYERS)


def test_the_documentation_lists_the_packages_in_order():
    text = (PYPROJECT.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.partition("## Packages")[2].partition("## Rules")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == LAYERS


def test_the_documentation_names_files_that_exist():
    """Paths in code marks lead to a module, a folder or a file of the package, or of the repository."""
    root = PYPROJECT.parent
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    paths = {path.rstrip("/") for path in re.findall(r"`((?:[a-z_]+/)+[a-z_]*(?:\.py|\.md)?)`", text)}
    missing = [
        path
        for path in paths
        if not any((home / path).exists() or (home / f"{path}.py").exists() for home in (HOME, root))
    ]
    assert missing == []


def modules_after(code: str) -> set[str]:
    report = f"import sys\n{code}\nprint(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_help_loads_nothing_heavy():
    loaded = modules_after("from assay.cli.main import status\nstatus(['--help'])")
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.parametrize(
    "name", ["assay", *(f"assay.{package}" for package in "data kinds text models statistics tasks web".split())]
)
def test_it_imports_without_polars(name):
    assert "polars" not in modules_after(f"import {name}")


def test_folders_hold_at_most_about_fifteen_modules():
    folders = {path.parent for path in HOME.rglob("*.py")}
    sizes = {str(folder.relative_to(HOME)): len([*folder.glob("*.py")]) - 1 for folder in folders}
    assert {name: n for name, n in sizes.items() if n > MAX_MODULES} == {}


def test_no_module_has_the_name_of_a_function_next_to_it():
    clashes = set()
    for path in HOME.rglob("__init__.py"):
        names = ast.literal_eval(next(iter(find_exports(path)), ast.List([])))
        clashes |= {f"{path.parent.name}.{name}" for name in names if (path.parent / f"{name}.py").exists()}
    assert clashes == set()


def find_exports(path: Path):
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "__all__" for target in node.targets):
            yield node.value


def test_every_imported_package_is_declared():
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = project["dependencies"] + [line for name, lines in extras.items() if name != "dev" for line in lines]
    declared = {re.match(r"[\w-]+", line)[0] for line in lines}
    modules = {name.partition(".")[0] for path in HOME.rglob("*.py") for name in imported_names(path)}
    modules -= {"assay", *sys.stdlib_module_names}
    assert {DISTRIBUTIONS.get(module, module) for module in modules} <= declared


def find_words(path: Path) -> set[str]:
    return set(re.findall(r"\w+", path.read_text(encoding="utf-8")))


def test_every_exported_name_is_used_outside_its_package_or_documented():
    root = PYPROJECT.parent
    files = [path for folder in ("src", "tests", "benchmarks", "notebooks") for path in (root / folder).rglob("*.py")]
    files += [*(root / "notebooks").rglob("*.ipynb"), *(root / "docs").rglob("*.md"), *root.glob("*.md")]
    words = {path: find_words(path) for path in files if path.name != "CHANGELOG.md"}
    unused = set()
    for path in HOME.rglob("__init__.py"):
        package = path.parent.relative_to(HOME)
        own = (path.parent, root / "tests" / package)
        outside = set().union(*(found for file, found in words.items() if not any(map(file.is_relative_to, own))))
        names = ast.literal_eval(next(iter(find_exports(path)), ast.List([])))
        if package.parts:
            unused |= {f"{'.'.join(package.parts)}.{name}" for name in names if name not in outside}
        else:
            documented = set().union(*(found for file, found in words.items() if file.suffix != ".py"))
            unused |= {name for name in names if name not in documented and name != "__version__"}
    assert unused == set()


# `cli/paths.py` tries whether a folder can be written; a log of a process grows while it runs.
WRITES = re.compile(
    r"tempfile\.|mkstemp|shutil\.copyfile|os\.replace|\.write_text\(|\.open\(\"[wx]|write_(ipc|parquet)\(path"
)


def test_files_are_written_in_one_way():
    exempt = {HOME / "system" / "files.py", HOME / "cli" / "paths.py"}
    texts = {path: path.read_text(encoding="utf-8") for path in HOME.rglob("*.py") if path not in exempt}
    assert [str(path.relative_to(HOME)) for path, text in texts.items() if WRITES.search(text)] == []


# Fields of results that scripts read by these names, and ranges that are not estimates.
FLAT_ENDS = {
    "Judge.kappa_low",
    "Contamination.low",
    "Rating.low",
    "HitRate.low",
    "PerformanceVariance.low",
    "ScaledVariance.low",
    "FeatureInterval.low",
    "FeatureRanges.low",
    "Margins.low",
    "CalibrationBin.low",
    "SimilarityGroup.low",
    "Bin.low",
}


def find_dataclasses(path: Path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(mark) for mark in node.decorator_list):
            fields = [line for line in node.body if isinstance(line, ast.AnnAssign)]
            yield node.name, {line.target.id: ast.unparse(line.annotation) for line in fields}


def test_estimates_are_intervals():
    """No field holds one end of an interval, unless the class itself is an estimate (`value`, `low`, `high`).

    Ranks are integers, and rows of charts are flat, because Vega reads columns.
    """
    flat = {
        f"{name}.{field}"
        for path in MODULES
        if "charts" not in str(path.relative_to(HOME))
        for name, fields in find_dataclasses(path)
        for field, kind in fields.items()
        if re.fullmatch(r"(\w+_)?low", field) and not (field == "low" and "value" in fields)
        if field.removesuffix("low") + "high" in fields
        and "int" not in kind
        and not field.startswith(("rank", "marginal"))
    }
    assert flat == FLAT_ENDS


def test_every_class_has_a_name_of_its_own():
    places: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(HOME)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


MAX_ANY = 385


def count_any(path: Path) -> int:
    """Count the parameters and returned values of functions whose type contains Any."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    types = [line.returns for line in functions]
    for line in functions:
        signature = line.args
        names = [*signature.posonlyargs, *signature.args, *signature.kwonlyargs, signature.vararg, signature.kwarg]
        types += [name.annotation for name in names if name is not None]
    return sum(bool(re.search(r"\bAny\b", ast.unparse(kind))) for kind in types if kind is not None)


def test_signatures_name_real_types():
    counts = {str(path.relative_to(HOME)): count_any(path) for path in MODULES}
    assert sum(counts.values()) <= MAX_ANY, sorted(counts.items(), key=lambda row: -row[1])[:10]
