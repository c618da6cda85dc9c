"""Runs and environments as values: saved, restored, copied, pickled."""
from __future__ import annotations

from typing import Any, Dict, Tuple, Type, TypeVar

#: What save() returns: numbers, arrays, intents; it can be pickled.
Saved = Dict[str, Any]
_Self = TypeVar("_Self", bound="Value")


def given(arguments: Dict[str, Any]) -> Dict[str, Any]:
    """The arguments of a constructor, from the locals() at its begin: to make another one like it."""
    return {name: value for name, value in {**arguments, **arguments["more"]}.items()
            if name not in ("self", "more", "__class__")}


def _made(kind: "Type[Value]", arguments: Dict[str, Any], saved: Saved) -> "Value":
    out = kind(**arguments)
    out.restore(saved)
    return out


class Value:
    """What is made again from its arguments, and by taking the same steps again."""
    _given: Dict[str, Any]

    def save(self) -> Saved:
        """This moment, as a value that can be pickled: restore() comes back to it, here or in another object that was
        made with the same arguments."""
        raise NotImplementedError

    def restore(self, saved: Saved) -> None:
        """Comes back to a moment that was saved, to the last bit, by taking its steps again: in the time that they took."""
        raise NotImplementedError

    def copy(self: _Self) -> _Self:
        """Another one, at the same moment; it goes its own way from here. Where something in it cannot be copied (a
        strategy in Python or in another program, matched scans), it is made by taking the steps again."""
        try:
            return self._twin()
        except NotImplementedError:
            return _made(type(self), self._given, self.save())  # type: ignore[return-value]

    def _twin(self: _Self) -> _Self:
        """A copy of the state; raises NotImplementedError where there can be none."""
        raise NotImplementedError

    def _like(self: _Self) -> _Self:
        """One that shares all with this."""
        out = type(self).__new__(type(self))
        out.__dict__.update(self.__dict__)
        return out

    __copy__ = copy

    def __deepcopy__(self: _Self, memo: Dict[int, Any]) -> _Self:
        return self.copy()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _made, (type(self), self._given, self.save())
