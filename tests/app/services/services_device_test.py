"""The solver thread knows where its networks ran, and says it in words that a status bar has room for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.document.model.document import Character
from app.document.posing.create import new_document
from app.services.device import device_choices, run_text
from app.services.solve_service import SolveRequest, SolveService, solve_character
from solver import devices
from solver.devices import AUTO, CPU, CUDA, MPS, Device, Run
from solver.ik.memory import FRESH, Memory
from solver.ik.solution import IKSolution

CARD = Device(CUDA, "NVIDIA L4")
PROCESSOR = devices.processor()


@pytest.mark.parametrize(
    ("run", "text"),
    [
        (Run(PROCESSOR), "CPU"),
        (Run(CARD), "CUDA NVIDIA L4"),
        (Run(PROCESSOR, "MPS: this computer has none"), "CPU (MPS: this computer has none)"),
    ],
)
def test_what_ran_is_named_with_what_did_not(run: Run, text: str) -> None:
    assert run_text(run) == text


def test_the_choices_are_the_devices_of_this_machine_and_the_present_one() -> None:
    assert list(device_choices((CARD, PROCESSOR), AUTO)) == [AUTO, CPU, CUDA]
    assert "NVIDIA L4" in device_choices((CARD, PROCESSOR), AUTO)[CUDA]
    elsewhere = device_choices((PROCESSOR,), MPS)
    assert list(elsewhere) == [AUTO, CPU, MPS]
    assert "none" in elsewhere[MPS]


@pytest.fixture
def on_the_card(qapp: object, compiled_solver: None, no_leaked_threads: None) -> Iterator[SolveService]:
    """The real solver, whose network is said to have run on a card."""

    def solve(character: Character, memory: Memory = FRESH) -> IKSolution:
        devices.note(Run(CARD))
        return solve_character(replace(character, solver="dls"), memory)

    service = SolveService(solve)
    service.start()
    yield service
    service.stop()


def test_the_service_remembers_where_the_last_solve_ran(on_the_card: SolveService) -> None:
    character = new_document().characters[0]
    assert on_the_card.last_run is None
    on_the_card.request(SolveRequest(character, 1))
    assert on_the_card.wait(60)
    assert on_the_card.last_run == Run(CARD)


def test_a_solver_without_a_network_ran_on_the_processor(
    qapp: object, compiled_solver: None, no_leaked_threads: None
) -> None:
    service = SolveService()
    service.start()
    try:
        service.request(SolveRequest(replace(new_document().characters[0], solver="dls"), 1))
        assert service.wait(60)
        assert service.last_run == Run(PROCESSOR)
    finally:
        service.stop()
