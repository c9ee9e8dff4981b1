"""Notes begin sentences with a capital letter, and titles go on in their middle with a small one."""

from __future__ import annotations

import pytest

from solver.sentences import mid_sentence, sentence_case


@pytest.mark.parametrize("text", ["the lengths of Ann’s BVH are in cm", "é", ""])
def test_the_first_letter_alone_becomes_a_capital_and_small_again(text: str) -> None:
    whole = sentence_case(text)
    assert whole == text[:1].swapcase() + text[1:]
    assert mid_sentence(whole) == text
