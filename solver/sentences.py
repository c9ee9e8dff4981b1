"""Notes, titles and counts of things as a sentence has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def sentence_case(text: str) -> str:
    """The text with its first letter as a capital, and all others as they are: "BVH of Ann" stays so."""
    return text[:1].upper() + text[1:]


def mid_sentence(sentence: str) -> str:
    """A sentence as it is written after a colon."""
    return sentence[:1].lower() + sentence[1:]


def counted(number: float, what: str) -> str:
    """The number of things: "1 pose", "12 poses", "1,200 poses". what: the name of one."""
    digits = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{digits} {what}{'' if number == 1 else 's'}"


def and_more(first: str, count: int) -> str:
    """The first of so many things: "a.jpg", "a.jpg and 2 more"."""
    return f"{first} and {count - 1} more" if count > 1 else first


def percent(share: float) -> str:
    """A share of the whole in percent: "98%"."""
    return f"{100 * share:.0f}%"


def both_sides(words: Iterable[str]) -> list[str]:
    """Joints in words, those of both sides as one: "left ankle" and "right ankle" as "ankles"."""
    every = list(words)
    sides = [{f"{side} {word.partition(' ')[2]}" for side in ("left", "right")} for word in every]
    pairs = [both <= set(every) for both in sides]
    return list(dict.fromkeys(f"{w.partition(' ')[2]}s" if both else w for w, both in zip(every, pairs, strict=True)))


def any_of(words: Sequence[str]) -> str:
    """Words of which any may be meant: "a, b or c"."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
