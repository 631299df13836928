"""The training loop: stopping, checkpoints, memory, weights."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from assay.base.errors import AssayError  # noqa: E402
from assay.models import CNNClassifier  # noqa: E402
from assay.models.neural.training import checkpoints  # noqa: E402
from assay.models.neural.training.batches import draw_batches, sort_into_batches  # noqa: E402
from assay.models.neural.training.loop import TrainingLoop  # noqa: E402
from assay.models.neural.training.settings import TrainingSettings  # noqa: E402

SETTINGS = {"vector_size": 8, "n_filters": 4, "batch_size": 8, "learning_rate": 0.01, "epochs": 4}


def weights_of(model):
    return {name: value.clone() for name, value in model.network_.state_dict().items()}


def same(first, second):
    return all(torch.equal(first[name], second[name]) for name in first)


def test_every_row_is_in_one_batch_and_batches_hold_similar_lengths():
    lengths = np.random.default_rng(0).integers(1, 100, 203)
    batches = draw_batches(lengths, 16, np.random.default_rng(1))
    assert sorted(np.concatenate(batches)) == list(range(203))
    spread = np.mean([np.ptp(lengths[rows]) for rows in batches])
    assert spread < 20
    assert np.concatenate(sort_into_batches(lengths, 16)).tolist() == np.argsort(-lengths, kind="stable").tolist()


def test_the_best_weights_are_kept_and_training_stops(texts):
    model = CNNClassifier(**SETTINGS | {"epochs": 40, "patience": 2}).fit(*texts)
    assert model.history_.n_epochs <= model.history_.best_epoch + 2
    assert model.history_.n_epochs < 40


@pytest.mark.parametrize("killed_at", [3, 11, 18])
def test_a_killed_training_resumes_to_the_same_weights(texts, tmp_path, monkeypatch, killed_at):
    whole = CNNClassifier(**SETTINGS).fit(*texts)
    settings = SETTINGS | {"checkpoint": str(tmp_path / "here"), "checkpoint_seconds": 0}
    learn = TrainingLoop._learn

    def dies(training, rows):
        if training.step == killed_at:
            raise KeyboardInterrupt
        return learn(training, rows)

    monkeypatch.setattr(TrainingLoop, "_learn", dies)
    with pytest.raises(KeyboardInterrupt):
        CNNClassifier(**settings).fit(*texts)
    assert [path.name for path in (tmp_path / "here").iterdir()] == ["training.safetensors"]
    monkeypatch.setattr(TrainingLoop, "_learn", learn)
    with pytest.warns(UserWarning, match="resumed at epoch"):
        resumed = CNNClassifier(**settings).fit(*texts)
    assert same(weights_of(whole), weights_of(resumed))
    assert not (tmp_path / "here").exists()


def test_a_checkpoint_of_another_training_is_not_used(texts, tmp_path, monkeypatch):
    settings = SETTINGS | {"checkpoint": str(tmp_path), "checkpoint_seconds": 0}
    monkeypatch.setattr(checkpoints, "remove_checkpoint", lambda _folder: None)
    CNNClassifier(**settings).fit(*texts)
    other = CNNClassifier(**settings | {"random_state": 1}).fit(*texts)  # a note would be an error here
    assert other.history_.n_epochs >= 1


def test_a_damaged_checkpoint_is_an_error(texts, tmp_path):
    (tmp_path / "training.safetensors").write_bytes(b"nonsense")
    with pytest.raises(AssayError, match="not a checkpoint"):
        CNNClassifier(**SETTINGS, checkpoint=str(tmp_path)).fit(*texts)


def test_when_memory_runs_out_the_batch_is_halved_with_a_note(texts, monkeypatch):
    loss = TrainingLoop._loss

    def small_memory(training, rows, *arguments):
        if len(rows) > 3:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return loss(training, rows, *arguments)

    monkeypatch.setattr(TrainingLoop, "_loss", small_memory)
    with pytest.warns(UserWarning, match="out of memory"):
        model = CNNClassifier(**SETTINGS).fit(*texts)
    assert model.score(*texts) > 0.5
    assert model.notes_[1] == "cpu: out of memory; batches of 4 are now taken in pieces of 2."


def test_one_text_that_does_not_fit_is_an_error(texts, monkeypatch):
    def no_memory(*_arguments):
        raise RuntimeError("CUDA error: out of memory")

    monkeypatch.setattr(TrainingLoop, "_loss", no_memory)
    with (
        pytest.warns(UserWarning, match="out of memory"),
        pytest.raises(AssayError, match="out of memory with one text at a time"),
    ):
        CNNClassifier(**SETTINGS).fit(*texts)


def test_pieces_give_the_gradients_of_the_whole_batch(texts):
    settings = SETTINGS | {"dropout": 0.0, "epochs": 1, "class_weight": "balanced"}
    whole = CNNClassifier(**settings).fit(*texts)
    pieces = CNNClassifier(**settings, accumulation=4).fit(*texts)
    first, second = weights_of(whole), weights_of(pieces)
    assert all(torch.allclose(first[name], second[name], atol=1e-4) for name in first)


def test_class_weights_lift_the_rare_class(texts):
    rare = [text for text, label in zip(*texts, strict=True) if label == "pos"][:4]
    common = [text for text, label in zip(*texts, strict=True) if label == "neg"]
    X, y = common + rare, ["neg"] * len(common) + ["pos"] * len(rare)
    settings = SETTINGS | {"epochs": 2, "learning_rate": 1e-3, "monitor": "loss"}
    plain = CNNClassifier(**settings).fit(X, y)
    weighted = CNNClassifier(**settings, class_weight="balanced").fit(X, y)
    assert weighted.predict_proba(rare)[:, 1].mean() > plain.predict_proba(rare)[:, 1].mean()


def test_an_unknown_class_weight_is_an_error(texts):
    with pytest.raises(AssayError, match="class_weight is 'heavy'; it must be 'balanced' or None"):
        CNNClassifier(**SETTINGS, class_weight="heavy").fit(*texts)


def test_progress_without_a_terminal_is_plain_lines(texts, capsys, monkeypatch):
    monkeypatch.setattr("assay.models.neural.training.progress.TrainingProgress.is_due", lambda self: self.is_shown)
    CNNClassifier(**SETTINGS | {"epochs": 1}, verbose=True).fit(*texts)
    assert "step 1 of" in capsys.readouterr().err


def test_the_learning_rate_stays_flat_without_warmup_and_decay():
    assert {TrainingSettings().learning_rate_at(step, 10) for step in range(10)} == {1e-3}
