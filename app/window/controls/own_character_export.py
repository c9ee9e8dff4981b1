"""Writing the active person's pose or motion onto the user's own character, with the questions that belong to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.model.document import Character
from app.services.background.jobs import Jobs, Progress
from app.window.controls.joint_mapping import JointMapping
from solver.errors import InputRefused

if TYPE_CHECKING:
    from app.document.exchange.onto.own_character import PosedCharacter
    from app.document.exchange.open_file import JointsUnclear
    from solver.rig.joint_map_file import JointMaps


@dataclass(frozen=True)
class OwnCharacterExport:
    """character: who is to be written, found in the job, as a motion may first have to be solved. rig: the user's file.
    target: the one to write. person: who of the rig's people is meant, if that is known."""

    character: Callable[[Progress], Character]
    rig: Path
    target: Path
    whole_motion: bool
    person: int | None

    def begin(
        self, jobs: Jobs, joints: JointMapping, written: Callable[[PosedCharacter], None],
        refused: Callable[[InputRefused], None],
    ) -> None:  # fmt: skip
        """Write the file in the background, asking about joints that are in doubt first. refused: told if it cannot be
        written."""

        def take(found: PosedCharacter | JointsUnclear | InputRefused) -> None:
            from app.document.exchange.open_file import JointsUnclear

            if isinstance(found, InputRefused):
                refused(found)
            elif not isinstance(found, JointsUnclear):
                written(found)
            elif joints.ask(self.rig, found.questions):
                self.begin(jobs, joints, written, refused)

        jobs.run(f"Writing {self.target.name}", partial(self._write, joints.maps()), take, self.target.name)

    def _write(
        self, maps: JointMaps, progress: Progress, _cancelled: object
    ) -> PosedCharacter | JointsUnclear | InputRefused:
        from app.document.exchange.onto.own_character import export_onto, own_character_in
        from app.document.exchange.open_file import JointsUnclear

        try:
            own = own_character_in(self.rig, maps, ask_joints=True)
        except JointsUnclear as unclear:
            return unclear
        character = self.character(progress)
        progress(1.0, f"Writing {self.target.name}")
        try:
            return export_onto(self.target, character, own, self.whole_motion, self.person)
        except InputRefused as refused:
            if refused.source != str(self.target):
                raise
            return refused
