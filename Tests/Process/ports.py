"""Ports that no other program takes while a test runs. The tests run side by side, so a port that was merely free a moment ago may be taken."""

import contextlib
import socket
import threading

# Tests of other threads run at the same time and keep their ports.
own = threading.local()


def reserved() -> list[socket.socket]:
    """Returns what holds the ports of this thread."""
    if not hasattr(own, "holders"):
        own.holders = []
    return own.holders


def reserve_port(address: str = "127.0.0.1", port: int = 0) -> int:
    """Returns a port, by default any, at which connections are refused until a server with SO_REUSEADDR listens there, and again after it."""
    holder = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    # Linux lets another socket bind the port if both have this option and the holder does not listen.
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind((address, port))
    reserved().append(holder)
    return holder.getsockname()[1]


@contextlib.contextmanager
def ports_for_now():
    """Releases at the end the ports that this thread has reserved meanwhile."""
    count = len(reserved())
    yield
    while len(reserved()) > count:
        reserved().pop().close()
