from __future__ import annotations

from assay.report.privacy import without_texts


def test_words_of_the_data_go_but_function_words_stay(audit):
    audit["findings"][1] |= {"claim": 'See "plot".', "evidence": {"tokens": ["plot", "not"]}}
    told = without_texts(audit)
    assert told["findings"][0]["claim"] == audit["findings"][0]["claim"]  # "not" says nothing of an item
    assert told["findings"][1]["claim"] == 'See "(withheld)".'
    assert told["findings"][1]["evidence"]["tokens"] == ["(withheld)", "not"]


def test_texts_and_word_lists_go_and_the_rest_stays(audit):
    told = without_texts(audit)
    assert "secret text" not in str(told)
    assert told["sections"]["profile"]["result"]["charts"]["words"] == []
    assert [row["id"] for row in told["items_top"]] == [row["id"] for row in audit["items_top"]]
