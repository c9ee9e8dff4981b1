"""Receiving trackers over the network: a thread with a UDP socket, for this computer alone unless opened to others.

Packets come in the VMC protocol. Anything wrong in one is counted and dropped; nothing that arrives ends the thread.
"""

from __future__ import annotations

import errno
import select
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf

from app.services.streams import Queue
from app.tracking.first_sender import Address, FirstSender
from solver.errors import PoserError
from solver.formats.vmc.decode import decode
from solver.formats.vmc.grouping import FrameGrouping
from solver.formats.vmc.messages import Status
from solver.trackers.sample import TrackerSample

DEFAULT_PORT = 39539  # the VMC protocol's
THIS_COMPUTER, EVERYWHERE = "127.0.0.1", "0.0.0.0"
SILENCE_S = 0.005  # after which a frame counts as ended if its sender never says so
LATE_S = 0.25  # likewise, if the sender has always said so
MOST_SENDERS = 16  # whose frames are assembled at a time; the one silent longest is forgotten
MOST_WAITING = 6000  # samples not taken yet: a hundred seconds at 60 a second
_LARGEST_PACKET = 65_536
_BUFFER = 1 << 20  # bytes that the system buffers while the thread is held up


@dataclass(frozen=True)
class Counts:
    """What came since the receiver was started.

    packets: all. samples: waiting or taken. malformed: parts that are not OSC, or not as in the protocol.
    refused: messages with impossible numbers. ignored: messages that say nothing about trackers or bones.
    lost: samples for which there was no room, since earlier ones were not taken. senders: those heard from lately.
    """

    packets: int = 0
    samples: int = 0
    malformed: int = 0
    refused: int = 0
    ignored: int = 0
    lost: int = 0
    senders: int = 0

    @property
    def dropped(self) -> int:
        """How many parts were left out because they were wrong."""
        return self.malformed + self.refused


class TrackerReceiver:
    """Takes in packets from `start` to `stop`; samples wait, in order, until they are taken.

    clock: seconds, for the samples' times, which never go back. counts and status: what came, and what the sender that
    spoke last said about itself; complete values, from any thread. failed: why it ended by itself, "" otherwise.
    open_to_network, began_s: to whom it listens, and since when. first: of several senders of one tracker.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST_WAITING) -> None:
        self._clock = clock
        self._queue: Queue[TrackerSample] = Queue(most)
        self._senders: OrderedDict[Address, FrameGrouping] = OrderedDict()
        self._latest_s = float("-inf")
        self.first = FirstSender()
        self._thread: threading.Thread | None = None
        self._socket: socket.socket | None = None
        self._wake: tuple[socket.socket, socket.socket] | None = None
        self._stopping = threading.Event()
        self.open_to_network, self.began_s = False, 0.0
        self.counts = Counts()
        self.status: Status | None = None
        self.failed = ""

    @property
    def running(self) -> bool:
        """Whether packets are being taken in."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def port(self) -> int:
        """The port it listens at; 0 if it does not."""
        return 0 if self._socket is None else int(self._socket.getsockname()[1])

    def start(self, port: int = DEFAULT_PORT, open_to_network: bool = False) -> None:
        """Begin to listen, to this computer alone or to any that can reach it; PoserError if that is impossible.

        port: 1 to 65535; 0 for any that is free. What came before is forgotten.
        """
        self.stop()
        self.open_to_network, self.began_s = open_to_network, self._clock()
        self._socket = _bound(port, EVERYWHERE if open_to_network else THIS_COMPUTER)
        self._wake = socket.socketpair()
        self._stopping.clear()
        self.due(float("inf"))
        self._senders.clear()
        self._latest_s = float("-inf")
        self.first = FirstSender()
        self.counts, self.status, self.failed = Counts(), None, ""
        self._thread = threading.Thread(target=self._run, name="trackers", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and give the port back; samples that wait can still be taken."""
        self._stopping.set()
        if self._wake is not None:
            self._wake[1].send(b"\0")
        if self._thread is not None:
            self._thread.join()
        for end in (self._socket, *(self._wake or ())):
            if end is not None:
                end.close()
        self._thread = self._socket = self._wake = None

    def begins_anew_s(self, time_s: float) -> float:
        """Never: people go on."""
        return inf

    def due(self, now_s: float) -> Sequence[TrackerSample]:
        """The samples up to now that were not handed out before, in order."""
        return self._queue.due(now_s)

    def _run(self) -> None:
        """The thread: take in all there is, then wait for more or for a frame to end in silence."""
        assert self._socket is not None
        assert self._wake is not None
        try:
            while not self._stopping.is_set():
                try:
                    packet, sender = self._socket.recvfrom(_LARGEST_PACKET)
                except BlockingIOError:
                    select.select([self._socket, self._wake[0]], [], [], self._end_silent_frames())
                    continue
                except ConnectionError:  # Windows reports this for packets sent by others
                    continue
                self._take(packet, sender)
        except OSError as error:
            self.failed = f"The connection ended: {error.strerror or error}. Start again."
        for sender, frames in self._senders.items():
            self._offer(frames.end(), sender)

    def _take(self, packet: bytes, sender: Address) -> None:
        now, found = self._clock(), decode(packet)
        if found.messages:
            frames = self._frames_of(sender)
            self._offer(frames.take(found.messages, now), sender)
            self.status = frames.status or self.status
        counts = self.counts
        self.counts = replace(
            counts,
            packets=counts.packets + 1,
            malformed=counts.malformed + found.malformed,
            refused=counts.refused + found.refused,
            ignored=counts.ignored + found.ignored,
            senders=len(self._senders),
        )

    def _frames_of(self, sender: Address) -> FrameGrouping:
        """What the sender has said so far; it becomes the latest sender of all."""
        frames = self._senders.pop(sender, None) or FrameGrouping()
        if len(self._senders) >= MOST_SENDERS:
            whose, oldest = self._senders.popitem(last=False)
            self._offer(oldest.end(), whose)
        self._senders[sender] = frames
        return frames

    def _offer(self, samples: Sequence[TrackerSample], sender: Address) -> None:
        """Queue samples of one sender. What ended in silence counts as no older than what others sent meanwhile."""
        taken = lost = 0
        for sample in samples:
            self._latest_s = max(self._latest_s, sample.time_s)
            own = self.first.taken(TrackerSample(self._latest_s, sample.readings), sender)
            if sample.readings and not own.readings:
                continue
            if self._queue.offer(own):
                taken += 1
            else:
                lost += 1
        if samples:
            counts = self.counts
            self.counts = replace(counts, samples=counts.samples + taken, lost=counts.lost + lost)

    def _end_silent_frames(self) -> float | None:
        """End the frames of senders that have fallen silent; seconds until the next may have, None if there is none.

        To be called only once everything that came has been taken in, as a waiting packet is not silence.
        """
        now = self._clock()
        waits: list[float] = []
        for sender, frames in self._senders.items():
            if frames.last_s is None:
                continue
            left = frames.last_s + (LATE_S if frames.ends_itself else SILENCE_S) - now
            if left <= 0:
                self._offer(frames.end(), sender)
            else:
                waits.append(left)
        return min(waits, default=None)


def own_address() -> str:
    """This computer's address in its network, to which another one sends; "" without a network. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # kept for documents: only the way out is looked up
            return str(asking.getsockname()[0])
        except OSError:
            return ""


def _bound(port: int, address: str) -> socket.socket:
    """A socket that listens there; PoserError says why not."""
    if not 0 <= port <= 65_535:
        raise PoserError(f"There is no port {port}. Choose one from 1024 to 65535, here and in the program that sends.")
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows lets a second program listen in otherwise
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        listening.bind((address, port))
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        raise PoserError(_why_not(error, port)) from None
    return listening


def _why_not(error: OSError, port: int) -> str:
    way_out = "or choose another port from 1024 to 65535, here and in the program that sends"
    if error.errno == errno.EADDRINUSE:
        return f"Another program already listens on port {port}. Close it, {way_out}."
    if error.errno == errno.EACCES:
        return f"The system keeps port {port} for itself. Allow this program to use it, {way_out}."
    return f"The program cannot listen on port {port}: {error.strerror or error}. Check the network, {way_out}."
