"""How somebody stands and looks, as a problem carries it."""

from __future__ import annotations

from dataclasses import dataclass

from solver.contact.feet import Feet
from solver.contact.weight_shift import Balancing


@dataclass(frozen=True)
class Stance:
    """soft_look: whether the head's looks give way at their extremes. feet: None if they may hover. balancing: None if
    the weight may be anywhere. after_looks: whether the trunk turns a little after a look that goes far; not if the
    proposal has it turned that way already."""

    soft_look: bool = False
    feet: Feet | None = None
    balancing: Balancing | None = None
    after_looks: bool = True
