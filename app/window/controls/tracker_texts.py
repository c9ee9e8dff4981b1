"""What the trackers' panel says: who follows them, what becomes of a take, and what was measured."""

from __future__ import annotations

from app.dialogs.tracker_rows import title_of
from app.document.model.document import Character
from app.services.session import Session
from app.tracking.receiver import Counts, TrackerReceiver, own_address
from app.tracking.tracking import Tracking
from solver.rig.rig import Rig
from solver.rig.roles import BODY_ROLES, SIDES
from solver.trackers.attachment import Attachments
from solver.trackers.calibration import misplaced_trackers
from solver.trackers.sample import BONE_PREFIX

BEHIND = " One of {:.1f} s waits behind it."
UNWORN = "Put its trackers on joints; then Keep makes it the motion of {}."
STANCES = {"T-pose": "in a T-pose", "A-pose": "in an A-pose", "standing": "arms hanging"}
SOON_S = 5.0  # after which silence is worth a word
NOT_LISTENING = "Give this port to the program that sends, and press Listen."
NONE_HEARD = "Trackers show here as soon as they are heard."
NO_TRACKERS = (
    "Something comes, but no trackers. Choose the VMC protocol in the program that sends, with its trackers on."
)
NOTHING_HERE = (
    "Nothing has come yet. On this computer, have the other program send to 127.0.0.1, port {port}. "
    "If it runs elsewhere, stop listening and choose From the network."
)
NOTHING_OPEN = (
    "Nothing has come yet. Have the other program send to {address}, port {port}, and let this computer's firewall "
    "accept that port (UDP)."
)

TWO_SEND = "Another program sends trackers of the same names. They are left out: let only one of the two send. "
TOLD_S = 2.0  # for which that shows


def rivals_text(receiver: TrackerReceiver | None, now_s: float) -> str:
    """That two programs send the same trackers, "" if they do not. receiver: None while nobody listens."""
    return TWO_SEND if receiver is not None and now_s - receiver.first.left_out_s < TOLD_S else ""


def unheard_text(receiver: TrackerReceiver | None, now_s: float) -> str:
    """What to do while no tracker is heard over the network. receiver: None while nobody listens."""
    if receiver is None:
        return NOT_LISTENING
    if now_s - receiver.began_s < SOON_S:
        return NONE_HEARD
    if receiver.counts.packets:
        return NO_TRACKERS
    if not receiver.open_to_network:
        return NOTHING_HERE.format(port=receiver.port)
    return NOTHING_OPEN.format(address=own_address() or "this computer", port=receiver.port)


def joints_to_wear(rig: Rig, attachments: Attachments) -> tuple[str, ...]:
    """The joints that trackers may be worn on: those that the person has, and one that a tracker is on all the same."""
    worn = {each.joint for each in attachments.values()}
    return tuple(name for name in rig.names_of(BODY_ROLES) if name in worn.union(rig.own_names))


def state_text(session: Session, tracking: Tracking, received: bool) -> str:
    """Who follows, and what becomes of the take there is. received: whether other programs send the trackers."""
    names = {c.id: f"“{c.name}”" for c in session.document.characters}
    take = tracking.take
    whose = names.get(take.person, "") if take is not None else ""
    now = _following(names.get(tracking.follows, ""), tracking, received) if tracking.following else ""
    if tracking.recording and take is not None:
        return f"{now}Recording, {take.length_s:.1f} s so far: Keep makes it a motion."
    if tracking.solving and take is not None:
        becomes = f"is becoming the motion of {whose}." if whose else "has lost its person, who was deleted."
        return f"{now}The take of {take.length_s:.1f} s {becomes}"
    if take:
        behind = "".join(BEHIND.format(each.length_s) for each in tracking.waiting_behind)
        keep = f"Keep makes it the motion of {whose}." if take.moves else UNWORN.format(whose)
        keep = keep if whose else "Its person was deleted: undo that to keep it."
        return f"{now}A take of {take.length_s:.1f} s waits. {keep}{behind}"
    if now:
        return now.rstrip()
    active = session.active
    return f"Follow lets “{active.name}” move with the trackers." if active is not None else ""


def _following(who: str, tracking: Tracking, received: bool) -> str:
    worn = sum(bool(each.joint) and tracking.is_heard(name) for name, each in tracking.attachments.items())
    trackers = f"{worn} {'tracker' if worn == 1 else 'trackers'}"
    heard = any(tracking.is_heard(name) for name in tracking.attachments)
    why = "no tracker that is heard is on a joint" if heard else "no tracker is heard"
    told = f"{who} follows {trackers}. " if worn else f"{who} stands still: {why}. "
    return told + (_strangers(tracking.newcomers()) if received else "")


def _strangers(new: int) -> str:
    """What to do if trackers came under other names, as when their sender was restarted."""
    if not new:
        return ""
    if new == 1:
        return "1 tracker has come under another name: calibrate, or put it on a joint. "
    return f"{new} trackers have come under other names: calibrate, or put them on joints. "


def calibration_text(tracking: Tracking, active: Character | None, received: bool = True) -> str:
    """What the calibration measured, and which trackers it leaves in doubt; before one, what it will find out. Without
    a source there is nothing that it would hold for: each source begins without one.

    received: whether other programs send the trackers, so that one can calibrate.
    """
    calibration = tracking.calibration
    if tracking.source is None:
        return ""
    if not calibration.stance:
        return _uncalibrated(tracking) if received else ""
    height = f"Measured: {calibration.height_m:.2f} m tall, " if calibration.height_m else "Measured "
    name = f"“{active.name}”" if active is not None else "the person"
    text = f"{height}{STANCES[calibration.stance]}. Movements are scaled by {calibration.scale:.2f} for {name}."
    far = misplaced_trackers(calibration, tracking.attachments)
    if far:
        worst = max(far, key=far.__getitem__)
        text += f" “{title_of(worst, ())}” is {100 * far[worst]:.0f} cm from its joint: check which one it is on, or"
        text += " stand upright and calibrate again."
    unmeasured = [name for name, each in tracking.attachments.items() if each.joint and name not in calibration.mounts]
    now = all(tracking.is_heard(name) for name in unmeasured)
    if len(unmeasured) == 1:
        again = "calibrate again" if now else "calibrate again once it is heard"
        text += f" “{title_of(unmeasured[0], ())}” was silent then: {again}."
    elif unmeasured:
        again = "calibrate again" if now else "calibrate again once they are heard"
        text += f" {len(unmeasured)} trackers were silent then: {again}."
    return text


def _uncalibrated(tracking: Tracking) -> str:
    """That trackers whose names are no joint's are put on joints by calibrating; "" where all are on some."""
    names = [name for name in tracking.on_no_joint_yet if not name.startswith(BONE_PREFIX)]
    if not names:
        return ""
    one = len(names) == 1
    many, joints, its = ("1 tracker is", "joint", "its") if one else (f"{len(names)} trackers are", "joints", "their")
    sided = any(side in name.casefold() for name in names for side in SIDES)
    sides = f" and by “left” or “right” in {its} {'name' if one else 'names'}" if sided else ""
    return f"{many} on no joint yet. Calibrate finds the {joints}, by {its} {'place' if one else 'places'}{sides}."


def packets_text(counts: Counts) -> str:
    """How many packets came, and how many of them were no use."""
    lost = f", {counts.lost:,} lost" if counts.lost else ""
    return f"{counts.packets:,} received, {counts.dropped:,} dropped{lost}"
