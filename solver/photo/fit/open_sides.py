"""The fit of a person whom looks saw from the front as often as from behind: the side that a body can take counts."""

from __future__ import annotations

from solver.body.body import Body
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.repeated_looks import sides_are_open, with_sides_exchanged
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.fit import fit_person
from solver.photo.fit.least_squares import Fit
from solver.photo.fit.lifting import lifted_evidence


def fit_landmarks(
    body: Body, marks: Landmarks, focal_px: float, principal_px: tuple[float, float]
) -> tuple[Landmarks, Evidence, Fit]:
    """The landmarks, with left and right exchanged where the looks leave that open and it costs the fit less; what they
    say about the body; and the body fitted to them. Raises InputRefused."""

    def fitted(one: Landmarks) -> tuple[Landmarks, Evidence, Fit]:
        seen = lifted_evidence(body, one, focal_px, principal_px)
        return one, seen, fit_person(body, seen)

    first = fitted(marks)
    if not sides_are_open(marks):
        return first
    return min(first, fitted(with_sides_exchanged(marks)), key=lambda each: each[2].cost)
