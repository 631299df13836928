from __future__ import annotations

from assay.report import card
from assay.report.card import safe


def test_a_card_tells_verdict_findings_numbers_features_leaks_and_the_split(audit):
    told = card(audit)
    for text in (
        "Trust scores on this benchmark with care",
        "| warning | A401 |",
        "| λ_var (d) | 4.0 \\[3.5, 4.5\\] |",
        "| TSI beyond P+S (nats) | 0.40 \\[0.30, 0.50\\] |",
        "| exact copies of train in test | 2 of 10 |",
        "| average length | 12 | 10 |",
        "Recommended split: `sds-k-means`, duplicates kept together",
        "- Items: keep 4, repair 3, retire 3.",
    ):
        assert text in told


def test_text_of_the_data_stays_text_in_markdown():
    assert safe("a|b\n# <b> [x](http://e.vil) www.e.vil") == r"a\|b \# \<b\> \[x\](http\://e.vil) www\.e.vil"


def test_a_hostile_audit_breaks_no_table(hostile):
    told = card(hostile)
    assert "<script" not in told.replace("\\<", "")
    widths = {line.replace("\\|", "").count("|") for line in told.splitlines() if line.startswith("| warning")}
    assert widths == {4}


def test_a_card_of_a_bare_audit_has_the_verdict_alone():
    told = card({"verdict": "Nothing.", "findings": [], "sections": {}, "data": {}, "settings": {}})
    assert told.startswith("## Benchmark audit\n\nNothing.\n")
    assert "###" not in told
