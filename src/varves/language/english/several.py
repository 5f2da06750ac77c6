"""English verbs that often have several objects at a time.

"The API returns 404 errors" and "… returns 500 errors" may both be true. Each row is a verb and two
sentences with it, of which neither replaces the other.
"""

from __future__ import annotations

SEVERAL = (
    ("return", "The API returns 404 errors", "The API returns 500 errors"),
    ("listen", "The gateway listens on port 80", "The gateway listens on port 443"),
    ("book", "Room 12 is booked at 9:00", "Room 12 is booked at 10:00"),
    ("throw", "The parser throws error 12", "The parser throws error 17"),
    ("show", "The page shows 3 warnings", "The page shows 5 warnings"),
    ("have", "The service has a public endpoint", "The service has a private endpoint"),
)
