"""A network that runs where it is fastest, or where the user wants it: on the processor or on torch's GPU.

With “auto” a few problems at once stay on the processor, as a small network answers in half a millisecond there and
torch takes seconds to load. Many problems at once, and large networks, are measured on both, once for each order of
magnitude, where there is a GPU at all. With a GPU chosen, all of them run there. What a GPU cannot do runs on the
processor, and the status bar says so.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from solver import devices
from solver.devices import AUTO, CPU, Device, Run
from solver.errors import one_line
from solver.solvers.learned.weights import Model, Named, Weights

MANY = 64  # problems at once from which a GPU may be worth its start
LARGE = 32_000_000  # bytes of a model from which it may be for one problem alone
REPEATS = 3
Inputs = dict[str, np.ndarray]
Open = Callable[[Device], Model]


class DeviceModel:
    """Run like an ONNX model. size: bytes of the model. open_on: loads the network on a device of torch's; it may
    raise whatever torch raises. found: this machine's devices."""

    def __init__(
        self,
        onnx: Model,
        size: int,
        open_on: Open,
        found: Callable[[], Sequence[Device]] = devices.find_devices,
    ) -> None:
        self._onnx, self._large, self._open, self._found = onnx, size >= LARGE, open_on, found
        self._opened: dict[str, Model] = {}
        self._refused: dict[str, str] = {}
        self._asked = AUTO  # what was chosen when it ran last
        self._faster: dict[tuple[str, int], bool] = {}
        self._lock = threading.RLock()

    def get_inputs(self) -> Sequence[Named]:
        """What the network reads."""
        return self._onnx.get_inputs()

    def run(self, outputs: list[str], inputs: Inputs) -> Sequence[np.ndarray]:
        """The named outputs, from the device that is chosen."""
        choice, refusal = devices.chosen(), ""
        if choice != self._asked:  # a user who chooses again wants it tried again
            self._asked = choice
            self._refused.clear()
        if choice != CPU and (device := self._wanted(choice)) is not None:
            if choice != AUTO or self._worth_it(device, outputs, inputs):
                try:
                    answer = self._on(device).run(outputs, inputs)
                except Exception as error:  # a driver fails in its own ways; the work goes on without it
                    self._refuse(device, error)
                else:
                    devices.note(Run(device))
                    return answer
            refusal = self._refused.get(device.id, "")
        elif choice not in (AUTO, CPU):
            refusal = f"{choice.upper()}: this computer has none"
        answer = self._onnx.run(outputs, inputs)
        devices.note(Run(devices.processor(), refusal))
        return answer

    def _wanted(self, choice: str) -> Device | None:
        """The device of that id; with “auto” the best one that is not the processor."""
        return next((d for d in self._found() if d.id != CPU and choice in (AUTO, d.id)), None)

    def _on(self, device: Device) -> Model:
        """The network on this device, loaded at first use. Raises the error of a failed load, again at each use."""
        with self._lock:
            if device.id in self._refused:
                raise RuntimeError(self._refused[device.id])
            if device.id not in self._opened:
                self._opened[device.id] = self._open(device)
            return self._opened[device.id]

    def _worth_it(self, device: Device, outputs: list[str], inputs: Inputs) -> bool:
        """Whether the device is faster for that many problems, measured with these the first time."""
        count = len(next(iter(inputs.values())))
        if (count < MANY and not self._large) or device.id in self._refused:
            return False
        with self._lock:
            key = (device.id, count.bit_length())
            if key not in self._faster:
                try:
                    there = self._on(device)
                    there.run(outputs, inputs)  # the first run takes longer
                    self._faster[key] = _seconds(there, outputs, inputs) < _seconds(self._onnx, outputs, inputs)
                except Exception as error:
                    self._refuse(device, error)
                    return False
            return self._faster[key]

    def _refuse(self, device: Device, error: Exception) -> None:
        reason = one_line(error, 200)
        self._refused[device.id] = f"{device.id.upper()}: {reason.removeprefix(device.id.upper() + ': ')}"


def on_devices(weights: Weights) -> Weights:
    """These weights, run where that is fastest. What torch runs is the folder's file of float32 tensors."""

    def open_on(device: Device) -> Model:
        from solver.networks.tensor_file import TENSORS, read_network
        from solver.networks.torch_model import TorchModel

        config = weights.config
        path = weights.source.parent / TENSORS
        return TorchModel(read_network(path, config.network, len(config.joints), config.sha256), device.id)

    return replace(weights, session=DeviceModel(weights.session, weights.size_bytes, open_on))


def _seconds(model: Model, outputs: list[str], inputs: Inputs) -> float:
    times = []
    for _ in range(REPEATS):
        started = perf_counter()
        model.run(outputs, inputs)
        times.append(perf_counter() - started)
    return min(times)
