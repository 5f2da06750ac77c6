"""Words of scripts without spaces, as pairs of signs."""

from __future__ import annotations

from tests.tables import each_row
from varves.values.scripts import grams, parted, search_words

ROWS = [
    ("The plain text", ["the", "plain", "text"], []),
    ("r\u00e9sum\u00e9 \u201cquoted\u201d \u2014 done", ["r\u00e9sum\u00e9", "quoted", "done"], []),
    ("数据库", ["数据", "据库"], ["数据", "据库", "数", "据", "库"]),
    ("猫", ["猫"], ["猫"]),
    ("使用Redis缓存", ["使用", "redis", "缓存"], ["使用", "使", "用", "redis", "缓存", "缓", "存"]),
    ("Redis 缓存", ["redis", "缓存"], ["缓存", "缓", "存"]),
    ("\uff7b\uff70\uff8a\uff9e", ["サー", "ーバ"], ["サー", "ーバ", "サ", "ー", "バ"]),
    ("数据\uff0c库", ["数据", "库"], ["数据", "数", "据", "库"]),
    ("น้ำ", ["นา"], ["นา", "น", "า"]),
    ("\uff32\uff45\uff44\uff49\uff53", ["redis"], []),
    ("", [], []),
]


@each_row(("text", "words", "added"), ROWS)
def test_a_text_is_split_into_words_and_pairs_of_signs(text, words, added):
    assert search_words(text) == words
    assert grams(text) == added


def test_a_text_of_other_scripts_is_returned_as_it_is():
    for text in (
        "plain",
        "na\u00efve \u201ctext\u201d",
        "\u05d4\u05de\u05e4\u05ea\u05d7",
        "a\u0301",
    ):
        assert parted(text) == text
