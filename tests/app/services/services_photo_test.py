"""A photo becomes people in the document: found, chosen, recovered, in one undo step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sample_files import TWO_PEOPLE
from window_driver import until

from app.document import edits
from app.document.model.document import Photo
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.services.background.effector_recovery import CHANGED, GONE, EffectorRecovery
from app.services.background.jobs import Jobs, Progress
from app.services.background.photo_import import PhotoImport
from app.services.body_choice import BodyChoice
from app.services.session import Session
from app.services.settings import SettingsStore
from solver.body.body import BodyShape
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.estimates import plug_ins
from solver.solvers.recovery import recover_effectors


def importing(session: Session, jobs: Jobs, store: SettingsStore, chosen: Sequence[int] | None) -> PhotoImport:
    store.set(recover_count=4)
    return PhotoImport(
        session=session,
        jobs=jobs,
        settings=store,
        body=BodyChoice(store),
        choose=lambda _image, _found: chosen,
        backdrop=lambda _name, _people: False,
    )


@pytest.mark.slow
@pytest.mark.usefixtures("photos_read_once")
def test_chosen_people_take_the_place_of_the_one_who_stood_there(session: Session, store: SettingsStore) -> None:
    jobs, done, before = Jobs(), [], session.document
    importing(session, jobs, store, [0]).start(TWO_PEOPLE, lambda _more: done.append(True))
    until(lambda: bool(done), 110_000)
    assert len(session.document.characters) == 1
    person = session.document.characters[0]
    assert person.pose != before.characters[0].pose
    assert 1 <= len(person.effectors) <= 4
    assert session.document.photo is not None
    assert session.view.character == person.id
    assert session.view.through_photo
    assert len(session.history.steps()) == 1
    session.undo()
    assert session.document == before
    jobs.stop()


@pytest.mark.slow
@pytest.mark.usefixtures("photos_read_once")
def test_people_added_to_a_scene_that_has_a_photo_are_seen_through_their_own(
    session: Session, store: SettingsStore
) -> None:
    camera = PinholeCamera(np.float32([0, 1, 3]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))
    session.edit("Photo", edits.add_photo(Photo("before.png", "0" * 64, camera)))
    there = session.document.characters
    jobs, done = Jobs(), []
    importing(session, jobs, store, [0]).start(TWO_PEOPLE, lambda _more: done.append(True))
    until(lambda: bool(done), 110_000)
    assert [Path(photo.path).name for photo in session.document.photos] == [TWO_PEOPLE.name, "before.png"]
    assert session.document.photos[1].camera == camera
    assert session.document.characters[:-1] == there
    assert session.active == session.document.characters[-1]
    assert session.view.through_photo
    jobs.stop()


@pytest.mark.parametrize("awake", [False, True])
def test_a_photo_that_waits_for_the_solver_says_so(
    session: Session, store: SettingsStore, monkeypatch: pytest.MonkeyPatch, awake: bool
) -> None:
    def looking(*_asked: object, progress: Progress, **_more: object) -> None:
        progress(0.1, "Looking for people")
        raise PoserError("Enough")

    monkeypatch.setattr(plug_ins, "people_in_photo", looking)
    monkeypatch.setattr(session.service, "awake", awake)
    jobs, told, failed = Jobs(), [], []
    jobs.progressed.connect(lambda _share, text: told.append(text))
    jobs.failed.connect(lambda *why: failed.append(why))
    importing(session, jobs, store, [0]).start(TWO_PEOPLE, lambda _more: None)
    until(lambda: bool(failed))
    assert told == ["Looking for people" if awake else "Looking for people, as soon as the solver is prepared"]
    jobs.stop()


def test_recovery_puts_few_effectors_in_place_and_the_pose_becomes_the_base(session: Session) -> None:
    jobs, said = Jobs(), list[str]()
    pose = session.document.characters[0].pose
    EffectorRecovery(session, jobs, said.append).recover(5, 0.001)
    until(lambda: session.history.undo_text == "Recover effectors", 110_000)
    found = session.document.characters[0]
    assert 1 <= len(found.effectors) <= 5
    assert found.base_pose == pose
    asked = (skeleton_of(found), found.shape, pose)
    own, other = (
        recover_effectors(*asked, id, max_effectors=5, threshold_m=0.001).effectors for id in (found.solver, "dls")
    )
    kept = [(e.kind, e.joint) for e in found.effectors]
    assert kept == [(e.kind, e.joint) for e in own] != [(e.kind, e.joint) for e in other], "its own solver was asked"
    assert said == []
    jobs.stop()


@pytest.mark.parametrize(
    ("meanwhile", "told"),
    [(edits.set_shape("c1", BodyShape(gender="male")), CHANGED), (edits.remove_character("c1"), GONE)],
    ids=["another build", "nobody"],
)
def test_a_recovery_that_comes_too_late_is_told_and_changes_nothing(
    session: Session, meanwhile: Edit, told: str
) -> None:
    jobs, said = Jobs(), list[str]()
    EffectorRecovery(session, jobs, said.append).recover(2, 0.001)
    session.edit("Meanwhile", meanwhile)
    until(lambda: not jobs.busy, 110_000)
    assert session.history.steps() == ("Meanwhile",)
    assert said == [told.format("Person 1")]
    jobs.stop()
