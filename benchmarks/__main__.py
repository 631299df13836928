"""Run benchmarks: all, or those named. `python -m benchmarks [NAME…]`; `--list` names them."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def names() -> list[str]:
    """Name the benchmarks: every module beside this one."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def main(wanted: list[str]) -> int:
    """Run the benchmarks and return the exit status."""
    if unknown := set(wanted) - {*names(), "--list"}:
        print(f"No benchmark {', '.join(sorted(unknown))}. Known: {', '.join(names())}.", file=sys.stderr)
        return 2
    for name in names() if "--list" in wanted else wanted or names():
        if "--list" in wanted:
            print(name)
            continue
        print(f"== {name}", flush=True)
        import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
