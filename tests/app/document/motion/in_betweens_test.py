"""In-betweens solved: effectors go along curves, every frame has its own base pose, planted feet stay."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from document_samples import only, random_pose, whole_motion
from motion_samples import raised, strolling, walker

from app.document import edits
from app.document.model.actor import Actor
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.over_time.in_betweens import (
    completed,
    document_completed,
    missing,
    solved_spans,
    stretches_of,
)
from app.document.over_time.shown_motion import shown_motion
from app.document.posing.create import new_document
from solver.body.body import BodyShape
from solver.effectors.kinds import LookAt
from solver.ik.options import PROPOSAL_ALONE
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import Role

WRIST, ANKLE = SMPL_JOINTS.index("left_wrist"), SMPL_JOINTS.index("left_ankle")


def places(document: Document, motion: Motion | None = None) -> np.ndarray:
    """(F, J, 3) metres, the joints of everything that is shown, or of another motion."""
    shown = motion or whole_motion(only(document))
    skeleton = skeleton_of(only(document))
    return forward_kinematics_batch(skeleton.parents, skeleton.offsets, shown.root_positions, shown.rotations).positions


def source(document: Document) -> Motion:
    found = only(document).clip.source
    assert found is not None
    return found.motion


@cache
def edited(solver: str = "dls", contacts: bool = False, *frames: int) -> Document:
    """Somebody who strolls and raises a hand at frame 30, or at those; solved in between."""
    document = edits.set_in_between("c1", contacts=contacts)(edits.set_solver("c1", solver)(walker()))
    for frame in frames or (30,):
        document = raised(document.at_frame("c1", frame))
    return document_completed(document)


@pytest.mark.sweep
@pytest.mark.parametrize("solver", ["dls", "smplik", "protores"])
def test_the_hand_goes_along_its_curve_at_every_frame(solver: str) -> None:
    document = edited(solver)
    added = (places(document) - places(document, source(document)))[:, WRIST]
    assert added[30] == pytest.approx([0, 0.3, 0.1], abs=2e-3)
    assert (np.abs(added[:16]).max(), np.abs(added[45:]).max()) == (0, 0)
    rising, falling = added[15:31, 1], added[30:46, 1]
    assert (np.diff(rising) > 0).all()
    assert (np.diff(falling) < 0).all()
    assert added[:, 0] == pytest.approx(np.zeros(60), abs=2e-3), "it is not pushed aside on the way"
    assert added[:, 1] == pytest.approx(3 * added[:, 2], abs=4e-3)


@pytest.mark.parametrize("solver", ["dls", "smplik", "protores"])
def test_feet_that_were_asked_to_stay_go_with_the_motion(solver: str) -> None:
    document = edited(solver)
    assert places(document)[:, ANKLE] == pytest.approx(places(document, source(document))[:, ANKLE], abs=2e-3)


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_nothing_pops_where_keys_and_fading_meet(solver: str) -> None:
    document = edited(solver)
    bends = np.linalg.norm(np.diff(places(document), 2, axis=0), axis=-1)
    before = np.linalg.norm(np.diff(places(document, source(document)), 2, axis=0), axis=-1)
    assert (bends - before).max() < 0.03


def test_a_key_is_shown_as_it_was_posed() -> None:
    document = edited()
    key = only(document).clip.key(30)
    assert key is not None
    assert only(document.at_frame("c1", 30)).pose == key.pose
    assert whole_motion(only(document)).pose(30) == key.pose


def test_an_in_between_is_read_as_the_character_shows_it() -> None:
    document = edits.move_character("c1", (1.0, 0.0, 2.0))(edited("dls", False, 20, 40))
    motion = whole_motion(only(document))
    for frame in (7, 19, 25, 33, 41):
        assert motion.pose(frame) == only(document.at_frame("c1", frame)).pose
    assert only(document.at_frame("c1", 25)).base_pose != only(document.at_frame("c1", 25)).pose


def test_moving_the_person_leaves_in_betweens_solved_and_changing_a_key_does_not() -> None:
    document = edited("dls", False, 20, 40)
    assert missing(document.actors[0]) == []
    assert missing(edits.move_character("c1", (1, 0, 0))(document).actors[0]) == []
    assert missing(edits.rename_character("c1", "Anna")(document).actors[0]) == []
    other = raised(document.at_frame("c1", 40), 0.1)
    assert [(s.first, s.last) for s in missing(other.actors[0])] == [(6, 19), (21, 39), (41, 54)]
    for change in (
        edits.set_solver("c1", "protores"),
        edits.set_shape("c1", BodyShape(np.float32([1.0] + [0] * 9))),
        edits.set_in_between("c1", ease_s=0.2),
    ):
        assert missing(change(document).actors[0])


def test_in_betweens_of_before_are_never_shown_for_what_was_changed() -> None:
    document = edited()
    lower = raised(document.at_frame("c1", 30), -0.2)
    shown = lower.actors[0]
    assert shown.clip.solved, "they are still at hand, for undo"
    assert shown.at(25).pose == shown.with_spans(()).at(25).pose != document.actors[0].at(25).pose


def test_by_the_joints_nothing_is_solved() -> None:
    document = edits.set_in_between("c1", by="joints")(edited())
    actor = document.actors[0]
    assert (stretches_of(actor), missing(actor), actor.spans()) == ([], [], [])
    assert completed(actor) is actor
    assert document_completed(document) is document
    assert actor.at(25).pose != edited().actors[0].at(25).pose
    back = edits.set_in_between("c1", by="solver")(document).actors[0]
    assert missing(back) == [], "the solved ones are there again"


def test_only_the_gaps_that_a_new_key_may_change_are_solved_anew() -> None:
    document = edited("dls", False, 10)
    actor = raised(document.at_frame("c1", 50)).actors[0]
    assert [(s.first, s.last) for s in missing(actor)] == [(1, 9), (11, 49), (51, 59)]
    plain = document_completed(edits.set_key("c1", 30)(document))
    actor = raised(plain.at_frame("c1", 50)).actors[0]
    assert [(s.first, s.last) for s in missing(actor)] == [(11, 24), (36, 49), (51, 59)]


def keyed() -> Document:
    """Somebody without a motion, crouching at frame 10 and standing at 0 and 20, with feet that stay."""
    document = edits.set_solver("c1", "dls")(edits.set_clip_length("c1", 30)(new_document()))
    document = edits.set_key("c1", 20)(document).at_frame("c1", 10)
    from app.document.posing.fitting_effectors import new_effector

    pelvis = new_effector(only(document), "position", "pelvis", id="hips")
    document = edits.add_effector("c1", pelvis)(document)
    return edits.chain(edits.set_target("c1", "hips", pelvis.target - np.float32([0, 0.3, 0])), edits.solve("c1"))(
        document
    )


def test_without_a_motion_feet_that_are_kept_stay_where_the_joints_alone_let_them_slide() -> None:
    joints = places(edits.set_in_between("c1", by="joints")(keyed()))
    solved = places(document_completed(keyed()))
    stay = joints[0, ANKLE]
    assert np.abs(solved[:21, ANKLE] - stay).max() < 2e-3
    assert np.abs(joints[:21, ANKLE] - stay).max() > 5e-3
    hips = solved[:, 0, 1]
    assert hips[10] == pytest.approx(hips[0] - 0.3, abs=2e-3)
    assert (np.diff(hips[:11]) <= 1e-5).all()


def test_preservation_goes_over_from_key_to_key() -> None:
    document = edits.keep_shape("c1", ["left_collar"], True)(edited("dls", False, 20, 40).at_frame("c1", 20))
    document = edits.chain(edits.set_preserve_strength("c1", 1.0), edits.solve("c1"))(document)
    document = document_completed(document)
    collar = SMPL_JOINTS.index("left_collar")
    motion, beneath = whole_motion(only(document)), source(document)
    turned = np.abs(motion.rotations[:, collar] - beneath.rotations[:, collar]).max(axis=(1, 2))
    free = np.abs(
        whole_motion(only(edited("dls", False, 20, 40))).rotations[:, collar] - beneath.rotations[:, collar]
    ).max(axis=(1, 2))
    assert turned[22] < free[22]


def test_a_look_is_held_along_the_way() -> None:
    document = edits.set_solver("c1", "dls")(walker()).at_frame("c1", 30)
    look = next(e for e in only(document).effectors if isinstance(e, LookAt))
    document = edits.chain(
        edits.make_strict("c1", [look.id]),
        edits.set_target("c1", look.id, look.target + np.float32([0.6, 0, 0])),
        edits.solve("c1"),
    )(document)
    document = document_completed(document)
    head = SMPL_JOINTS.index("head")
    ahead = whole_motion(only(document))
    skeleton = skeleton_of(only(document))
    world = forward_kinematics_batch(skeleton.parents, skeleton.offsets, ahead.root_positions, ahead.rotations)
    aside = world.rotations[:, head, 0, 2]
    assert aside[30] > aside[25] > aside[20] > aside[16] > aside[10] - 1e-3


def test_the_network_alone_is_shown_where_that_is_asked_for() -> None:
    raw = edits.set_solver_option("c1", PROPOSAL_ALONE.id, True)(edited("smplik"))
    document = document_completed(raw)
    added = (places(document) - places(document, source(document)))[:, WRIST, 1]
    assert added[15] == 0
    assert 0.01 < added[25] < 0.3


def held(document: Document) -> list[tuple[Role, int, int]]:
    clip = only(document).clip
    assert clip.source is not None
    return [tuple(contact) for contact in clip.source.contacts("anny")]  # type: ignore[misc]


def sliding() -> Motion:
    """The stroll, and all of it slides sideways by 3 cm a second, as badly captured feet do."""
    motion = strolling()
    roots = np.array(motion.root_positions)
    roots[:, 2] -= np.linspace(0, 2, 60)
    roots[:, 0] += 0.1 * np.arange(60) / 30
    return Motion(roots, motion.rotations, motion.fps)


@cache
def planted(contacts: bool, solver: str = "dls") -> Document:
    document = edits.import_motion("c1", sliding())(new_document())
    document = edits.set_in_between("c1", contacts=contacts)(edits.set_solver("c1", solver)(document))
    return document_completed(raised(document.at_frame("c1", 30)))


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_planted_foot_stays_within_two_millimetres(solver: str) -> None:
    document = planted(True, solver)
    shown, before = places(document), places(document, source(document))
    bars = [bar for bar in held(document) if bar[1] <= 45 and bar[2] >= 15]
    assert len(bars) >= 2
    for foot, first, last in bars:
        ball = SMPL_JOINTS.index(foot.value)
        span = slice(first, last + 1)
        assert np.linalg.norm(shown[span, ball] - shown[first, ball], axis=-1).max() < 2e-3
        assert np.linalg.norm(before[span, ball] - before[first, ball], axis=-1).max() > 1e-2


def test_of_planted_feet_one_that_was_let_go_slides_and_the_others_stay() -> None:
    document = planted(True)
    bars = [bar for bar in held(document) if bar[1] <= 45 and bar[2] >= 15]
    free, *others = bars
    without = document_completed(edits.switch_contact("c1", free[0], free[1])(document))
    shown = places(without)

    def slid(bar: tuple[Role, int, int]) -> float:
        ball, span = SMPL_JOINTS.index(bar[0].value), slice(bar[1], bar[2] + 1)
        return float(np.linalg.norm(shown[span, ball] - shown[bar[1], ball], axis=-1).max())

    assert slid(free) > 1e-2
    assert others
    assert max(map(slid, others)) < 2e-3


def test_without_contacts_it_goes_on_sliding_with_the_motion() -> None:
    document = planted(False)
    assert places(document)[:, ANKLE] == pytest.approx(places(document, source(document))[:, ANKLE], abs=2e-3)


def test_held_feet_make_nothing_jump() -> None:
    document = planted(True)
    bends = np.linalg.norm(np.diff(places(document), 2, axis=0), axis=-1)
    before = np.linalg.norm(np.diff(places(document, source(document)), 2, axis=0), axis=-1)
    assert (bends - before).max() < 0.03


def test_contacts_far_from_any_edit_are_left_alone() -> None:
    walk = strolling(300)
    document = edits.set_solver("c1", "dls")(edits.import_motion("c1", walk)(new_document()))
    document = edits.set_in_between("c1", contacts=True)(raised(document.at_frame("c1", 150)))
    frames = [frame for s in stretches_of(document.actors[0]) for frame in (s.first, s.last)]
    assert min(frames) > 60
    assert max(frames) < 240


def test_a_foot_that_was_keyed_elsewhere_is_held_there() -> None:
    document = edits.import_motion("c1", sliding())(new_document())
    document = edits.set_in_between("c1", contacts=True)(edits.set_solver("c1", "dls")(document))
    foot, first, last = next(bar for bar in held(document) if bar[0] == Role.LEFT_FOOT and bar[1] > 0)
    frame = (first + last) // 2
    ankle = next(e for e in only(document.at_frame("c1", frame)).effectors if e.joint == "left_ankle")
    moved = edits.chain(edits.set_target("c1", ankle.id, ankle.target + np.float32([0.08, 0, 0])), edits.solve("c1"))(
        document.at_frame("c1", frame)
    )
    shown = places(document_completed(moved))[first : last + 1, SMPL_JOINTS.index(foot.value)]
    key = joints_of(only(moved.at_frame("c1", frame))).positions[SMPL_JOINTS.index(foot.value)]
    assert np.linalg.norm(shown - key, axis=-1).max() < 2e-3


def test_a_motion_of_one_frame_has_nothing_in_between() -> None:
    document = raised(edits.import_motion("c1", strolling(1))(new_document()))
    assert document_completed(document) is document


@pytest.mark.slow
def test_progress_is_told_and_may_end_the_work() -> None:
    class Enough(Exception):
        pass

    actor = raised(edits.set_in_between("c1", ease_s=60.0)(walker(300)).at_frame("c1", 150)).actors[0]
    shares: list[float] = []
    solved_spans(actor, lambda share, text: shares.append(share))
    assert shares[0] == 0.0
    assert len(shares) > 2
    assert shares == sorted(shares)

    def stop(share: float, text: str) -> None:
        raise Enough

    with pytest.raises(Enough):
        solved_spans(actor, stop)


def test_an_export_holds_solved_in_betweens_even_if_nobody_had_them_solved() -> None:
    document = edited()
    bare = replace(document, actors=(document.actors[0].with_spans(()),))
    exported = shown_motion(only(bare))
    assert exported is not None
    assert exported.rotations == pytest.approx(whole_motion(only(document)).rotations, abs=1e-6)


def test_another_shape_is_solved_with_its_soles_where_they_were() -> None:
    document = edits.set_shape("c1", BodyShape(np.float32([2.0] + [0] * 9)))(edited())
    actor: Actor = completed(document.actors[0])
    assert actor.at(25).pose != actor.at(25).base_pose
    assert actor.at(25).pose.root_position[1] == pytest.approx(actor.at(25).base_pose.root_position[1], abs=0.05)


def test_frames_added_behind_the_last_key_leave_what_is_solved_as_it_is() -> None:
    document = document_completed(keyed())
    solved, longer = document.actors[0], edits.set_clip_length("c1", 70)(document).actors[0]
    assert (len(solved.clip), len(longer.clip)) == (30, 70)
    assert missing(longer) == []
    assert longer.spans() == solved.spans() != []
    anew = document_completed(edits.set_clip_length("c1", 70)(keyed())).actors[0]
    for frame in range(30):
        assert anew.at(frame).pose == solved.at(frame).pose, "what is kept is what would be solved"


def test_a_wild_pose_pasted_over_a_frame_is_met_and_left_smoothly() -> None:
    document = edits.set_solver("c1", "dls")(walker()).at_frame("c1", 30)
    wild = random_pose(np.random.default_rng(2), 0.25)
    document = edits.set_pose("c1", replace(wild, root_position=only(document).pose.root_position))(document)
    document = document_completed(document)
    steps = np.linalg.norm(np.diff(places(document), axis=0), axis=-1)
    assert steps.max() < 0.25
    assert only(document.at_frame("c1", 30)).pose.rotations == pytest.approx(wild.rotations, abs=1e-6)


def test_a_solved_stretch_knows_the_memory_that_its_poses_take() -> None:
    span = document_completed(keyed()).actors[0].spans()[0]
    frames, joints = span.last - span.first + 1, len(SMPL_JOINTS)
    assert span.bytes == 4 * frames * (3 + 9 * joints)
