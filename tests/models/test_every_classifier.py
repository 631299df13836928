"""Laws that hold for every classifier."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from assay.base.errors import AssayError, MissingExtraError, UsageError
from assay.models import MODELS
from assay.models.fitting import fit_and_predict

NEURAL = ["cnn", "lstm", "lstm-attention", "transformer"]
SMALL = {
    "linear": {},
    "cnn": {"vector_size": 16, "n_filters": 8, "epochs": 12, "learning_rate": 0.01},
    "lstm": {"vector_size": 16, "hidden": 8, "epochs": 12, "learning_rate": 0.02, "dropout": 0.1},
    "lstm-attention": {
        "vector_size": 16,
        "hidden": 8,
        "hops": 2,
        "attention_size": 8,
        "epochs": 12,
        "learning_rate": 0.02,
        "dropout": 0.1,
    },
    "transformer": {"epochs": 12, "learning_rate": 3e-3, "patience": 12},
    "embedding": {"hidden": (32,), "epochs": 300, "patience": 100, "learning_rate": 0.01},
}


def small(name, tiny_encoder, **more):
    settings = SMALL[name] | ({"encoder": tiny_encoder} if name in ("transformer", "embedding") else {})
    return MODELS[name](**(settings | more))


@pytest.fixture(params=list(MODELS))
def name(request):
    if request.param != "linear":
        pytest.importorskip("torch")
    return request.param


def test_it_learns_texts(name, texts, tiny_encoder):
    model = small(name, tiny_encoder).fit(*texts)
    assert model.score(*texts) > 0.9
    probabilities = model.predict_proba(texts[0])
    assert probabilities.shape == (80, 2)
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert model.classes_.tolist() == ["neg", "pos"]


def test_it_learns_pairs(name, pairs, tiny_encoder):
    model = small(name, tiny_encoder).fit(*pairs)
    floor = 0.5 if name == "transformer" else 0.7  # one random layer learns overlap slowly
    assert model.score(*pairs) >= floor


def test_same_seed_same_bytes(name, texts, tiny_encoder):
    first, second = (small(name, tiny_encoder, random_state=3).fit(*texts).predict_proba(texts[0]) for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_a_saved_model_predicts_the_same(name, texts, tiny_encoder, tmp_path):
    model = small(name, tiny_encoder).fit(*texts)
    model.save(tmp_path / "model")
    loaded = MODELS[name].load(tmp_path / "model")
    assert np.allclose(loaded.predict_proba(texts[0]), model.predict_proba(texts[0]), atol=1e-6)
    assert not [path for path in (tmp_path / "model").rglob("*") if path.suffix in (".pkl", ".bin", ".pt")]


def test_scikit_learn_can_clone_it(name, tiny_encoder):
    model = small(name, tiny_encoder, random_state=5)
    assert clone(model).get_params() == model.get_params()


def test_one_class_is_an_error(name, tiny_encoder):
    with pytest.raises(AssayError, match=r"only one class \('a'\) among 3 training items; two classes are needed"):
        small(name, tiny_encoder).fit(["x", "y", "z"], ["a", "a", "a"])


def test_a_class_of_one_item_is_learnt_and_never_held_out(name, texts, tiny_encoder):
    model = small(name, tiny_encoder, **({} if name == "linear" else {"epochs": 2}))
    model.fit([*texts[0], "music music"], [*texts[1], "single"])
    assert model.classes_.tolist() == ["neg", "pos", "single"]
    assert model.predict_proba(["music"]).shape == (1, 3)


def test_empty_texts_are_classified(name, texts, tiny_encoder):
    model = small(name, tiny_encoder, **({} if name == "linear" else {"epochs": 2}))
    model.fit(["", *texts[0]], ["pos", *texts[1]])
    assert np.isfinite(model.predict_proba(["", "  ", "good"])).all()


def test_a_missing_text_is_an_error(name, tiny_encoder):
    with pytest.raises(AssayError, match="text 1: missing; classifiers take strings"):
        small(name, tiny_encoder).fit(["x", None], ["a", "b"])


def test_an_unfitted_model_raises_the_error_of_scikit_learn(name, tiny_encoder, tmp_path):
    model = small(name, tiny_encoder)
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        model.predict(["x"])
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        model.save(tmp_path)


def test_a_model_of_texts_cannot_predict_pairs(name, texts, tiny_encoder):
    model = small(name, tiny_encoder, **({} if name == "linear" else {"epochs": 1})).fit(*texts)
    with pytest.raises(AssayError, match="fitted on texts and cannot predict pairs"):
        model.predict([("a", "b")])


def test_development_labels_absent_from_training_are_left_out_with_a_note(texts, tiny_encoder):
    pytest.importorskip("torch")
    with pytest.warns(UserWarning, match=r"1 development items have labels absent from training \(odd\)"):
        small("cnn", tiny_encoder, epochs=1).fit(*texts, ["good", "fun"], ["pos", "odd"])


WITHOUT_EXTRA = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "transformers", "safetensors"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
"""
TRAIN = "from assay.cli.main import status\nsys.exit(status(sys.argv[1:]))\n"
LOAD = """
from assay.base.errors import MissingExtraError
from assay.models import MODELS
try:
    MODELS[sys.argv[1]].load(sys.argv[2]).predict(["good"])
except MissingExtraError as error:
    print(error)
"""


@pytest.mark.parametrize("name", [*NEURAL, "embedding"])
def test_training_without_the_extra_names_it_on_one_line(name, texts, tmp_path):
    parts = ["train", "train", "train", "test"] * 20
    rows = ["\t".join(row) for row in zip(*texts, parts, strict=True)]
    (tmp_path / "data.tsv").write_text("\n".join(["text\tlabel\tsplit", *rows]) + "\n", encoding="utf-8")
    command = [sys.executable, "-c", WITHOUT_EXTRA + TRAIN, "train", "data.tsv", "--model", name, "--no-cache"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    *notes, error = done.stderr.splitlines()
    assert re.fullmatch(rf'Error: {name}: \w+ needs torch: pip install "benchassay\[neural\]"\.', error)
    assert [note.partition(" ")[0] for note in notes] == ["task:", "id:", "Nothing"]  # what was read; no traceback
    assert done.returncode == 1


@pytest.mark.parametrize("name", [*NEURAL, "embedding"])
def test_loading_without_the_extra_names_it(name, texts, tiny_encoder, tmp_path):
    small(name, tiny_encoder, epochs=1).fit(*texts).save(tmp_path / "model")
    command = [sys.executable, "-c", WITHOUT_EXTRA + LOAD, name, str(tmp_path / "model")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert re.fullmatch(r'\w+ needs torch: pip install "benchassay\[neural\]"\.\n', done.stdout), done.stderr


def test_the_error_of_a_missing_extra_keeps_its_class(texts, monkeypatch):
    def refuse(module, extra, purpose):
        raise MissingExtraError(f"{purpose} needs {module}")

    monkeypatch.setattr("assay.models.neural.base.import_extra", refuse)
    with pytest.raises(MissingExtraError, match="cnn, fold 1: CNNClassifier needs torch"):
        fit_and_predict("cnn", {}, texts, None, ["good"], "cnn, fold 1")


def test_an_unknown_model_is_an_error_with_the_nearest_name():
    with pytest.raises(UsageError, match=r"No model 'lstn'\. Did you mean 'lstm'"):
        MODELS["lstn"]


def test_the_registry_lists_all_models_without_importing_torch():
    code = "import sys, assay.models as m; list(m.MODELS); m.MODELS['linear']()"
    code += "; print('torch' in sys.modules, 'polars' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
    assert list(MODELS) == ["cnn", "embedding", "linear", "lstm", "lstm-attention", "transformer"]


def test_texts_beyond_the_limit_are_cut_with_a_note(texts, tiny_encoder):
    pytest.importorskip("torch")
    long = ["good " * 50, "bad " * 50, *texts[0]]
    with pytest.warns(UserWarning, match=r"2 of \d+ texts are longer than 16 tokens and were cut"):
        model = small("transformer", tiny_encoder, epochs=1).fit(long, ["pos", "neg", *texts[1]], *texts)
    assert any("longer than 16 tokens" in note for note in model.notes_)


def test_long_texts_are_cut_for_word_networks_too(texts, tiny_encoder):
    pytest.importorskip("torch")
    with pytest.warns(UserWarning, match="more than 4 words were cut"):
        small("cnn", tiny_encoder, epochs=1, max_words=4).fit(*texts)


def test_pairs_reach_the_encoder_as_pairs(tiny_encoder):
    pytest.importorskip("torch")
    from assay.models.neural.encoders import load_pretrained
    from assay.models.neural.tokens import tokenize_sides

    tokenizer = load_pretrained(tiny_encoder, "AutoTokenizer", "test")
    items, _ = tokenize_sides(tokenizer, (["good film"], ["bad"]), 16)
    ids, _mask, types = items.batch(np.array([0]))
    assert tokenizer.decode(ids[0]) == "[CLS] good film [SEP] bad [SEP]"
    assert types[0].tolist() == [0, 0, 0, 0, 1, 1]


def test_an_encoder_that_does_not_exist_is_an_error(texts, monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(AssayError, match=r"encoder '\./nowhere' cannot be loaded"):
        MODELS["transformer"](encoder="./nowhere").fit(*texts)


def test_threads_that_load_the_registry_at_once_all_find_the_models():
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from assay.models.registry import MODELS\n"
        "with ThreadPoolExecutor(8) as pool:\n"
        "    print(len(list(pool.map(lambda _: MODELS['linear'], range(8)))))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "8"
