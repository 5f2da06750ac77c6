"""What a host tells us: one signal for each call of a hook, and the messages of a session."""

from __future__ import annotations

from varves.values.value import Value

MOMENTS = ("start", "prompt", "tool", "stop", "compact", "end", "other")


class SessionMessage(Value):
    """One thing that was said in a session, or that a tool answered."""

    role: str
    """user, assistant or tool."""
    text: str
    tool: str | None = None
    call: str | None = None
    """Of a tool's answer: what the agent asked for, such as the command it ran."""
    ok: bool | None = None
    """Of a tool's answer: whether the call worked, where that is known."""
    key: str | None = None
    """What names it in its transcript; the same message has the same key at every reading."""
    at: str | None = None
    """When it was said, as an ISO instant."""
    files: tuple[str, ...] = ()
    """Of a tool's answer: the files the call wrote."""


class Signal(Value):
    """What a host hands us at one moment of a session."""

    client: str
    moment: str
    """One of MOMENTS, whatever the client calls it."""
    event: str
    """The client's own name of it, as the answer has to repeat it."""
    session: str | None = None
    folder: str | None = None
    prompt: str = ""
    source: str = ""
    """Of a start: startup, resume, clear or compact."""
    message: SessionMessage | None = None
    """Of a tool call: its answer. Of a stop: the last thing the agent said."""
    transcript: str | None = None
    agent: str | None = None
    """The subagent it happened in, where it was one."""
