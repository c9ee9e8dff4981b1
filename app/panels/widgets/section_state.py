"""Which sections of the panels are open, kept in the settings: at first those needed to begin with."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from app.panels.widgets.section import Section
from app.services.settings import SettingsStore


def restore_sections(sections: Iterable[Section], settings: SettingsStore) -> None:
    """Open and fold sections as the user left them, and store in the settings what the user opens and folds."""
    for section in sections:
        kept = settings.values
        if section.key in (*kept.opened, *kept.folded):
            section.set_open(section.key in kept.opened)
        section.toggled.connect(partial(_keep, settings, section.key))


def _keep(settings: SettingsStore, key: str, open: bool) -> None:
    opened, folded = (tuple(k for k in keys if k != key) for keys in (settings.values.opened, settings.values.folded))
    settings.set(opened=(*opened, key) if open else opened, folded=folded if open else (*folded, key))
