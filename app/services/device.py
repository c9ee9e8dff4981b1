"""What networks can run on, and what they ran on, in words."""

from __future__ import annotations

from solver.devices import AUTO, CPU, CUDA, MPS, Device, Run

TITLES = {AUTO: "Automatic: whichever is measured to be faster", CPU: "Processor", CUDA: "NVIDIA GPU", MPS: "Apple GPU"}


def run_text(run: Run) -> str:
    """For the status bar: “CPU”, “CUDA NVIDIA L4”, or “CPU (CUDA: this computer has none)”."""
    named = run.device.id.upper()
    if run.device.id != CPU:
        return f"{named} {run.device.name}"
    return f"{named} ({run.refusal})" if run.refusal else named


def device_choices(found: tuple[Device, ...], current: str) -> dict[str, str]:
    """The user's choices, with a text for each: the devices of this machine, and the present choice."""
    names = {device.id: f"{TITLES[device.id]}: {device.name}" for device in found if device.id != CPU}
    choices = {AUTO: TITLES[AUTO], CPU: TITLES[CPU], **names}
    if current not in choices:
        choices[current] = f"{TITLES[current]} (this computer has none)"
    return choices
