from __future__ import annotations

import pickle

import pytest

from assay.base.errors import (
    MAX_MESSAGE,
    AssayError,
    MissingExtraError,
    MissingFileError,
    UsageError,
    describe_bug,
    import_extra,
    join_names,
    name_flag,
    unknown_name,
)


def test_an_error_is_phrased_for_each_interface():
    error = AssayError("no labels", place="a.csv", hint="Give {label}, or {predictions} with gold labels.")
    assert str(error) == "a.csv: no labels. Give label=, or predictions= with gold labels."
    assert error.phrase(name_flag) == "a.csv: no labels. Give --label, or --predictions with gold labels."
    assert (
        error.phrase(lambda name: f"“{name}”") == "a.csv: no labels. Give “label”, or “predictions” with gold labels."
    )


def test_the_option_is_the_subject_of_the_message():
    error = UsageError("is 0.", option="n_jobs", hint="Use a positive number, or -1 for all cores.")
    assert str(error) == "n_jobs is 0. Use a positive number, or -1 for all cores."
    assert error.phrase(name_flag).startswith("--jobs is 0. ")


def test_text_from_the_data_is_never_taken_for_an_option():
    assert AssayError("the column {label} is empty.").phrase(name_flag) == "The column {label} is empty."


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (AssayError("x"), ValueError),
        (MissingFileError("x"), FileNotFoundError),
        (MissingExtraError("x"), ImportError),
        (unknown_name("split", "x", ["y"]), ValueError),
    ],
)
def test_errors_are_what_python_users_catch(error, kind):
    assert isinstance(error, kind)
    assert isinstance(error, AssayError)


def test_an_error_survives_the_way_between_processes():
    error = pickle.loads(pickle.dumps(UsageError("is 0.", place="a", option="n_jobs", hint="b")))
    assert type(error) is UsageError
    assert (error.fact, error.place, error.option, error.hint) == ("is 0.", "a", "n_jobs", "b")


def test_a_missing_extra_names_what_to_install():
    with pytest.raises(MissingExtraError, match=r"Training needs no_such_module: pip install .benchassay\[forecast\]"):
        import_extra("no_such_module.inner", "forecast", "Training")


def test_a_long_message_is_shortened_in_every_part():
    error = AssayError("x" * 300_000, place="p" * 5_000, hint="h" * 5_000 + " {label}")
    for message in (str(error), error.phrase(name_flag)):
        assert len(message) == 500
        assert message.startswith("pp")
        assert "…" in message
        assert message.endswith(("label=.", "--label."))
    assert str(AssayError("x" * 499)) == "x" * 499 + "."


def test_long_lists_are_counted():
    assert join_names(range(7), limit=2) == "0, 1 and 5 more"


def test_control_characters_in_an_error_are_visible():
    error = AssayError("no column '\x1b[2J'", place="a\x9b\n::error::b.csv", hint="Columns are \u202ex.")
    assert str(error) == "a\\x9b ::error::b.csv: no column '\\x1b[2J'. Columns are \\u202ex."
    assert len(str(AssayError("\x1b" * 5_000, place="\x1b" * 5_000, hint="\x1b" * 5_000))) <= MAX_MESSAGE


def test_a_bug_names_its_type_and_message_on_one_line():
    line = describe_bug(ValueError("a\x1b\nb" + "c" * 5_000))
    assert "ValueError: a\\x1b b" in line
    assert len(line) < MAX_MESSAGE
    assert "not enough memory" in describe_bug(MemoryError())


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (AssayError("there are no labels", place="a.csv"), "a.csv: there are no labels."),
        (AssayError("There are no labels."), "There are no labels."),
        (AssayError("the file is damaged", hint="Was it cut off?"), "The file is damaged. Was it cut off?"),
        (AssayError("label_shares lacks labels"), "label_shares lacks labels."),
        (AssayError("must be above 0", option="n_jobs", hint="Use -1"), "n_jobs must be above 0. Use -1."),
    ],
)
def test_a_message_is_made_of_sentences(error, message):
    assert str(error) == message
