"""Draw the conclusions of an audit again after a finding was suppressed or counts again, without measuring."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assay.system.files import write_together
from assay.web.store import Version
from assay.web.suppressions import load_ignore_rules
from assay.web.work.audit_run import get_options, summarise_audit, write_audit_file, write_report_files
from assay.web.work.sources import has_data, read_data, read_systems, write_error

if TYPE_CHECKING:
    from assay.audits import Audit
    from assay.audits.ignore import IgnoreRule


def apply_suppressions(version: Version) -> None:
    """Write findings, verdict, report and card of a version again."""
    try:
        import polars as pl

        from assay.audits import Audit
        from assay.audits.details import collect_details
        from assay.audits.ignore import read_ignore
        from assay.evaluation.predictions.reading import find_predictions
        from assay.evaluation.repeats.stacking import combine_repeats, has_repeats

        audit = Audit.from_json(version.folder / "audit.json")
        data = read_data(version) if has_data(version) else None
        rules = read_ignore([*get_options(version)["ignore"], *load_ignore_rules(version)])
        result = check_again(audit, list(rules))
        if data is not None:
            predictions = find_predictions(read_systems(version, data), data)
            if predictions is not None and has_repeats(predictions):
                predictions = combine_repeats(predictions)
            details = collect_details(data, predictions, private=audit.settings.private)
            result = replace(result, items=pl.read_parquet(version.folder / "items.parquet"), details=details)
        with write_together():
            write_audit_file(version, data, result)
            write_report_files(version, result)
            version.write("outcome.json", {**(version.read("outcome.json") or {}), **summarise_audit(result)})
            version.write("applied.json", {"error": None})
    except Exception as error:  # the page shows one line, whatever went wrong
        version.write("applied.json", {"error": write_error(error, version)})


def check_again(audit: Audit, rules: list[IgnoreRule]) -> Audit:
    """Return the audit with its rules checked again, and other findings ignored."""
    from assay.audits.run import check_rules

    checks = check_rules(audit.sections, audit.data, rules)
    return replace(
        audit,
        verdict=checks.write_verdict(audit.sections, audit.data),
        overview=checks.build_overview(audit.sections, audit.data),
        findings=checks.findings,
        passed=checks.passed,
        not_checked=checks.not_checked,
        ignored=checks.ignored,
    )
