"""Build wheel and sdist, and run the demo from them in clean environments.

For each Python that is installed (3.11 to 3.14) an environment is made with the lowest and one with the newest versions
of the dependencies; the wheel is installed there, and `assay demo` must write a report. The sdist is checked to build the
same wheel, and a second build to have the same bytes. With the newest dependencies a wheel for this platform is made too,
which has the code of the compiled loops (`scripts/compile_loops.py`); the demo must compile next to nothing with it.
`dist/` then has the files to publish, a list of licences and an SBOM (CycloneDX) of the newest environment.

    python scripts/check_release.py [--python 3.11 --python 3.13] [--lowest] [--newest]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MAX_WHEEL_BYTES = 4_000_000
MAX_PLATFORM_WHEEL_BYTES = 12_000_000


def main() -> int:
    """Build, install and run; return 1 if anything fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", metavar="VERSION", help="Python versions to use.  [all installed]")
    parser.add_argument("--lowest", action="store_true", help="Only the lowest versions.")
    parser.add_argument("--newest", action="store_true", help="Only the newest versions.")
    options = parser.parse_args()
    wheel = build()
    resolutions = [name for name in ("lowest", "newest") if getattr(options, name)] or ["lowest", "newest"]
    pythons = [version for version in options.python or PYTHONS if find_python(version)]
    missing = [version for version in options.python or PYTHONS if version not in pythons]
    if missing:
        print(f"not installed, and not checked: Python {', '.join(missing)}")
    failures = []
    with tempfile.TemporaryDirectory(prefix="assay-release-") as folder:
        for version in pythons:
            for resolution in resolutions:
                problem = check(wheel, version, resolution, Path(folder) / f"{version}-{resolution}")
                print(
                    f"Python {version}, {resolution} dependencies: {problem or 'the demo writes its report'}",
                    flush=True,
                )
                failures += [problem] if problem else []
    return 1 if failures or not pythons else 0


def build() -> Path:
    """Build both files, check that they agree and are small, and return the wheel."""
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    os.environ.setdefault("SOURCE_DATE_EPOCH", run("git", "log", "-1", "--format=%ct").strip() or "315532800")
    run(sys.executable, "-m", "build", "--outdir", "dist", ".")
    check_second_build()
    (wheel,) = (ROOT / "dist").glob("*.whl")
    (sdist,) = (ROOT / "dist").glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, str(sdist))
        (other,) = Path(folder).glob("*.whl")
        if list_files(other) != list_files(wheel):
            raise SystemExit("The wheel built from the sdist has other files.")
    size = wheel.stat().st_size
    print(f"{wheel.name}: {size / 1e6:.2f} MB; {sdist.name}: {sdist.stat().st_size / 1e6:.2f} MB", flush=True)
    if size > MAX_WHEEL_BYTES:
        raise SystemExit(f"The wheel is larger than {MAX_WHEEL_BYTES / 1e6:.0f} MB.")
    return wheel


def check_second_build() -> None:
    """Build again, and raise if a file has other bytes than the first time."""
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "build", "--outdir", folder, ".")
        for path in sorted((ROOT / "dist").iterdir()):
            first, second = (
                hashlib.sha256(place.read_bytes()).hexdigest() for place in (path, Path(folder) / path.name)
            )
            if first != second:
                raise SystemExit(f"{path.name} differs between two builds of the same source.")
            print(f"{path.name}: the same bytes twice, SHA-256 {first}", flush=True)


def list_files(wheel: Path) -> dict[str, int]:
    """Return the files of a wheel with their checksums."""
    with zipfile.ZipFile(wheel) as archive:
        return {entry.filename: entry.CRC for entry in archive.infolist() if ".dist-info/" not in entry.filename}


def check(wheel: Path, version: str, resolution: str, folder: Path) -> str | None:
    """Install the wheel and run the demo; return what went wrong."""
    python = folder / "bin" / "python"
    strategy = "lowest-direct" if resolution == "lowest" else "highest"
    try:
        run("uv", "venv", "--quiet", "--python", str(find_python(version)), str(folder))
        install = ("uv", "pip", "install", "--quiet", "--python", str(python), "--only-binary", ":all:")
        # The dependencies of a wheel are not direct ones for uv, which would take their newest versions.
        run(*install, "--resolution", strategy, "-r", str(ROOT / "pyproject.toml"))
        run(*install, "--no-deps", str(wheel))
        run("uv", "pip", "check", "--quiet", "--python", str(python))
        run(str(folder / "bin" / "assay"), "doctor", cwd=folder)
        run(str(folder / "bin" / "assay"), "demo", "--no-cache", "-o", "report.html", cwd=folder)
    except subprocess.CalledProcessError as error:
        lines = [line for line in (error.stderr or error.stdout or "").strip().splitlines() if line.strip()]
        return f"{Path(error.cmd[0]).name} {error.cmd[1]} failed: {lines[-1] if lines else error.returncode}"
    if "<html" not in (folder / "report.html").read_text(encoding="utf-8")[:500]:
        return "the report is no page"
    if resolution == "newest":
        write_bill_of_materials(python)
        return check_platform_wheel(wheel, python, folder)
    return None


def check_platform_wheel(wheel: Path, python: Path, folder: Path) -> str | None:
    """Make the wheel with compiled loops, install it and run the demo; return what went wrong."""
    try:
        printed = run(str(python), str(ROOT / "scripts" / "compile_loops.py"), "--wheel", str(wheel), cwd=folder)
        made = Path(printed.strip().splitlines()[-1])
        run("uv", "pip", "install", "--quiet", "--python", str(python), "--no-deps", "--force-reinstall", str(made))
        environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "numba")}
        demo = [str(folder / "bin" / "assay"), "demo", "--no-cache", "-o", "report.html"]
        result = subprocess.run(demo, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or "").strip().splitlines()
        return f"the wheel with compiled loops: {lines[-1] if lines else error.returncode}"
    if made.stat().st_size > MAX_PLATFORM_WHEEL_BYTES:
        return f"{made.name} is larger than {MAX_PLATFORM_WHEEL_BYTES / 1e6:.0f} MB"
    return f"{made.name} compiles loops in the demo" if "Compiling" in result.stderr else None


def write_bill_of_materials(python: Path) -> None:
    """Write the packages of an environment with versions and licences."""
    tool = ("uv", "tool", "run", "--quiet", "--from")
    bill = ("cyclonedx-bom", "cyclonedx-py", "environment", "--output-reproducible", "--of", "JSON")
    run(*tool, *bill, "--output-file", "dist/sbom.cdx.json", str(python))
    licences = ("pip-licenses", "pip-licenses", "--python", str(python), "--format", "markdown", "--with-urls")
    run(*tool, *licences, "--output-file", "dist/licences.md")


def find_python(version: str) -> str | None:
    """Return the interpreter of a version, on the path or as uv finds it; None if there is none."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return sys.executable
    found = subprocess.run(
        ["uv", "python", "find", "--no-python-downloads", version],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env=os.environ | {"PATH": list_places()},
    )
    return found.stdout.strip() or None


def list_places() -> str:
    """Return the search path with the interpreters of pyenv instead of its shims, some of which do not run."""
    places = [place for place in os.environ["PATH"].split(os.pathsep) if Path(place).name != "shims"]
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    return os.pathsep.join([*places, *map(str, sorted(root.glob("versions/*/bin")))])


def run(*command: str, cwd: Path = ROOT) -> str:
    """Run a command and return its output; raise with its output if it fails."""
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=cwd).stdout


if __name__ == "__main__":
    sys.exit(main())
