"""Device, precision and memory of the machine that trains."""

from __future__ import annotations

import torch


def find_device(name: str | None) -> torch.device:
    """Return the named device; without a name the GPU where there is one, else the CPU."""
    return torch.device(name or ("cuda" if torch.cuda.is_available() else "cpu"))


def autocast(device: torch.device) -> torch.autocast:
    """Return the context of the forward pass: bf16 on a GPU that has it, full precision elsewhere."""
    half = device.type == "cuda" and torch.cuda.is_bf16_supported()
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=half)


def move_tensors(tensors: tuple[torch.Tensor, ...], device: torch.device) -> tuple[torch.Tensor, ...]:
    """Copy tensors to the device; to a GPU from pinned memory, without waiting."""
    if device.type != "cuda":
        return tensors
    return tuple(tensor.pin_memory().to(device, non_blocking=True) for tensor in tensors)


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether an error means that the device's memory is full."""
    return isinstance(error, torch.OutOfMemoryError) or (
        isinstance(error, RuntimeError) and "out of memory" in str(error).lower()
    )


def release_memory(device: torch.device) -> None:
    """Release cached memory."""
    if device.type == "cuda":
        torch.cuda.empty_cache()
