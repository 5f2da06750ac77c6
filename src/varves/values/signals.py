"""The input from a host: one signal for each call of a hook, and a session's messages."""

from __future__ import annotations

from varves.values.value import Value

MOMENTS = ("start", "prompt", "tool", "stop", "compact", "end", "other")


class SessionMessage(Value):
    """One message of a session, or a tool's answer."""

    role: str
    """The speaker: user, assistant or tool."""
    text: str
    tool: str | None = None
    call: str | None = None
    """For a tool's answer: the agent's call, such as the command it ran."""
    ok: bool | None = None
    """For a tool's answer: whether the call succeeded, if known."""
    key: str | None = None
    """The message's id in its transcript; it is the same each time the transcript is read."""
    at: str | None = None
    """When the message was sent, as an ISO instant."""
    files: tuple[str, ...] = ()
    """For a tool's answer: the files the call wrote."""


class Signal(Value):
    """One call of a hook by a host, at one moment of a session."""

    client: str
    moment: str
    """One of MOMENTS; the client may use another name."""
    event: str
    """The client's own name for the moment, which the answer must repeat."""
    session: str | None = None
    folder: str | None = None
    prompt: str = ""
    source: str = ""
    """For a start: startup, resume, clear or compact."""
    message: SessionMessage | None = None
    """For a tool call, the tool's answer. For a stop, the agent's last message."""
    transcript: str | None = None
    agent: str | None = None
    """The subagent in which the moment occurred, if any."""
