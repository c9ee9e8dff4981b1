"""The few questions and messages that interrupt: calm, and with a way out."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

SAVE, DISCARD, CANCEL = "Save", "Don't save", "Cancel"
SAVE_AS, SAVE_ANYWAY, REPLACE, RELOAD = "Save as…", "Save anyway", "Replace", "Reload"
ADD, NEW_SCENE, BACKDROP = "Add to this scene", "Open as a new scene", "Use as a backdrop"
PEOPLE, ALONE = "With its people", "The photo alone"
USE = "Use them"
OPEN_FILES, LABEL = "Open the files", "Label the pictures"
KEEP_TAKE = "Keep it"
BETTER_NAME, THIS_NAME = "Use that name", "Keep this name"
OTHER_FORMAT = "Change the format…"
KEEP_WRITING, CLOSE_ANYWAY = "Keep writing", "Close anyway"
BRING_BACK, LATER, GIVE_UP = "Bring back", "Later", "Discard"


def refuse(parent: QWidget | None, message: str) -> None:
    """Say why something was not done."""
    first = _first_sentence(message)
    _ask(parent, first, message[len(first) :].strip())


def ask_to_save(parent: QWidget | None, name: str, then: str = "") -> str:
    """Whether to save unsaved changes: SAVE, DISCARD or CANCEL. then: a sentence on what comes next."""
    more = f"They are lost if you don't save them. {then}".strip()
    return _ask(parent, f"Save the changes to {name}?", more, (SAVE, DISCARD, CANCEL)) or CANCEL


def ask_to_stop_writing(parent: QWidget | None, name: str, written: SignalInstance | None = None) -> bool:
    """Whether the window may close although it is still writing a file; not if that is `written` meanwhile."""
    more = "If you close the window now, the file is not written."
    answers = (KEEP_WRITING, CLOSE_ANYWAY)
    return _ask(parent, f"“{name}” is still being written.", more, answers, over=written) == CLOSE_ANYWAY


def ask_where_to(parent: QWidget | None, name: str, has_photo: bool) -> str:
    """What to do with the people in a photo when a scene is open: ADD, NEW_SCENE or CANCEL."""
    here = (
        "This scene keeps its photo and gets the new one as another, with its own camera; Ctrl+0 goes from photo to "
        "photo. The new people stand beside those who are already here."
        if has_photo
        else "The new people stand beside those who are already here, with the photo behind them."
    )
    more = f"{here} In a new scene they are alone, with the new photo behind them."
    text = f"Add the people in “{name}” to this scene?"
    return _ask(parent, text, more, (ADD, NEW_SCENE, CANCEL)) or CANCEL


def ask_for_its_people(parent: QWidget | None, name: str) -> str:
    """Whether another photo of the scene comes with its people: PEOPLE, ALONE or CANCEL."""
    more = (
        "It gets a camera of its own; Ctrl+0 goes from photo to photo. Its people stand beside those who are here. "
        "Without them, its camera is placed as if the surest person in it were the active one, seen from elsewhere."
    )
    return _ask(parent, f"Add “{name}” as another photo of this scene?", more, (PEOPLE, ALONE, CANCEL)) or CANCEL


def ask_for_backdrop(parent: QWidget | None, name: str, people: bool) -> bool:
    """Whether a picture in which nobody was found is to stand behind the people of the scene, or else a figure."""
    behind = "behind the people of this scene" if people else "with a figure in front of it for you to pose"
    more = (
        f"A person must be visible from head to foot, or nearly. You can still use the picture as a backdrop, {behind}."
    )
    return _ask(parent, f"Nobody was found in “{name}”.", more, (BACKDROP, CANCEL)) == BACKDROP


def ask_files_or_folder(parent: QWidget | None, folder: str, files: int, further: int) -> str:
    """What to do with a folder that comes with so many files and further folders: OPEN_FILES, LABEL or CANCEL."""
    what = f"Label the pictures in “{folder}”"
    left = f"the {'file is' if files == 1 else f'{files} files are'} not opened" if files else ""
    rest = f"the {'other folder is' if further == 1 else f'other {further} folders are'} left out" if further else ""
    more = f"One folder is labelled at a time, in place of this scene: {' and '.join(filter(None, (left, rest)))}."
    if not files:
        return _ask(parent, f"{what}?", more, (LABEL, CANCEL)) or CANCEL
    here = "“Open the files” adds them as if the folder had not been there."
    text = f"{what}, or open the {'file' if files == 1 else f'{files} files'}?"
    return _ask(parent, text, f"{more} {here}", (OPEN_FILES, LABEL, CANCEL)) or CANCEL


def ask_to_use_body(parent: QWidget | None, name: str, folder: Path) -> bool:
    """Whether a scene may use the body files in a folder that it names itself."""
    more = (
        f"“{name}” needs the body files in “{folder}”, a folder that is not in your settings. Use them only if you "
        "trust whoever made the scene. Without them it stays closed, and nothing is changed."
    )
    return _ask(parent, "Use the body files that this scene names?", more, (CANCEL, USE)) == USE


def ask_to_overwrite(parent: QWidget | None, name: str) -> str:
    """What to do about a file that was changed elsewhere: SAVE_AS, SAVE_ANYWAY or CANCEL."""
    text = f"“{name}” was changed by another window or program."
    more = f"It is no longer what you opened or saved here. “{SAVE_ANYWAY}” replaces it; “{SAVE_AS}” keeps both."
    return _ask(parent, text, more, (SAVE_AS, SAVE_ANYWAY, CANCEL)) or CANCEL


def ask_to_replace(parent: QWidget | None, name: str, further: int = 0) -> bool:
    """Whether an existing file, and with it so many further ones, may be replaced."""
    text, more = f"“{name}” exists already.", "Its contents will be lost."
    if further:
        text, more = f"“{name}” and {further} more exist already.", "Their contents will be lost."
    return _ask(parent, text, more, (CANCEL, REPLACE)) == REPLACE


def ask_about_name(parent: QWidget | None, name: str, reason: str, better: str) -> str:
    """What to do about a name that Windows allows no file: BETTER_NAME, THIS_NAME or CANCEL.

    reason: a clause about the name. better: one that is allowed everywhere.
    """
    text = f"On Windows no file can be called “{name}”."
    more = f"The name {reason}, so nobody could open the file there. “{better}” works everywhere."
    return _ask(parent, text, more, (BETTER_NAME, THIS_NAME, CANCEL)) or CANCEL


def ask_about_ending(parent: QWidget | None, name: str, better: str) -> str:
    """What to do about a name with the suffix of another format: OTHER_FORMAT, BETTER_NAME or CANCEL."""
    chosen, named = (file.rpartition(".")[2].upper() for file in (better, name))
    more = f"“{OTHER_FORMAT}” goes back and turns to {named}. “{BETTER_NAME}” writes {chosen} into “{better}”."
    text = f"“{name}” ends as {named} files do, but {chosen} was chosen."
    return _ask(parent, text, more, (OTHER_FORMAT, BETTER_NAME, CANCEL)) or CANCEL


def ask_to_replace_label(parent: QWidget | None, name: str, reason: str) -> bool:
    """Whether a label that cannot be read may be replaced by one of the open scene."""
    more = f"{reason} Its contents will be lost. “{CANCEL}” leaves it, and the picture unchecked."
    return _ask(parent, f"Replace the label “{name}”?", more, (CANCEL, REPLACE)) == REPLACE


def ask_about_changed_scene(parent: QWidget | None, name: str) -> str:
    """What to do about a labelled picture's scene that was changed elsewhere: RELOAD, SAVE_ANYWAY or CANCEL."""
    text = f"“{name}” was changed by another window or program."
    more = (
        f"It is no longer what you opened here. “{RELOAD}” shows it as it is now, and undo brings yours back. "
        f"“{SAVE_ANYWAY}” replaces it, and what was done there is lost."
    )
    return _ask(parent, text, more, (RELOAD, SAVE_ANYWAY, CANCEL)) or CANCEL


def ask_to_keep_take(parent: QWidget | None, seconds: float, then: str, solving: bool = False) -> str:
    """What to do with a take of trackers that is not a motion yet: KEEP_TAKE, GIVE_UP or CANCEL.

    then: what follows if it is kept. solving: whether it is already becoming one.
    """
    more = f"“{KEEP_TAKE}” makes it the person's motion first, which takes a moment; {then}."
    text = f"Keep the take of {seconds:.1f} s that was recorded?"
    if solving:
        text = f"The take of {seconds:.1f} s is not a motion yet. Keep it?"
        more = f"“{KEEP_TAKE}” lets it become the person's motion; {then}."
    return _ask(parent, text, more, (KEEP_TAKE, GIVE_UP, CANCEL)) or CANCEL


def ask_to_discard_take(parent: QWidget | None, seconds: float) -> bool:
    """Whether a take of trackers may be forgotten."""
    return (
        _ask(parent, f"Discard the take of {seconds:.1f} s?", "Undo does not bring it back.", (CANCEL, GIVE_UP))
        == GIVE_UP
    )


def ask_to_restore(parent: QWidget | None, original: Path | None, when: str) -> str:
    """What to do with an unsaved document: BRING_BACK, LATER (also for Esc) or GIVE_UP."""
    what = f"“{original.name}”" if original else "an unsaved scene"
    more = (
        f"The program ended unexpectedly. Your work as it was {when} was kept. It will be offered again at the next "
        f"start unless you discard it."
    )
    return _ask(parent, f"Bring {what} back?", more, (BRING_BACK, LATER, GIVE_UP)) or LATER


def tell_of_failure(parent: QWidget | None, kept: Path | None, details: str, unsaved: bool = True) -> None:
    """Say that something inside the program went wrong, and where the work is, if any is unsaved."""
    where = f"Your work is kept in {kept} and is offered at the next start." if kept else "Save your work now."
    more = f"{where} You can go on, but it is safer to save under a new name and start again."
    if not unsaved:
        more = "Nothing is lost: nothing was unsaved. You can go on, but it is safer to start again."
    _ask(parent, "Something went wrong inside the program.", more, details=details)


def _ask(
    parent: QWidget | None,
    text: str,
    more: str = "",
    buttons: tuple[str, ...] = ("OK",),
    details: str = "",
    over: SignalInstance | None = None,
) -> str:
    """The title of the button pressed, "" for Esc. over: says that there is nothing to ask any more."""
    from app.dialogs.message_dialog import MessageDialog  # only once there is something to say: the window starts so

    dialog = MessageDialog(parent, text, more, buttons, details=details)
    if over is not None:
        over.connect(dialog.reject)
    return dialog.ask()


def _first_sentence(message: str) -> str:
    end = message.find(". ")
    return message if end < 0 else message[: end + 1]
