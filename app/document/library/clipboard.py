"""Somebody's pose as it goes through the clipboard, so that another window can take it."""

from __future__ import annotations

from dataclasses import replace

from app.document.library.pose_files import pose_text
from app.document.model.document import Character, Document
from app.document.posing.create import DEFAULT_BODY, new_character
from solver.body.catalog import load_body
from solver.errors import InputRefused, PoserError
from solver.formats.pose_json.write import parse_pose_json

SOURCE = "The clipboard"


def copied(character: Character) -> bytes:
    """The pose, hands and build of a character, as a pose file's text."""
    return pose_text(character.name, (), (character,)).encode("utf-8")


def pasted(content: bytes) -> Character:
    """Somebody with a copied pose and the build it was made for. InputRefused where it cannot be read here."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputRefused(SOURCE, "holds a pose that cannot be read", "Copy it again") from error
    people = parse_pose_json(text, SOURCE).people
    if not people:
        raise InputRefused(SOURCE, "holds nobody's pose", "Copy it again")
    person = people[0]
    try:
        load_body(person.body)
        body = person.body
    except PoserError:
        body = DEFAULT_BODY  # the other window may read a folder of bodies that this one does not
    return replace(new_character(Document(), person.name, body, person.shape, person.pose), hands=person.hands)
