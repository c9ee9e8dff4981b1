"""The fit of a person whom looks saw from the front as often as from behind: the side that a body can take counts."""

from __future__ import annotations

from solver.body.body import Body
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.repeated_looks import sides_are_doubted, sides_are_open, with_sides_exchanged
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.fit import fit_person
from solver.photo.fit.least_squares import Fit
from solver.photo.fit.lifting import lifted_evidence

_FAR_LESS = 0.5  # of the cost: a body that most looks see the wrong way round costs far more than the right one


def fit_landmarks(
    body: Body, marks: Landmarks, focal_px: float, principal_px: tuple[float, float]
) -> tuple[Landmarks, Evidence, Fit]:
    """The landmarks, with left and right exchanged where the looks leave that open and it costs the fit less, or some
    see the other side and it costs far less; what they say about the body; and the body fitted to them. Raises
    InputRefused."""

    def fitted(one: Landmarks) -> tuple[Landmarks, Evidence, Fit]:
        seen = lifted_evidence(body, one, focal_px, principal_px)
        return one, seen, fit_person(body, seen)

    first, are_open = fitted(marks), sides_are_open(marks)
    if not are_open and not sides_are_doubted(marks):
        return first
    other = fitted(with_sides_exchanged(marks))
    return other if other[2].cost < first[2].cost * (1.0 if are_open else _FAR_LESS) else first
