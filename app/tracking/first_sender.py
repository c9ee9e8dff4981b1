"""Which program each tracker is taken from, where several send one of the same name."""

from __future__ import annotations

from math import inf

from solver.trackers.sample import Reading, TrackerSample

QUIET_S = 1.0  # of a program, after which another one may go on with its trackers
GONE_S = 10.0  # since it sent a tracker, after which another one stands in with that, until it sends it again
MOST = 1000  # names, and senders, that are remembered: somebody who makes them up must not fill the memory

Address = tuple[str, int]


class FirstSender:
    """A tracker is that of the program that was first to send it, until that falls silent with all its trackers. One
    alone may drop out for long, and its wearer is no other person then; but if it stays away, as where it was given to
    another program, that one's is taken.

    A program's first sample counts in any case: some send every packet from another port, and those are no others.

    left_out_s: when another program's reading was last left out, in the seconds of the samples.
    """

    def __init__(self) -> None:
        self.left_out_s = -inf
        self._sent: dict[str, dict[Address, float]] = {}  # of each tracker: when each sent it last, the first one first
        self._spoke: dict[Address, float] = {}  # when each last did

    def taken(self, sample: TrackerSample, sender: Address) -> TrackerSample:
        """A sender's sample with what is taken from it, which may be nothing. Samples are given in order."""
        now_s, readings = sample.time_s, dict[str, Reading]()
        once = now_s - self._spoke.get(sender, -inf) > QUIET_S
        if max(len(self._sent), len(self._spoke)) >= MOST:
            self._sent.clear()
            self._spoke.clear()
        self._spoke[sender] = now_s
        for name, reading in sample.readings.items():
            sent = self._sent.setdefault(name, {})
            for other in [each for each in sent if now_s - self._spoke.get(each, -inf) > QUIET_S]:
                del sent[other]
            if not once or not sent:
                sent[sender] = now_s
            before = list(sent)[: list(sent).index(sender)] if sender in sent else list(sent)
            if all(now_s - sent[other] > GONE_S for other in before) or once:
                readings[name] = reading
            else:
                self.left_out_s = now_s
        return TrackerSample(now_s, readings)
