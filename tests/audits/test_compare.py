"""Two audits side by side."""

from __future__ import annotations

from dataclasses import replace

from tests.example_audit import make_audit, make_sections

from assay.audits import Section, compare_audits

AUDIT = make_audit()


def with_finding(**changes):
    return replace(AUDIT, findings=(replace(AUDIT.findings[0], **changes), *AUDIT.findings[1:]))


def test_an_audit_does_not_differ_from_itself():
    result = compare_audits(AUDIT, make_audit())
    assert (result.changed, result.new, result.gone, result.not_checked) == ((), (), (), ())
    assert result.n_same == len(AUDIT.findings)
    assert result.same_data


def test_a_value_outside_the_old_interval_and_another_severity_are_changes():
    old = with_finding(value=0.5, low=0.4, high=0.6)
    (change,) = compare_audits(old, with_finding(value=0.7, low=0.6, high=0.8)).changed
    assert (change.old.value, change.new.value) == (0.5, 0.7)
    (change,) = compare_audits(old, with_finding(value=0.5, low=0.4, high=0.6, severity="note")).changed
    assert change.new.severity == "note"
    assert not compare_audits(old, with_finding(value=0.55, low=0.4, high=0.6)).changed


def test_a_value_beyond_chance_is_not_a_change_of_itself():
    old = with_finding(value=0.5, low=0.1, high=0.2)
    assert not compare_audits(old, with_finding(value=0.5, low=0.1, high=0.2)).changed


def test_a_finding_whose_section_was_not_run_is_not_gone():
    sections = make_sections()
    sections["profile"] = Section("profile", "skipped", "The budget was spent.")
    result = compare_audits(AUDIT, make_audit(sections=sections))
    assert {finding.section for finding in result.not_checked} == {"profile"}
    assert result.gone == ()
    assert [(change.section, change.old, change.new) for change in result.sections] == [("profile", "done", "skipped")]


def test_new_findings_have_the_worst_severity_among_them():
    fewer = replace(AUDIT, findings=AUDIT.findings[1:])
    result = compare_audits(fewer, AUDIT)
    assert result.worst_new == AUDIT.findings[0].severity == "error"
    assert compare_audits(AUDIT, fewer).worst_new is None


def test_a_comparison_says_how_many_findings_differ():
    audit = make_audit()
    same = compare_audits(audit, audit)
    assert same.summary == f"0 new, 0 gone, 0 changed, 0 not checked this time, {same.n_same} the same."


def test_an_audit_yields_its_findings_the_first_screen_and_the_verdict():
    from assay.views.blocks import collect_blocks

    audit = make_audit()
    view = collect_blocks(audit.blocks())
    tables = {table.title: table for table in view.tables}
    assert [row[1] for row in tables["Findings"].cells] == [finding.code for finding in audit.findings]
    assert [row[:3] for row in tables["Six questions"].cells] == [
        [row.status, row.title, row.text] for row in audit.overview.rows
    ]
    assert view.verdict == audit.verdict == audit.summary
