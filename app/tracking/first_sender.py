"""Which program each tracker is taken from, where several send one of the same name."""

from __future__ import annotations

from math import inf

from solver.trackers.sample import Reading, TrackerSample

QUIET_S = 1.0  # of a program, after which another one may go on with its trackers
MOST = 1000  # names, and senders, that are remembered: somebody who makes them up must not fill the memory

Address = tuple[str, int]


class FirstSender:
    """A tracker is that of the program that was first to send it, until that falls silent with all its trackers: one
    alone may drop out for long, and its wearer is no other person then.

    A program's first sample counts in any case: some send every packet from another port, and those are no others.

    left_out_s: when another program's reading was last left out, in the seconds of the samples.
    """

    def __init__(self) -> None:
        self.left_out_s = -inf
        self._first: dict[str, Address] = {}
        self._spoke: dict[Address, float] = {}  # when each last did

    def taken(self, sample: TrackerSample, sender: Address) -> TrackerSample:
        """A sender's sample with what is taken from it, which may be nothing. Samples are given in order."""
        now_s, readings = sample.time_s, dict[str, Reading]()
        once = now_s - self._spoke.get(sender, -inf) > QUIET_S
        if max(len(self._first), len(self._spoke)) >= MOST:
            self._first.clear()
            self._spoke.clear()
        self._spoke[sender] = now_s
        for name, reading in sample.readings.items():
            first = self._first.get(name, sender)
            if first == sender or now_s - self._spoke.get(first, -inf) > QUIET_S:
                self._first[name] = sender
            elif not once:
                self.left_out_s = now_s
                continue
            readings[name] = reading
        return TrackerSample(now_s, readings)
