"""What a deliberation was published to do, one row for each demand; tests carry the ids."""

from __future__ import annotations

from tests.requirements.manifest import Requirement

REQUIREMENTS: dict[str, Requirement] = {
    "S4-01": Requirement(
        "What was said early in a long discussion is there after it left the context window.",
        "A decision of message 5, and a fact in its summary, in the context at message 200.",
    ),
    "S4-02": Requirement(
        "An idea that was proposed before is known again, and linked to the earlier proposal.",
        "The same idea in messages 5 and 55: a link; two ideas that read alike: none.",
    ),
    "S4-03": Requirement(
        "What was agreed can be referred to later.",
        "A decision's text in the context, 40 messages after it.",
    ),
    "S4-04": Requirement(
        "The memory holds summaries, decisions, proposals and agentStates.",
        "The first four keys of the saved state, in that order.",
    ),
    "S4-05": Requirement(
        "A summary has timestamp, messageRange and content.",
        "The keys, and the range of the first twelve.",
    ),
    "S4-06": Requirement(
        "A range names messages by their place in the whole conversation, without gap or overlap.",
        "600 messages, of which a bus keeps 500: ranges tile 0 to 599.",
    ),
    "S4-07": Requirement(
        "A decision has a unique id, timestamp, topic, outcome and supportingAgents.",
        "The keys; of 1000 restored without an id, 1000 ids.",
    ),
    "S4-08": Requirement(
        "A proposal has id, timestamp, proposer, content, status and reactions.",
        "The keys of the saved one.",
    ),
    "S4-09": Requirement(
        "A proposal is active, accepted, rejected or modified.",
        "Each in the file; another word is refused and changes nothing.",
    ),
    "S4-10": Requirement(
        "A reaction names the agent and support, oppose or neutral.",
        "Each in the file; another word is refused and changes nothing.",
    ),
    "S4-11": Requirement(
        "An agent's state has lastPosition, keyContributions and messageCount.",
        "The keys, and the counts of a talk.",
    ),
    "S4-12": Requirement(
        "A summary is made every twelve messages.",
        "After 11, 12, 24 and 25 messages there are 0, 1, 2 and 2.",
    ),
    "S4-13": Requirement(
        "The interval of summaries is a setting.",
        "With 5, at messages 5 and 10.",
    ),
    "S4-14": Requirement(
        "A summary is due where the count is a multiple of the interval; one that failed is "
        "made later.",
        "A runner that fails, then works: its chunk is covered; after three failures by its "
        "own sentences.",
    ),
    "S4-15": Requirement(
        "The prompt opens as published and gives each message as `[agent]: content`, blank "
        "lines between.",
        "The prompt, byte for byte.",
    ),
    "S4-16": Requirement(
        "The prompt asks for the five published things.",
        "Its five lines.",
    ),
    "S4-17": Requirement(
        "The prompt asks for under 200 words; a longer answer is cut at a sentence's end and "
        "marked.",
        "360 words become at most 200, with the mark.",
    ),
    "S4-18": Requirement(
        "The system prompt of a summary is the published one.",
        "What the runner was given.",
    ),
    "S4-19": Requirement(
        "A summary is asked of a fast, cheap model, by default `haiku`.",
        "What the runner was given, by default and as set.",
    ),
    "S4-20": Requirement(
        "Any object with query and evaluate is a runner.",
        "Answers as text, mapping and value, of a runner of the test's own; no network.",
    ),
    "S4-21": Requirement(
        "Without a runner a summary is made of the messages' own sentences, always the same.",
        "Twice the same text; what all talk of, not the first sentences.",
    ),
    "S4-22": Requirement(
        "The published patterns of decisions are found in any case and with either apostrophe.",
        "Each pattern makes a decision in both extractors; words that only come near make none. In "
        "the reader a guard vetoes one that is asked, denied, supposed, reported, cited or past.",
    ),
    "S4-23": Requirement(
        "A message makes one decision at the most, with its instant and its agent as supporter.",
        "Three patterns in one message: one decision, in both extractors.",
    ),
    "S4-24": Requirement(
        "A decision's topic is what is quoted or named after about, regarding, on or for, else its "
        "subject; its outcome follows the verb to the sentence's end.",
        "Topic and outcome of fixtures, apostrophes among them.",
    ),
    "S4-25": Requirement(
        "A later supporter joins a decision; another outcome on the same topic is linked as "
        "replacing it.",
        "The supporters after a repeat and a reply; the links of three decisions on one topic.",
    ),
    "S4-26": Requirement(
        "The published patterns of proposals are found in any case and with either apostrophe.",
        "Each pattern makes a proposal in both extractors; words that only come near make none. In "
        "the reader a guard vetoes one that is reported or quoted.",
    ),
    "S4-27": Requirement(
        "A message makes one proposal at the most: proposer, content, active, no reactions.",
        "The fields of one proposal out of three patterns.",
    ),
    "S4-28": Requirement(
        "The published patterns of support are found.",
        "Each pattern: a reaction of support, in both extractors. In the reader a guard vetoes one "
        "that is asked or reported.",
    ),
    "S4-29": Requirement(
        "The published patterns of opposition are found.",
        "Each pattern: a reaction of opposition, in both extractors.",
    ),
    "S4-30": Requirement(
        "Neither side is neutral; of both, what follows the last turning word counts, else the "
        "opposition; a negated agreement is no support.",
        "The reaction to each of a dozen sentences.",
    ),
    "S4-31": Requirement(
        "A message is about a proposal when it holds the first fifty characters of its content.",
        "By the letter, fifty characters: a reaction; forty-nine or none: no reaction. The reader "
        "takes the nearest open proposal where a message names none.",
    ),
    "S4-32": Requirement(
        "Only an active proposal takes reactions.",
        "After it was accepted neither a further agent nor another mind is counted.",
    ),
    "S4-33": Requirement(
        "The proposing message and the proposer do not react; an agent has one reaction, the "
        "latest; a reply counts like a quote.",
        "The reactions in each of these cases.",
    ),
    "S4-34": Requirement(
        "A proposal's status changes by a call or a decision that names it, never by counting.",
        "Decisions that answer, quote or cite it: accepted, rejected, modified; twenty supporters: "
        "active.",
    ),
    "S4-35": Requirement(
        "The sections of the context are joined by a blank line.",
        "The whole text, byte for byte.",
    ),
    "S4-36": Requirement(
        "The last three summaries stand under the published title, a blank line between.",
        "Of one to five summaries, the last three.",
    ),
    "S4-37": Requirement(
        "Every decision is given as `- **topic**: outcome`.",
        "The whole text, byte for byte.",
    ),
    "S4-38": Requirement(
        "Every active proposal is given with its proposer and its number of reactions.",
        "The whole text, byte for byte; a rejected one is absent.",
    ),
    "S4-39": Requirement(
        "An agent that is named and known is told its last position.",
        "Named, not named, without a position, unknown.",
    ),
    "S4-40": Requirement(
        "A section with nothing to show is left out.",
        "Each of the four; an empty memory gives an empty text.",
    ),
    "S4-41": Requirement(
        "A message is stored, then remembered, then a summary looked for, then subscribers told.",
        "The order of the calls, and what the subscriber is given.",
    ),
    "S4-42": Requirement(
        "Making summaries neither blocks nor loses messages.",
        "Thirty messages past a runner that waits; one failure is logged.",
    ),
    "S4-43": Requirement(
        "The bus gives the memory's own context.",
        "Equal, for nobody, an agent and a stranger.",
    ),
    "S4-44": Requirement(
        "The brief context has decisions and active proposals only.",
        "The whole text, byte for byte.",
    ),
    "S4-45": Requirement(
        "Whether to speak is asked with brief context, the last five messages and the name.",
        "The prompt, byte for byte.",
    ),
    "S4-46": Requirement(
        "The question goes to the runner's evaluate, and its result is returned.",
        "The very object; and a listener that is told to speaks.",
    ),
    "S4-47": Requirement(
        "An answer is asked for with the persona's prompt and the agent's full context.",
        "The system prompt, byte for byte.",
    ),
    "S4-48": Requirement(
        "The last fifteen messages are the prompt of an answer.",
        "Of twenty, 5 to 19.",
    ),
    "S4-49": Requirement(
        "The last so many messages are given, all where there are fewer.",
        "0, 3 and 20 of seven.",
    ),
    "S4-50": Requirement(
        "Subscribers come and go, and one that fails stops no other.",
        "Three subscribers, the second failing.",
    ),
    "S4-51": Requirement(
        "The state is plain JSON.",
        "A round trip, with the four published keys.",
    ),
    "S4-52": Requirement(
        "The state is saved as memory.json with the session.",
        "The file in the conversation's folder, and where it is asked for.",
    ),
    "S4-53": Requirement(
        "A restored state goes on as if nothing had been: context, statistics, next summary.",
        "Cut at five places, restored and continued: equal to the uninterrupted one.",
    ),
    "S4-54": Requirement(
        "Dates survive as instants, and older or partial states load with defaults.",
        "Five forms of a date; a state without counts, statuses and lists.",
    ),
    "S4-55": Requirement(
        "Statistics count summaries, decisions, active proposals, agents and messages.",
        "The five numbers of a talk with a rejected proposal.",
    ),
    "S4-56": Requirement(
        "The total counts messages that were pruned.",
        "600 messages of which a bus keeps 500: 600; with other bounds too.",
    ),
    "S4-57": Requirement(
        "Each agent has its count of messages, what it contributed, and its latest stance; system "
        "messages are nobody's.",
        "The stance after each of seven messages; no agent called system.",
    ),
    "S4-58": Requirement(
        "A summary names its range and can be checked against its messages.",
        "Its twelve source messages are shown.",
    ),
    "S4-59": Requirement(
        "A decision can be cited by its id.",
        "Looked up by it, with the message it was made in.",
    ),
    "S4-60": Requirement(
        "A modified proposal is linked to its successor.",
        "Status and successor in the file.",
    ),
    "S4-61": Requirement(
        "Settings add patterns to the published ones; one that cannot be is refused when they are "
        "read, and one that does not end is passed over.",
        "A pattern of each kind is found; the refusal names option and place; an endless one loses "
        "nothing else.",
    ),
    "S4-62": Requirement(
        "Old summaries are pruned to the last twenty, never below, and stay in the core.",
        "19, 20 and 25 made: 19, 20 and 20 in the state, all in the ledger.",
    ),
    "S4-63": Requirement(
        "Other bounds prune the oldest first, active proposals last, never below the bound.",
        "451 messages with a bound of 500: 451; decisions and proposals at and past theirs, one "
        "rejected.",
    ),
    "S4-64": Requirement(
        "The context of one state is one text.",
        "Asked twice, and in a ledger opened again.",
    ),
    "S4-65": Requirement(
        "How well messages are read is measured on real transcripts and told as it is.",
        "Precision and recall of both readings on the saved minutes, heard by a ledger, against "
        "labels by hand; `make bench` reports the same, and of seven further meetings.",
    ),
}
