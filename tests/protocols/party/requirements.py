"""What parties and sidecars were published to do, one row for each demand; tests carry the ids."""

from __future__ import annotations

from tests.requirements.manifest import Requirement

REQUIREMENTS: dict[str, Requirement] = {
    "S0-01": Requirement(
        "At the start the sidecar of each agent that takes part is loaded, and of no other.",
        "Five sidecars and a party of two: the start names two as loaded.",
    ),
    "S0-02": Requirement(
        "A sidecar lies at _mdan/state/sidecars/{agent-name}.sidecar.json.",
        "The path, for a name with a hyphen and a digit.",
    ),
    "S0-03": Requirement(
        "The injected block opens with the published headline of memories.",
        "Its first line, byte for byte.",
    ),
    "S0-04": Requirement(
        "The block lists the last ten memories of the sidecar, in file order.",
        "Of twelve, three to twelve; of two, both.",
    ),
    "S0-05": Requirement(
        "A memory is printed with its type, content and confidence, the latter as the "
        "shortest decimal.",
        "The lines for 1.0, 0.8 and 0.85, byte for byte.",
    ),
    "S0-06": Requirement(
        "After the memories comes the published headline of relationships.",
        "Its line, byte for byte.",
    ),
    "S0-07": Requirement(
        "Each relationship prints as its type and the names, joined by commas; empty ones are"
        " left out.",
        "Two names under one type, none elsewhere: one line.",
    ),
    "S0-08": Requirement(
        "An agent without a sidecar gets an empty one.",
        "The file, with no memories and no sessions.",
    ),
    "S0-09": Requirement(
        "Such an agent is told that it is its first session, without a headline of memories.",
        "The whole block, byte for byte.",
    ),
    "S0-10": Requirement(
        "The empty sidecar has the eight published keys with their empty values.",
        "The whole file, byte for byte.",
    ),
    "S0-11": Requirement(
        "A strong argument that wins a debate becomes an observation of the winner.",
        "A scripted debate gives the winner one observation, the loser none.",
    ),
    "S0-12": Requirement(
        "A constraint of the project that somebody names becomes a context memory.",
        "'We cannot use X because ...' gives one of type context.",
    ),
    "S0-13": Requirement(
        "A clear preference becomes a preference memory.",
        "'I prefer ...' gives one of type preference.",
    ),
    "S0-14": Requirement(
        "A decision becomes a decision memory of everybody who takes part.",
        "One decision record, a memory for each agent.",
    ),
    "S0-15": Requirement(
        "Plain agreement or disagreement with another agent counts for the relationship, and "
        "is no memory.",
        "'I agree with Noa' is counted, and nothing is remembered.",
    ),
    "S0-16": Requirement(
        "Memories are collected from the talk without being asked for, by a detector that can"
        " be replaced; a caller who knows better says so outright.",
        "A talk alone gives memories; another detector gives its own; the outright call gives"
        " the same record.",
    ),
    "S0-17": Requirement(
        "A memory is an observation, a preference, a context or a decision.",
        "Another word is refused, and the file stays as it was.",
    ),
    "S0-18": Requirement(
        "A memory's content has at most 100 characters: longer ones are refused with their "
        "length when given outright, and shortened at a word when found in the talk, with the"
        " whole kept.",
        "101 are refused; of 300 found in the talk at most 100 are shown, and the whole can "
        "be read.",
    ),
    "S0-19": Requirement(
        "A memory's content is not blank.",
        "Blanks are refused.",
    ),
    "S0-20": Requirement(
        "A memory names its session by the ISO date.",
        "The written value is the date; a session's name written by hand is taken.",
    ),
    "S0-21": Requirement(
        "A memory that comes in is sure from 0.5 to 1.0.",
        "0.49 and 1.01 are refused, 0.5 and 1.0 taken.",
    ),
    "S0-22": Requirement(
        "A decision or a stated fact has the confidence 1.0.",
        "A decision record gives 1.0.",
    ),
    "S0-23": Requirement(
        "A strong argument that nobody challenged has 0.8.",
        "An argument that won without a rebuttal gives 0.8.",
    ),
    "S0-24": Requirement(
        "An observation from the discussion has 0.6.",
        "A plain observation gives 0.6.",
    ),
    "S0-25": Requirement(
        "An inference or assumption has 0.5.",
        "An inferred statement gives 0.5.",
    ),
    "S0-26": Requirement(
        "In the file a memory has exactly the four published keys; keys a person adds survive.",
        "The key list; an unknown key is there after the next end.",
    ),
    "S0-27": Requirement(
        "The end of a party saves the sidecars of those who took part, and no other.",
        "The bytes of a third agent's file stay.",
    ),
    "S0-28": Requirement(
        "A session counts once for each agent.",
        "The end called twice, and in a ledger opened again: one session.",
    ),
    "S0-29": Requirement(
        "The end sets the time of the last update.",
        "The time of a fixed clock.",
    ),
    "S0-30": Requirement(
        "At most five memories are added for an agent in a session: the surest, of equals the"
        " newest; the rest is reported.",
        "Of seven, five are stored and two reported.",
    ),
    "S0-31": Requirement(
        "Above fifty memories the least sure go, of equals the oldest; the others keep their "
        "order.",
        "53 with known ties: the exact survivors, in order.",
    ),
    "S0-32": Requirement(
        "Two agreements with an agent in one session add it to agrees_with.",
        "One: absent, two: present; one in each of two sessions: absent.",
    ),
    "S0-33": Requirement(
        "Two disagreements with an agent in one session add it to disagrees_with.",
        "One: absent, two: present.",
    ),
    "S0-34": Requirement(
        "An agent is added to complements when somebody says so, never without a word.",
        "The signal given: present; a session without it: absent.",
    ),
    "S0-35": Requirement(
        "A relationship names each agent once, and never the agent itself.",
        "Said again, and of itself: unchanged.",
    ),
    "S0-36": Requirement(
        "Each decision of a session adds one entry to the decision history.",
        "Two decisions, two entries; saved again, still two.",
    ),
    "S0-37": Requirement(
        "A sidecar is saved whole or not at all.",
        "An end killed at many points leaves the old file or the whole one.",
    ),
    "S0-38": Requirement(
        "A party that never ended is recovered by the next start: its memories are kept and "
        "it counts once.",
        "A process that ends without a word; the next start brings memories and count.",
    ),
    "S0-39": Requirement(
        "Five sessions without a reference cost a memory 0.1 of its confidence, and each "
        "further five as much; a setting takes it in every session from the sixth.",
        "0.8 after four, 0.7 after five, 0.6 after ten; with the setting 0.7 after six, 0.6 "
        "after seven.",
    ),
    "S0-40": Requirement(
        "A memory below 0.3 is pruned, and 0.3 stays.",
        "0.3 stays after decay from 0.8, 0.29 goes.",
    ),
    "S0-41": Requirement(
        "A memory that is referred to gains 0.1, at most to 1.0, once in a session, and "
        "begins to age anew.",
        "0.95 becomes 1.0; twice in a session is once; the next decay is five sessions off.",
    ),
    "S0-42": Requirement(
        "A memory ages in the sessions that its own agent takes part in.",
        "Sessions of others change nothing.",
    ),
    "S0-43": Requirement(
        "The end goes in order: boosts, decay, floor, additions, cap.",
        "A memory of 0.5 is not decayed in its own session; one that is boosted is not pruned.",
    ),
    "S0-44": Requirement(
        "Where a sidecar bears on the topic, the facilitator is offered the published line "
        "with the agent's display name.",
        "The line, byte for byte.",
    ),
    "S0-45": Requirement(
        "That line is offered only then, with the memories it rests on.",
        "A topic that shares no significant term: nothing is offered.",
    ),
    "S0-46": Requirement(
        "The state file is written after the sidecars.",
        "An end whose state file cannot be written has written the sidecars.",
    ),
    "S0-47": Requirement(
        "The state file names each sidecar with path, last_updated, memory_count and sessions.",
        "The key list.",
    ),
    "S0-48": Requirement(
        "Those values are the sidecar's own.",
        "Each of them against the file.",
    ),
    "S0-49": Requirement(
        "All other keys of the state file stay, and a missing one is made.",
        "A published state file keeps every byte outside our part.",
    ),
    "S0-50": Requirement(
        "What one session stored is offered in the next without an export.",
        "A second process is told what the first one stored.",
    ),
    "S0-51": Requirement(
        "The tool's own output is terse.",
        "The outputs of every verb, byte for byte.",
    ),
    "S0-52": Requirement(
        "It has no pleasantries.",
        "A search of all texts that a user may see.",
    ),
    "S0-53": Requirement(
        "It acts before it speaks.",
        "A verb that writes prints after it has written.",
    ),
    "S0-54": Requirement(
        "The result comes first.",
        "The first line of every verb is the outcome.",
    ),
    "S0-55": Requirement(
        "It stops when done.",
        "The last line of every verb carries data.",
    ),
    "S0-56": Requirement(
        "It is not wrapped in politeness.",
        "A search of all texts that a user may see.",
    ),
    "S0-57": Requirement(
        "It uses as few words as it can.",
        "A budget of words for each verb.",
    ),
    "S0-58": Requirement(
        "It explains nothing unasked.",
        "Details come only with an option.",
    ),
    "S0-59": Requirement(
        "It has no emoji but for the two published headlines.",
        "The output of every verb; the plain block has none.",
    ),
}
