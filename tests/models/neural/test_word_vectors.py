"""Word vectors to start from."""

from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.models.neural.word_vectors import find_vectors, read_vectors, write_vectors


def test_a_file_is_read_back_within_a_byte(tmp_path):
    vectors = np.random.default_rng(0).normal(size=(3, 8))
    write_vectors(tmp_path / "v.npz", ["ü", "b", "c"], vectors)
    words, read = read_vectors(tmp_path / "v.npz")
    assert words == ["ü", "b", "c"]
    assert np.abs(read - vectors).max() < np.abs(vectors).max() / 127


def test_words_of_training_come_first_and_those_of_the_file_are_kept(tmp_path):
    write_vectors(tmp_path / "v.npz", ["cat", "dog"], np.array([[1.0, 0.0], [0.0, 1.0]]))
    words, matrix = find_vectors(str(tmp_path / "v.npz"), ["dog", "eel"], 2, random_state=0)
    assert words == ["dog", "eel", "cat"]
    assert abs(matrix[0, 0]) < 1e-6 < matrix[0, 1]
    assert abs(matrix[2, 1]) < 1e-6 < matrix[2, 0]


def test_a_file_that_does_not_exist_or_holds_no_vectors_is_an_error(tmp_path):
    with pytest.raises(AssayError, match="this file of word vectors does not exist"):
        find_vectors(str(tmp_path / "none.npz"), ["a"], 2, 0)
    np.savez(tmp_path / "other.npz", x=np.zeros(2))
    with pytest.raises(AssayError, match="not a file of word vectors"):
        find_vectors(str(tmp_path / "other.npz"), ["a"], 2, 0)


def test_a_text_file_of_vectors_is_read(tmp_path):
    (tmp_path / "v.txt").write_text("2 2\ncat 1 0\ndog 0 1\n", encoding="utf-8")
    words, matrix = find_vectors(str(tmp_path / "v.txt"), ["dog"], 2, random_state=0)
    assert words == ["dog", "cat"]
    assert matrix[0, 1] > 0 == matrix[0, 0]


def test_the_wordllama_package_gives_vectors_to_words_and_not_to_marks():
    pytest.importorskip("wordllama")
    words, matrix = find_vectors("wordllama", ["good", "great", "harbour", "!"], 0, random_state=0)
    assert words == ["good", "great", "harbour", "!"]

    def cosine(a, b):
        return matrix[a] @ matrix[b] / np.linalg.norm(matrix[a]) / np.linalg.norm(matrix[b])

    assert cosine(0, 1) > cosine(0, 2)
