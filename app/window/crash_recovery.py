"""What a run that ends early leaves behind, and the offer to bring it back."""

from __future__ import annotations

import time

from PySide6.QtWidgets import QWidget

from app.dialogs import messages
from app.services.background.autosave import Autosave
from app.services.background.recovery_files import clean, discard, found_recoveries, restore
from app.services.session import Session
from solver.errors import PoserError


def keep_put_off(session: Session, autosave: Autosave) -> bool:
    """Do what is put off, which waits for the solver, and write it with all that is unsaved; True if that was done.

    The program is ending: an edit that is refused is left out, as nobody could read why.
    """
    if not session.late.names:
        return False
    session.refused.disconnect()
    session.close_step()
    session.solve_now()
    return session.history.dirty and autosave.write_now() is not None


def offer_recovery(session: Session, autosave: Autosave, window: QWidget) -> bool:
    """Offer unsaved work, the newest first; return whether any was brought back.

    Only “Discard” deletes it. Work brought back is on disk as this window's own before the old file goes.
    """
    clean(autosave.folder)
    for found in found_recoveries(autosave.folder):
        when = time.strftime("on %d %B at %H:%M", time.localtime(found.saved_at))
        answer = messages.ask_to_restore(window, found.original, when)
        if answer == messages.GIVE_UP:
            discard(found.file)
            continue
        if answer != messages.BRING_BACK:
            return False
        try:
            document = restore(found)
        except PoserError as error:
            messages.refuse(window, str(error))
            continue
        session.open(document, found.original, found.seen, saved=False)
        if autosave.write_now() is not None:
            discard(found.file)
        return True
    return False
