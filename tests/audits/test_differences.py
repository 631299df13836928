"""Two audits side by side."""

from assay.audits.differences import differences

CHANCE = {"code": "A202", "severity": "note", "value": 0.5, "low": 0.1, "high": 0.2, "evidence": {}}


def told(**finding: object) -> dict[str, object]:
    return {"findings": [{**CHANCE, **finding}], "sections": {}, "data": {"fingerprint": "x"}}


def test_an_audit_does_not_differ_from_itself_though_a_value_lies_beyond_chance():
    found = differences(told(), told())
    assert (found.changed, found.new, found.gone, found.n_same) == ([], [], [], 1)


def test_a_value_that_left_the_old_interval_and_a_graver_severity_are_changes():
    assert differences(told(), told(value=0.6)).changed[0]["old_value"] == 0.5
    assert differences(told(), told(severity="error")).changed[0]["old_severity"] == "note"
    assert not differences(told(low=0.4, high=0.7), told(value=0.6)).changed
