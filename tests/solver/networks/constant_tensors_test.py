"""Numbers that are made once for each device: kinds are never mixed up, and gradients go through what they take."""

from __future__ import annotations

import torch

from solver.networks.constant_tensors import constant_tensor, select_rows

CPU = torch.device("cpu")


def test_the_same_numbers_are_made_once_and_places_are_not_taken_for_measures() -> None:
    assert constant_tensor((1.0, 0.0, 1.0), CPU) is constant_tensor((1.0, 0.0, 1.0), CPU)
    assert constant_tensor((1, 0, 1), CPU, torch.long).dtype == torch.long, "equal, and of another kind"
    assert constant_tensor((1.0, 0.0, 1.0), CPU).dtype == torch.float32


def test_numbers_that_were_first_asked_for_where_nothing_is_learned_serve_learning_too() -> None:
    with torch.inference_mode():
        numbers = constant_tensor((3.0, 4.0, 5.0), CPU)
    weight = torch.ones(3, requires_grad=True)
    (weight * numbers).sum().backward()
    assert weight.grad is not None
    assert weight.grad.tolist() == [3.0, 4.0, 5.0]


def test_rows_are_taken_along_a_dimension_counted_from_either_end() -> None:
    rows = torch.arange(24).reshape(2, 3, 4)
    assert torch.equal(select_rows(rows, (2, 0), 1), rows[:, [2, 0]])
    assert torch.equal(select_rows(rows, (2, 0), -1), rows[..., [2, 0]])
