"""Settings survive bad values, one by one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from app.services.settings import RECENT_KEPT, Settings, SettingsStore


def stored(path: Path, **values: object) -> SettingsStore:
    raw = QSettings(str(path), QSettings.Format.IniFormat)
    for name, value in values.items():
        raw.setValue(name, value)
    raw.sync()
    return SettingsStore(QSettings(str(path), QSettings.Format.IniFormat))


def test_what_is_set_is_there_at_the_next_start(tmp_path: Path) -> None:
    first = stored(tmp_path / "s.ini")
    first.set(theme="light", show_baselines=True, recover_count=12, recover_threshold=0.02, skin_tone="#112233")
    second = stored(tmp_path / "s.ini")
    assert second.values == first.values
    assert second.values.recover_count == 12
    assert second.values.show_baselines is True


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "mauve"),
        ("navigation", 7),
        ("skin_tone", "red"),
        ("recover_count", "many"),
        ("recover_count", 0),
        ("recover_threshold", "nan"),
        ("bvh_unit", ""),
        ("device", "abacus"),
        ("show_baselines", "perhaps"),
    ],
)
def test_one_bad_value_falls_back_and_leaves_the_others(tmp_path: Path, name: str, value: object) -> None:
    store = stored(tmp_path / "s.ini", **{"keymap": "maya", name: value})
    assert getattr(store.values, name) == getattr(Settings(), name)
    assert store.values.keymap == "maya"


def test_a_file_of_garbage_gives_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "s.ini").write_bytes(b"\x00\xff[[[nonsense\n=%%%%\n")
    assert stored(tmp_path / "s.ini").values == Settings()


def test_a_value_that_is_none_is_refused_and_nothing_changes(store: SettingsStore) -> None:
    with pytest.raises(ValueError, match="mauve"):
        store.set(theme="mauve")
    assert store.values == Settings()


def test_recent_files_are_unique_newest_first_and_few(store: SettingsStore, tmp_path: Path) -> None:
    for number in range(RECENT_KEPT + 3):
        store.add_recent(tmp_path / f"{number}.json")
    store.add_recent(tmp_path / "5.json")
    names = [Path(text).name for text in store.values.recent]
    assert names[0] == "5.json"
    assert len(names) == RECENT_KEPT == len(set(names))


def test_reset_brings_the_defaults_back_and_leaves_other_settings(store: SettingsStore, tmp_path: Path) -> None:
    store.set(theme="light", keymap="maya", export_format="glb")
    store.add_recent(tmp_path / "5.json")
    store.reset(("theme", "keymap"))
    kept = replace(Settings(), export_format="glb", recent=(str(tmp_path / "5.json"),))
    assert store.values == kept
    assert stored(tmp_path / "settings.ini").values == kept


def test_settings_that_cannot_be_saved_count_until_the_end_which_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where the folder would be")
    store = SettingsStore(QSettings(str(tmp_path / "taken" / "s.ini"), QSettings.Format.IniFormat))
    said: list[str] = []
    store.not_kept.connect(said.append)
    store.set(theme="light")
    store.set(keymap="maya")
    assert (store.values.theme, store.values.keymap) == ("light", "maya")
    assert len(said) == 1
    assert str(tmp_path / "taken") in said[0]
