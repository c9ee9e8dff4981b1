"""Binding a slider to the document so that one scrub is one undo step."""

from __future__ import annotations

from collections.abc import Callable

from app.document.model.history import Edit, StepKey
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session


def bind_scrub(
    slider: ValueSlider,
    session: Session,
    text: Callable[[], str],
    make_edit: Callable[[float], Edit | None],
    solve: bool | Callable[[], bool] = True,
) -> None:
    """Let `slider` edit the document: `make_edit(value)` for every change, all of one scrub merged into one step.

    solve: whether what it changes is solved, or a function that says so. make_edit returns None if there is nothing to
    edit. A number being typed is dropped once anything else is edited, undone or selected, as it would then be given to
    something else; a scrub ends once something else is selected, as by a key that deletes whom it changes.
    """
    keys: list[StepKey] = []
    scrubbed: list[object] = []  # what was selected when the scrub began

    def edited(value: float) -> None:
        if keys and (keys[0].is_over or scrubbed != [selected()]):
            slider.cancel_drag()
            session.changed.emit()
            return
        edit = make_edit(value)
        if edit is not None:
            if not keys:
                keys.append(session.history.step_key())
                scrubbed[:] = [selected()]
            if not session.edit(text(), edit, keys[0], solve if isinstance(solve, bool) else solve()):
                session.changed.emit()  # beyond what is possible: the bar goes back to the actual value

    def finished() -> None:
        keys.clear()
        session.close_step()

    def cancelled() -> None:
        if keys:
            session.cancel(keys.pop())

    def selected() -> tuple[object, ...]:
        view = session.view
        return view.character, view.effectors, view.prop, view.props

    slider.belongs = lambda: (session.history.revision, *selected())
    slider.typing.connect(lambda editor: session.changed.connect(editor.check))
    slider.edited.connect(edited)
    slider.finished.connect(finished)
    slider.cancelled.connect(cancelled)
