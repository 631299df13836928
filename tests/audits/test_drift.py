"""What train and test are compared by, and what stands in for them."""

from __future__ import annotations

import numpy as np
from assay.audits.drift import label_drift

from assay.audits import audit
from assay.kinds import read


def test_the_label_that_changed_most_is_named():
    rows = {
        "text": [f"t{number}" for number in range(8)],
        "label": list("aaabbbbc"),
        "split": ["train"] * 4 + ["test"] * 4,
    }
    told = label_drift(read(rows))
    assert told is not None
    assert told["most"] == {"label": "a", "train": 0.75, "test": 0.0}
    assert told["parts"] == ["train", "test"]


def test_dev_is_compared_with_test_where_there_is_no_train(made):
    data = made(200)
    data["split"] = ["dev" if part == "train" else part for part in data["split"]]
    rows = np.flatnonzero(np.array(data["split"]) == "test")
    for row in rows:
        data["text"][row] += " quite another end of every text"
    found = audit(data, only=["splits"])
    assert found.sections["splits"].result["compared"] == ["dev", "test"]
    (drift,) = [one for one in found.findings if one.code == "A202"]
    assert drift.claim.startswith("The texts of test differ from those of dev")
