"""For authors of adapters: the tests that every log and every index must pass."""
