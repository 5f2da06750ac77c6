"""For whoever writes an adapter: the laws that every log, and every index, must keep."""
