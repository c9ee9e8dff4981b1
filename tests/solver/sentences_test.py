"""Notes begin sentences with a capital letter, and titles go on in their middle with a small one."""

from __future__ import annotations

import pytest

from solver.sentences import mid_sentence, percent, sentence_case


@pytest.mark.parametrize("text", ["the lengths of Ann’s BVH are in cm", "é", ""])
def test_the_first_letter_alone_becomes_a_capital_and_small_again(text: str) -> None:
    whole = sentence_case(text)
    assert whole == text[:1].swapcase() + text[1:]
    assert mid_sentence(whole) == text


@pytest.mark.parametrize(("share", "text"), [(0.0, "0%"), (0.984, "98%"), (1.0, "100%"), (2.5, "250%")])
def test_shares_are_written_in_whole_percent(share: float, text: str) -> None:
    assert percent(share) == text
