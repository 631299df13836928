"""Tell how far a text benchmark can be trusted."""

import os
import sys

_STARTED_AS_MODULE = sys.argv[:1] == ["-m"] and "-m assay " in f"{' '.join(sys.orig_argv)} "
if _STARTED_AS_MODULE and not sys.flags.safe_path and __path__[0] != f"{sys.path[0]}{os.sep}assay":
    del sys.path[0]  # the working folder, in which a file such as typing.py would run

from typing import TYPE_CHECKING  # noqa: E402

from assay.base.lazy import lazy_exports  # noqa: E402

if os.path.exists(".numba_config.yaml"):  # noqa: PTH110, pathlib is slow to import
    from assay.system.processes import ignore_numba_settings

    ignore_numba_settings()
if TYPE_CHECKING:
    from assay.audits import Audit, audit, audit_suite, diff
    from assay.base.errors import AssayError
    from assay.contamination import find_contamination
    from assay.data import Dataset
    from assay.decisions import decide
    from assay.difficulty import rate_difficulty
    from assay.discrimination import discriminate
    from assay.evaluation import evaluate
    from assay.features.profiling.profiles import profile
    from assay.forecast.forecasting import forecast_discrimination
    from assay.information.dataset import measure_information
    from assay.judges import audit_judges
    from assay.kinds import read
    from assay.kinds.log_data import convert, convert_tasks
    from assay.models.training import train
    from assay.responses import audit_responses
    from assay.reviews import estimate_review, plan_review
    from assay.splits import compare, split
    from assay.suspects import find_suspects, repair
    from assay.votes import rate_votes

__version__ = "0.3.0.dev0"
__all__ = [
    "AssayError",
    "Audit",
    "Dataset",
    "__version__",
    "audit",
    "audit_judges",
    "audit_responses",
    "audit_suite",
    "compare",
    "convert",
    "convert_tasks",
    "decide",
    "diff",
    "discriminate",
    "estimate_review",
    "evaluate",
    "find_contamination",
    "find_suspects",
    "forecast_discrimination",
    "measure_information",
    "plan_review",
    "profile",
    "rate_difficulty",
    "rate_votes",
    "read",
    "repair",
    "split",
    "train",
]

__getattr__, __dir__ = lazy_exports(__name__)
