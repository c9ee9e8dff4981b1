"""Why commands are grey in menus and in the toolbar, in words that go on from “Not now:”."""

from __future__ import annotations

from collections.abc import Mapping

from app.document.posing.hold_table import COMMON_HOLDS, CommonHold
from solver.effectors.kind import Kind
from solver.effectors.kinds import kinds

NOBODY = "there is nobody in the scene"
NOBODY_NOR_PROP = "there is nobody in the scene, and no prop is selected"
NO_HANDLE = "select a handle first"
NO_PART = "select a handle or a joint first"
NO_PHOTO = "there is no photo in the scene"
NOTHING_MOVES = "nothing moves yet; “Animate” gives it frames"
NOT_SEVERAL = "there is only one person, or nobody"
NO_OTHERS = "no handle asks anything of the body, or a network alone poses it"
NOT_LABELLING = "no folder is being labelled"

NOTHING_HELD = "no hand of the active person is around anything, or what it holds is locked"


def _of_hold(hold: CommonHold) -> str:
    return "it needs two people" if hold.needs_two else NOTHING_HELD if hold.needs_thing else NOBODY


_REASONS: dict[str, str] = {
    "file.add_photo": NO_PHOTO,
    "file.joint_map": "the active person has no motion from a file, or it was recorded",
    "file.save_label": "there is no photo in the scene, or a folder is being labelled",
    "body.own_skin": NOBODY,
    "body.presets": "there is nobody in the scene, or their body has no presets",
    "edit.undo": "nothing has been done here yet, or all of it is undone",
    "edit.redo": "nothing has been undone, or something was done since",
    "edit.copy": NOBODY_NOR_PROP,
    "edit.paste": "nothing was copied",
    "edit.paste_flipped": "no pose was copied, or there is nobody in the scene",
    "edit.select_all": NOBODY,
    "edit.select_none": "nothing is selected",
    "edit.next_effector": "the active person has no handles",
    "edit.previous_effector": "the active person has no handles",
    "edit.select_people": NOT_SEVERAL,
    "edit.next_person": NOT_SEVERAL,
    "edit.previous_person": NOT_SEVERAL,
    "edit.rename": NOBODY_NOR_PROP,
    "edit.delete": NOBODY_NOR_PROP,
    "pose.duplicate": NOBODY_NOR_PROP,
    "pose.remove_person": NOBODY,
    "pose.find_in_box": NO_PHOTO,
    "pose.read_again": "there is no photo in the scene, or nobody",
    "pose.merge": "it needs a photo and two people",
    "pose.pin": NO_HANDLE,
    "pose.strict": NO_HANDLE,
    "pose.loose": NO_HANDLE,
    "pose.other": NO_OTHERS,
    "pose.variations": NO_OTHERS,
    "pose.compare": "no handle asks anything of the body",
    "pose.library_next": NOBODY,
    "pose.library_previous": NOBODY,
    "pose.library_save": NOBODY,
    "pose.hands": NOBODY,
    "pose.hands_throughout": "the hands are held alike at all frames",
    "pose.mirror": NOBODY_NOR_PROP,
    "pose.mirror_selected": NO_PART,
    "pose.copy_right": NOBODY,
    "pose.copy_left": NOBODY,
    "pose.symmetry": NOBODY,
    "pose.flip_limb": NOBODY,
    "pose.turn_round": NOBODY,
    "pose.farther": NOBODY,
    "pose.nearer": NOBODY,
    "pose.turn_left": NOBODY,
    "pose.turn_right": NOBODY,
    "pose.look_camera": NOBODY,
    "pose.set_base": NOBODY,
    "pose.return": NOBODY,
    "pose.settle": NOBODY,
    "pose.floor": NOBODY_NOR_PROP,
    "pose.rest": "nobody who is selected lies or sits on a solid floor or on a prop",
    "pose.remove_key": "there is no key at this frame, or no other one",
    "prop.scale": "no prop is selected",
    "contact.floor": NO_PART,
    "contact.here": NO_PART,
    "contact.let_go": "select a contact first",
    "contact.put_down": "the active person holds nothing in a hand or between both palms, or it is locked",
    **{f"contact.{hold.id}": _of_hold(hold) for hold in COMMON_HOLDS},
    "time.play": NOTHING_MOVES,
    "time.loop": NOTHING_MOVES,
    "time.frame_after": NOTHING_MOVES,
    "time.frame_before": NOTHING_MOVES,
    "time.key_after": NOTHING_MOVES,
    "time.key_before": NOTHING_MOVES,
    "time.first": NOTHING_MOVES,
    "time.last": NOTHING_MOVES,
    "time.begin": NOTHING_MOVES,
    "time.end": NOTHING_MOVES,
    "time.whole": NOTHING_MOVES,
    "time.by_joints": NOTHING_MOVES,
    "time.set_key": NOBODY_NOR_PROP,
    "time.animate": "there is nobody, or what is selected has frames already",
    "time.rate": "what is selected stands still, or moves as a file says; “Speed…” makes it faster or slower",
    "time.cut": "the range is all there is; choose one first (Ctrl+Home, Ctrl+End)",
    "time.speed": "what is selected stands still",
    "time.stride": "the active person has no motion from a file",
    "look.key_light": "this look has no light; Clay (Alt+4) and Suit (Alt+5) do",
    "view.curves": NOTHING_MOVES,
    "view.follow": NOTHING_MOVES,
    "view.film_way": "nobody moves, or the scene keeps fewer than two views (Ctrl+2, Ctrl+4)",
    "view.balance": NOBODY,
    "view.intersections": NOBODY,
    "view.frame": NOBODY,
    "view.frame_all": NOBODY,
    "view.photo": NO_PHOTO,
    "view.next_photo": "there is only one photo in the scene, or none",
    "view.horizon": NO_PHOTO,
    "view.beside": NO_PHOTO,
    "view.outline": NO_PHOTO,
    "view.matte": NO_PHOTO,
    "view.wipe": NO_PHOTO,
    "view.points": NO_PHOTO,
    "label.checked": NOT_LABELLING,
    "label.unusable": NOT_LABELLING,
    "label.take_back": "no folder is being labelled, or its picture is neither checked nor left out",
    "label.next": NOT_LABELLING,
    "label.previous": NOT_LABELLING,
    "label.unchecked": NOT_LABELLING,
    "label.go_to": NOT_LABELLING,
    "label.stop": NOT_LABELLING,
    "help.manual": "this installation has no manual",
}


def id_of_kind(kind: Kind) -> str:
    """The id of the command that selects or adds effectors of a kind."""
    return f"pose.{kind.verb.split()[0].lower()}"


def reason_of(id: str) -> str:
    """Why a command is grey. Raises KeyError for one that never is."""
    return _REASONS[id] if id in _REASONS else why_grey()[id]


def why_grey() -> Mapping[str, str]:
    """The reasons by the ids of commands, those of kinds that were registered since as well."""
    return {**_REASONS, **{id_of_kind(kind): NO_PART for kind in kinds()}}
