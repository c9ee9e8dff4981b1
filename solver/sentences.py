"""Notes and titles as a sentence has them: with a capital letter at its beginning, or without one in its middle."""

from __future__ import annotations


def sentence_case(text: str) -> str:
    """The text with its first letter as a capital, and all others as they are: "BVH of Ann" stays so."""
    return text[:1].upper() + text[1:]


def mid_sentence(sentence: str) -> str:
    """A sentence as it is written after a colon."""
    return sentence[:1].lower() + sentence[1:]
