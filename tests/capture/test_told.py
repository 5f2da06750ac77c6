"""What a user says: of each kind something is taken, of each near miss nothing."""

from __future__ import annotations

from tests.capture.rejections import LASTING as CORRECTED
from tests.capture.rejections import THIS_EDIT
from tests.capture.sentences import LASTING, NEAR_MISSES
from tests.tables import each_row
from varves.capture.lasting_words import lasting_words

TAKEN = [(kind, text) for kind, texts in LASTING.items() for text in texts]
LEFT = [(reason, text) for reason, texts in NEAR_MISSES.items() for text in texts]


@each_row(("kind", "text"), TAKEN)
def test_a_lasting_statement_is_kept_with_its_kind(kind, text):
    assert [one.kind for one in lasting_words(text)] == [kind]


@each_row(("reason", "text"), LEFT)
def test_what_only_sounds_lasting_is_not_kept(reason, text):
    assert lasting_words(text) == [], reason


@each_row("text", CORRECTED)
def test_a_lasting_correction_after_a_no_is_kept(text):
    assert [one.kind for one in lasting_words(text)] == ["correction"]


@each_row("text", THIS_EDIT)
def test_a_no_about_this_edit_only_is_not_kept(text):
    assert lasting_words(text) == []


def test_what_is_not_used_stays_with_what_is():
    (one,) = lasting_words("Not jest, we use vitest here.")
    assert one.text == "Not jest, we use vitest here."


def test_only_the_sentence_is_taken_without_what_opens_and_closes_it():
    (one,) = lasting_words(
        "Great, thanks! Oh and we deploy with argo only, please check the chart. Then push."
    )
    assert one.text == "we deploy with argo only"


@each_row(
    ("said", "kept"),
    [
        ("one more: dates are ISO in all our exports", "dates are ISO in all our exports"),
        ("another thing: we deploy with argo only", "we deploy with argo only"),
        (
            "ok. we use snake_case for all column names btw",
            "we use snake_case for all column names",
        ),
        ("we deploy with argo only, just fyi.", "we deploy with argo only"),
    ],
)
def test_fillers_are_left_out(said, kept):
    assert [one.text for one in lasting_words(said)] == [kept]


def test_what_follows_for_the_current_task_is_left_out():
    (one,) = lasting_words("We decided on static pages for the docs, so no server for this one.")
    assert one.text == "We decided on static pages for the docs"
    (one,) = lasting_words("half of our shops are on old tills, so no pop-ups in anything they get")
    assert one.text.endswith("anything they get")


def test_the_words_that_ask_to_remember_are_left_out():
    (one,) = lasting_words("ok. please remember that Maria is the owner of billing.")
    assert one.text == "Maria is the owner of billing."


def test_a_correction_is_kept_without_its_no():
    (one,) = lasting_words("No, that is the old way. Dates in all our exports are ISO 8601.")
    assert (one.kind, one.text) == ("correction", "Dates in all our exports are ISO 8601.")


def test_quotation_marks_within_a_statement_stay():
    (one,) = lasting_words('from now on use the prefix "billing:" in commit messages')
    assert '"billing:"' in one.text


def test_a_dictated_sentence_counts_without_punctuation():
    (one,) = lasting_words(
        "yeah um that looks good uh so every endpoint has to go through the gateway um and now"
        " make the logo bigger"
    )
    assert one.text.startswith("every endpoint has to go through the gateway")


def test_a_list_of_rules_in_one_message_is_a_text_of_some_kind():
    rules = [f"never use {name} in handlers" for name in ("var", "eval", "any", "with")]
    assert lasting_words("\n".join(rules)) == []
    assert len(lasting_words("\n".join(rules[:2]))) == 2


def test_no_text_makes_it_slow():
    """Each of these made some pattern look at the same place again and again."""
    for hostile in ("we " * 20_000, "every a " * 5_000, '"' * 9_000, "<a " * 9_000, "no " * 9_000):
        assert lasting_words(hostile) == []
    for stuttered in ("use a-b ", "the staging db is a.", "our a ", "we use npm, not ", "a-"):
        assert lasting_words(f"no, {stuttered * 80}") == []
        assert lasting_words(f"not {stuttered * 4_000}") == []
