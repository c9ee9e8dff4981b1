"""Of a COCO file with many pictures the people of the picture that is named are read, and nobody else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import InputRefused
from solver.estimates.estimate import KeyPoints
from solver.estimates.one_picture import of_one_picture
from solver.estimates.read import estimate_of


def points(left: float) -> list[float]:
    """Seventeen points on a slope that begins so many pixels from the left."""
    return [value for i in range(17) for value in (left + 3.0 * i, 40.0 + 5.0 * i, 2)]


def annotated() -> dict[str, Any]:
    """Two people in the first of two pictures, one in the second."""
    images = [
        {"id": i, "file_name": f"shoot/{name}", "width": 640, "height": 480} for i, name in ((7, "a.jpg"), (8, "b.jpg"))
    ]
    seen = ((7, 10.0), (8, 200.0), (7, 300.0))
    return {"images": images, "annotations": [{"image_id": i, "keypoints": points(left)} for i, left in seen]}


def lefts(content: Any, picture: str) -> list[float]:
    found = estimate_of(of_one_picture(content, Path("/somewhere") / picture), Path("coco.json"))
    told = [person.content for person in found.people]
    return [float(np.nanmin(one.pixels[:, 0])) for one in told if isinstance(one, KeyPoints)]


def test_annotations_are_those_of_the_image_with_the_picture_s_name() -> None:
    assert lefts(annotated(), "a.jpg") == [10.0, 300.0]
    assert lefts(annotated(), "b.jpg") == [200.0]


@pytest.mark.parametrize("id", [139, "000000000139", "000000000139.jpg"])
def test_results_are_those_whose_id_is_the_picture_s_name_or_number(id: object) -> None:
    results = [{"image_id": 40, "keypoints": points(10.0)}, {"image_id": id, "keypoints": points(200.0)}]
    assert lefts(results, "000000000139.jpg") == [200.0]


def test_a_picture_that_the_file_does_not_know_leaves_it_refused_with_the_way_out() -> None:
    with pytest.raises(InputRefused, match=r"of 2 pictures \(shoot/a.jpg, shoot/b.jpg\). Name one of"):
        lefts(annotated(), "c.jpg")


def test_what_is_wrong_in_the_picture_s_people_is_named_by_its_place_in_the_file() -> None:
    content = annotated()
    content["annotations"][2]["keypoints"] = [1.0, 2.0]
    assert lefts(content, "b.jpg") == [200.0]
    with pytest.raises(InputRefused, match=r"annotations\[2\]\.keypoints"):
        lefts(content, "a.jpg")


def test_other_content_is_left_as_it_is() -> None:
    for content in ({"people": []}, [], [1, 2], {"annotations": "none"}, json.loads("null")):
        assert of_one_picture(content, Path("a.jpg")) is content
