from assay.features.average_length import average_length
from assay.features.part import Part


def test_it_counts_words_and_not_punctuation():
    assert average_length(Part.of(["one, two; three!", "one", ""])).value == 4 / 3
