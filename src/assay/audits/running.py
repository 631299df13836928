"""Run the sections one after the other; what is done is kept, whatever happens to the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from assay.audits.case import Case
from assay.audits.section import Measure, Measured, Section
from assay.audits.sections import SECTIONS
from assay.audits.threads import one_thread
from assay.base.codec import to_plain
from assay.base.errors import AssayError, UsageError
from assay.tasks import TaskCache

if TYPE_CHECKING:
    import polars as pl

Progress = Callable[[str, float], None]  # the section that starts, and the share of the work that is done


def chosen_sections(only: Sequence[str] | None, skip: Sequence[str] | None) -> list[str]:
    """Return the sections to run, in order.

    >>> chosen_sections(["splits", "profile"], None)
    ['profile', 'splits']
    """
    for name in (*(only or ()), *(skip or ())):
        SECTIONS[name]  # raises, with what exists
    chosen = [name for name in SECTIONS if (not only or name in only) and name not in (skip or ())]
    if not chosen:
        raise UsageError(f"No section is left to run. Known: {', '.join(SECTIONS)}.")
    return chosen


def run_sections(
    case: Case, names: Sequence[str], budget: float | None = None, progress: Progress | None = None
) -> tuple[dict[str, Section], dict[str, pl.DataFrame], bool]:
    """Return the sections, their tables of items, and whether the user stopped the run."""
    sections: dict[str, Section] = {}
    frames: dict[str, pl.DataFrame] = {}
    shares = {name: SECTIONS[name].share(quick=case.settings.quick) for name in names}
    started, total, done = time.monotonic(), sum(shares.values()) or 1.0, 0.0
    why = None
    for name in names:
        if why is None and budget is not None and time.monotonic() - started > 60 * budget:
            why = f"The budget of {budget:g} minutes was spent."
        if why is None:
            try:
                if progress is not None:
                    progress(name, done / total)
                sections[name], items = measured(case, SECTIONS[name])
                frames |= {} if items is None else {name: items}
            except KeyboardInterrupt:
                why = "Interrupted."
        if why is not None:
            sections[name] = Section(name, "skipped", why)
        done += shares[name]
    if progress is not None:
        progress("", 1.0)
    return sections, frames, why == "Interrupted."


def measured(case: Case, section: Measure) -> tuple[Section, pl.DataFrame | None]:
    """Measure one section, or take it from the cache; an error is the section's, never the audit's."""
    store = None if case.settings.cache is None else TaskCache(case.settings.cache)
    key = "" if store is None else store.key(section.measure, identity(case))
    known, found = store.load(key) if store is not None else (False, Measured({}))
    if not known:
        try:
            with one_thread(neural=not case.settings.quick):
                made = section.measure(case)
        except AssayError as error:  # it says what the data lacks
            return Section(section.name, "skipped", one_line(error, case)), None
        except Exception as error:  # the other sections still have something to say
            return Section(section.name, "failed", one_line(error, case)), None
        found = Measured(to_plain(made.result), made.items)
        if store is not None:
            store.save(key, found)
    return Section(section.name, "done", None, found.result), found.items


def identity(case: Case) -> tuple[Any, ...]:
    """Return everything that a section's result depends on."""
    import joblib

    settings = case.settings
    systems = None
    if case.predictions is not None:
        given = case.predictions
        systems = joblib.hash([given.ids, given.gold, {name: given.systems[name].__dict__ for name in given.names}])
    scores = None if case.scores is None else joblib.hash([vars(one) for one in case.scores.measurements])
    return case.data.fingerprint, case.data.name, systems, scores, settings.quick, settings.random_state


def one_line(error: Exception, case: Case) -> str:
    """Write an error on one line; of an unexpected one under --private only its kind: its words may be the data's."""
    kind = "" if isinstance(error, AssayError) else f"{type(error).__name__}: "
    if kind and case.settings.private:
        return kind.rstrip(": ")
    return " ".join(f"{kind}{error}".split())[:500]
