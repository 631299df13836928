"""Hyper-parameters as the papers print them, by paper and model.

Use them as `TransformerClassifier(**PRESETS["zhu-2021"]["transformer"])`, or `-s preset=zhu-2021`.

The papers' encoders are BERT base (Xiao et al. 2022), BERT and SciBERT (Wecker et al. 2020), and BERT, RoBERTa and
ALBERT base (Zhu et al. 2021): name one with `encoder`. Their word vectors are Word2Vec (CNN) and GloVe (LSTMs) of 300
values: name a file with `vectors`.
"""

from __future__ import annotations

from typing import Any

from assay.base.parameters import Options
from assay.base.registry import Registry

# Xiao et al. (2022), App. B: AdamW; stop after 20 epochs without gain on the development set, 12.5% of training.
_XIAO: dict[str, dict[str, Any]] = {
    "transformer": {"learning_rate": 2e-5, "batch_size": 4, "max_length": 512},
    "cnn": {"learning_rate": 1e-4, "batch_size": 4, "n_filters": 120, "widths": (1, 3, 5), "vector_size": 300},
    "lstm": {"learning_rate": 1e-3, "batch_size": 32, "hidden": 256, "vector_size": 300},
    "lstm-attention": {"learning_rate": 1e-3, "batch_size": 32, "hidden": 256, "vector_size": 300},
}
_XIAO_STOPPING = {"epochs": 1000, "patience": 20, "monitor": "accuracy", "dev_share": 0.125}

# Wecker et al. (2020), §5.1: batch 8, AdamW, up to 100 epochs.
_WECKER = {"batch_size": 8, "epochs": 100, "patience": 100}

# Zhu et al. (2021), App. B: Adam without warm-up, 3 epochs, the best by validation loss. The paper searches rates
# {2e-5, 1e-5}, batches {2, 4, 8, 16} and, on subsets, epochs {3, 10, 100}; this is what it calls best in general.
_ZHU = {
    "learning_rate": 2e-5,
    "batch_size": 16,
    "epochs": 3,
    "patience": 3,
    "monitor": "loss",
    "weight_decay": 0.0,
}

# Søgaard et al. (2021), §2: two hidden layers on frozen sentence vectors.
_SOGAARD = {"alpha": 0.01, "batch_size": 200}

# Terms of one training text are four fifths of all: without them a fit is 2 to 5 times as fast, and its loss lower.
FREQUENT_TERMS: dict[str, Any] = {"char_ngrams": None, "min_word_count": 2}
# A network for ten fits and more within minutes; on the test part of TREC it scores 0.89, as the linear model does.
SMALL_CNN: dict[str, Any] = {
    "vector_size": 100,
    "n_filters": 64,
    "min_count": 2,
    "max_words": 256,
    "batch_size": 64,
    "epochs": 10,
    "patience": 3,
    "verbose": False,
}

PRESETS: Registry[dict[str, dict[str, Any]]] = Registry(
    "preset",
    {
        "xiao-2022": {model: {**_XIAO_STOPPING, **settings} for model, settings in _XIAO.items()},
        "wecker-2020-sst": {"transformer": {**_WECKER, "learning_rate": 4e-6, "max_length": 128}},
        "wecker-2020-patents": {"transformer": {**_WECKER, "learning_rate": 4e-5, "max_length": 256}},
        "zhu-2021": {"transformer": _ZHU},
        "sogaard-2021-small": {"embedding": {**_SOGAARD, "hidden": (50, 50)}},
        "sogaard-2021": {"embedding": {**_SOGAARD, "hidden": (100, 100)}},
    },
)


def find_preset(name: str, model: str) -> Options:
    """Return the settings of a preset for a model; none if the paper has no such model.

    >>> find_preset("xiao-2022", "lstm")["hidden"]
    256
    """
    return dict(PRESETS[name].get(model, {}))
