"""The verbs of a deliberation: talk, look at what was agreed and proposed, save and restore it."""

from __future__ import annotations

from varves.cli.table import AGAIN, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

CONVERSATION: Option = (
    *("--conversation", "value", "ID"),
    "which one; default: --session, else the last begun here",
)
EXTRACTOR: Option = (
    *("--extractor", "choice", "published|careful"),
    "how decisions and proposals are found",
)
MODEL: Option = ("--model", "flag", "", "ask the endpoint of the settings for summaries")
BUDGET: Option = ("--budget", "int", "TOKENS", "at most so many tokens")
MESSAGE: Option = ("--message", "int", "N", "as it stood after message N; the first is 0")
AGENTS: Option = ("--agents", "value", "A,B,...", "who takes part; without it anybody may speak")
SHARED: Option = ("--shared", "flag", "", "in the project's log, for everybody; else in this clone")
NAME: Option = ("--name", "value", "ID", "what the conversation is called")
STDIN = "TEXT - is read from stdin."

VERBS: dict[str, Verb] = {
    "deliberation init": Verb(
        summary="make the folder of the saved states",
        run="varves.cli.deliberation:init",
        example="varves deliberation init",
        note="A second run changes nothing.",
    ),
    "deliberation new": Verb(
        summary="begin a conversation",
        run="varves.cli.deliberation:begin",
        example='varves deliberation new --agents ada,ben,noa --topic "where sessions live"',
        positionals=("NAME?",),
        options=(
            AGENTS,
            ("--topic", "value", "TEXT", "what is talked about"),
            SHARED,
            EXTRACTOR,
        ),
        note="Without NAME it is called by the date.",
    ),
    "deliberation say": Verb(
        summary="one message, and what was found in it",
        run="varves.cli.deliberation:say",
        example='varves deliberation say ben "I agree, ops run it already" --reply-to 4',
        positionals=("AGENT", "TEXT"),
        options=(
            ("--reply-to", "value", "N|ID", "the message it answers: its number or its id"),
            ("--type", "choice", "message|system", "system: nobody's position"),
            ("--at", "value", "INSTANT", "when it was said; default now"),
            CONVERSATION,
            MODEL,
        ),
        note=f"{STDIN} After every 12 messages a summary is made.",
    ),
    "deliberation context": Verb(
        summary="what an agent should know before it speaks, as text for its prompt",
        run="varves.cli.deliberation:context",
        example="varves deliberation context --agent ada --budget 800",
        options=(
            ("--agent", "value", "AGENT", "whose own position is told too"),
            BUDGET,
            MESSAGE,
            CONVERSATION,
        ),
        reads=True,
        note="Summaries, decisions, active proposals and the agent's position; nothing else.",
    ),
    "deliberation brief": Verb(
        summary="decisions and active proposals only, to decide whether to speak",
        run="varves.cli.deliberation:brief",
        example="varves deliberation brief",
        options=(BUDGET, MESSAGE, CONVERSATION),
        reads=True,
    ),
    "deliberation decide": Verb(
        summary="a decision, said outright",
        run="varves.cli.deliberation:decide",
        example='varves deliberation decide "session store" "Sessions live in Redis" --agent ada',
        positionals=("TOPIC", "OUTCOME"),
        options=(
            ("--agent", "value", "AGENT", "who decided"),
            ("--support", "repeat", "A,B,...", "who supports it"),
            ("--replaces", "value", "DECISION", "whose place it takes"),
            ("--resolves", "value", "PROPOSAL", "the proposal it accepts"),
            AGAIN,
            CONVERSATION,
        ),
        note="OUTCOME - is read from stdin.",
    ),
    "deliberation propose": Verb(
        summary="a proposal, said outright",
        run="varves.cli.deliberation:propose",
        example='varves deliberation propose ada "Sessions live in Redis"',
        positionals=("AGENT", "TEXT"),
        options=(CONVERSATION,),
        note=STDIN,
    ),
    "deliberation react": Verb(
        summary="an agent is for a proposal, against it or neither",
        run="varves.cli.deliberation:react",
        example="varves deliberation react ben mem_4k2m9x7q1c5d support",
        positionals=("AGENT", "PROPOSAL", "REACTION"),
        options=(CONVERSATION,),
        note="REACTION is support, oppose or neutral. Of each agent the latest counts.",
    ),
    "deliberation resolve": Verb(
        summary="a proposal is accepted, rejected, modified or active again",
        run="varves.cli.deliberation:resolve",
        example="varves deliberation resolve mem_4k2m9x7q1c5d accepted",
        positionals=("PROPOSAL", "STATUS"),
        options=(
            ("--successor", "value", "PROPOSAL", "with modified: what it became"),
            ("--reason", "value", "R", "why"),
            CONVERSATION,
        ),
        note="STATUS is accepted, rejected, modified or active.",
    ),
    "deliberation summarise": Verb(
        summary="make the summaries that are due",
        run="varves.cli.deliberation:summarise",
        example="varves deliberation summarise --model",
        options=(
            MODEL,
            ("--rest", "flag", "", "also of the last messages, fewer than 12"),
            CONVERSATION,
        ),
        note="Without --model the summary is made of the most telling sentences, offline.",
    ),
    "deliberation stats": Verb(
        summary="how many summaries, decisions, active proposals, agents and messages",
        run="varves.cli.deliberation:stats",
        example="varves deliberation stats",
        options=(MESSAGE, CONVERSATION),
        reads=True,
    ),
    "deliberation save": Verb(
        summary="write the state as memory.json",
        run="varves.cli.deliberation:save",
        example="varves deliberation save --to memory.json",
        options=(("--to", "value", "FILE", "default: in the conversation's folder"), CONVERSATION),
    ),
    "deliberation restore": Verb(
        summary="go on from a saved state, in a conversation of its own",
        run="varves.cli.deliberation:restore",
        example="varves deliberation restore memory.json --name second-round",
        positionals=("FILE",),
        options=(NAME, AGENTS, SHARED),
    ),
    "deliberation show": Verb(
        summary="a conversation, or one decision, proposal or summary with its messages",
        run="varves.cli.deliberation:show",
        example="varves deliberation show mem_4k2m9x7q1c5d",
        positionals=("ID?",),
        options=(MESSAGE, CONVERSATION),
        reads=True,
    ),
    "deliberation list": Verb(
        summary="the conversations",
        run="varves.cli.deliberation:listing",
        example="varves deliberation list",
    ),
    "deliberation replay": Verb(
        summary="run a transcript through the memory and say what it found",
        run="varves.cli.deliberation:replay",
        example="varves deliberation replay minutes.md --extractor careful",
        positionals=("FILE",),
        options=(NAME, EXTRACTOR, MODEL),
        note=(
            "FILE is JSON Lines with agent and content, or Markdown with `Name: text` lines;"
            " - is stdin. What is no message is counted and left out."
        ),
    ),
    "deliberation demo": Verb(
        summary="three scripted agents talk through 120 messages; leaves nothing behind",
        run="varves.cli.deliberation:demo",
        example="varves deliberation demo",
        options=(
            ("--model", "flag", "", "ask the endpoint of the settings who speaks, and summaries"),
        ),
    ),
    "deliberation validate": Verb(
        summary="are the saved states as published, and were the rules kept",
        run="varves.cli.deliberation:validate",
        example="varves deliberation validate",
        note="The exit code is 1 when something was found.",
    ),
}
