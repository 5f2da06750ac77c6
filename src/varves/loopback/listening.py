"""A socket that listens on loopback, before the server's address is printed."""

from __future__ import annotations

from varves.errors import Refused, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket

HOST = "127.0.0.1"
BACKLOG = 1024  # the pending connections that the system queues


def bound(port: int) -> socket:
    """Return a socket that listens on a port; 0 means any free port.

    Raises:
        UsageError: there is no such port.
        Refused: the port is not available.
    """
    import socket as sockets

    if not 0 <= port <= 65_535:
        raise UsageError(f"no such port: {port}", "give a number up to 65535; 0 means any free one")
    made = sockets.socket()
    made.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
        # this is done before the address is printed, so that an early client waits
        made.listen(BACKLOG)
    except OSError as fault:
        made.close()
        reason = fault.strerror or fault
        raise Refused(
            f"port {port} is not available: {reason}", "choose another with --port"
        ) from None
    return made
