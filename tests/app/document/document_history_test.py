"""History: steps merge, results fold into the step that asked for them, and undo brings everything back."""

from __future__ import annotations

import pytest

from app.document.model.document import Document
from app.document.model.history import Edit, History


def note(value: object) -> Edit:
    return lambda document: Document(extra={**document.extra, "note": value})


def noted(history: History) -> object:
    return history.document.extra.get("note")


def test_undo_and_redo_walk_the_steps_with_their_texts() -> None:
    history = History()
    history.apply("first", note(1))
    history.apply("second", note(2))
    assert history.steps() == ("first", "second")
    assert (history.undo_text, history.redo_text) == ("second", None)
    assert history.undo()
    assert noted(history) == 1
    assert (history.undo_text, history.redo_text) == ("first", "second")
    assert history.redo()
    assert noted(history) == 2
    assert not history.redo()


def test_edits_with_one_merge_key_are_one_step() -> None:
    history = History()
    history.apply("before", note(0))
    for value in range(1, 5):
        history.apply("drag", note(value), merge_key="drag 1")
    assert history.steps() == ("before", "drag")
    before_drag = history.undo_document
    history.undo()
    assert noted(history) == 0
    assert history.document is before_drag
    history.redo()
    assert noted(history) == 4


def test_with_nothing_to_undo_it_would_bring_back_what_is_there() -> None:
    history = History()
    assert history.undo_document is history.document


def test_every_step_is_known_by_the_revision_with_which_it_began() -> None:
    history = History()
    assert history.undo_revision == 0
    history.apply("first", note(0))
    first = history.undo_revision
    for value in range(1, 4):
        history.apply("drag", note(value), merge_key="drag")
    dragged = history.undo_revision
    history.close_step()
    assert history.undo_revision == dragged != first
    assert history.redo_revision == 0
    history.undo()
    assert (history.undo_revision, history.redo_revision) == (first, dragged)
    history.redo()
    assert (history.undo_revision, history.redo_revision) == (dragged, 0)
    history.undo()
    history.apply("another", note(5))
    assert history.undo_revision not in (first, dragged)


def test_a_closed_step_does_not_merge_any_more() -> None:
    history = History()
    history.apply("drag", note(1), merge_key="drag")
    history.close_step()
    history.apply("drag", note(2), merge_key="drag")
    assert len(history.steps()) == 2


def test_another_merge_key_or_an_undo_begins_another_step() -> None:
    history = History()
    history.apply("a", note(1), merge_key="a")
    history.apply("b", note(2), merge_key="b")
    assert len(history.steps()) == 2
    history.undo()
    history.apply("a", note(3), merge_key="a")
    assert history.steps() == ("a", "a")


def test_the_step_of_a_drag_is_called_what_it_comes_to_and_no_other_is() -> None:
    history = History()
    history.apply("onto the hip", note(1), merge_key="a")
    history.name_step("onto the chest", "a")
    history.name_step("onto the floor", "b")
    assert history.steps() == ("onto the chest",)
    History().name_step("onto nothing", "a")


def test_where_a_step_began_is_known_as_long_as_it_goes_on() -> None:
    history = History()
    begun = history.document
    for number in (1, 2):
        history.apply("drag", note(number), merge_key="a")
    assert history.before_step("a") is begun
    assert history.before_step("b") is None


def test_a_result_of_the_present_revision_is_part_of_its_step() -> None:
    history = History()
    revision = history.apply("move", note("asked"))
    assert history.amend(revision, note("solved"))
    assert history.steps() == ("move",)
    history.undo()
    assert noted(history) is None
    history.redo()
    assert noted(history) == "solved"


def test_a_result_of_an_older_revision_is_dropped() -> None:
    history = History()
    old = history.apply("move", note(1))
    history.apply("move again", note(2))
    assert not history.amend(old, note("late"))
    assert noted(history) == 2
    older = history.revision
    history.undo()
    assert not history.amend(older, note("late"))
    assert noted(history) == 1


def test_a_result_that_a_drag_has_overtaken_is_taken_while_the_drag_is_open() -> None:
    history = History()
    first = history.apply("drag", note(1), merge_key="drag")
    history.apply("drag", note(2), merge_key="drag")
    assert not history.amend(first, note("late"))
    assert not history.amend(first, note("late"), merge_key="another drag")
    assert history.amend(first, note("shown on the way"), merge_key="drag")
    assert noted(history) == "shown on the way"
    history.close_step()
    assert not history.amend(first, note("too late"), merge_key="drag")


def test_a_result_of_the_drag_before_is_dropped_though_both_have_one_key() -> None:
    history = History()
    before = history.apply("drag", note(1), merge_key="drag")
    history.close_step()
    history.apply("drag", note(2), merge_key="drag")
    assert not history.amend(before, note("late"), merge_key="drag")
    assert noted(history) == 2


def test_a_result_that_comes_after_an_undo_is_kept_by_redo_and_undo() -> None:
    history = History()
    history.apply("edit", note(1))
    history.undo()
    assert history.amend(history.revision, note("measured"))
    assert not history.dirty
    history.redo()
    history.undo()
    assert noted(history) == "measured"
    assert not history.dirty


def test_a_result_that_no_solve_finds_again_is_no_part_of_what_was_saved_before_it() -> None:
    history = History()
    revision = history.apply("pose", note("asked"))
    history.mark_saved()
    assert history.amend(revision, note("holds"), saved=False)
    assert history.dirty
    assert history.steps() == ("pose",)


def test_cancelling_restores_what_was_before_the_drag_without_a_redo() -> None:
    history = History()
    history.apply("before", note(0))
    before = history.document
    revision = history.apply("drag", note(1), merge_key="drag")
    history.amend(revision, note(1.5))
    history.apply("drag", note(2), merge_key="drag")
    assert history.cancel_step("drag")
    assert history.document is before
    assert history.redo_text is None
    assert not history.cancel_step("drag")


def test_cancelling_a_drag_brings_back_what_redo_had_before_it() -> None:
    history = History()
    history.apply("one", note(1))
    history.apply("two", note(2))
    history.undo()
    for value in (3, 4):
        history.apply("drag", note(value), merge_key="drag")
    assert history.redo_text is None
    assert history.cancel_step("drag")
    assert (history.undo_text, history.redo_text) == ("one", "two")
    assert history.redo()
    assert noted(history) == 2
    history.undo()
    history.apply("drag", note(5), merge_key="drag")
    history.close_step()
    assert not history.cancel_step("drag")
    assert history.redo_text is None


def test_undoing_to_what_was_saved_makes_the_document_clean() -> None:
    history = History()
    assert not history.dirty
    history.apply("edit", note(1))
    assert history.dirty
    history.mark_saved()
    assert not history.dirty
    history.apply("edit", note(2))
    history.undo()
    assert not history.dirty
    history.undo()
    assert history.dirty


def test_a_result_that_arrives_after_the_save_does_not_make_it_dirty() -> None:
    history = History()
    revision = history.apply("move", note(1))
    history.mark_saved()
    history.amend(revision, note("solved"))
    assert not history.dirty


def test_an_edit_that_fails_changes_nothing() -> None:
    history = History()
    history.apply("good", note(1))
    before, revision = history.document, history.revision

    def bad(document: Document) -> Document:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        history.apply("bad", bad)
    assert (history.document, history.revision, history.steps()) == (before, revision, ("good",))


def test_an_edit_without_effect_makes_no_step() -> None:
    history = History()
    history.apply("nothing", lambda document: document)
    assert history.steps() == ()
    assert not history.dirty


def test_a_new_edit_ends_what_could_be_redone() -> None:
    history = History()
    history.apply("a", note(1))
    history.undo()
    history.apply("b", note(2))
    assert history.redo_text is None


def test_opening_a_document_starts_a_new_history() -> None:
    history = History()
    history.apply("a", note(1))
    other = Document(extra={"note": "other"})
    history.reset(other)
    assert history.document is other
    assert not history.dirty
    assert not history.undo()


def test_listeners_hear_of_every_change_until_they_leave() -> None:
    history = History()
    heard: list[object] = []
    leave = history.subscribe(lambda document: heard.append(document.extra.get("note")))
    revision = history.apply("a", note(1))
    history.amend(revision, note(2))
    history.undo()
    history.redo()
    leave()
    history.apply("b", note(3))
    assert heard == [1, 2, None, 2]


def test_at_least_a_hundred_steps_are_kept_and_no_more_than_fit() -> None:
    history = History()
    for value in range(700):
        history.apply(str(value), note(value))
    assert 100 <= len(history.steps()) <= 500
    assert history.steps()[-1] == "699"


def test_undo_and_redo_bring_lighter_documents_and_the_present_one_stays() -> None:
    history = History()
    for value in range(4):
        history.apply(f"step {value}", note(value))
    history.undo()
    assert [d.extra.get("note") for d in history.documents()] == [2, 1, 3, 0, None]
    now, saved = history.document, history.dirty

    history.slim_documents(
        lambda d: Document(extra={**d.extra, "light": True}) if d.extra.get("note") in (1, 2, 3) else d
    )
    assert history.document is now
    assert history.dirty == saved
    assert [d.extra.get("light") for d in history.documents()] == [None, True, True, None, None]
    history.redo()
    assert history.document.extra == {"note": 3, "light": True}


def test_a_saved_document_counts_as_saved_after_it_became_lighter() -> None:
    history = History()
    history.apply("saved", note(1))
    history.mark_saved()
    history.apply("more", note(2))
    history.slim_documents(lambda d: Document(extra=dict(d.extra)))
    history.undo()
    assert not history.dirty


def test_the_newest_step_takes_further_edits_when_it_is_opened_again() -> None:
    history = History(Document())
    before = history.document
    history.apply("Apply", note(1), "apply")
    history.close_step()
    assert history.reopen_step(before, "joints")
    history.apply("Choose joints", note(2), "joints")
    assert [noted(history), len(history.steps())] == [2, 1]
    history.undo()
    assert history.document is before


def test_a_step_is_not_opened_again_after_anything_else_was_done() -> None:
    history = History(Document())
    before = history.document
    assert not history.reopen_step(before, "joints"), "nothing was done yet"
    history.apply("Apply", note(1))
    history.apply("Paint", note(2))
    assert not history.reopen_step(before, "joints"), "another step came after it"
    history.undo()
    assert not history.reopen_step(before, "joints"), "one was undone"


def test_steps_that_were_kept_go_on_where_they_ended_but_not_over_another_document() -> None:
    history = History()
    history.apply("first", note(1))
    history.apply("second", note(2))
    history.undo()
    past = history.past()
    history.reset(Document())
    with pytest.raises(ValueError, match="another document"):
        history.resume(past)
    history.reset(past.document)
    history.resume(past)
    assert not history.dirty
    found = []
    for step in (history.redo, history.undo, history.undo):
        step()
        found.append(noted(history))
    assert found == [2, 1, None]


@pytest.mark.parametrize("back", ["undone", "undone and redone", "with another step undone before its first edit"])
def test_edits_of_a_drag_in_whose_midst_was_an_undo_are_ignored(back: str) -> None:
    history = History()
    history.apply("before", note(0))
    key = history.step_key()
    if back != "with another step undone before its first edit":
        history.apply("drag", note(1), key)
    history.undo()
    if back == "undone and redone":
        history.redo()
    document, revision = history.document, history.revision
    assert key.is_over
    assert history.apply("drag", note(2), key) == revision
    assert history.document is document
    assert not history.step_key().is_over
