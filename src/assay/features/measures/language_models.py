"""Perplexity of the texts under a causal language model (Xiao et al. 2022)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.errors import AssayError, import_extra
from assay.features.english import explain_language
from assay.features.labelled_texts import LabelledTexts
from assay.features.registry import FEATURES, FeatureValue, undefined_value
from assay.statistics import bootstrap_sums, percentile
from assay.system.links import check_hub_name

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MAX_TEXTS = 300
MAX_TOKENS = 512
DEFAULT_MODEL = "gpt2"  # the model of the paper


@FEATURES.add("perplexity")
def perplexity(data: LabelledTexts) -> FeatureValue:
    """Return exp(mean negative log-likelihood of a token) under a causal language model, GPT-2 by default.

    The model is any of transformers' by hub name or folder, or a GGUF file. At most 300 texts are sampled; the interval
    is a percentile bootstrap over texts.
    """
    name = data.perplexity_model or DEFAULT_MODEL
    if data.perplexity_model is None and data.language.n_words and not data.language.is_english:
        return undefined_value(
            f"{DEFAULT_MODEL} is a model of English; {explain_language(data.language)}; name another"
        )
    try:
        import_extra("torch", "neural", "perplexity")
        import_extra("transformers", "neural", "perplexity")
        model, tokenizer = load_causal_model(check_hub_name(name) if name == DEFAULT_MODEL else name)
    except AssayError as error:
        return undefined_value(str(error))
    texts = data.sample(MAX_TEXTS)
    if not texts:
        return undefined_value("the texts have no words")
    losses = np.array([sum_token_losses(model, tokenizer, text) for text in texts])
    total_loss, total_tokens = losses.sum(axis=0)
    if not total_tokens:
        return undefined_value("the texts are too short")
    resampled = bootstrap_sums(losses, 1000, data.random_state)
    interval = percentile(np.exp(resampled[:, 0] / np.maximum(resampled[:, 1], 1)))
    value = math.exp(total_loss / total_tokens)
    return FeatureValue(value, interval.low, interval.high, len(texts), reason=f"model: {Path(name).name}")


def load_causal_model(name: str) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load a causal language model and its tokeniser by hub name, folder or GGUF file."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = Path(name)
    file = {"gguf_file": path.name} if path.suffix == ".gguf" else {}
    home = str(path.parent) if file else name
    try:
        tokenizer = AutoTokenizer.from_pretrained(home, **file)
        model: Any = AutoModelForCausalLM.from_pretrained(home, **file)
    except (OSError, ValueError, ImportError) as error:
        reason = str(error).strip().splitlines()[0]
        raise AssayError(f"the causal model cannot be loaded: {reason}", place=name) from error
    model.eval()
    return model, tokenizer


def sum_token_losses(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, text: str) -> tuple[float, int]:
    """Return the summed loss over the tokens of a text after its first, and their number."""
    import torch

    tokens = tokenizer(text, return_tensors="pt", truncation=True, max_length=MAX_TOKENS).input_ids
    n_scored = tokens.shape[1] - 1
    if n_scored < 1:
        return 0.0, 0
    with torch.inference_mode():
        return float(model(tokens, labels=tokens).loss) * n_scored, n_scored
