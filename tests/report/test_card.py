from __future__ import annotations

import re

import pytest
from tests.example_audit import make_audit

from assay.report import write_bibtex, write_card
from assay.views.rendering import escape_markdown


def test_a_card_has_verdict_findings_numbers_features_leaks_and_the_split(audit):
    card = write_card(audit)
    for text in (
        "Do not trust scores before this is fixed",
        "| warning | A401 |",
        "| λ_var (d) | 4.0 \\[3.5, 4.5\\] |",
        "| information beyond P+S (nats) | 0.40 \\[0.30, 0.50\\] |",
        "| exact copies of train in test | 2 of 10 |",
        "| mean length | 12 | 10 |",
        "Recommended split: `sds-k-means`, duplicates kept together",
        "- Items: keep 4, repair 3, retire 3.",
    ):
        assert text in card


def test_text_of_the_data_stays_text_in_markdown():
    assert escape_markdown("a|b\n# <b> [x](http://e.vil) www.e.vil") == r"a\|b \# \<b\> \[x\](http\://e.vil) www\.e.vil"


def test_a_hostile_audit_breaks_no_table(hostile):
    card = write_card(hostile)
    assert "<script" not in card.replace("\\<", "")
    widths = {line.replace("\\|", "").count("|") for line in card.splitlines() if line.startswith("| warning")}
    assert widths == {4}


def test_a_card_of_an_audit_without_sections_has_the_verdict_and_the_items():
    card = write_card(make_audit(sections={}))
    assert "## Benchmark audit\n\nNothing could be checked" in card
    assert "###" not in card.replace("### Advice", "").replace("### Cite this audit", "")


def test_the_hub_accepts_the_metadata_of_a_card(audit):
    hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    data = hub.DatasetCard(write_card(audit)).data.to_dict()
    assert data == {
        "task_categories": ["text-classification"],
        "size_categories": ["n<1K"],
        "tags": ["benchmark", "assay-audit"],
    }


def test_a_card_tells_how_to_cite_the_audit(audit):
    entries = re.findall(r"^@(\w+)\{([\w-]+),$", write_bibtex(audit), flags=re.MULTILINE)
    assert [kind for kind, _ in entries] == ["misc", "software"]
    assert write_bibtex(audit).strip() in write_card(audit)
    assert write_bibtex(audit).count("{") == write_bibtex(audit).count("}")


def test_names_cannot_break_out_of_bibtex(hostile):
    text = write_bibtex(hostile).replace("\\{", "").replace("\\}", "")
    assert text.count("{") == text.count("}")
