"""The conventions of scikit-learn's splitters, for every registered splitter; docs/splits.md has their table.

`python -m tests.splits.test_conventions` writes the table again.
"""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    BaseCrossValidator,
    GridSearchCV,
    GroupKFold,
    check_cv,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import make_pipeline

from assay.splits import SPLITS, FoldSplitter

PAGE = Path(__file__).parents[2] / "docs" / "splits.md"
START, END = "<!-- conventions -->\n", "<!-- end of conventions -->\n"
WORDS = "ash bay cod doe elk fir gum hay ivy jay".split()
# Every text occurs twice, in one group: no method has a reason to cut it, and no method keeps it whole by chance.
DISTINCT = [" ".join(WORDS[(3 * row + step) % 10] for step in range(1 + row % 7)) + f" w{row}" for row in range(30)]
TEXTS = DISTINCT * 2
LABELS = np.array(["xy"[row % 2] for row in range(30)] * 2)
GROUPS = np.array([f"g{row}" for row in range(30)] * 2)
HOLDING = [name for name in SPLITS if not issubclass(SPLITS[name], FoldSplitter)]


def make_splitter(name: str, **parameters: Any) -> Any:
    own = {"times": [f"2020-01-{1 + row:02d}" for row in range(30)] * 2} if name == "temporal" else {}
    own |= {"n_init": 2} if name.endswith("k-means") else {}
    own |= {"test_size": 0.2} if name in HOLDING else {"n_splits": 3}
    return SPLITS[name](**(own | parameters))


def list_pairs(splitter: Any, *data: Any) -> list[tuple[list[int], list[int]]]:
    return [(train.tolist(), test.tolist()) for train, test in splitter.split(*(data or (TEXTS, LABELS)))]


def make_model() -> Any:
    return make_pipeline(CountVectorizer(), LogisticRegression())


def check_get_params(name):
    splitter = make_splitter(name)
    assert set(splitter.get_params()) == set(inspect.signature(SPLITS[name]).parameters)
    assert SPLITS[name](**splitter.get_params()).get_params() == splitter.get_params()


def check_set_params(name):
    splitter = make_splitter(name)
    assert splitter.set_params(random_state=7) is splitter
    assert list_pairs(splitter) == list_pairs(make_splitter(name, random_state=7))
    for wrong in ({"nothing": 1}, {"random_state": 3, "n_repeats": 0}):
        with pytest.raises(ValueError, match=r"nothing|n_repeats"):
            splitter.set_params(**wrong)
    assert splitter == make_splitter(name, random_state=7)


def check_clone(name):
    splitter = make_splitter(name, random_state=4).set_split_request(groups="sources")
    copy = clone(splitter)
    assert copy is not splitter
    assert type(copy) is type(splitter)
    assert copy.get_params() == splitter.get_params()
    assert copy.get_metadata_routing().split.requests == {"groups": "sources"}
    assert list_pairs(copy) == list_pairs(splitter)


def check_pickle(name):
    splitter = make_splitter(name)
    assert list_pairs(pickle.loads(pickle.dumps(splitter))) == list_pairs(splitter)


def check_repr(name):
    assert repr(make_splitter(name, random_state=7)).startswith(f"{SPLITS[name].__name__}(")
    assert "random_state=7" in repr(make_splitter(name, random_state=7))


def check_signature(name):
    expected = inspect.signature(GroupKFold.split)
    for method in (SPLITS[name].split, SPLITS[name].get_n_splits):
        parameters = inspect.signature(method).parameters
        assert list(parameters) == list(expected.parameters)
        assert parameters["y"].default is None
        assert parameters["groups"].default is None


def check_no_labels(name):
    assert list_pairs(make_splitter(name), TEXTS)


def check_n_splits(name):
    assert make_splitter(name).get_n_splits() == len(list_pairs(make_splitter(name)))


def check_indices(name):
    for train, test in make_splitter(name).split(TEXTS, LABELS):
        for side in (train, test):
            assert side.dtype == np.int64
            assert (np.diff(side) >= 0).all()
            assert len(side)
            assert 0 <= side[0] <= side[-1] < len(TEXTS)
        assert set(train).isdisjoint(test)


def check_unique_indices(name):
    for sides in list_pairs(make_splitter(name)):
        assert all(len(set(side)) == len(side) for side in sides)


def check_seed(name):
    first, same, *others = (list_pairs(make_splitter(name, random_state=seed)) for seed in (1, 1, 2, 3, 4))
    assert first == same
    assert any(other != first for other in others)


def check_no_seed(name):
    for state in (None, np.random.RandomState(0)):
        assert list_pairs(make_splitter(name, random_state=state))


def check_errors(name):
    wrong = [{"n_repeats": 0}, {"n_repeats": 1.5}, {"random_state": -1}, {"random_state": "1"}]
    wrong += [{"test_size": size, "n_splits": None} for size in (-1, 1.5, "0.2")] if name not in HOLDING else []
    wrong += [{"test_size": size} for size in (-1, 1.5, "0.2")] if name in HOLDING else []
    wrong += [{"n_splits": number} for number in (0, 2.5, "3")] if hasattr(SPLITS[name], "n_splits") else []
    for parameters in wrong:
        with pytest.raises(ValueError, match="must be"):
            list_pairs(make_splitter(name, **parameters))


def check_cross_validation(name):
    splitter = make_splitter(name)
    assert check_cv(splitter) is splitter
    assert len(cross_val_score(make_model(), TEXTS, LABELS, cv=splitter)) == splitter.get_n_splits()
    search = GridSearchCV(make_model(), {"logisticregression__C": [0.1, 1.0]}, cv=splitter).fit(TEXTS, LABELS)
    assert search.n_splits_ == splitter.get_n_splits()


def check_cross_val_predict(name):
    assert len(cross_val_predict(make_model(), TEXTS, LABELS, cv=make_splitter(name))) == len(TEXTS)


def check_routing(name):
    splitter = make_splitter(name)
    with sklearn.config_context(enable_metadata_routing=True):
        scores = cross_validate(
            make_model(), TEXTS, LABELS, cv=splitter, params={"groups": GROUPS}, return_indices=True
        )
        GridSearchCV(make_model(), {"logisticregression__C": [1.0]}, cv=splitter).fit(TEXTS, LABELS, groups=GROUPS)
    pairs = list(zip(scores["indices"]["train"], scores["indices"]["test"], strict=True))
    assert [(train.tolist(), test.tolist()) for train, test in pairs] == list_pairs(splitter, TEXTS, LABELS, GROUPS)
    for train, test in pairs:
        assert set(GROUPS[train]).isdisjoint(GROUPS[test])


def check_routing_by_name(name):
    splitter = make_splitter(name)
    with sklearn.config_context(enable_metadata_routing=True):
        cross_validate(
            make_model(), TEXTS, LABELS, cv=splitter.set_split_request(groups="sources"), params={"sources": GROUPS}
        )
        splitter.set_split_request(groups=False)
        with pytest.raises(TypeError, match="groups"):
            cross_validate(make_model(), TEXTS, LABELS, cv=splitter, params={"groups": GROUPS})


def check_part_of_rows(name):
    assert list_pairs(make_splitter(name), TEXTS[::2], LABELS[::2])


def check_base_class(name):
    assert isinstance(make_splitter(name), BaseCrossValidator)


@dataclass(frozen=True)
class Convention:
    """What scikit-learn's own splitters do, and the splitters that do not, with the reason."""

    text: str
    check: Callable[[str], None]
    without: tuple[str, ...] = ()
    reason: str = ""
    holds: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "holds", tuple(name for name in SPLITS if name not in self.without))


CONVENTIONS = [
    Convention("`get_params` returns the parameters of the constructor", check_get_params),
    Convention("`set_params` changes them in place and refuses unknown names and bad values", check_set_params),
    Convention("`clone` and the copy make the same split", check_clone),
    Convention("`pickle` and the copy make the same split", check_pickle),
    Convention("`repr` shows the class and its parameters", check_repr),
    Convention("`split(X, y=None, groups=None)`, `get_n_splits(X=None, y=None, groups=None)`", check_signature),
    Convention(
        "`split(X)` works without labels", check_no_labels, ("sds-k-means", "stratified"), "they balance labels"
    ),
    Convention("`get_n_splits()` is the number of pairs, before any data is seen", check_n_splits),
    Convention("train and test are ascending integers and share no row", check_indices),
    Convention("no row occurs twice", check_unique_indices, ("bootstrap",), "it draws with replacement"),
    Convention(
        "one `random_state` gives one split, another gives another",
        check_seed,
        ("length", "temporal"),
        "nothing is drawn",
    ),
    Convention(
        "`random_state` may be None or a `RandomState`",
        check_no_seed,
        tuple(SPLITS),
        "every split can be repeated from its seed",
    ),
    Convention("bad values are a `ValueError`", check_errors),
    Convention("works as `cv=` of `cross_val_score` and `GridSearchCV`", check_cross_validation),
    Convention(
        "works as `cv=` of `cross_val_predict`",
        check_cross_val_predict,
        tuple(HOLDING),
        "a test set does not cover all rows, as with `ShuffleSplit`",
    ),
    Convention("metadata routing passes `groups` by default, as to `GroupKFold`", check_routing),
    Convention("`set_split_request` renames or declines `groups`", check_routing_by_name),
    Convention(
        "splits any part of the rows, as nested cross-validation does",
        check_part_of_rows,
        ("temporal",),
        "`times` belong to the rows of X",
    ),
    Convention(
        "is a `BaseCrossValidator`",
        check_base_class,
        tuple(SPLITS),
        "splitting does not import scikit-learn; its functions ask only for `split` and `get_n_splits`",
    ),
]
CASES = [
    pytest.param(convention, name, id=f"{convention.check.__name__.removeprefix('check_')}-{name}")
    for convention in CONVENTIONS
    for name in SPLITS
]


@pytest.mark.parametrize(("convention", "name"), CASES)
def test_every_splitter_keeps_the_conventions_of_scikit_learn(convention, name):
    if name in convention.holds:
        convention.check(name)
    else:
        with pytest.raises((AssertionError, ValueError)):
            convention.check(name)


def write_table() -> str:
    lines = ["| convention | holds for | |\n", "|---|---|---|\n"]
    for convention in CONVENTIONS:
        names = ", ".join(f"`{name}`" for name in convention.without)
        holds = "all" if not names else "none" if not convention.holds else f"all but {names}"
        lines.append(f"| {convention.text} | {holds} | {convention.reason} |\n")
    return "".join(lines)


def test_the_documentation_has_the_table_of_conventions():
    page = PAGE.read_text(encoding="utf-8")
    assert page.partition(START)[2].partition(END)[0] == write_table()


if __name__ == "__main__":
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    PAGE.write_text(before + START + write_table() + END + rest.partition(END)[2], encoding="utf-8")
