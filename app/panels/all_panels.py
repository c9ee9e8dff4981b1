"""All panels, in the order in which they stand on both sides of the view."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from app.document.model.document import Document
from app.panels.base_pose_panel import BasePosePanel
from app.panels.characters_panel import CharactersPanel
from app.panels.curves.panel import CurvesPanel
from app.panels.effectors_panel import EffectorsPanel
from app.panels.photo_panel import PhotoPanel
from app.panels.target.panel import TargetPanel
from app.panels.timeline.timeline import Timeline
from app.panels.widgets.command_buttons import CommandButtons
from app.panels.widgets.section import DeferredContent, Panel, Section
from app.panels.widgets.section_state import restore_sections
from app.services.player import Player
from app.services.session import Session
from app.services.settings import SettingsStore
from app.services.soon import soon

if TYPE_CHECKING:
    from app.panels.body_panel import BodyPanel
    from app.panels.solver_panel import SolverPanel
    from solver.contact.solids import Solid

LIBRARY = (("pose.library", "Browse poses"), ("pose.library_save", "Save pose…"))


class AllPanels:
    """The panels of a session; those that are folded at first are made when first asked for.

    connect_solver: is given the solver's panel once it is made.
    """

    def __init__(self, session: Session, settings: SettingsStore, player: Player) -> None:
        self._session, self._settings = session, settings
        self._had_photo = False
        self.connect_solver: Callable[[SolverPanel], object] = lambda _panel: None
        self.people = CharactersPanel(session)
        self.effectors = EffectorsPanel(session)
        self.target = TargetPanel(session, settings)
        self._body = DeferredContent(self._body_panel)
        self.hands = DeferredContent(lambda: _hands_panel(session))
        self.base_pose = BasePosePanel(session)
        self.library = CommandButtons(LIBRARY)
        self.photo = PhotoPanel(session)
        self._solver = DeferredContent(self._solver_panel)
        self.timeline = Timeline(session, player)
        self.curves = CurvesPanel(session, settings, self.timeline.track)
        self.timeline.curves.clicked.connect(self.curves.set_shown)
        settings.changed.connect(self._follow_settings)  # settings outlive windows: a lambda would keep this one alive
        self._follow_settings()
        self.prop_fields = DeferredContent(lambda: _prop_panel(session))
        self.prop = Section("Prop", self.prop_fields)
        self.prop.hide()
        self.left = (
            Section("People and props", self.people, self.people.add_prop, self.people.add),
            self.prop,
            Section("Effectors", self.effectors, self.effectors.add),
            Section("Target", self.target),
        )
        self.right = (
            Section("Base pose", self.base_pose),
            Section("Library", self.library),
            Section("Photo", self.photo),
            Section("Body", self._body, open=False),
            Section("Hands", self.hands, open=False),
            Section("Solver", self._solver, open=False),
        )
        restore_sections((*self.left, *self.right, self.base_pose.advanced), settings)

    @property
    def body(self) -> BodyPanel:
        """Made now at the latest."""
        return cast("BodyPanel", self._body.made())

    @property
    def solver(self) -> SolverPanel:
        """Made now at the latest."""
        return cast("SolverPanel", self._solver.made())

    def section(self, title: str) -> Section:
        """The section with that title. KeyError if there is none."""
        return {section.title: section for section in (*self.left, *self.right)}[title]

    def show_hands(self) -> None:
        """Open the section of hands, bring it into sight, and give it the keys to choose one."""
        section = self.section("Hands")
        section.set_open(True)
        section.bring_up(asked=True)
        self.hands.setFocus()

    def show_body(self) -> None:
        """Open the section of the body, bring it into sight, and give the keys to the stature."""
        section = self.section("Body")
        section.set_open(True)
        section.bring_up(asked=True)
        self.body.refresh()
        self.body.stature.setFocus()

    def show_recovery(self) -> None:
        """Open the solver's section, bring it into sight, and give the keys to the error curve or, without one yet, to
        the button that makes it."""
        section = self.section("Solver")
        section.set_open(True)
        section.bring_up(asked=True)
        self.solver.refresh()
        self.solver.focus_recovery()

    def rename(self) -> None:
        """Bring the list of people and props into sight, and start renaming there."""
        section = self.section("People and props")
        section.set_open(True)
        section.bring_up(asked=True)
        self.people.rename()

    def type_stride(self) -> None:
        """Let the user type the stride: at the timeline or, where that has no room for it, among the body's fields."""
        if self.timeline.stride.isVisible():
            self.timeline.stride.open_editor()
            return
        section, stride = self.section("Body"), self.body.stride
        section.set_open(True)
        section.bring_up(asked=True)
        self.body.refresh()
        soon(stride, stride.open_editor)  # once it has its place

    def refresh(self) -> None:
        """Show the session's state in every panel."""
        self.prop.setVisible(bool(self._session.view.prop))
        self.prop_fields.refresh()
        for panel in (
            self.people,
            self.effectors,
            self.target,
            self._body,
            self.hands,
            self.base_pose,
            self.library,
            self.photo,
            self._solver,
            self.timeline,
        ):
            panel.refresh()
        self.curves.follow()
        self._bring_photo_up()

    def _body_panel(self) -> Panel:
        from app.panels.body_panel import BodyPanel

        return BodyPanel(self._session)

    def _solver_panel(self) -> Panel:
        from app.panels.solver_panel import SolverPanel

        panel = SolverPanel(self._session, self._settings)
        restore_sections((panel.advanced,), self._settings)
        self.connect_solver(panel)
        return panel

    def _follow_settings(self) -> None:
        self.timeline.curves.setChecked(self._settings.values.curves)

    def _bring_photo_up(self) -> None:
        """Scroll to the controls for photos when the scene first gets one."""
        had, self._had_photo = self._had_photo, self._session.document.photo is not None
        if self._had_photo and not had and self.section("Photo").is_open():
            self.section("Photo").bring_up()


def hands_folder() -> Path:
    """Where the user's own hands are kept."""
    from app.services.background import recovery_files

    return recovery_files.recovery_folder().parent / "hands"


def _hands_panel(session: Session) -> Panel:
    from app.panels.hands_panel import HandsPanel  # when it first shows, for the window starts without

    return HandsPanel(session, hands_folder(), _solid_props)


def _solid_props(document: Document) -> tuple[Solid, ...]:
    return tuple(solid for prop in document.props if prop.visible for solid in prop.solids())


def _prop_panel(session: Session) -> Panel:
    from app.panels.prop_panel import PropPanel  # when a prop is first selected

    return PropPanel(session)
