"""Looks and lights on the command line: all that there are, and where the key light comes from."""

from __future__ import annotations

import argparse

import pytest

from app.cli.looks import LIGHTS, configure_look, style_of
from app.cli.looks import LOOKS as OFFERED
from rendering.scene.style import CLAY, LIGHTINGS, LOOKS, Style


def asked(*arguments: str) -> Style:
    parser = argparse.ArgumentParser()
    configure_look(parser)
    return style_of(parser.parse_args(arguments))


def test_every_look_and_light_is_offered() -> None:
    assert OFFERED == LOOKS
    assert tuple(LIGHTINGS) == LIGHTS
    assert [asked("--look", look, "--light", light) for look in OFFERED for light in LIGHTS] == [
        Style(look, light) for look in LOOKS for light in LIGHTINGS
    ]


def test_without_being_asked_it_is_clay_in_the_studio() -> None:
    assert asked() == CLAY == Style("clay", "studio")


def test_the_key_light_is_turned_by_degrees() -> None:
    assert asked("--key-light=-120,15") == CLAY.aimed(-120.0, 15.0)
    assert asked("--key-light=-120,15") != CLAY


@pytest.mark.parametrize("text", ["left,up", "30", "30,", "nan,10", "10,inf", "1,2,3"])
def test_a_key_light_that_is_no_two_numbers_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        asked(f"--key-light={text}")
    assert "--key-light" in capsys.readouterr().err
