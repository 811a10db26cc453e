"""Runs cases that wait in real time side by side in one test. Each failed case is reported by its name."""

import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rpc import Peer


class Peers:
    """The fixture `start` for one case: its processes share one home, and all of them end with the case."""

    def __init__(self, home: Path):
        self.home = home
        self.peers: list[Peer] = []

    def __call__(self, *arguments, **options) -> Peer:
        self.home.mkdir(parents=True, exist_ok=True)
        peer = Peer(*arguments, home=self.home, **options)
        self.peers.append(peer)
        return peer

    def __enter__(self) -> "Peers":
        return self

    def __exit__(self, kind, error, traceback) -> None:
        for peer in self.peers:
            peer.__exit__(Exception, None, None)
        faults = [fault for peer in self.peers for fault in peer.faults]
        if faults and kind is None:
            raise faults[0]


def run_together(cases: dict, width: int) -> None:
    """Calls every case in order, `width` at a time, and fails with the failed ones."""
    with ThreadPoolExecutor(width) as pool:
        running = {name: pool.submit(case) for name, case in cases.items()}
    failed = {name: work.exception() for name, work in running.items() if work.exception()}
    told = [f"{name}:\n{''.join(traceback.format_exception(failure))}" for name, failure in failed.items()]
    assert not told, f"{len(told)} of {len(cases)} cases failed\n\n" + "\n".join(told)
