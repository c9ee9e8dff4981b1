"""How answers of solvers become edits, and what the user reads where one failed."""

from __future__ import annotations

from collections.abc import Mapping

from app.document import edits
from app.document.model.document import Document
from app.document.model.history import Edit
from app.services.solve_service import Slot
from solver.effectors.effector import Effector
from solver.errors import PoserError
from solver.ik.solution import Answer, IKSolution


def _solved(id: str, frame: int, solution: IKSolution, asked: tuple[Effector, ...] = ()) -> Edit:
    """The edit that folds a solution in at the frame that it was asked for, wherever one looks now."""
    fold = edits.with_solution(id, solution, asked)
    return lambda document: fold(document.at_frame(id, frame)).at(document.frames)


def answered(answers: Mapping[Slot, Answer]) -> Edit:
    """The edit that folds the answers of several characters in."""

    def edit(document: Document) -> Document:
        for (id, frame), answer in answers.items():
            document = _solved(id, frame, answer.solution, answer.effectors)(document)
        return document

    return edit


def reason_of(error: Exception) -> str:
    """Why a solve could not be done, one sentence."""
    return str(error) if isinstance(error, PoserError) else f"The solver failed: {error or type(error).__name__}."
