"""How long editing a motion takes: frames between keys, poses for the same handles, and scrubbing in the window."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.benchmark.file_times import walkers
from app.benchmark.painted import wait_for_frame
from app.benchmark.walk import walk
from app.document import edits
from app.document.model.document import Document
from app.document.over_time.in_betweens import missing, solved_spans
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.pose_variations import variations_of
from solver.evaluation.speed import Figure, timing
from solver.ik.preserve_modes import GLOBAL, LOCAL, PreserveMode
from solver.rig.roles import ARMS, LEGS, Role

if TYPE_CHECKING:
    from app.window.editor import Editor

ID = "c1"  # of the only character
FRAMES, KEY, FADED_S = 300, 150, 5.0
SCRUBBED, STRIDE = 1000, 7  # frames, and how many the pointer goes at a time
CROWD = 10  # people
EDITS = (
    ("SMPL-IK", "smplik", GLOBAL),
    ("SKEL-IK", "skelik", GLOBAL),
    ("SKEL-IK, all kept", "skelik", LOCAL),
)
HANDLES = {  # the sets of SKEL-IK's figure 5
    "wrists and feet": tuple(limb.end for limb in (*ARMS, *LEGS)),
    "wrists": tuple(limb.end for limb in ARMS),
    "feet and pelvis": (Role.PELVIS, *(limb.end for limb in LEGS)),
}
SET_MS, GALLERY_MS, PAINTED_MS = 5000.0, 1000.0, 1000.0 / 30


def solved_figures(runs: int = 3) -> Iterator[Figure]:
    """The frames between keys of an edited walk, and twelve variations of each set of handles."""
    for name, solver, mode in EDITS:
        document = edited_walk(solver, mode)
        times = [_span_time(document) for _ in range(1 + runs)]
        yield timing(f"{FRAMES} frames between keys, {name}", times[1:], SET_MS)
    for name, roles in HANDLES.items():
        document = only_handles(roles)
        times = [_gallery_time(document) for _ in range(1 + runs)]
        yield timing(f"variations, {name}", times[1:], GALLERY_MS)


def scrubbed_figure(seconds: Sequence[float]) -> Figure:
    """How long it took to scrub to a frame, from the seconds of `scrubbed_times`."""
    return timing(f"scrubbing {SCRUBBED:,} frames: to the painted frame", seconds, PAINTED_MS)


def crowd_figure(seconds: Sequence[float]) -> Figure:
    """How long it took with many people, from the seconds of `crowd_times`."""
    return timing(f"{CROWD} people who walk, scrubbed: to the painted frame", seconds)


def edited_walk(solver: str, mode: PreserveMode, frames: int = FRAMES, key: int = KEY) -> Document:
    """A walk with the left hand 20 cm higher at a key in the middle, fading over the whole walk, not solved yet."""
    start = edits.chain(
        edits.set_solver(ID, solver),
        edits.set_preserve_mode(ID, mode),
        edits.import_motion(ID, walk(frames)),
        edits.set_in_between(ID, ease_s=FADED_S),
    )
    document = start(new_document()).at_frame(ID, key)
    wrist = next(e for e in document.character(ID).effectors if e.joint == Role.LEFT_WRIST)
    higher = wrist.target + np.array([0.0, 0.2, 0.1], np.float32)  # type: ignore[attr-defined]
    return edits.chain(edits.set_target(ID, wrist.id, higher), edits.solve(ID))(document)


def only_handles(roles: Sequence[Role]) -> Document:
    """A standing person with strict handles of these joints alone."""
    document = new_document()
    person = document.character(ID)
    handles = [new_effector(person, "position", role, id=f"h{n}") for n, role in enumerate(roles)]
    bare = edits.remove_effectors(ID, [effector.id for effector in person.effectors])
    return edits.chain(bare, *(edits.add_effector(ID, handle) for handle in handles))(document)


def scrubbed_times(editor: Editor) -> list[float]:
    """Seconds from scrubbing to each frame until it is painted, at 1280 x 800."""
    return _scrubbed(editor, edits.import_motion(ID, walk(SCRUBBED))(new_document()), SCRUBBED)


def crowd_times(editor: Editor) -> list[float]:
    """Likewise with ten people who all walk."""
    return _scrubbed(editor, walkers(CROWD, FRAMES), FRAMES, all_seen=True)


def _scrubbed(editor: Editor, document: Document, frames: int, all_seen: bool = False) -> list[float]:
    editor.viewport.setFixedSize(1280, 800)
    editor.session.open(document)
    if all_seen:
        editor.session_view.frame_all(glide=False)
    editor.warm_up()
    wait_for_frame(editor)
    times = []
    for frame in range(0, frames, STRIDE):
        started = time.perf_counter()
        editor.player.go_to(frame)
        wait_for_frame(editor)
        times.append(time.perf_counter() - started)
    return times[5:]


def _span_time(document: Document) -> float:
    """Seconds to solve all frames between the keys."""
    (actor,) = document.actors
    assert missing(actor)
    started = time.perf_counter()
    solved_spans(actor)
    return time.perf_counter() - started


def _gallery_time(document: Document) -> float:
    """Seconds to find the poses of the gallery."""
    started = time.perf_counter()
    variations_of(document, document.character(ID), None, lambda: False)
    return time.perf_counter() - started
