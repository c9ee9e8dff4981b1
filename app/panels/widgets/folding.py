"""Which sections of the panels are open: at first those needed to begin with, then as the user left them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from app.panels.widgets.section import Section
from app.services.settings import SettingsStore


def remember(sections: Iterable[Section], settings: SettingsStore) -> None:
    """Fold and open sections as the user left them, and keep what the user folds and opens in the settings."""
    for section in sections:
        kept = settings.values
        if section.key in (*kept.opened, *kept.folded):
            section.set_open(section.key in kept.opened)
        section.toggled.connect(partial(_keep, settings, section.key))


def _keep(settings: SettingsStore, key: str, open: bool) -> None:
    opened, folded = (tuple(k for k in keys if k != key) for keys in (settings.values.opened, settings.values.folded))
    settings.set(opened=(*opened, key) if open else opened, folded=folded if open else (*folded, key))
