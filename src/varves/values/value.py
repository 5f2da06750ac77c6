"""A frozen record with keyword fields.

To import the standard `dataclasses` takes longer than the whole start of a hook, so this module
replaces it. A value is declared in the same way: annotate the fields in the class body, and give
defaults where useful. Values cannot be changed after construction.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_kwargs):
        """Replace the typing decorator at run time; only type checkers use the real one."""
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Value:
    """The base of all frozen values; subclasses annotate their fields."""

    _fields: tuple[str, ...] = ()
    _known: frozenset[str] = frozenset()
    _needed: frozenset[str] = frozenset()

    def __init_subclass__(cls, **kwargs: object) -> None:
        """Collect the annotated fields of the subclass, in order."""
        super().__init_subclass__(**kwargs)
        own = (name for name in cls.__dict__.get("__annotations__", ()) if name[0] != "_")
        cls._fields = (*cls._fields, *own)
        cls._known = frozenset(cls._fields)
        cls._needed = frozenset(name for name in cls._fields if not hasattr(cls, name))

    def __init__(self, **given: object) -> None:
        names = given.keys()
        if not self._needed <= names:
            raise TypeError(
                f"{type(self).__name__} needs {', '.join(sorted(self._needed - names))}"
            )
        if not names <= self._known:
            raise TypeError(
                f"{type(self).__name__} has no {', '.join(sorted(names - self._known))}"
            )
        self.__dict__.update(given)

    @classmethod
    def of_checked(cls, fields: dict[str, object]) -> Self:
        """Return a value of fields that are known to be right; it keeps the dict itself.

        Reading many rows takes half the time in this way.
        """
        made = object.__new__(cls)
        object.__setattr__(made, "__dict__", fields)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain data for JSON; nested values are converted too."""
        return {name: plain(getattr(self, name)) for name in self._fields}

    def replace(self, **changes: object) -> Self:
        """Return a copy with some fields changed."""
        if not changes.keys() <= self._known:
            raise TypeError(f"{type(self).__name__} has no {', '.join(changes)}")
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.__dict__.update(changes)
        return copy

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._fields)

    def __hash__(self) -> int:
        return hash((type(self), *(repr(getattr(self, name)) for name in self._fields)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({shown})"


def plain(value: Any) -> Any:
    """Convert values and tuples, also nested ones, to dicts and lists."""
    if isinstance(value, Value):
        return value.as_dict()
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return value
