"""From a character to what is drawn of its balance; imported only once that is asked for."""

from __future__ import annotations

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of
from rendering.scene.values import BalanceMark, BalanceState
from solver.contact.balance import balance, mass_shares
from solver.errors import InputRefused


def balance_mark(character: Character) -> BalanceMark:
    """The character's centre of mass and support polygon in its present pose."""
    body, joints = body_of(character), joints_of(character)
    try:
        found = balance(body, character.shape, joints, character.hands)
    except InputRefused:  # without contact points; the next solve on the solid floor says so, a picture cannot
        return BalanceMark(mass_shares(body, character.shape).centre(joints), np.empty((0, 2)), "in the air")
    state: BalanceState = "in the air" if found.margin is None else "held" if found.is_balanced else "falling"
    return BalanceMark(found.centre, found.support, state)
