"""The whole state of a training in one safetensors file, so that a killed training can be resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.system.files import create_folder, make_write_error, open_temporary

if TYPE_CHECKING:
    from assay.models.neural.training.loop import TrainingLoop

FILE = "training.safetensors"
Tensors = dict[str, torch.Tensor]


def write_checkpoint(folder: str, loop: TrainingLoop) -> None:
    """Write weights, best weights, optimizer state, random states and counters, completely or not at all."""
    tensors = {f"weights/{name}": value for name, value in loop.network.state_dict().items()}
    tensors |= {f"best/{name}": value for name, value in (loop.best_weights or {}).items()}
    for number, state in loop.optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer/{number}/{name}": torch.as_tensor(value) for name, value in state.items()}
    tensors |= {f"random/{name}": value for name, value in get_random_states(loop.device).items()}
    # Cloned, since weights may share memory, which the format does not allow.
    plain = {name: value.detach().cpu().clone().contiguous() for name, value in tensors.items()}
    path = create_folder(folder) / FILE
    try:
        with open_temporary(path, at_once=True) as temporary:
            save_file(plain, temporary, metadata={"state": json.dumps(loop.get_counters())})
    except SafetensorError as error:
        raise make_write_error(path, error) from error


def restore_checkpoint(folder: str, loop: TrainingLoop) -> bool:
    """Restore the state in a folder; return False if there is none, or one of another training."""
    path = Path(folder) / FILE
    if not path.exists():
        return False
    try:
        counters, tensors = _read_file(path)
    except (SafetensorError, KeyError, ValueError) as error:
        raise AssayError(f"not a checkpoint ({error})", place=path, hint="Remove it to start again.") from error
    if counters["signature"] != loop.signature:
        return False
    loop.network.load_state_dict(_select(tensors, "weights"))
    loop.optimizer.load_state_dict(_optimizer_state(loop, _select(tensors, "optimizer")))
    loop.best_weights = {name: value.to(loop.device) for name, value in _select(tensors, "best").items()} or None
    set_random_states(_select(tensors, "random"))
    loop.set_counters(counters)
    return True


def remove_checkpoint(folder: str) -> None:
    """Delete the checkpoint of a finished training."""
    path = Path(folder)
    (path / FILE).unlink(missing_ok=True)
    if path.is_dir() and not any(path.iterdir()):
        path.rmdir()


def get_random_states(device: torch.device) -> Tensors:
    """Return the states of the generators that dropout uses."""
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    return states


def set_random_states(states: Tensors) -> None:
    """Set the states of the generators that dropout uses."""
    torch.set_rng_state(states["cpu"])
    if "cuda" in states and torch.cuda.is_available():
        torch.cuda.set_rng_state(states["cuda"])


def _read_file(path: Path) -> tuple[Options, Tensors]:
    with safe_open(path, framework="pt") as file:
        counters = json.loads(file.metadata()["state"])
        return counters, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, not a dict


def _select(tensors: Tensors, prefix: str) -> Tensors:
    start = f"{prefix}/"
    return {name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)}


def _optimizer_state(loop: TrainingLoop, tensors: Tensors) -> Options:
    state: dict[int, Tensors] = {}
    for name, value in tensors.items():
        number, _, field = name.partition("/")
        state.setdefault(int(number), {})[field] = value
    return {"state": state, "param_groups": loop.optimizer.state_dict()["param_groups"]}
