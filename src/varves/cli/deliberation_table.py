"""The verbs of the deliberation protocol, as plain data."""

from __future__ import annotations

from varves.cli.table import AGAIN, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

CONVERSATION: Option = (
    *("--conversation", "value", "ID"),
    "the conversation; default: --session, else the last started here",
)
EXTRACTOR: Option = (
    *("--extractor", "choice", "reader|published|careful"),
    "the rules that find decisions and proposals",
)
MODEL: Option = ("--model", "flag", "", "let the model in the settings write summaries")
BUDGET: Option = ("--budget", "int", "TOKENS", "at most this many tokens")
MESSAGE: Option = ("--message", "int", "N", "the state after message N; the first is 0")
AGENTS: Option = ("--agents", "value", "A,B,...", "who takes part; default: any agent")
SHARED: Option = ("--shared", "flag", "", "store it in the project's log, not only in this clone")
NAME: Option = ("--name", "value", "ID", "the name of the conversation")
EXTRACTORS = """\
The extractor reader (the default) reads sentences: it knows other wordings too, and ignores
questions, reports and denials. published takes the published patterns literally. careful is the
former name of reader."""
STDIN = "If TEXT is -, it is read from stdin."

VERBS: dict[str, Verb] = {
    "deliberation init": Verb(
        summary="create the folder for saved states",
        run="varves.cli.deliberation:init",
        example="varves deliberation init",
        note="A second run changes nothing.",
    ),
    "deliberation new": Verb(
        summary="start a conversation",
        run="varves.cli.deliberation:begin",
        example='varves deliberation new --agents ada,ben,noa --topic "where sessions live"',
        positionals=("NAME?",),
        options=(
            AGENTS,
            ("--topic", "value", "TEXT", "the topic"),
            SHARED,
            EXTRACTOR,
        ),
        note=f"The default NAME is the date. {EXTRACTORS}",
    ),
    "deliberation say": Verb(
        summary="add one message, and show what was found in it",
        run="varves.cli.deliberation:say",
        example='varves deliberation say ben "I agree, ops run it already" --reply-to 4',
        positionals=("AGENT", "TEXT"),
        options=(
            ("--reply-to", "value", "N|ID", "the message that this one answers: its number or id"),
            (
                "--type",
                "choice",
                "message|system",
                "system: do not record it as an agent's position",
            ),
            ("--at", "value", "INSTANT", "when it was said; default now"),
            CONVERSATION,
            MODEL,
        ),
        note=f"{STDIN} Every 12 messages a summary is written.",
    ),
    "deliberation context": Verb(
        summary="print what an agent should know before it speaks, for its prompt",
        run="varves.cli.deliberation:context",
        example="varves deliberation context --agent ada --budget 800",
        options=(
            ("--agent", "value", "AGENT", "also show this agent's position"),
            BUDGET,
            MESSAGE,
            CONVERSATION,
        ),
        reads=True,
        note="Prints summaries, decisions, active proposals and the agent's position.",
    ),
    "deliberation brief": Verb(
        summary="print decisions and active proposals, for deciding whether to speak",
        run="varves.cli.deliberation:brief",
        example="varves deliberation brief",
        options=(BUDGET, MESSAGE, CONVERSATION),
        reads=True,
    ),
    "deliberation decide": Verb(
        summary="record a decision",
        run="varves.cli.deliberation:decide",
        example='varves deliberation decide "session store" "Sessions live in Redis" --agent ada',
        positionals=("TOPIC", "OUTCOME"),
        options=(
            ("--agent", "value", "AGENT", "who decided"),
            ("--support", "repeat", "A,B,...", "who supports it"),
            ("--replaces", "value", "DECISION", "the decision that it replaces"),
            ("--resolves", "value", "PROPOSAL", "the proposal that it accepts"),
            AGAIN,
            CONVERSATION,
        ),
        note="If OUTCOME is -, it is read from stdin.",
    ),
    "deliberation propose": Verb(
        summary="record a proposal",
        run="varves.cli.deliberation:propose",
        example='varves deliberation propose ada "Sessions live in Redis"',
        positionals=("AGENT", "TEXT"),
        options=(AGAIN, CONVERSATION),
        note=STDIN,
    ),
    "deliberation react": Verb(
        summary="record whether an agent supports a proposal, opposes it or neither",
        run="varves.cli.deliberation:react",
        example="varves deliberation react ben mem_4k2m9x7q1c5d support",
        positionals=("AGENT", "PROPOSAL", "REACTION"),
        options=(CONVERSATION,),
        note="REACTION is support, oppose or neutral. The latest one of each agent counts.",
    ),
    "deliberation resolve": Verb(
        summary="mark a proposal as accepted, rejected, modified or active again",
        run="varves.cli.deliberation:resolve",
        example="varves deliberation resolve mem_4k2m9x7q1c5d accepted",
        positionals=("PROPOSAL", "STATUS"),
        options=(
            ("--successor", "value", "PROPOSAL", "with modified: the proposal that replaces it"),
            ("--reason", "value", "R", "why"),
            CONVERSATION,
        ),
        note="STATUS is accepted, rejected, modified or active.",
    ),
    "deliberation summarise": Verb(
        summary="write the summaries that are due",
        run="varves.cli.deliberation:summarise",
        example="varves deliberation summarise --model",
        options=(
            MODEL,
            ("--rest", "flag", "", "also summarise the last messages, even if fewer than 12"),
            CONVERSATION,
        ),
        note="Without --model the summary consists of the most informative sentences.",
    ),
    "deliberation stats": Verb(
        summary="count summaries, decisions, active proposals, agents and messages",
        run="varves.cli.deliberation:stats",
        example="varves deliberation stats",
        options=(MESSAGE, CONVERSATION),
        reads=True,
    ),
    "deliberation save": Verb(
        summary="write the state as memory.json",
        run="varves.cli.deliberation:save",
        example="varves deliberation save --to memory.json",
        options=(
            ("--to", "value", "FILE", "- is stdout; default: in the conversation's folder"),
            CONVERSATION,
        ),
    ),
    "deliberation restore": Verb(
        summary="start a new conversation from a saved state",
        run="varves.cli.deliberation:restore",
        example="varves deliberation restore memory.json --name second-round",
        positionals=("FILE",),
        options=(NAME, AGENTS, SHARED),
        note="FILE is a saved state; - is stdin.",
    ),
    "deliberation show": Verb(
        summary="show a conversation, or one decision, proposal or summary",
        run="varves.cli.deliberation:show",
        example="varves deliberation show mem_4k2m9x7q1c5d",
        positionals=("ID?",),
        options=(MESSAGE, CONVERSATION),
        reads=True,
    ),
    "deliberation list": Verb(
        summary="list the conversations",
        run="varves.cli.deliberation:listing",
        example="varves deliberation list",
        reads=True,
    ),
    "deliberation replay": Verb(
        summary="process a transcript and show what was found",
        run="varves.cli.deliberation:replay",
        example="varves deliberation replay minutes.md --extractor published",
        positionals=("FILE",),
        options=(NAME, EXTRACTOR, MODEL),
        note=(
            "FILE is JSON Lines with agent and content, or Markdown with `Name: text` lines;"
            " - is stdin. Lines outside messages are counted and skipped."
        ),
    ),
    "deliberation demo": Verb(
        summary="run three scripted agents for 120 messages; stores nothing",
        run="varves.cli.deliberation:demo",
        example="varves deliberation demo",
        options=(
            ("--model", "flag", "", "let the model in the settings choose speakers and summarise"),
        ),
    ),
    "deliberation validate": Verb(
        summary="check the saved states against the published format and rules",
        run="varves.cli.deliberation:validate",
        example="varves deliberation validate",
        note="The exit code is 1 when there are findings.",
    ),
}
