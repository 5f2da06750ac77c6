"""A remote in PostgreSQL 14 or newer: rows of lines, and rights that the server enforces."""
