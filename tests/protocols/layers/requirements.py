"""What the four layers were published to do, one row for each demand; tests carry the ids."""

from __future__ import annotations

from tests.requirements.manifest import Requirement

REQUIREMENTS: dict[str, Requirement] = {
    "S1-01": Requirement(
        "The layers are AGENTS.md, CHANGELOG.md, .memory/graph.md and .memory/context.md.",
        "Init makes the last three, finds the first, and a second time changes nothing.",
    ),
    "S1-02": Requirement(
        "The rules are read once, at boot.",
        "A process that boots, appends, asks and rebuilds opens AGENTS.md once.",
    ),
    "S1-03": Requirement(
        "Nothing writes AGENTS.md.",
        "Every verb is run, and the file's digest is the same.",
    ),
    "S1-04": Requirement(
        "The rules do not change during a session.",
        "An edit after boot is an error of validate and stops shutdown with nothing written.",
    ),
    "S1-05": Requirement(
        "The rules change between sessions, and count from the next boot.",
        "An edit between two sessions is in the second one's constraints, with no finding.",
    ),
    "S1-06": Requirement(
        "Do and Don't rules, naming, workflow and key files are read by their headings.",
        "Ten wordings of a heading; a sample without Do and Don't gives two warnings.",
    ),
    "S1-07": Requirement(
        "The log can be appended to; there is no edit, no delete, no reorder.",
        "No verb has such a name; after an append every old byte is there, in order.",
    ),
    "S1-08": Requirement(
        "Events stand in the order of their times.",
        "An append with an earlier time is stamped now, and that is said.",
    ),
    "S1-09": Requirement(
        "Every decision, change and result is an event; a shutdown says what has none.",
        "A changed file that no event of the session links is named in a warning; a linked one "
        "is not.",
    ),
    "S1-10": Requirement(
        "The log is for people and has a structure: read and written again it is the same bytes.",
        "The samples and odd logs, with both kinds of line ends, after several appends.",
    ),
    "S1-11": Requirement(
        "A heading is `## YYYY-MM-DD HH:MM — Title`; near forms are read with a warning.",
        "Four variants read, three of them with a warning; the written form to the byte.",
    ),
    "S1-12": Requirement(
        "The type is decision, change, result or milestone.",
        "Four are written, others refused with nothing written; another one read is kept, with a "
        "warning.",
    ),
    "S1-13": Requirement(
        "The scope is project, pack, skill or file.",
        "Four are written, others refused with nothing written; another one read is kept, with a "
        "warning.",
    ),
    "S1-14": Requirement(
        "What, Why, Impact and Next Steps follow as headings, in that order.",
        "One event to the byte; parts given in another order.",
    ),
    "S1-15": Requirement(
        "Code and comments hold no events, and no heading that looks like an event vanishes.",
        "3, 13, 1 and 106 events in the samples; undated, impossible and too deep ones are found "
        "fault with, by line.",
    ),
    "S1-16": Requirement(
        "What no event says did not happen: no view shows it.",
        "A node and a blocker written into the views by hand are in no answer, and gone "
        "when the views are made again.",
    ),
    "S1-17": Requirement(
        "One event is one unit of work.",
        "Two units in one call are two events.",
    ),
    "S1-18": Requirement(
        "An event links the files it concerns.",
        "Names with blanks, brackets and signs are links; once removed, each is found missing.",
    ),
    "S1-19": Requirement(
        "An event says why.",
        "Without it, by any door, it is refused and nothing is written.",
    ),
    "S1-20": Requirement(
        "The minute in a heading is in one zone, UTC unless it is set.",
        "Another zone in between changes the order of nothing; a zone that is none is an error.",
    ),
    "S1-21": Requirement(
        "The graph is made from the log and nothing else.",
        "Graph, context and the core's own store deleted, the graph made again: the same bytes.",
    ),
    "S1-22": Requirement(
        "A stale graph is made anew.",
        "An append, then a question: the answer is fresh though the file still waits.",
    ),
    "S1-23": Requirement(
        "The graph has nodes and edges.",
        "Every listed entity is a node, every relation an edge, in answers and in pictures.",
    ),
    "S1-24": Requirement(
        "The graph answers questions that are more than a look-up.",
        "By id, kind, status, members of a pack, what refers to it, neighbours, transitive "
        "dependence, shortest path and circles.",
    ),
    "S1-25": Requirement(
        "graph.md has the published headings.",
        "The golden file, and a log without events.",
    ),
    "S1-26": Requirement(
        "A skill's line has id, name, status and pack.",
        "The golden line.",
    ),
    "S1-27": Requirement(
        "A pack's line has id, name, completion and the number of its members.",
        "Three of four complete are 75% and 4; what an event claims does not count; which "
        "statuses are complete can be set.",
    ),
    "S1-28": Requirement(
        "A file's line has path, type and related entities.",
        "The golden line.",
    ),
    "S1-29": Requirement(
        "A relation's line names both ends.",
        "The golden line.",
    ),
    "S1-30": Requirement(
        "Entities and relations are read by the documented grammar; nothing is guessed.",
        "Prose adds no node but the files it links; each form of the grammar, and what is none.",
    ),
    "S1-31": Requirement(
        "The graph is made anew after a batch of events.",
        "With the fifth event since its horizon, or a milestone; the number can be set.",
    ),
    "S1-32": Requirement(
        "The graph is made anew when an answer would be stale.",
        "A question over a horizon that is behind is answered from the log, and says so.",
    ),
    "S1-33": Requirement(
        "The graph is made anew before work is planned.",
        "Boot does it.",
    ),
    "S1-34": Requirement(
        "The graph is made anew when work is handed on.",
        "A stale graph, a handoff: the file is fresh and the payload names what it has.",
    ),
    "S1-35": Requirement(
        "The same rules and log give the same views to the byte.",
        "Two clones, two days, two actors.",
    ),
    "S1-36": Requirement(
        "The context is derived from log and graph.",
        "Each of its lines repeats an event or a node.",
    ),
    "S1-37": Requirement(
        "Deleting the context loses nothing.",
        "Deleted and booted: the same bytes.",
    ),
    "S1-38": Requirement(
        "The context is made at every session start, and written only when it differs.",
        "Two boots without a further event: the same answer, the file untouched, git clean.",
    ),
    "S1-39": Requirement(
        "context.md has the published headings.",
        "The golden file, and a log without events.",
    ),
    "S1-40": Requirement(
        "The summary says what is being worked on.",
        "One paragraph: the newest decision or milestone, and the next open step.",
    ),
    "S1-41": Requirement(
        "Recent events are the last ten, newest first.",
        "Of 3, 7 and 30 events there are 3, 7 and 10 lines.",
    ),
    "S1-42": Requirement(
        "Active entities are those that recent events touched, as the graph has them.",
        "An older event's and a removed one are not among them.",
    ),
    "S1-43": Requirement(
        "Blockers are those that no later event resolves.",
        "Two blockers, each gone when resolved; none is said as none.",
    ),
    "S1-44": Requirement(
        "Next actions are the steps of recent events, newest first, without those that are done.",
        "Done by a line, by a tick and by a title; said again, a step is open again.",
    ),
    "S1-45": Requirement(
        "Data flows one way.",
        "Both views are edited and every verb is run: rules and log keep their digests, the "
        "edits are set aside and offered as events.",
    ),
    "S1-46": Requirement(
        "Boot reads the rules first.",
        "Without AGENTS.md it stops with code 4, one clear line, and makes nothing.",
    ),
    "S1-47": Requirement(
        "Whether a view is stale is told by a horizon in the file, not by file times.",
        "A fresh clone with equal times: fresh before, behind after another event is pulled.",
    ),
    "S1-48": Requirement(
        "What is stale or missing is regenerated at boot.",
        "A missing context, a missing graph, both, and both behind: afterwards the same bytes.",
    ),
    "S1-49": Requirement(
        "A view that is ahead of the log is stale.",
        "A published graph with a later horizon; a log that lost its last event.",
    ),
    "S1-50": Requirement(
        "Boot reports ready with constraints, trajectory and graph.",
        "One answer has all three, the context to the byte.",
    ),
    "S1-51": Requirement(
        "Constraints are listed at any time without the file.",
        "After boot the file is removed, and another process of the session still lists them.",
    ),
    "S1-52": Requirement(
        "Trajectory and relations are asked for without writing.",
        "Eleven reading verbs over a stale graph and an unseen event leave all digests and "
        "git status as they were.",
    ),
    "S1-53": Requirement(
        "Shutdown first appends events, one for each unit of work, each with what, why, impact "
        "and next steps.",
        "A shutdown with three units: three events with all four parts; drafts of the session "
        "are units too.",
    ),
    "S1-54": Requirement(
        "Materialising scans the events since the horizon.",
        "The result is that of scanning all of them, to the byte.",
    ),
    "S1-55": Requirement(
        "The later event decides a status.",
        "Two statuses: the later one is shown.",
    ),
    "S1-56": Requirement(
        "Materialising adds relations.",
        "A later event's edge is there beside the older one.",
    ),
    "S1-57": Requirement(
        "Materialising removes relations that a later event takes back.",
        "A struck line, a struck entity, another pack.",
    ),
    "S1-58": Requirement(
        "Shutdown then makes the context anew, with the present state, trajectory and next "
        "actions.",
        "The horizons of both views name the last event; a boot finds nothing stale.",
    ),
    "S1-59": Requirement(
        "Shutdown commits the log, the views, the core's log and the modified content files in "
        "one commit, and no other path; it can be left out.",
        "The files of the commit, listed; an unrelated untracked file stays untracked, a staged "
        "one staged; without the commit HEAD does not move.",
    ),
    "S1-60": Requirement(
        "Shutdown hands on, if there is somebody to hand on to, with recent events and active "
        "entities.",
        "A payload with a receiver, none without.",
    ),
    "S1-61": Requirement(
        "Nothing is retained: the next session boots afresh.",
        "No note of the session is left, and a new process boots to the same context from the "
        "files alone.",
    ),
    "S1-62": Requirement(
        "Shutdown runs in that order and goes on after an interruption.",
        "Killed before and after every call that changes something, stopped by a hook of git, "
        "and called again: the same end, no event twice; what stops it does so before the first "
        "write.",
    ),
    "S1-63": Requirement(
        "The four files are all there is.",
        "With the ledger deleted, boot gives the same graph and context and validate finds no "
        "error, whether git holds the log or not.",
    ),
    "S1-64": Requirement(
        "A lost log is lost: nothing brings it back by itself.",
        "A deleted CHANGELOG.md is reported and refused by every verb; an explicit restore "
        "gives its bytes.",
    ),
    "S1-65": Requirement(
        "A crash costs at most the unfinished event, and a boot works again.",
        "Agents killed with SIGKILL at random moments, two hundred of them in the long run: "
        "every boot succeeds, nothing acknowledged is gone.",
    ),
    "S1-66": Requirement(
        "Git shows what happened: text, a stable order, small differences.",
        "One event appended: git's difference is its lines and no others.",
    ),
    "S1-67": Requirement(
        "Agents that run at the same time do not conflict.",
        "Eight processes append fifty events each: four hundred whole events, each writer's in "
        "its order.",
    ),
    "S1-68": Requirement(
        "An event is written whole or not at all.",
        "A write cut short anywhere is never an event, for readers during the write and after a "
        "crash.",
    ),
    "S1-69": Requirement(
        "The views fit the log, or are called stale.",
        "After each of ten steps validate says stale exactly where the bytes differ.",
    ),
    "S1-70": Requirement(
        "What an agent has not finished is not visible to another.",
        "Drafts are in no tracked file and absent from another session's boot and shutdown.",
    ),
    "S1-71": Requirement(
        "An append that was confirmed survives a crash.",
        "The file is synced with the event in it before the append returns.",
    ),
    "S1-72": Requirement(
        "The handoff payload has the objects handoff, state and files.",
        "The file's keys, in order.",
    ),
    "S1-73": Requirement(
        "handoff holds from, to, timestamp and reason.",
        "The four values, the time in ISO 8601.",
    ),
    "S1-74": Requirement(
        "The reason is session timeout, task complete or escalation.",
        "Each is taken; any other is refused and nothing is written.",
    ),
    "S1-75": Requirement(
        "state.recent_events holds the last five events.",
        "Of three events three, of nine five, the newest first.",
    ),
    "S1-76": Requirement(
        "state.active_entities, blockers and next_actions repeat the context's.",
        "Each list equals its part of context.md; where that says none, the list is empty.",
    ),
    "S1-77": Requirement(
        "files.modified lists the changed files, committed the commit, and changelog_updated is "
        "true only if this session appended.",
        "Changed, linked and already committed files; HEAD; four cases of who appended.",
    ),
    "S1-78": Requirement(
        "A handoff follows work that is complete, appended, regenerated and committed.",
        "A payload before the commit, or with drafts left, is refused; after it, it is made.",
    ),
    "S1-79": Requirement(
        "The next agent boots, reads the payload and the context, and goes on; a handoff is "
        "consumed once.",
        "Its receiver gets it; another agent is refused, and a second call names who consumed it.",
    ),
    "S1-80": Requirement(
        "Events stand in the order of their times.",
        "Two swapped ones are an error that names both; where a merge explains it, a note.",
    ),
    "S1-81": Requirement(
        "Old entries are not edited.",
        "One character changed, against the log and against git alone: an error with the old text.",
    ),
    "S1-82": Requirement(
        "Every entry has a time.",
        "A heading without a date, with a date there is not, or in another form: an error at "
        "its line.",
    ),
    "S1-83": Requirement(
        "Every entry has a type.",
        "Without one: an error; another word: a warning.",
    ),
    "S1-84": Requirement(
        "Links lead to real files.",
        "A path that never was is an error, one that git knows of a warning.",
    ),
    "S1-85": Requirement(
        "Every entity of the graph is in the log.",
        "A node added by hand is an error at its line.",
    ),
    "S1-86": Requirement(
        "Every relation is valid.",
        "A missing end, an unknown kind, and one that no event states: errors.",
    ),
    "S1-87": Requirement(
        "No entity is orphaned.",
        "One that a later event took back; those of a sample that no line defines.",
    ),
    "S1-88": Requirement(
        "Statuses are the log's.",
        "An altered status is an error that names the skill.",
    ),
    "S1-89": Requirement(
        "The context is made from the fresh log and graph.",
        "After an append its old horizon is an error until boot.",
    ),
    "S1-90": Requirement(
        "The recent events are the log's.",
        "A line altered, left out, or out of place: an error.",
    ),
    "S1-91": Requirement(
        "Active entities are in the graph.",
        "One that is not is an error.",
    ),
    "S1-92": Requirement(
        "Next actions are clear.",
        "None, or a placeholder: a warning; a real step: nothing.",
    ),
    "S1-93": Requirement(
        "One command says where we are.",
        "Over a ruined context.md it makes the file from the log.",
    ),
    "S1-94": Requirement(
        "One command says whether the graph is stale, and makes it again.",
        "The verdict, then the file; the second time neither.",
    ),
    "S1-95": Requirement(
        "One command searches the graph, then the log.",
        "A word of both, a word of the log alone with its line, and one of neither.",
    ),
    "S1-96": Requirement(
        "Of two agents the later event wins, and both stay.",
        "Two statuses of one skill: the second is shown, both events are found.",
    ),
    "S1-97": Requirement(
        "One command rebuilds both views from the log.",
        "Ruined views have their old bytes again.",
    ),
    "S1-98": Requirement(
        "The section for AGENTS.md is printed, never written.",
        "The text, the unchanged digest, the warning without it, and none with it.",
    ),
}
