"""Folders with the names of models that assay loads by itself are not read."""

import pytest

from assay.base.errors import AssayError
from assay.features.measures import language_models
from assay.features.measures.language_models import DEFAULT_MODEL
from assay.models.neural.encoders import _PACKAGES, find_encoder
from assay.system.links import check_hub_name


@pytest.mark.parametrize("name", [DEFAULT_MODEL, *_PACKAGES])
def test_a_folder_in_the_working_folder_does_not_replace_a_model(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert check_hub_name(name) == name
    (tmp_path / name).mkdir(parents=True)
    with pytest.raises(AssayError, match="working folder"):
        check_hub_name(name)


@pytest.mark.parametrize("name", list(_PACKAGES))
def test_an_encoder_of_a_package_is_not_taken_from_the_working_folder(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir(parents=True)
    with pytest.raises(AssayError, match="working folder"):
        find_encoder(name)
    assert find_encoder(f"./{name}") == f"./{name}"  # a folder that the user names


def test_perplexity_does_not_load_a_planted_default_model(tmp_path, monkeypatch):
    from assay.features.labelled_texts import LabelledTexts

    monkeypatch.chdir(tmp_path)
    (tmp_path / DEFAULT_MODEL).mkdir()
    loaded = []
    monkeypatch.setattr(language_models, "load_causal_model", loaded.append)
    value = language_models.perplexity(LabelledTexts.from_texts(["this is a text", "and this is another one"]))
    assert not loaded
    assert "working folder" in value.reason
