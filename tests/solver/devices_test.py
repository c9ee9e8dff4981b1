"""Which devices there are, which is chosen, and who is told where a network ran."""

from __future__ import annotations

import threading

import pytest

from solver import devices
from solver.devices import Device, Run


def test_the_processor_is_always_there_and_comes_last() -> None:
    found = devices.find_devices()
    assert found[-1] == devices.processor()
    assert [device.id for device in found].count("cpu") == 1
    assert {device.id for device in found} <= set(devices.CHOICES)


def test_an_unknown_choice_is_refused_and_the_old_one_stays() -> None:
    before = devices.chosen()
    with pytest.raises(ValueError, match="abacus"):
        devices.choose("abacus")
    assert devices.chosen() == before


def test_a_machine_without_the_driver_has_no_cuda_device(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(devices.ctypes, "CDLL", absent)
    devices.find_devices.cache_clear()
    try:
        assert "cuda" not in [device.id for device in devices.find_devices()]
    finally:
        devices.find_devices.cache_clear()


def test_runs_are_reported_to_listeners_in_the_same_thread() -> None:
    first, second = Run(Device("cuda", "Card")), Run(devices.processor(), "CUDA: out of memory")
    with devices.listening() as outer:
        devices.note(first)
        with devices.listening() as inner:
            devices.note(second)
        elsewhere = threading.Thread(target=lambda: devices.note(first))
        elsewhere.start()
        elsewhere.join()
    devices.note(first)
    assert outer == [first, second]
    assert inner == [second]
