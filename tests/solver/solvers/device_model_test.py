"""A network runs on the device that is chosen, or where it was measured to be faster, and says where it ran."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from solver import devices
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.devices import Device, Run
from solver.ik.pose_prior import natural_pose
from solver.ik.residuals import effector_errors
from solver.kinematics.fk import forward_kinematics
from solver.networks.tensor_file import TENSORS, read_network
from solver.networks.torch_model import TorchModel
from solver.solvers.learned import device_model
from solver.solvers.learned.device_model import MANY, DeviceModel, on_devices
from solver.solvers.learned.weights import WEIGHTS, Model, Weights, load_weights, run_model

CARD, CHIP = Device("cuda", "Card"), Device("mps", "Chip")
NOTHING = (devices.processor(),)
OUTPUTS = ["draft", "rotations_6d"]


@pytest.fixture(autouse=True)
def choice() -> Iterator[None]:
    before = devices.chosen()
    yield
    devices.choose(before)


class Clock:
    """Time that passes only when a model works."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(device_model, "perf_counter", lambda: self.now)


class Timed:
    """A model that answers with its name and takes this long for each problem and each run."""

    def __init__(self, name: str, clock: Clock, each: float, start: float = 0.0) -> None:
        self.name, self.clock, self.each, self.start, self.runs = name, clock, each, start, 0

    def get_inputs(self) -> Sequence[SimpleNamespace]:
        return [SimpleNamespace(name="data")]

    def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> Sequence[np.ndarray]:
        self.runs += 1
        self.clock.now += self.start + self.each * len(inputs["data"])
        return [np.array([self.name])]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def chip(clock: Clock) -> Timed:
    return Timed("processor", clock, each=1.0)


@pytest.fixture
def card(clock: Clock) -> Timed:
    return Timed("card", clock, each=0.01, start=10.0)


def problems(count: int) -> dict[str, np.ndarray]:
    return {"data": np.zeros((count, 5, 6), np.float32)}


def ran(model: DeviceModel, count: int) -> tuple[str, Run]:
    with devices.listening() as runs:
        answer = model.run(OUTPUTS, problems(count))
    assert len(runs) == 1
    return str(answer[0][0]), runs[0]


def test_without_a_gpu_everything_runs_on_the_processor_and_nothing_else_is_loaded(chip: Timed) -> None:
    def open_on(device: Device) -> Model:
        raise AssertionError("torch was loaded")

    model = DeviceModel(chip, 10**9, open_on, lambda: NOTHING)
    for count in (1, 10 * MANY):
        assert ran(model, count) == ("processor", Run(devices.processor()))


def test_with_auto_few_problems_of_a_small_network_stay_on_the_processor(chip: Timed, card: Timed) -> None:
    opened: list[Device] = []
    model = DeviceModel(chip, 1000, lambda device: opened.append(device) or card, lambda: (CARD, *NOTHING))  # type: ignore[func-returns-value]
    assert ran(model, 1)[0] == "processor"
    assert ran(model, MANY - 1)[0] == "processor"
    assert not opened


def test_with_auto_many_problems_run_where_they_were_measured_to_be_faster(chip: Timed, card: Timed) -> None:
    model = DeviceModel(chip, 1000, lambda device: card, lambda: (CARD, *NOTHING))
    assert ran(model, MANY) == ("card", Run(CARD))
    asked = card.runs, chip.runs
    assert ran(model, MANY + 1)[0] == "card"
    assert (card.runs, chip.runs) == (asked[0] + 1, asked[1]), "it is measured once"
    card.start = 1e6
    assert ran(model, MANY + 2)[0] == "card", "what was measured stands"
    assert ran(model, 4 * MANY)[0] == "processor", "so many more are measured for themselves"


def test_with_auto_a_large_network_is_measured_for_one_problem_too(chip: Timed, card: Timed) -> None:
    card.start = 0.0
    assert ran(DeviceModel(chip, device_model.LARGE, lambda device: card, lambda: (CARD,)), 1)[0] == "card"


def test_a_device_that_is_chosen_runs_every_edit(chip: Timed, card: Timed) -> None:
    model = DeviceModel(chip, 1000, lambda device: card if device == CARD else chip, lambda: (CARD, CHIP, *NOTHING))
    devices.choose("cuda")
    assert ran(model, 1) == ("card", Run(CARD))
    devices.choose("mps")
    assert ran(model, 1)[1] == Run(CHIP)
    devices.choose("cpu")
    assert ran(model, 10 * MANY) == ("processor", Run(devices.processor()))


def test_a_device_that_is_not_there_is_named_and_the_processor_works(chip: Timed, card: Timed) -> None:
    devices.choose("mps")
    name, run = ran(DeviceModel(chip, 1000, lambda device: card, lambda: (CARD, *NOTHING)), 1)
    assert name == "processor"
    assert run.device == devices.processor()
    assert "MPS" in run.refusal


@pytest.mark.parametrize("choice", ["cuda", "auto"])
def test_a_device_that_fails_is_tried_once_and_again_when_it_is_chosen_again(chip: Timed, choice: str) -> None:
    tried: list[Device] = []

    def open_on(device: Device) -> Model:
        tried.append(device)
        raise RuntimeError("Torch not compiled\nwith CUDA enabled")

    model = DeviceModel(chip, 1000, open_on, lambda: (CARD, *NOTHING))
    devices.choose(choice)
    for _ in range(3):
        name, run = ran(model, MANY)
        assert name == "processor"
        assert run == Run(devices.processor(), "CUDA: Torch not compiled with CUDA enabled")
    assert tried == [CARD]
    devices.choose("cpu")
    assert ran(model, MANY)[1].refusal == ""
    devices.choose("cuda")
    ran(model, MANY)
    assert tried == [CARD, CARD]


@pytest.mark.parametrize("id", ["smplik", "protores"])
def test_torch_poses_as_onnxruntime_does(id: str) -> None:
    """torch on the processor stands for any device of torch's: the same code, other chips."""
    from solver.evaluation.speed import TWELVE, free_problem, positions_of, random_poses
    from solver.ik.pipeline.pipeline import Solver
    from solver.solvers.catalog import SOLVERS
    from solver.solvers.learned.network_proposer import NetworkProposer

    plain = load_weights(WEIGHTS / id, id, "anny")

    def open_on(device: Device) -> Model:
        return TorchModel(read_network(WEIGHTS / id / TENSORS, id, 22, plain.config.sha256), "cpu")

    model = DeviceModel(plain.session, 0, open_on, lambda: (CARD, *NOTHING))
    skeleton = load_body("anny").skeleton(BodyShape())
    there, here = (Solver(SOLVERS[id], NetworkProposer(weights)) for weights in (Weights(plain.config, model), plain))
    base = natural_pose(skeleton)
    devices.choose("cuda")
    off = []
    for pose in random_poses(skeleton, 12):
        problem = free_problem(skeleton, positions_of(skeleton, pose, TWELVE), base)
        with devices.listening() as runs:
            one = there.solve(problem)
        assert {run.device for run in runs} == {CARD}
        other = here.solve(problem)
        missed, also = (effector_errors(skeleton, found.pose, problem.effectors).max() for found in (one, other))
        assert abs(missed - also) < 0.01, "twelve random targets are not always met, and then by neither"
        off.append(
            np.linalg.norm(
                forward_kinematics(skeleton, one.pose).positions - forward_kinematics(skeleton, other.pose).positions,
                axis=-1,
            ).mean()
        )
    assert np.median(off) < 0.003, "int8 and float32 differ by millimetres, after the exact stage by less"
    assert max(off) < 0.03


def test_the_shipped_solvers_run_on_the_chosen_device_or_say_why_not() -> None:
    weights = on_devices(load_weights(WEIGHTS / "smplik", "smplik", "anny"))
    inputs = {
        "data": np.zeros((1, 2, 6), np.float32), "tolerance": np.zeros((1, 2), np.float32),
        "joint": np.array([[15, 20]]), "kind": np.zeros((1, 2), np.int64),
        "betas": np.zeros((1, 10), np.float32), "gender": np.zeros(1, np.int64),
    }  # fmt: skip
    for choice in ("cuda", "mps"):
        devices.choose(choice)
        with devices.listening() as runs:
            draft, _ = run_model(weights.session, inputs)
        assert draft.shape == (1, 22, 3)
        assert runs[0].device.id == choice or choice.upper() in runs[0].refusal


def test_a_folder_without_tensors_still_solves_on_the_processor(tmp_path: Path) -> None:
    for name in ("model.onnx", "config.json"):
        (tmp_path / name).write_bytes((WEIGHTS / "smplik" / name).read_bytes())
    weights = on_devices(load_weights(tmp_path, "smplik", "anny"))
    assert isinstance(weights.session, DeviceModel)
    assert len(weights.session.get_inputs()) == 6
