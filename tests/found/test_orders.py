"""Orders in which a test failed once, found by `python -m torture.search`: one on each line."""

from __future__ import annotations

import json
from pathlib import Path

from torture.search import passes

ORDERS = Path(__file__).with_name("orders.txt")


def test_every_order_that_failed_once_passes():
    for line in ORDERS.read_text(encoding="utf-8").splitlines():
        assert passes(json.loads(line)), line
