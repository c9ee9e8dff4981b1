"""What joints, effectors and errors are called in the window."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import degrees, isnan
from typing import TYPE_CHECKING

from solver.effectors.asleep import AsleepEffector
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.kind import Kind, Unit
from solver.effectors.kinds import Position, Rotation, type_of
from solver.effectors.sources import FloorSource, JointSource, PropSource, SkinSource, Source, Surface
from solver.ik.options import PROPOSAL_ALONE
from solver.ik.problem import Cause, Reason, Residual
from solver.ik.solver import PRESERVATION, TOLERANCE, SolverSpec
from solver.rig.roles import SPINE, Role
from solver.sentences import mid_sentence

if TYPE_CHECKING:
    from solver.ik.kept_places import LetGo  # not needed to show the window

STATE_TITLES = {
    "met": "met",
    "tolerated": "within tolerance",
    "unreachable": "not reachable",
    "disabled": "off",
    "loose": "loose, follows the body",
    "": "waiting",
}

STATE_WORDS = {  # where space is short; "" where the effector's kind says more
    "met": "",
    "tolerated": "Tolerated",
    "unreachable": "Missed",
    "disabled": "Off",
    "loose": "Loose",
    "": "",
}

WORST_FIRST = ("unreachable", "tolerated", "met")  # among those that ask for something


def joint_title(name: str) -> str:
    """ "left_wrist" as "Left wrist", "Bone4" as "Bone 4"; the spine's joints as people call what turns about them."""
    if name in SPINE:
        return Role(name).words.capitalize()
    return re.sub(r"(?<=[a-z])(?=\d)", " ", name.replace("_", " ")).capitalize()


def patch_title(patch: str) -> str:
    """ "left_palm" as "Left palm", "left_back_of_hand" as "Back of left hand"."""
    from solver.contact.patch_table import patch_words  # only once there is a contact

    return patch_words(patch).capitalize()


def finger_title(name: str) -> str:
    """ "left_index_tip" as "Left index fingertip", "right_thumb2" as "Right thumb middle joint"."""
    side, finger, point = re.fullmatch(r"(left|right)_([a-z]+)(2|3|_tip)", name).groups()  # type: ignore[union-attr]
    tip = "tip" if finger == "thumb" else "fingertip"
    said = {"2": "middle joint", "3": "last joint", "_tip": tip}[point]
    return f"{side} {'little' if finger == 'pinky' else finger} {said}".capitalize()


def effector_title(effector: Effector, finger: str = "") -> str:
    """ "Left wrist · position"; of a contact its patch, "Left palm · contact". finger: which point of one it holds."""
    return f"{held_title(effector, finger)} · {kind_title(effector).lower()}"


def held_title(effector: Effector, finger: str = "") -> str:
    """What of the body it acts on: the joint, a point of a finger, or the patch of a contact."""
    if finger:
        return finger_title(finger)
    if isinstance(effector, Contact) and effector.patch:
        return patch_title(effector.patch)
    return joint_title(effector.joint)


def surface_text(effector: Effector, own: str = "", names: Mapping[str, str] | None = None) -> str:
    """What a contact lies on, or a look is at: "on the floor", "on own left hip", "at Ben's forehead"; "" of others.

    own: the id of the effector's own character. names: of all characters and props by their ids.
    """
    surface = _surface_title(effector.source, own, names or {})
    if isinstance(effector, Contact):
        return f"{'around' if effector.around else 'on'} {surface}" if surface else "in its place"
    return f"at {surface}" if isinstance(effector, AimEffector) and isinstance(effector.source, Surface) else ""


def left_surface_text(effectors: Iterable[Effector], own: str, names: Mapping[str, str]) -> str:
    """What to say as effectors get other targets by hand: which contacts come off what they were on; "" for none."""
    left = [e for e in effectors if isinstance(e, Contact) and e.source is not None]
    if len(left) == 1:
        return f"{held_title(left[0])}: no longer {surface_text(left[0], own, names)}."
    return f"{len(left)} contacts are no longer on their surfaces." if left else ""


def _surface_title(source: Source | None, own: str, names: Mapping[str, str]) -> str:
    """What a target lies on: "the floor", "own left hip", "back of Ben's head", "Stick"; "" of one in the air."""
    match source:
        case FloorSource():
            return "the floor"
        case SkinSource(character, spot=spot):
            whose = "own" if character == own else f"{names.get(character, '') or 'somebody'}'s"
            part, of, whole = (spot or "body").rpartition(" of ")
            return f"{part}{of}{whose} {whole}"
        case JointSource(character, joint):
            return f"{names.get(character, '') or 'somebody'}'s {joint_title(joint).lower()}"
        case PropSource(prop):
            return names.get(prop, "") or "a prop"
        case _:
            return ""


def kind_title(effector: Effector) -> str:
    """What kind of effector it is; for one that a newer version made, what its file calls the kind."""
    return effector.unknown[:40].capitalize() if isinstance(effector, AsleepEffector) else effector.spec.title


def residual_text(kind: Kind, residual: Residual | None) -> str:
    """How far an effector is from its target, with its unit: "–" while unknown, "" when switched off."""
    if residual is None or residual.state == "disabled":
        return ""
    if isnan(residual.value):
        return "–"
    value = kind.unit.to_small_unit(residual.value)
    if kind.unit is Unit.RADIANS:
        return f"{value:.1f}°"
    if value >= 10_000:  # longer ones would be cut off in the list
        return f"{value / 1000:.1f} m"
    return f"{value:.1f} mm" if value < 100 else f"{value / 10:.1f} cm"


def time_text(elapsed_s: float) -> str:
    """How long a solve took, in three digits: "0.73 ms", "71.1 ms", "163 ms", "1.24 s"; "–" where none is known."""
    if elapsed_s <= 0:
        return "–"
    value, unit = (elapsed_s, "s") if elapsed_s >= 0.9995 else (elapsed_s * 1000, "ms")
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f} {unit}"


def worst_state(residuals: Sequence[Residual]) -> str:
    """The state whose colour stands for all of them; "" where nothing is asked."""
    return next((state for state in WORST_FIRST if any(r.state == state for r in residuals)), "")


def met_text(residuals: Sequence[Residual]) -> str:
    """How many effectors are met or within tolerance, of those that ask: "4 of 5"; "–" where none does."""
    live = [r for r in residuals if r.state in WORST_FIRST]
    return f"{sum(r.state != 'unreachable' for r in live)} of {len(live)}" if live else "–"


def misses_text(pairs: Sequence[tuple[Effector, Residual]]) -> str:
    """By how much the worst effectors are off, a length and an angle: "Off by 12.3 mm, 4.1°"; "" without any."""
    live = [(e.spec, r) for e, r in pairs if r.state in WORST_FIRST]
    worst = [
        max((each for each in live if each[0].unit is unit), key=lambda pair: pair[1].value, default=None)
        for unit in (Unit.METRES, Unit.RADIANS)
    ]
    said = [residual_text(*each) for each in worst if each is not None]
    return f"Off by {', '.join(said)}" if said else ""


def heeds_text(spec: SolverSpec) -> str:
    """What a solver heeds besides the handles' targets, and which places it can be asked for; a sentence or two."""
    tolerance, kept = TOLERANCE in spec.heeds, PRESERVATION in spec.heeds
    if spec.exact and PROPOSAL_ALONE not in spec.options:
        said = "Takes tolerances and what you keep into account"
    elif tolerance and kept:
        said = "Its network takes tolerances and what you keep into account"
        said += "; handles come first" if spec.exact and not spec.preserves_again else ""
    elif tolerance:
        said = "Its network takes tolerances into account, but not what you keep"
        said += "; the exact stage does" if spec.exact else ""
    elif kept:
        said = "Its network takes what you keep into account, but not tolerances"
        said += "; the exact stage does" if spec.exact else ""
    else:
        said = "Its network takes neither tolerances nor what you keep into account"
        said += "; the exact stage does" if spec.exact else ""
    if spec.placeable_roles is None:
        return f"{said}."
    return f"{said}. It places {spec.placeable_words} only."


def reason_text(reason: Reason, by: str = "", of: Effector | None = None) -> str:
    """Why an effector is not reachable or lies tilted: “Out of reach by 12.0 cm”, “Left ankle is in the way”, “It lies
    tilted by 20°, as the floor is in the way”.

    by: how far it is off, unless that is said already. of: the effector.
    """
    if not reason.angle:
        return _cause_text(reason, by, of)
    tilted = f"It lies tilted by {degrees(reason.angle):.0f}°"
    why = "The floor is in the way" if reason.cause is Cause.FLOOR else _cause_text(reason)
    return f"{tilted}, as {mid_sentence(why)}"


def let_go_text(off: Sequence[LetGo]) -> str:
    """Which kept joint is furthest off its place, why, and how many more are: “Left wrist is 12.0 cm off its place: out
    of reach. 1 more is off”; "" for none."""
    if not off:
        return ""
    worst, more = off[0], len(off) - 1
    far = residual_text(Position.spec, Residual(worst.off_m, "unreachable"))
    text = f"{joint_title(worst.joint)} is {far} off its place: {mid_sentence(reason_text(worst.reason))}"
    return f"{text}. {more} more {'is' if more == 1 else 'are'} off" if more else text


def reason_word(reason: Reason) -> str:
    """A reason in one or two words, where space is short."""
    if reason.angle:
        return "Tilted"
    if reason.cause is Cause.FLOOR:
        return "On the floor"
    if reason.cause in (Cause.RIDES, Cause.WAY):
        return "Missed"
    if reason.cause is Cause.WIDE:
        return "Too wide"
    return "Too far" if reason.cause in (Cause.OUT_OF_REACH, Cause.LIMITS) else "Blocked"


def _cause_text(reason: Reason, by: str = "", of: Effector | None = None) -> str:
    joint, own = joint_title(reason.joint), of is not None and of.joint == reason.joint
    match reason.cause:
        case Cause.OUT_OF_REACH:
            return f"Out of reach by {by}" if by else "Out of reach"
        case Cause.EFFECTOR if reason.other:
            return f"{joint} and {joint_title(reason.other).lower()} are in the way"
        case Cause.EFFECTOR if own and reason.kind == Position.kind:
            return f"The {joint.lower()} cannot turn that far in the place where it is held"
        case Cause.EFFECTOR if own and reason.kind == Rotation.kind:
            return f"The {joint.lower()} cannot get there with the turn in which it is held"
        case Cause.EFFECTOR if reason.kind == Position.kind:
            return f"{joint} is in the way"
        case Cause.EFFECTOR if reason.kind == Contact.kind:
            return f"What the {joint.lower()} is held on is in the way"
        case Cause.EFFECTOR:
            return f"{type_of(reason.kind).spec.title} of {joint.lower()} is in the way"
        case Cause.KEPT:
            return f"{joint}, which is kept, is in the way" if reason.joint else "What is kept is in the way"
        case Cause.FLOOR if isinstance(of, Rotation):
            return "The floor is in the way"
        case Cause.FLOOR:
            return "The body touches the floor: it cannot go lower"
        case Cause.BODY:
            return "The body itself is in the way"
        case Cause.PROP:
            return "What stands around is in the way"
        case Cause.LIMITS:
            return "A joint cannot turn that far"
        case Cause.SEVERAL:
            return "Several others are in the way together"
        case Cause.RIDES:
            return "What it lies on moves along with the body"
        case Cause.STANDING:
            return "Only an unnatural stance would get there"
        case Cause.WAY:
            return "Within reach, but not from this pose"
        case Cause.WIDE:
            return f"{by} wider than the hand opens" if by else "Wider than the hand opens"
        case Cause.TURN:
            return f"The {reason.part} turns no further"
