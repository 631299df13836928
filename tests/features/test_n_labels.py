from assay.features.n_labels import n_labels
from assay.features.part import Part


def test_missing_labels_are_not_a_label():
    found = n_labels(Part.of(["a", "b", "c"], ["x", None, "y"]))
    assert (found.value, found.n) == (2, 2)
