"""Families of ordinary sentences: constraints, disagreements, acceptance and won debates.

Each family has near misses: sentences with similar words that must not be found.
"""

from __future__ import annotations

from tests.tables import each_row
from varves.protocols.party.findings import detect
from varves.protocols.party.talk import Bond, PartyTalk, TalkFinding, Turn

PROPOSED = "We should move the photos to tape and buy a second robot."

CONSTRAINTS = (
    "The warehouse scanners only speak Bluetooth 4.",
    "Our lease doesn't let us put anything on the roof.",
    "Mia's insurance requires two people on every ladder job.",
    "Deutsche Post caps parcels at 31.5 kg.",
    "The bakery opens its gate at five, so nothing can be delivered before that.",
    "We aren't allowed to contact customers by SMS.",
    "We don't have a license for the Windows build.",
    "It has to work without JavaScript.",
    "The app must run on Android 9.",
    "The school's network blocks port 22.",
    "The bank's API is only reachable over VPN.",
    "The printer can't do more than two colours.",
    "Note that the venue has only one power circuit.",
    "Our agreement with the city prohibits deliveries after ten.",
    "The regulator expects an audit trail for every change.",
    "There's only one loading dock.",
    "The freezer holds 200 boxes at most.",
    "We have to file the numbers by the 15th of each month.",
    "The vendor dropped support for Python 3.8.",
    "The old scale has no network port.",
    "Our SMTP relay refuses attachments over 10 MB.",
    "The data must stay in Switzerland.",
    "Everything we store has to be encrypted at rest.",
    "Volunteers under 18 may not operate the forklift.",
    "The tender requires WCAG AA.",
    "The library is GPL, so we can't ship it in the app.",
    "Staging has no GPU.",
    "Our budget for this is 4,000 euros.",
    "Only the treasurer can sign contracts above 500 euros.",
    "Without a permit we cannot play music outdoors.",
    "The controller has 64 KB of RAM.",
    "Nobody has root on the build machines.",
    "The customer's proxy strips the Authorization header.",
    "Sick notes have to be kept for five years.",
    "Photos of pupils may not be published without consent.",
    "Their SOAP endpoint requires client certificates.",
    "Postgres on that host is version 11, so there is no MERGE.",
    "Our contract with Hetzner doesn't allow mining.",
    "The fire code limits the room to 80 people.",
    "We lack write access to the legacy database.",
)
NO_CONSTRAINTS = (
    "The scanners only cost 40 euros.",
    "Our lease is in the drawer.",
    "We don't have to do this today.",
    "It has to be said that Otto worked hard.",
    "It must be lunch time.",
    "The app must be broken again.",
    "You can't be serious.",
    "We can't thank you enough.",
    "Nothing beats a good test.",
    "The customer's firewall looks fine.",
    "We don't have time for that now.",
    "The network was down yesterday.",
    "Our contract with Acme is nice.",
    "The proxy might strip the header.",
    "Should the data stay in Switzerland?",
    "If the vendor dropped support, we would know.",
    "It must have been the cache.",
    "The requirement is not clear to me.",
    "We have only just begun.",
    "There's only one way to find out.",
    "We can only hope that it works.",
    "The room holds a nice surprise.",
    "We need to talk about the budget.",
    "The tender requires a lot of patience.",
    "I can't find the permit.",
    "It's limited to what Mira said.",
    "No one knows the answer.",
    "We cannot wait to see it.",
    "The museum blocks the view.",
    "We can't hear Tom, because his microphone is off.",
    "We must hurry because the shop closes at six.",
    "Note that I'm on holiday next week.",
    "The docs say nothing about that.",
    "The contract forbids that.",
    "The rule of thumb is to keep it short.",
    "The customer blocked us on LinkedIn once.",
    "It has to work out somehow.",
    "It must run in the family.",
    "We don't have a clue about the sandbox.",
    "We don't have access to the room yet because Tom is late.",
)
DISAGREEMENTS = (
    "I'm against Mira's proposal.",
    "I don't think Mira is right about the tape.",
    "I'm not convinced by Mira's numbers.",
    "Sorry Mira, but that doesn't hold.",
    "I can't support Mira's plan.",
    "Mira's idea won't work here.",
    "I see that differently than Mira.",
    "I'm not with Mira on this.",
    "Mira is mistaken about the cost.",
    "I wouldn't go with Mira's suggestion.",
    "I have doubts about Mira's plan.",
    "Mira, I don't buy that.",
    "I'm opposed to what Mira proposes.",
    "Mira overlooks the restore time.",
    "That's not how tape works, Mira.",
    "I'd vote against Mira's proposal.",
    "I don't share Mira's view.",
    "I can't agree with Mira here.",
    "I doubt Mira's estimate.",
    "Contrary to Mira, I think disks are cheaper.",
    "Mira's argument doesn't convince me.",
    "Mira got the numbers wrong.",
    "I don't like Mira's proposal.",
    "I'm not a fan of Mira's idea.",
    "I don't think that's right, Mira.",
    "Mira's reasoning is flawed.",
    "I reject Mira's proposal.",
    "I'm not sold on Mira's approach.",
    "I strongly object, Mira.",
    "I have to disagree with Mira.",
    "Mira is wrong on this one.",
    "That argument doesn't hold water, Mira.",
    "I'm sceptical of Mira's plan.",
    "I wouldn't do what Mira suggests.",
    "I don't believe Mira's numbers.",
    "My view is the opposite of Mira's.",
    "Mira's plan is too risky.",
    "Mira's proposal makes no sense to me.",
    "I don't follow Mira's logic.",
)
NO_DISAGREEMENTS = (
    "I'm not against Mira's proposal.",
    "Is Mira right about the tape?",
    "I don't think Mira is here today.",
    "I'm not convinced Mira got the mail.",
    "Pia is against Mira's proposal.",
    "I was against Mira's proposal last year.",
    "If Mira is wrong, we lose a day.",
    "I don't know Mira's numbers.",
    "I can't find Mira's plan.",
    "Why don't you think Mira is right?",
    "I don't think Mira is wrong.",
    "Nobody said Mira is wrong.",
    "I have a question about Mira's plan.",
    "I have no doubts about Mira's plan.",
    "Mira doesn't like the tape.",
    "I can't support Mira's team on Sunday.",
    "Sorry Mira, I was on mute.",
    "Mira's idea won't cost much.",
    "I'm against the wall next to Mira.",
    "Mira, I don't have the file.",
    "I doubt that Mira is in the office.",
    "I don't like Mira's chair.",
    "I don't see Mira.",
    "Somebody might object to Mira's plan.",
    "I would be against Mira's plan if it cost more.",
    "Maybe Mira is wrong.",
    '"I disagree with Mira", he said.',
    "I'm not sure whether Mira is right.",
    "Mira's plan is not too risky.",
    "Mira's machine doesn't work.",
    "I'm opposed to nothing that Mira says.",
    "It's wrong to blame Mira.",
    "Mira was wrong about the weather yesterday.",
    "Mira got the wrong bus.",
    "I don't follow Mira on Twitter.",
    "Mira's view from the window is blocked.",
    "Let's not vote against Mira's proposal yet.",
    "Do you disagree with Mira?",
    "I couldn't agree more with Mira.",
    "Mira's numbers arrived late.",
)
ACCEPTS = (
    "Makes sense.",
    "Agreed.",
    "Yes, let's.",
    "Fine with me.",
    "I'm happy with that.",
    "Good plan.",
    "Mira is right.",
    "No objections.",
    "Let's do that.",
    "Works for me.",
    "Sure, go ahead.",
    "OK, I'm in.",
    "I agree with Mira.",
    "Perfect, do it.",
    "I like it.",
    "Sounds right to me.",
    "You have my vote.",
    "I second that.",
    "Yes.",
    "Okay, fine.",
    "Absolutely, the robot would save us a lot of time.",
    "Yes, because the disks are old.",
    "I'm on board with the plan.",
    "All right, deal.",
    "I support Mira's proposal.",
    "That works.",
    "I can live with that.",
    "Convinced.",
    "I agree with both.",
    "Mira is right about both points.",
    "Agreed on both counts.",
    "Yes to all of it.",
    "Count me in.",
    "+1",
    "Great idea, let's do it.",
    "Then let's go with Mira's proposal.",
    "Exactly, the shelves are full anyway.",
    "I have nothing against it.",
    "Approved.",
    "Fair enough, go ahead.",
)
DOES_NOT_ACCEPT = (
    "Mira is right about the photos, but the robot is too expensive.",
    "I think Mira is right about the photos.",
    "I agree with Mira on the tape.",
    "Yes to the tape, no to the robot.",
    "The tape part makes sense.",
    "I agree with the first half.",
    "Agreed, except for the robot.",
    "Good idea, but not this year.",
    "I like the robot.",
    "Makes sense for the photos.",
    "I agree in part.",
    "Let me think about it.",
    "Which robot?",
    "I agree that the disks are old.",
    "Fine with me, if the price is right.",
    "Maybe.",
    "Sounds good, but who pays?",
    "I agree that we need more space.",
    "Mira is right that the disks are full.",
    "The photos yes, the robot no.",
    "Agreed on the photos.",
    "OK for the photos; the second robot has to wait.",
    "I'm fine with moving the photos. The robot I don't want.",
    "Good point about the photos.",
    "Mira has a point about the robot.",
    "I'd agree without the robot.",
    "Let's only do the first part.",
    "Half of it is fine with me.",
    "Yes, let's talk about it tomorrow.",
    "Let's do the photos first.",
    "I agree with Mira's numbers.",
    "You're right, the disks are old, but tape is slow.",
    "Thanks, Mira.",
    "Understood.",
    "I agree, but only the photos.",
    "I'm not sure yet.",
    "Not until we have the money.",
    "The robot sounds good to me.",
    "Agreed, with one change: one robot is enough.",
    "I could agree to the tape.",
)
WON = (
    (
        "mira",
        "Let's put the menus on the tablet.",
        "I'd keep them on paper, tablets break.",
        "Paper menus are out of date after a week, because the kitchen changes the fish daily.",
        "Fair point, go ahead.",
    ),
    (
        "otto",
        "We should write the report in LaTeX.",
        "No, nobody here knows LaTeX and the interns have to edit it.",
        "Hmm, that's true. OK, Word it is.",
    ),
    (
        "mira",
        "I propose paper tickets.",
        "QR codes are quicker.",
        "QR codes fail in the cellar, and the bar has no reception.",
        "True. I take it back.",
    ),
    (
        "mira",
        "We could buy the van.",
        "Renting is cheaper.",
        "Renting costs 900 a month, and we drive every day.",
        "OK, you convinced me.",
    ),
    (
        "mira",
        "Let's use SQLite for the kiosk.",
        "SQLite can't handle concurrent writers.",
        "There is only one writer, the sync job.",
        "Right, I forgot that. Fine.",
    ),
    (
        "otto",
        "Let's close on Sundays.",
        "Sunday brings a fifth of the revenue, so closing would cost us 2,000 a month.",
        "I didn't know that. Then we stay open.",
    ),
    (
        "mira",
        "We should hire a second cook.",
        "I don't think we need one.",
        "The queue was 40 minutes on Saturday, because one cook can't do grill and fryer.",
        "OK, I give in.",
    ),
    (
        "mira",
        "How about glass bottles?",
        "Glass is too heavy.",
        "Glass can be reused thirty times, plastic only once.",
        "Point taken, glass then.",
    ),
    (
        "otto",
        "Let's cache the prices for a day.",
        "Prices change hourly, so a day is too long.",
        "You're right, an hour then.",
    ),
    (
        "mira",
        "I'd go with Vue.",
        "I'd rather use React.",
        "Half the team already knows Vue, because the intranet is written in it.",
        "Good argument, Vue it is.",
    ),
    (
        "mira",
        "We should encrypt the backups.",
        "That slows down restores.",
        "The restore took 4 minutes longer in my test, and the disks leave the building.",
        "That's acceptable. I withdraw my objection.",
    ),
    (
        "otto",
        "Let's move the meeting to Friday.",
        "Friday is bad, half the team is off.",
        "Oh, true. Let's keep Thursday then.",
    ),
    (
        "mira",
        "We should let customers pay by invoice.",
        "Too risky, invoices get ignored.",
        "Only 2% were late last year, since we send reminders.",
        "Fine, I stand corrected.",
    ),
    (
        "otto",
        "Let's print in colour.",
        "Colour costs three times as much.",
        "Hm, I see. Black and white then.",
    ),
    (
        "otto",
        "Let's drop the mobile app.",
        "No, 60% of the orders come through it.",
        "I see your point, let's keep it.",
    ),
    (
        "mira",
        "We should use the big hall.",
        "The small hall is enough.",
        "140 people signed up and the small hall seats 90.",
        "OK then, the big hall.",
    ),
    (
        "mira",
        "We should store the photos in the database.",
        "Files are simpler.",
        "Files get out of sync with the rows, which happened twice last month.",
        "That makes sense, agreed.",
    ),
    (
        "otto",
        "We should move to the cloud.",
        "Our data may not leave the house, because the contract says so.",
        "Right, that rules it out.",
    ),
    (
        "mira",
        "Let's plant oaks.",
        "Oaks take eighty years.",
        "They survive the drought, while the spruces died within two summers.",
        "Alright, oaks.",
    ),
    (
        "otto",
        "Let's retry ten times.",
        "Ten retries hammer the gateway and they block us after five.",
        "Good catch. Three then.",
    ),
    (
        "mira",
        "Let's raise the price.",
        "I'm against it.",
        "The flour costs 30% more, so we lose money on each loaf.",
        "I can't argue with that.",
    ),
    (
        "mira",
        "We should test on real devices.",
        "The emulator is enough.",
        "The emulator has no camera, so the scan is never tested.",
        "Okay, I'm convinced.",
    ),
    (
        "mira",
        "Let's split the service.",
        "I don't like that.",
        "One crash takes down billing too, because they share the process.",
        "Okay, let's split it.",
    ),
    (
        "mira",
        "I suggest we sort by date.",
        "By name is better.",
        "Nobody remembers the names, people look for the last invoice.",
        "Touché.",
    ),
    (
        "otto",
        "We should send the newsletter at 8.",
        "At noon more people open it: 34% instead of 21%.",
        "Those are clear numbers. Noon then.",
    ),
    (
        "otto",
        "Let's build our own login.",
        "Keycloak does all that and is audited.",
        "You've got a point. Keycloak then.",
    ),
    (
        "otto",
        "We should use the red paint.",
        "Red fades in the sun within a year.",
        "I hadn't thought of that. Blue is fine.",
    ),
    (
        "mira",
        "Let's go by train.",
        "Driving is faster.",
        "With the road works it takes five hours by car.",
        "OK, train.",
    ),
    (
        "mira",
        "Let's keep the monolith.",
        "We should split it.",
        "We are three people, so ten services would eat all our time.",
        "I concede.",
    ),
    ("otto", "Let's add a captcha.", "Captchas lock out blind users.", "Good point, no captcha."),
    (
        "otto",
        "Let's do the migration at night.",
        "At night nobody can help if it fails.",
        "Fair enough, Saturday morning then.",
    ),
    (
        "mira",
        "We should use UUIDs.",
        "Integers are smaller.",
        "Two offices create records offline, so integers would collide.",
        "Ah, of course. UUIDs then.",
    ),
    (
        "otto",
        "We should ask for the phone number.",
        "Every extra field costs us 5% of the sign-ups.",
        "OK, leave it out.",
    ),
    (
        "mira",
        "Let's use feature flags.",
        "Branches are enough.",
        "Branches diverged for three weeks last time and the merge took two days.",
        "I remember. Let's use flags.",
    ),
    (
        "otto",
        "Let's skip the code review for small fixes.",
        "The last outage came from a one-line fix.",
        "I take that back, then.",
    ),
    (
        "mira",
        "We should buy used servers.",
        "Used ones fail earlier.",
        "They come with a three-year warranty, so a failure costs nothing.",
        "All right, I'm fine with used ones.",
    ),
    ("otto", "Let's use email for alerts.", "Nobody reads email at night.", "Right. SMS then."),
    (
        "otto",
        "Let's run the tests in parallel.",
        "They share one database and would step on each other.",
        "Indeed, I withdraw the proposal.",
    ),
)
NOT_WON = (
    (
        "Let's go by train.",
        "Driving is faster.",
        "Trains have wifi on board nowadays.",
        "I still prefer the car.",
    ),
    ("Let's go by train.", "Which one?", "The eight o'clock.", "OK."),
    ("Let's close on Sundays.", "Fine."),
    (
        "We should use the big hall.",
        "The small one is enough.",
        "The list has 140 people on it.",
        "Fair point, but we have no chairs for them.",
    ),
    ("Let's print in colour.", "Colour costs more.", "The logo is red.", "Let's decide tomorrow."),
    (
        "Good morning.",
        "It's not a good morning.",
        "It is, the sun is out everywhere.",
        "Fair point.",
    ),
    ("We should test on real devices.", "The emulator is enough.", "No.", "OK."),
    (
        "Let's plant oaks.",
        "Oaks take eighty years.",
        "They survive the drought much better.",
        "True, but we'll be dead.",
    ),
    (
        "Let's raise the price.",
        "I'm against it.",
        "The flour costs 30% more.",
        "I see. I'm still against it.",
    ),
    (
        "Let's split the service.",
        "I don't like that.",
        "One crash takes down billing.",
        "You're right about billing. But splitting costs a month.",
    ),
    ("Let's use UUIDs.", "Integers are smaller.", "Two offices create records.", "Are you sure?"),
    ("We could buy the van.", "Renting is cheaper.", "Are you certain?", "Yes, I checked."),
    ("Let's add a captcha.", "Captchas lock out blind users.", "Only the old ones do that."),
    ("Let's add a captcha.", "Good idea."),
    ("The van is red.", "No, it is blue.", "It looks red to me.", "OK, you're right."),
    ("What about lunch?", "I had lunch already.", "So did I, at the new place.", "True."),
    ("Let's drop the mobile app.", "No, most orders come through it.", "Hmm."),
    (
        "Let's drop the mobile app.",
        "No, most orders come through it.",
        "I see what you mean, but it costs too much.",
    ),
    ("Let's cache the prices.", "They change hourly.", "How often exactly?", "Every hour."),
    (
        "We should hire a second cook.",
        "I don't think we need one.",
        "The queue was long on Saturday.",
        "I concede nothing.",
    ),
    ("Let's move the meeting.", "Friday is bad.", "Monday then?", "Monday is bad too."),
    ("We should encrypt the backups.", "That slows down restores.", "Yes, a little bit.", "So no."),
    (
        "Let's use feature flags.",
        "Branches are enough.",
        "Branches diverged for three weeks.",
        "Maybe you're right.",
    ),
    (
        "Let's use feature flags.",
        "Branches are enough.",
        "Branches diverged for three weeks.",
        "Would you be convinced by a test?",
    ),
    (
        "Let's keep the monolith.",
        "We should split it.",
        "We are only three people.",
        "If I concede, will you stop?",
    ),
    (
        "Let's keep the monolith.",
        "We should split it.",
        "We are only three people.",
        "Ben says you're right.",
    ),
    (
        "I propose paper tickets.",
        "QR codes are quicker.",
        "QR codes fail in the cellar.",
        "Let me check that first.",
    ),
    (
        "I propose paper tickets.",
        "QR codes are quicker.",
        "QR codes fail in the cellar.",
        "Okay, but only in the cellar.",
    ),
    (
        "I'd go with Vue.",
        "I'd rather use React.",
        "The team knows Vue.",
        "Let's agree to disagree.",
    ),
    (
        "I'd go with Vue.",
        "I'd rather use React.",
        "The team knows Vue.",
        "The team also knows React, so that is no argument.",
    ),
    (
        "Let's use email.",
        "Nobody reads email.",
        "I read it every morning.",
        "You are the only one.",
    ),
    ("Let's retry ten times.", "They block us after five.", "Who told you that?", "Their support."),
    ("Let's paint it red.", "Red fades.", "Not the new paint they sell.", "I doubt that."),
    (
        "Let's run the tests in parallel.",
        "They share one database.",
        "We can give each its own.",
        "That takes a week.",
    ),
    (
        "We should store photos in the database.",
        "Files are simpler.",
        "Files get out of sync.",
        "Partly true.",
    ),
    (
        "We should buy used servers.",
        "Used ones fail earlier.",
        "They have a warranty.",
        "Good point, though I'd still buy new ones.",
    ),
    (
        "Let's sort by date.",
        "By name is better.",
        "Nobody remembers names.",
        "Good point about names, but I want both.",
    ),
    (
        "Let's go by train.",
        "Driving is faster.",
        "Not with the road works.",
        "Okay, I'll look it up.",
    ),
    (
        "Let's build our own login.",
        "Keycloak does that.",
        "Keycloak is heavy and slow to start.",
        "Not any more.",
    ),
    (
        "We should ask for the phone number.",
        "Every field costs sign-ups.",
        "Not that many of them.",
        "OK, show me the numbers.",
    ),
)


def found(*turns: tuple[str, str]) -> list[TalkFinding | Bond]:
    """Return what the rules find in a talk of three agents."""
    said = tuple(
        Turn(event=f"e{number}", number=number, agent=agent, text=text)
        for number, (agent, text) in enumerate(turns, 1)
    )
    agents = dict.fromkeys(agent for agent, _ in turns) | {"mira": None, "otto": None}
    return detect(PartyTalk(session="s", agents={one: one for one in agents}, turns=said))


def kept(*turns: tuple[str, str]) -> list[TalkFinding]:
    """Return the memories that the rules find in a talk."""
    return [one for one in found(*turns) if isinstance(one, TalkFinding)]


@each_row("text", CONSTRAINTS)
def test_a_limit_of_the_project_is_a_constraint(text):
    assert ("context", 1.0) in [(one.type, one.confidence) for one in kept(("otto", text))]


@each_row("text", NO_CONSTRAINTS)
def test_what_limits_nothing_is_not_kept(text):
    assert kept(("otto", text), ("mira", "What time is it?")) == []


def disagreed(text):
    """Return with whom otto disagrees in a text."""
    bonds = found(("mira", "The photos belong on tape."), ("otto", text), ("pia", "Hello."))
    told = [one for one in bonds if isinstance(one, Bond) and one.relation == "disagrees_with"]
    return [(one.agent, one.other) for one in told]


@each_row("text", DISAGREEMENTS)
def test_who_rejects_what_somebody_stands_for_disagrees(text):
    assert disagreed(text) == [("otto", "mira")]


@each_row("text", NO_DISAGREEMENTS)
def test_who_only_mentions_somebody_does_not_disagree(text):
    assert disagreed(text) == []


def decisions(text):
    """Return who keeps a decision after a proposal was answered."""
    found = kept(("mira", PROPOSED), ("otto", text))
    return [one.agent for one in found if one.type == "decision"]


@each_row("text", ACCEPTS)
def test_an_answer_in_favour_of_the_whole_accepts_a_proposal(text):
    assert {"mira", "otto"} <= {*decisions(text)}


@each_row("text", DOES_NOT_ACCEPT)
def test_an_answer_in_part_or_with_a_reservation_accepts_nothing(text):
    assert decisions(text) == []


def observed(turns):
    """Return who keeps an observation after mira and otto spoke in turn."""
    talk = [(("mira", "otto")[place % 2], text) for place, text in enumerate(turns)]
    return [one.agent for one in kept(*talk) if one.type == "observation"]


@each_row("talk", WON)
def test_the_argument_to_which_somebody_gives_in_wins(talk):
    winner, *turns = talk
    assert observed(turns) == [winner]


@each_row("talk", NOT_WON)
def test_without_giving_in_nobody_wins(talk):
    assert observed(talk) == []
