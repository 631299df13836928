"""Write every machine-readable output of an audit and check each with the validator or schema of its format.

SARIF: the validator of its authors (`@microsoft/sarif-multitool-linux`, npm). Croissant: `mlcroissant validate`. JUnit:
the schema that pytest tests its own files with (in its sdist). `.eval_results`: `huggingface_hub`, which parses the
files of the hub. SBOM: the schema of CycloneDX. What cannot be had is named as not checked.

    python -m scripts.check_formats DATA [--predictions FILE] [--logs FOLDER]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
SARIF = "@microsoft/sarif-multitool-linux"
JUNIT_SDIST, JUNIT_SCHEMA = "pytest", "junit-10.xsd"


def main() -> int:
    """Write the files, validate them, and return 1 if one is not valid."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--predictions", type=Path)
    parser.add_argument("--logs", type=Path, help="Logs whose scores are written as .eval_results.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="assay-formats-") as name:
        folder = Path(name)
        write_outputs(options, folder)
        outcomes = {
            "SARIF": check_sarif(folder),
            "Croissant": check_croissant(folder),
            "JUnit": check_junit(folder),
            ".eval_results": check_eval_results(folder) if options.logs else "not checked: no --logs",
            "SBOM": check_bill_of_materials(),
        }
    for name, outcome in outcomes.items():
        print(f"{name:<14} {outcome}")
    return int(any(outcome.startswith("not valid") for outcome in outcomes.values()))


def write_outputs(options: argparse.Namespace, folder: Path) -> None:
    """Write the outputs of one audit, and the scores of the logs."""
    more = ["--predictions", str(options.predictions)] if options.predictions else []
    audit = [str(BIN / "assay"), "audit", str(options.data), *more, "--quick", "--croissant", str(folder / "c.json")]
    for form in ("sarif", "junit"):
        printed = subprocess.run([*audit, "--format", form], capture_output=True, text=True, check=True).stdout
        (folder / f"audit.{form}").write_text(printed, encoding="utf-8")
    if options.logs:
        command = [str(BIN / "assay"), "discriminate", str(options.logs), "--hub-dataset", "org/data"]
        command += ["--write-eval-results", str(folder / "hub")]
        subprocess.run(command, capture_output=True, check=True)


def check_sarif(folder: Path) -> str:
    """Validate with the tool of the authors of SARIF; its findings on style are counted, its errors are not accepted."""
    packed = run("npm", "pack", "--silent", SARIF, cwd=folder)
    if packed.returncode:
        return f"not checked: {SARIF} cannot be had"
    with tarfile.open(folder / packed.stdout.split()[-1]) as archive:
        archive.extractall(folder / "sarif", filter="data")
    tool = folder / "sarif" / "package" / "Sarif.Multitool"
    tool.chmod(0o755)
    environment = ("env", "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1", str(tool))
    checked = run(*environment, "validate", str(folder / "audit.sarif"), "--level", "Error;Warning", cwd=folder)
    lines = [line for line in checked.stdout.splitlines() if ": error " in line or ": warning " in line]
    if any(": error " in line for line in lines) or (checked.returncode and not lines):
        return f"not valid: {(lines or [checked.stdout + checked.stderr])[0][:300]}"
    return f"valid ({len(lines)} warnings of style)"


def check_croissant(folder: Path) -> str:
    """Validate with mlcroissant."""
    checked = run(str(BIN / "mlcroissant"), "validate", "--jsonld", str(folder / "c.json"))
    return "valid" if not checked.returncode else f"not valid: {checked.stderr.strip().splitlines()[-1]}"


def check_junit(folder: Path) -> str:
    """Validate with the XML schema that pytest has for its own files."""
    download = ("download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(folder), JUNIT_SDIST)
    run(sys.executable, "-m", "pip", *download)
    for path in folder.glob(f"{JUNIT_SDIST}-*.tar.gz"):
        with tarfile.open(path) as archive:
            member = next(entry for entry in archive if entry.name.endswith(JUNIT_SCHEMA))
            (folder / JUNIT_SCHEMA).write_bytes(archive.extractfile(member).read())  # type: ignore[union-attr]
        from lxml import etree

        schema = etree.XMLSchema(etree.parse(folder / JUNIT_SCHEMA))
        is_valid = schema.validate(etree.parse(folder / "audit.junit"))
        return "valid" if is_valid else f"not valid: {schema.error_log[0]}"
    return "not checked: the schema cannot be had"


def check_eval_results(folder: Path) -> str:
    """Parse with the function that huggingface_hub has for these files."""
    import yaml

    try:
        from huggingface_hub import parse_eval_result_entries
    except ImportError:
        return "not checked: this huggingface_hub cannot parse them"
    paths = sorted((folder / "hub").rglob("*.yaml"))
    entries = [entry for path in paths for entry in parse_eval_result_entries(yaml.safe_load(path.read_text()))]
    return f"valid ({len(entries)} entries in {len(paths)} files)" if entries else "not valid: no entries"


def check_bill_of_materials() -> str:
    """Validate dist/sbom.cdx.json, which `make release` writes."""
    path = ROOT / "dist" / "sbom.cdx.json"
    if not path.exists():
        return "not checked: make release writes it"
    program = (
        "import sys; from cyclonedx.validation.json import JsonStrictValidator; "
        "from cyclonedx.schema import SchemaVersion; "
        "error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read()); "
        "print(error or 'valid')"
    )
    tool = ("uv", "run", "--quiet", "--no-project", "--with", "cyclonedx-python-lib[json-validation]", "python", "-c")
    checked = run(str(BIN / tool[0]), *tool[1:], program, str(path))
    if checked.returncode:
        return "not checked: cyclonedx-python-lib cannot be had"
    return checked.stdout.strip() if checked.stdout.strip() == "valid" else f"not valid: {checked.stdout.strip()[:300]}"


def run(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a command and keep what it prints."""
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


if __name__ == "__main__":
    sys.exit(main())
