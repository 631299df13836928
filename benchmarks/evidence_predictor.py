"""Train the predictor that ships on the evidence, and write its files.

python -m benchmarks.evidence_predictor --out src/assay/forecast
"""

from __future__ import annotations

import argparse
from pathlib import Path


def main() -> None:
    from assay.forecast import read_evidence
    from benchmarks.studies.forecast.predictor_training import build_predictor, write_predictor

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, required=True)
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    write_predictor(build_predictor(read_evidence()), options.out)


if __name__ == "__main__":
    main()
