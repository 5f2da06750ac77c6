"""What scoped memory was published to do, one row for each demand; tests carry the ids."""

from __future__ import annotations

from tests.requirements.manifest import Requirement

REQUIREMENTS: dict[str, Requirement] = {
    "S2-01": Requirement(
        "A session's memory lies in memory/sessions/<id>.json and is for that session alone.",
        "The file is there while it runs; another session is refused, and finds nothing of it.",
    ),
    "S2-02": Requirement(
        "A project's memory lies in memory/projects/<id>/memory.json and lasts.",
        "The path; a ledger opened again reads the same entries.",
    ),
    "S2-03": Requirement(
        "Global memory lies in memory/global/memory.json and is every project's.",
        "Two projects of one home read the entry one of them wrote.",
    ),
    "S2-04": Requirement(
        "A team's memory lies in memory/teams/<id>/memory.json and is shared by its members.",
        "Two clones, one writes and pushes, the other pulls and reads; a folder of its own works "
        "for two projects.",
    ),
    "S2-05": Requirement(
        "A session notes tools used, files edited and decisions.",
        "One of each kind is noted and listed with its kind.",
    ),
    "S2-06": Requirement(
        "A session's file goes when the session ends, after its learnings were proposed; what a "
        "crashed session learned is offered before its file goes.",
        "No file after the end; after a crash the next start lists the proposals first.",
    ),
    "S2-07": Requirement(
        "A project's memory changes by explicit writes only.",
        "A whole session without a write leaves the entries equal.",
    ),
    "S2-08": Requirement(
        "Global entries are rare and sure: below 0.9 they are refused unless forced, and the "
        "threshold can be set.",
        "0.8 is refused; forced it is stored and marked; with the threshold at 0.7 it is taken.",
    ),
    "S2-09": Requirement(
        "Any member of a team writes its memory, and the record keeps who it was.",
        "Two actors write; both entries stand, each with its writer's name.",
    ),
    "S2-10": Requirement(
        'A memory file is {"version": "1.0", "entries": [...]} and nothing else.',
        "The keys of all four kinds of files.",
    ),
    "S2-11": Requirement(
        "An entry has exactly the six published keys, in their order; keys a person adds survive.",
        "The key list; an unknown key written by hand is there after the next write.",
    ),
    "S2-12": Requirement(
        "Ids are mem-NNN, counting up in each file, and never used again.",
        "The fifteenth write is mem-015; with that forgotten the next is mem-016.",
    ),
    "S2-13": Requirement(
        "A type is decision, convention, pattern or preference.",
        "Another is refused and nothing is written.",
    ),
    "S2-14": Requirement("A content is text that says something.", "Blank texts are refused."),
    "S2-15": Requirement(
        "A confidence is a number from 0 to 1.", "-0.1 and 1.1 are refused, 0 and 1 are taken."
    ),
    "S2-16": Requirement("created_at is ISO 8601 in UTC with Z.", "The form of the written text."),
    "S2-17": Requirement(
        "accessed_count counts reading and injecting, not being found by a search.",
        "A read and an injection add one each, a search none.",
    ),
    "S2-18": Requirement(
        "A read prints a project's entries of one type, and global's and a team's.",
        "The three scopes with and without the filter.",
    ),
    "S2-19": Requirement(
        "A write stores one entry with what it was given and prints the id.",
        "The entry equals the arguments; the default confidence is in the help.",
    ),
    "S2-20": Requirement(
        "A search goes through one scope, or all; project means the current one.",
        "Hits from the asked scope only; from all without one.",
    ),
    "S2-21": Requirement(
        "A search is for words of the content, several, in any case.",
        "ZOD validation finds the entry; a word it lacks does not.",
    ),
    "S2-22": Requirement(
        "Forgetting by number means the current project; a number of several projects is refused "
        "with the list.",
        "Two projects with mem-001: refused, both named; with the project it works.",
    ),
    "S2-23": Requirement(
        "A forgotten entry leaves reading, search, ranking, injection and the file, and comes back "
        "as it was, with its reason shown.",
        "All five places before and after; the restored entry equals the old one.",
    ),
    "S2-24": Requirement("Forgetting needs a reason and keeps it.", "None and blank are refused."),
    "S2-25": Requirement(
        "Init makes the folders and can be repeated.",
        "The second run makes nothing and leaves every file as it is.",
    ),
    "S2-26": Requirement(
        "Ranking prints entries by score, best first.", "The order of the scores by formula."
    ),
    "S2-27": Requirement(
        "The commands exist under their published names, with and without .sh.",
        "The four published lines run as they are printed.",
    ),
    "S2-28": Requirement(
        "A session starts with the project's and the team's memory.",
        "Both scopes are named as loaded, entries of both are in the block.",
    ),
    "S2-29": Requirement("The ten best entries are injected.", "Of fourteen the ten best."),
    "S2-30": Requirement(
        "A global entry joins where no nearer one speaks of the same.",
        "Shadowed it is absent, alone it is there.",
    ),
    "S2-31": Requirement(
        "A prompt file gets the block between markers when asked, and only then.",
        "No session writes to it; asked twice there is one block and the same bytes.",
    ),
    "S2-32": Requirement(
        "Before a task its memory is searched and the hits are injected.",
        "The task to validate input is told of Zod and of nothing else.",
    ),
    "S2-33": Requirement(
        "After a task its learnings are extracted.", "Marked and phrased ones are listed."
    ),
    "S2-34": Requirement(
        "Learnings are proposed, not stored.", "No entry before the approval, one after."
    ),
    "S2-35": Requirement(
        "What is approved is stored, what is rejected never proposed again.",
        "Approve one, reject one, run again: nothing is proposed.",
    ),
    "S2-36": Requirement(
        "Relevance is 0.4 confidence + 0.3 recency + 0.3 access frequency.",
        "A table computed by hand, to 1e-9.",
    ),
    "S2-37": Requirement(
        "Recency halves every thirty days, frequency is n/(n+10).",
        "Ages 0, 30, 60 give 1, .5, .25; counts 0, 10 give 0, .5; both can be set.",
    ),
    "S2-38": Requirement("The higher ranked is injected first.", "The order in the block."),
    "S2-39": Requirement(
        "A block keeps to its budget of tokens; what does not fit is left out whole and named.",
        "Small budgets: fewer entries, whole texts, the rest reported; 2000 by default.",
    ),
    "S2-40": Requirement(
        "Two entries of a scope that contradict each other are shown.", "Both are listed."
    ),
    "S2-41": Requirement(
        "The user settles a conflict by keep, merge or delete; nothing settles itself.",
        "The three ways, and unsettled it stays listed.",
    ),
    "S2-42": Requirement(
        "Overlapping words with another value mark a conflict; the rule can be replaced.",
        "Zod and Yup for validation conflict, unrelated entries do not; another rule decides "
        "otherwise.",
    ),
    "S2-43": Requirement("Project stands before global.", "Both there: the project's is told."),
    "S2-44": Requirement("Team stands before project.", "Both there: the team's is told."),
    "S2-45": Requirement(
        "An override can be explicit: it links the global entry and silences it without a notice.",
        "With the flag no notice and a link, without it a notice; the same one is told.",
    ),
    "S2-46": Requirement(
        "Memory is files, without a database or service.",
        "A plain folder without git works; deleting what is derived loses nothing.",
    ),
    "S2-47": Requirement(
        "Files suit version control: order, indent, final newline, one entry per change.",
        "The diff of one write adds one entry.",
    ),
    "S2-48": Requirement(
        "A session reports how much memory it was given, and keeps to 5000 tokens.",
        "The sum in the report at its end; the default room shrinks as it is used.",
    ),
    "S2-49": Requirement("Stale entries can be found.", "By age, and by the last access."),
    "S2-50": Requirement(
        "Memory can be curated: reviewed, merged, forgotten, restored.", "Each verb does it."
    ),
    "S2-51": Requirement(
        "Rule: the project's memory is read at the start.",
        "A session at work without it is a finding; started, it is none.",
    ),
    "S2-52": Requirement(
        "Rule: decisions of a session become proposals at its end.",
        "One decision noted: one proposal; tools and edits give none.",
    ),
    "S2-53": Requirement(
        "A memory file is valid JSON at every instant.",
        "A reader polls while many processes write.",
    ),
    "S2-54": Requirement("The four folders exist after init.", "The listing."),
    "S2-55": Requirement(
        "Worked example: Zod (0.95) comes before functional components (0.85).", "Replayed."
    ),
    "S2-56": Requirement("Worked example: a check on validation returns Zod.", "Replayed."),
    "S2-57": Requirement(
        "Worked example: a learning is proposed, approved and stored as mem-015.",
        "Replayed with fourteen entries before.",
    ),
    "S2-58": Requirement(
        "A task's output_data can be a source of learnings.", "JSON in, proposals out."
    ),
    "S2-59": Requirement(
        "Writers of several processes share the files without loss.",
        "All entries of all writers, under numbers of their own.",
    ),
    "S2-60": Requirement(
        "Mistakes and successes are remembered for later sessions.",
        "What failed and what worked is told before the next session's task.",
    ),
}
