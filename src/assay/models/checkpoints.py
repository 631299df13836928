"""A training's whole state in one safetensors file, so that a killed training goes on where it was."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from assay.base.errors import AssayError

if TYPE_CHECKING:
    from assay.models.training import Training

FILE = "training.safetensors"


def write(folder: str, training: Training) -> None:
    """Write weights, best weights, optimizer state, random states and counters; whole or not at all."""
    tensors = {f"weights/{name}": value for name, value in training.network.state_dict().items()}
    tensors |= {f"best/{name}": value for name, value in (training.best_weights or {}).items()}
    for number, state in training.optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer/{number}/{name}": torch.as_tensor(value) for name, value in state.items()}
    tensors |= {f"random/{name}": value for name, value in random_states(training.device).items()}
    # Clones, for weights may share memory, which the format does not know.
    plain = {name: value.detach().cpu().clone().contiguous() for name, value in tensors.items()}
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    temporary = target / f".{FILE}.{os.getpid()}.part"
    save_file(plain, temporary, metadata={"state": json.dumps(training.counters())})
    temporary.replace(target / FILE)


def restore(folder: str, training: Training) -> bool:
    """Bring a training to the state in the folder; tell whether there was one that fits."""
    path = Path(folder) / FILE
    if not path.exists():
        return False
    try:
        counters, tensors = _read(path)
    except (SafetensorError, KeyError, ValueError) as error:
        raise AssayError(f"{path}: not a checkpoint ({error}); remove it to start anew.") from error
    if counters["signature"] != training.signature:
        return False
    training.network.load_state_dict(_under(tensors, "weights"))
    training.optimizer.load_state_dict(_optimizer_state(training, _under(tensors, "optimizer")))
    training.best_weights = {name: value.to(training.device) for name, value in _under(tensors, "best").items()} or None
    set_random_states(_under(tensors, "random"))
    training.resume(counters)
    return True


def remove(folder: str) -> None:
    """Delete the checkpoint of a finished training."""
    path = Path(folder)
    (path / FILE).unlink(missing_ok=True)
    if path.is_dir() and not any(path.iterdir()):
        path.rmdir()


def random_states(device: torch.device) -> dict[str, torch.Tensor]:
    """Return the states of the generators that dropout draws from."""
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    return states


def set_random_states(states: dict[str, torch.Tensor]) -> None:
    """Put the generators back."""
    torch.set_rng_state(states["cpu"])
    if "cuda" in states and torch.cuda.is_available():
        torch.cuda.set_rng_state(states["cuda"])


def _read(path: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    with safe_open(path, framework="pt") as file:
        counters = json.loads(file.metadata()["state"])
        return counters, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, not a dict


def _under(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    start = f"{prefix}/"
    return {name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)}


def _optimizer_state(training: Training, tensors: dict[str, torch.Tensor]) -> dict[str, Any]:
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, value in tensors.items():
        number, _, field = name.partition("/")
        state.setdefault(int(number), {})[field] = value
    return {"state": state, "param_groups": training.optimizer.state_dict()["param_groups"]}
