"""Each coding agent's names for the moments at which it runs hooks, and the answers it accepts.

Each name maps to one of `values.signals.MOMENTS`. The moment `other` is an event of the agent that
Varves does not use. A name that is not listed is unknown.
"""

from __future__ import annotations

from varves.values.value import Value

DEFAULT = "claude"

_CLAUDE = {
    "SessionStart": "start",
    "SubagentStart": "start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool",
    "PostToolUseFailure": "tool",
    "Stop": "stop",
    "StopFailure": "stop",
    "SubagentStop": "stop",
    "PreCompact": "compact",
    "SessionEnd": "end",
    **dict.fromkeys(
        (
            *("PreToolUse", "PostToolBatch", "PermissionRequest", "PermissionDenied"),
            *("UserPromptExpansion", "MessageDisplay", "Notification", "InstructionsLoaded"),
            *("PostCompact", "PreModelSwitch", "PostModelSwitch", "Setup", "ConfigChange"),
            *("TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult"),
            *("WorktreeCreate", "WorktreeRemove", "CwdChanged", "FileChanged", "DirectoryAdded"),
        ),
        "other",
    ),
}
_CAMEL = {
    "sessionStart": "start",
    "postToolUse": "tool",
    "postToolUseFailure": "tool",
    "subagentStart": "start",
    "subagentStop": "stop",
    "preCompact": "compact",
    "sessionEnd": "end",
    "preToolUse": "other",
}


class Client(Value):
    """A coding agent: its names for events, and the form of answer that it accepts."""

    moments: dict[str, str]
    """The moment of a session for each of the agent's own event names."""
    form: str
    """The form of its answers: specific, flat, snake, plain, or none."""
    told: tuple[str, ...] = ("start", "prompt")
    """The moments at which the agent accepts text."""
    transcribed: bool = True
    """Whether the agent writes a transcript that can be read at the end of a turn."""
    compacts_unasked: bool = False
    """Whether the agent announces a compaction at every step, even if none follows."""


ALSO = {"claude-code": "claude"}  # another name of an agent, which `install` and people use
CLIENTS: dict[str, Client] = {
    "claude": Client(moments=_CLAUDE, form="specific"),
    "codex": Client(moments=_CLAUDE, form="specific"),
    "gemini": Client(
        moments={
            "SessionStart": "start",
            "BeforeAgent": "prompt",
            "AfterTool": "tool",
            "AfterAgent": "stop",
            "PreCompress": "compact",
            "SessionEnd": "end",
            **dict.fromkeys(
                ("BeforeTool", "BeforeModel", "AfterModel", "BeforeToolSelection", "Notification"),
                "other",
            ),
        },
        form="specific",
        compacts_unasked=True,
    ),
    "copilot": Client(
        moments={
            **_CLAUDE,
            **_CAMEL,
            "userPromptSubmitted": "prompt",
            "agentStop": "stop",
            "errorOccurred": "other",
            "permissionRequest": "other",
            "notification": "other",
        },
        form="flat",
    ),
    "cursor": Client(
        moments={
            **_CAMEL,
            "beforeSubmitPrompt": "prompt",
            "afterFileEdit": "tool",
            "afterShellExecution": "tool",
            "stop": "stop",
            **dict.fromkeys(
                (
                    *("afterAgentResponse", "afterAgentThought", "afterMCPExecution"),
                    *("afterTabFileEdit", "beforeMCPExecution", "beforeReadFile"),
                    *("beforeShellExecution", "beforeTabFileRead"),
                ),
                "other",
            ),
        },
        form="snake",
    ),
    "opencode": Client(
        moments={
            "session.created": "start",
            "session.compacted": "start",
            "chat.message": "prompt",
            "tool.execute.after": "tool",
            "session.idle": "stop",
            "experimental.session.compacting": "compact",
            "session.deleted": "end",
        },
        form="plain",
        told=("start", "prompt", "compact"),
        transcribed=False,
    ),
    "goose": Client(moments=_CLAUDE, form="none", told=(), transcribed=False),
}
