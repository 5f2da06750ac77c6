"""Explicit requests to remember are met; what only uses the word is left alone."""

from __future__ import annotations

from tests.tables import each_row
from varves.capture.lasting_words import lasting_words

ASKED = (
    "remember that Anna owns billing",
    "Remember that Anna owns billing.",
    "remember Anna owns billing",
    "please remember that the port is 8080",
    "please remember: tabs, not spaces",
    "note that the API is versioned by date",
    "Note that staging resets on Sundays",
    "note: the linter runs in CI only",
    "keep in mind that Safari is our main browser",
    "Keep in mind the database is shared",
    "keep in mind: prod is read only",
    "for future reference, the release branch is cut on Tuesdays",
    "For future reference: use pnpm",
    "for future reference the design lives in Figma",
    "can you remember that I use fish?",
    "could you please remember that our CI has no network",
    "I want you to remember that I prefer short answers",
    "make a note that Bob reviews all SQL",
    "make a note: Bob reviews SQL",
    "don't forget that the tests need Docker",
    "don't forget we use Bun here",
    "bear in mind that orders can be empty",
    "remember this: the vendor folder is patched by hand",
    "remember this for next time: the seed script wipes the db",
    "keep this in mind: invoices are immutable",
    "just remember the nightly job runs at 2",
    "ok remember we are on python 3.9",
    "Anna owns billing, remember that",
    "we use pnpm here, keep that in mind",
    "the api is rate limited to 10 rps, for future reference",
    "one thing to remember: the mobile team owns the schema",
    "you should know that the repo is public",
    "remember, Maria's team owns the parser",
    "save this for later: deploys go through Argo",
    "add to your memory that the client is in Tokyo",
    "please memorize that we deploy on Thursdays",
    "take note that main is protected",
    "for next time: run make gen first",
    "remember that you should always run make gen after editing protos",
    "remember: never push on Fridays",
    "also remember that legal needs two weeks",
    "let's remember that the importer is single threaded",
    "remember that the demo user has no email",
    "Please remember my timezone is CET",
    "remember I'm in Berlin",
    "Note for later: Anna owns billing",
    "note for later, the importer is single threaded",
    "Note to self: the VPN drops at noon",
    "Just a note: Bob reviews all SQL",
    "a quick note: the seed script wipes the db",
    "Let the record show that Carla approves releases",
    "remember that when the importer stops, the queue has to be emptied by hand",
    "remember that if a batch is partial, its rows have to be deleted first",
    f"remember that when the importer stops, {'look at the queue, then the batch, ' * 25}and me",
)
NOT_ASKED = (
    "remember to add a test",
    "remember to drop it when we're done",
    "do you remember that bug?",
    "remember when this took ten minutes?",
    "I remember that it worked yesterday",
    "don't forget to push",
    "remember that thing from yesterday?",
    "keep in mind, only for this PR: no docs",
    "remember, only change the parser",
    "note to self",
    "remember the token is abc123def",
    "i can't remember the command",
    "remember this",
    "remember that",
    "keep it in mind",
    "note the error above",
    "just a note: the build is failing again",
    "a note in the header is enough",
    "remember when the importer stopped, that was fun",
    f"remember that when the importer stops, {'look at the queue, then the batch, ' * 32}and me",
    "note how it fails",
    "remember what I said?",
    "remember that for now we skip the tests",
    "suppose we remember that the cache is cold",
    "add a button to remember the user",
    "the checkbox should remember the state",
    "make the form remember the last value",
    "it does not remember that the filter is set",
    "please note that this is a draft",
    "the readme says: remember that tabs are banned",
    "important: fix the test first",
    "write a docstring: note that the value is cached",
)


@each_row("text", ASKED)
def test_what_somebody_asks_to_remember_is_kept(text):
    assert len(lasting_words(text)) == 1


@each_row("text", NOT_ASKED)
def test_what_only_uses_the_word_is_not_kept(text):
    assert lasting_words(text) == []


def test_only_what_is_to_be_remembered_is_kept():
    (one,) = lasting_words("ok thanks. Can you remember that I use fish?")
    assert one.text == "I use fish"
    (one,) = lasting_words("Anna owns billing, remember that")
    assert one.text == "Anna owns billing"


def test_a_rule_to_remember_is_a_rule():
    (one,) = lasting_words("remember: never push on Fridays")
    assert one.kind == "rule"
