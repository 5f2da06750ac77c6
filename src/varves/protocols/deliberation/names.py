"""The published spelling of names: `addMessage` for `add_message`, everywhere, by one rule.

The publication is written in TypeScript. A class of this protocol answers to each of its names in
both spellings; a value also accepts both as keywords, its first fields without a name, and is read
like a mapping with the published keys.
"""

from __future__ import annotations

from operator import attrgetter

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeVar

    Class = TypeVar("Class", bound=type)


def camel(name: str) -> str:
    """Return the published spelling of a name."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def published(cls: Class) -> Class:
    """Add the published spelling of each public attribute of a class."""
    for name, part in list(vars(cls).items()):
        if "_" in name.strip("_") and name[0] != "_" and not hasattr(cls, camel(name)):
            setattr(cls, camel(name), part)
    for name in getattr(cls, "_fields", ()):
        if camel(name) != name:
            setattr(cls, camel(name), property(attrgetter(name)))
    return cls


class PublishedValue(Value):
    """A value whose fields have their published names in addition to ours."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        """Add the published spelling of the fields."""
        super().__init_subclass__(**kwargs)
        published(cls)

    def __init__(self, *given: object, **named: object) -> None:
        if not given and named.keys() <= self._known:
            super().__init__(**named)
            return
        if len(given) > len(self._fields):
            raise TypeError(f"{type(self).__name__} has {len(self._fields)} fields")
        spelled = {camel(name): name for name in self._fields}
        both = {spelled.get(name, name): part for name, part in named.items()}
        placed = dict(zip(self._fields, given, strict=False))
        if twice := placed.keys() & both.keys() or len(both) < len(named):
            raise TypeError(f"{type(self).__name__} is given a field twice: {twice}")
        super().__init__(**placed, **both)

    def keys(self) -> tuple[str, ...]:
        """Return the published names of the fields."""
        return tuple(camel(name) for name in self._fields)

    def __getitem__(self, key: str) -> Any:
        name = next((one for one in self._fields if key in (camel(one), one)), None)
        if name is None:
            raise KeyError(key)
        return getattr(self, name)

    def __contains__(self, key: object) -> bool:
        return any(key in (camel(name), name) for name in self._fields)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._fields)

    def __bool__(self) -> bool:
        return True

    def get(self, key: str, default: Any = None) -> Any:
        """Return a field by either of its names, or the default."""
        try:
            return self[key]
        except KeyError:
            return default


def spelled(given: Mapping[str, Any], cls: type[Value]) -> dict[str, Any]:
    """Return the entries of a mapping that are fields of a class, under our names."""
    names = {camel(name): name for name in cls._fields}
    found = {names.get(str(key), str(key)): part for key, part in given.items()}
    return {name: part for name, part in found.items() if name in cls._fields}
