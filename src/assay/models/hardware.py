"""What the training loop must know of the machine: device, precision, and memory that runs out."""

from __future__ import annotations

import torch


def device_named(name: str | None) -> torch.device:
    """Return the device asked for, or the GPU where there is one."""
    return torch.device(name or ("cuda" if torch.cuda.is_available() else "cpu"))


def precision(device: torch.device) -> torch.autocast:
    """Return the context of the forward pass: bf16 on a GPU that has it, full precision elsewhere."""
    half = device.type == "cuda" and torch.cuda.is_bf16_supported()
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=half)


def moved(tensors: tuple[torch.Tensor, ...], device: torch.device) -> tuple[torch.Tensor, ...]:
    """Copy tensors to the device; to a GPU from pinned memory, while it works on."""
    if device.type != "cuda":
        return tensors
    return tuple(tensor.pin_memory().to(device, non_blocking=True) for tensor in tensors)


def out_of_memory(error: BaseException) -> bool:
    """Tell whether an error means that the device's memory is full."""
    return isinstance(error, torch.OutOfMemoryError) or (
        isinstance(error, RuntimeError) and "out of memory" in str(error).lower()
    )


def release(device: torch.device) -> None:
    """Give cached memory back."""
    if device.type == "cuda":
        torch.cuda.empty_cache()
