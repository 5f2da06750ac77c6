from __future__ import annotations

import os

import pytest

from varves.disk import replace_file
from varves.errors import Busy


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    replace_file(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_an_exact_mode_counts_whatever_the_umask_says(tmp_path):
    path = tmp_path / "prompt.md"
    before = os.umask(0o077)
    try:
        replace_file(str(path), b"x", mode=0o664, exact=True)
        assert path.stat().st_mode & 0o777 == 0o664
        replace_file(str(path), b"x", mode=0o664)
        assert path.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_where_a_check_fails_the_file_stays_as_it_is(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")

    def refuse() -> None:
        raise Busy("somebody else has written it", "try again")

    with pytest.raises(Busy):
        replace_file(str(path), b"new", check=refuse)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_gives_way_and_what_it_points_to_stays(tmp_path):
    target, path = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"theirs")
    path.symlink_to(target)
    replace_file(str(path), b"ours")
    assert target.read_bytes() == b"theirs"
    assert path.read_bytes() == b"ours"
    assert not path.is_symlink()
