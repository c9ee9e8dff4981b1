"""How much worse constraints are met, the more firmly a base pose is kept: protocol B between its modes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from solver.body.body import Body
from solver.evaluation.contestants import Contestant
from solver.evaluation.poses import TruePose
from solver.evaluation.preservation import preservation_figures
from solver.evaluation.protocols import PROTOCOLS
from solver.evaluation.trial_arrays import answers_of, trial_arrays_of
from solver.evaluation.trials import MODE, Protocol
from solver.ik.preserve_modes import PLACE_FREEZE, POSE_FREEZE

STRENGTHS = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
FREEZES = {PLACE_FREEZE: "kept_m", POSE_FREEZE: "kept_rad"}  # with the figure that says how much was kept


@dataclass(frozen=True)
class TradeOff:
    """One contestant in one mode at one strength. effector_mm: how far constraints are missed. off_base: how far the
    other joints are from the base pose, metres in Place freeze and radians in Pose freeze."""

    contestant: str
    mode: str
    strength: float
    effector_mm: float
    off_base: float


def protocol_at(mode_id: str, strength: float) -> Protocol:
    """Protocol B in a mode, with everything kept only as firmly as `strength` in [0, 1] says."""
    whole = PROTOCOLS[f"B{MODE}{mode_id}"]
    assert whole.mode is not None
    return replace(
        whole, mode=replace(whole.mode, place=strength * whole.mode.place, shape=strength * whole.mode.shape)
    )


def trade_offs(
    contestants: Sequence[Contestant],
    poses: tuple[TruePose, ...],
    body: Body,
    seed: int = 0,
    tell: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Iterator[TradeOff]:
    """Every contestant that takes protocol B's effectors, in both freezes, at every strength."""
    for mode, figure in FREEZES.items():
        for strength in STRENGTHS:
            protocol = protocol_at(mode.id, strength)
            arrays = trial_arrays_of(tuple(protocol.trials(poses, seed)), body)
            for contestant in contestants:
                if protocol.kinds <= contestant.kinds and contestant.places is None:
                    found = preservation_figures(arrays, answers_of(contestant, arrays), None)
                    yield TradeOff(contestant.name, mode.title, strength, found["effector_mm"], found[figure])
                    tell(f"{mode.title} at {strength:g}, {contestant.name}", len(poses), len(poses))
