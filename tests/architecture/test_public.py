from __future__ import annotations

import varves


def test_every_published_name_is_there():
    for name in varves.__all__:
        assert getattr(varves, name) is not None
