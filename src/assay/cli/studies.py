"""The studies of `train --splits` and `train --study`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.parameters import Options
from assay.cli.results import finish

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.models.quick.results import QuickStudy
    from assay.models.split_studies.stress_table import StressTable
    from assay.models.split_studies.training_age import AgeStudy


def run_split_study(data: Dataset, options: Options, work: Options) -> None:
    """Run the study of training age, of quick models or of split families, and show it."""
    from assay.kinds import kind_of

    kind = kind_of(data)
    result: AgeStudy | QuickStudy | StressTable
    settings = {"models": list(options["models"]), "seed": options["seed"]}
    if options["study"]:
        result, own = _study_age(data, options, work)
        settings |= own | work["settings"]
    elif kind.learning.has_models and not (kind.gold.has_text_labels and tuple(options["models"]) != ("linear",)):
        result, settings = _study_quick_models(data, options)
    else:
        result, own = _build_stress_table(data, options, work)
        settings |= own | work["settings"]
    finish("train", result, options["json_"], settings, data)


def _study_quick_models(data: Dataset, options: Options) -> tuple[QuickStudy, Options]:
    from assay.models.quick.study import study_quick_models
    from assay.models.split_drawing import CHALLENGING_SPLITS

    wanted = [name.strip() for name in options["splits"].split(",")]
    names = CHALLENGING_SPLITS if wanted == ["all"] else [name for name in wanted if name not in ("random", "standard")]
    result = study_quick_models(data, splits=names, n_draws=options["repeats"], random_state=options["seed"])
    return result, {"splits": ",".join(names), "repeats": options["repeats"], "seed": options["seed"]}


def _study_age(data: Dataset, options: Options, work: Options) -> tuple[AgeStudy, Options]:
    from assay.models.split_studies.training_age import study_training_age

    result = study_training_age(data, options["models"], n_slices=options["slices"], **work)
    return result, {"study": "drift", "slices": options["slices"]}


def _build_stress_table(data: Dataset, options: Options, work: Options) -> tuple[StressTable, Options]:
    from assay.kinds import read
    from assay.models.split_studies.stress_table import FAMILIES, build_stress_table

    names = list(FAMILIES) if options["splits"] == "all" else [name.strip() for name in options["splits"].split(",")]
    sample = read(options["new_sample"]) if options["new_sample"] else None
    settings = {"splits": ",".join(names), "repeats": options["repeats"], "new_sample": options["new_sample"]}
    models, n_repeats = options["models"], options["repeats"]
    return build_stress_table(data, models, names, n_repeats=n_repeats, new_sample=sample, **work), settings
