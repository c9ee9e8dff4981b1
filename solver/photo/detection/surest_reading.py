"""Somebody whose reading is unsure, looked at turned: the surest reading is taken."""

from __future__ import annotations

from PIL import Image

from solver.photo.detection.at_once import at_once
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.duplicates import same_person
from solver.photo.detection.judging import certainty, is_made_of
from solver.photo.detection.turned_looks import AROUND, box_of, readings_of

_UNSURE = 2.0  # certainty below which somebody is looked at turned


def surest_reading(picture: Image.Image, person: Landmarks) -> Landmarks:
    """The person, or where that is unsure, as looks turned by quarters see them more surely."""
    if certainty(person) >= _UNSURE:
        return person
    box = box_of(person, picture.size)
    turned = at_once(lambda quarters: readings_of(picture, box, quarters, AROUND[:1]), range(4))
    readings = [
        reading for some in turned for reading in some if is_made_of(reading, [person]) or same_person(reading, person)
    ]
    return max([person, *readings], key=certainty)
