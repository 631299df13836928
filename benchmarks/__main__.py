"""Run benchmarks: all, or those named. `python -m benchmarks [NAME…]`; `--list` names them."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

# These work on files that only their own command line names (python -m benchmarks.NAME …), or take an hour: they run
# when asked for.
WITH_INPUTS = ("cluster_", "faults", "evidence_", "export_", "forecast_evidence", "gpu_", "paper_")


def names() -> list[str]:
    """Name the benchmarks: every module next to this one that has something to run."""
    here = (path for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    return sorted(path.stem for path in here if "\ndef main(" in path.read_text(encoding="utf-8"))


def main(wanted: list[str]) -> int:
    """Run the benchmarks and return the exit status."""
    if unknown := set(wanted) - {*names(), "--list"}:
        print(f"No benchmark {', '.join(sorted(unknown))}. Known: {', '.join(names())}.", file=sys.stderr)
        return 2
    if "--list" in wanted:
        print("\n".join(names()))
        return 0
    for name in wanted or [name for name in names() if not name.startswith(WITH_INPUTS)]:
        print(f"== {name}", flush=True)
        sys.argv = [f"benchmarks.{name}"]  # options are those of the benchmark run alone
        import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
