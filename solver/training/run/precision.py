"""Where bfloat16 pays: on GPUs, and on processors with matrix tiles (AMX)."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import torch


def processor_has_amx() -> bool:
    """Whether the processor multiplies bfloat16 tiles itself."""
    try:
        return "amx_bf16" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False


def autocast(precision: str, device: torch.device) -> AbstractContextManager[None]:
    """A reusable context for the network's pass. precision: auto, fp32 or bf16."""
    auto = device.type == "cuda" or processor_has_amx()
    on = precision == "bf16" or (precision == "auto" and auto)
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=on)
