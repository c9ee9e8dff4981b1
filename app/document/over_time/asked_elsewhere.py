"""Between keys: contacts and followed targets that only the key nearby asks for, and nothing at the frame shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.document.model.character import Character
from app.document.posing.findings import Finding, unmeasured
from solver.ik.problem import Residual


def asked_elsewhere(character: Character) -> Mapping[str, int]:
    """By their ids, the effectors that nothing asks for at the character's frame: the frames of the keys that do.

    An effector without a source goes along with the body between keys. One with a source stays on what it touches or
    follows, but it is asked for there only if the keys on both sides have it on that same thing.
    """
    clip, frame = character.clip, character.frame
    near = clip.nearest(frame)
    tied = [effector for effector in near.effectors if effector.is_active and effector.source is not None]
    if near.frame == frame or not tied:
        return {}
    from app.document.over_time.tracks import is_held, name_of  # not needed to show the window

    around = [each for key in clip.around(frame)[1:3] if key is not None for each in key.effectors if each.is_active]
    held = {name_of(each) for each in tied if is_held([e for e in around if name_of(e) == name_of(each)])}
    return {each.id: near.frame for each in tied if name_of(each) not in held}


def known_here(character: Character, finding: Finding, live: bool) -> Finding:
    """What is known of the character at its frame: what only a key elsewhere asks for is not missed, only so far away.

    live: whether a stream poses it; then nothing is said of its effectors.
    """
    if live:
        return unmeasured(character, finding)
    elsewhere = asked_elsewhere(character)
    if not elsewhere or not finding.residuals:
        return finding
    pairs = list(zip(character.effectors, finding.residuals, strict=True))
    away = [effector.id in elsewhere and residual.state != "met" for effector, residual in pairs]
    residuals = tuple(Residual(r.value, "") if far else r for far, (_, r) in zip(away, pairs, strict=True))
    reasons = tuple(None if far else each for far, each in zip(away, finding.reasons, strict=True))
    return replace(finding, residuals=residuals, reasons=reasons)
