"""Memories in scripts without spaces between words are found by any of their words."""

from __future__ import annotations

from tests.tables import assert_each

NOISE = [
    "部署在星期五进行",
    "会議は月曜日に行われます",
    "배포는 금요일에 진행합니다",
    "เราประชุมกันทุกวันจันทร์",
    "The garden needs water on hot days",
]
# a memory, and questions that share a word with it
FOUND = [
    ("我们的主数据库是PostgreSQL十六版", "数据库"),
    ("我们的主数据库是PostgreSQL十六版", "用哪个数据库?"),
    ("我们的主数据库是PostgreSQL十六版", "which version of postgresql"),
    ("我们的主数据库是PostgreSQL十六版", "PostgreSQL数据库的版本"),
    ("办公室里有一只猫", "猫"),
    ("認証にはOAuthを使います", "認証"),
    ("認証にはOAuthを使います", "oauth"),
    ("ログはサーバーに保存されます", "サーバーのログ"),
    ("ログはサーバーに保存されます", "\uff7b\uff70\uff8a\uff9e\uff70"),
    ("데이터베이스는 매일 밤 백업합니다", "데이터베이스 백업"),
    ("데이터베이스는 매일 밤 백업합니다", "데이터베이스를"),
    ("ฐานข้อมูลหลักของเราคือMySQL", "ฐานข้อมูล"),
    ("ฐานข้อมูลหลักของเราคือMySQL", "mysql"),
    ("缓存使用Redis\uff0c过期时间为5分钟", "缓存过期"),
]


def test_a_memory_is_found_by_a_word_inside_a_run_of_signs(scene):
    for text in dict.fromkeys([*NOISE, *(text for text, _ in FOUND)]):
        scene.remember(text)

    def check(row):
        text, query = row
        assert scene.texts(query)[:1] == [text]

    assert_each(FOUND, check)


def test_tags_and_speakers_are_searched_in_the_same_way(scene):
    scene.remember("Nothing of the kind")
    tagged = scene.remember("It is slow on Mondays", tags=["支付网关"])
    spoken = scene.remember("It is fast on Sundays", speaker="山田太郎")
    assert scene.ids("网关")[:1] == [tagged]
    assert scene.ids("太郎")[:1] == [spoken]


def test_a_query_is_still_answered_after_the_text_has_changed(scene):
    before = scene.remember("主数据库是MySQL")
    after = scene.ledger.correct(before, "缓存是Redis").id
    assert scene.ids("数据库") == []
    assert scene.ids("缓存") == [after]


def test_a_purged_memory_leaves_no_pair_of_signs(scene):
    gone = scene.remember("密码在抽屉里")
    assert scene.ids("抽屉") == [gone]
    scene.ledger.purge(gone, reason="it was a secret")
    assert scene.ids("抽屉") == []
    files = [path for path in scene.root.rglob("*") if path.is_file()]
    assert [path for path in files if "抽屉".encode() in path.read_bytes()] == []
