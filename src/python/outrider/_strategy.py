"""Strategies written in Python."""
from __future__ import annotations

from typing import Any, Callable, List, Optional, Union

from . import _core


class option:
    """A number of a strategy that its user may set; in the class it stands for its default.

    low, high: its range, both included; help: what it is.
    """

    def __init__(self, default: Any, low: Optional[float] = None, high: Optional[float] = None, help: str = "") -> None:
        self.default, self.low, self.high, self.help = default, low, high, help

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Optional[type] = None) -> Any:
        return self if instance is None else instance.__dict__.get(self.name, self.default)

    def __set__(self, instance: Any, value: Any) -> None:
        where = f"{type(instance).__name__}: {self.name} = {value!r}"
        if isinstance(self.default, (int, float)) and not isinstance(self.default, bool):
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise _core.Error(f"{where}: expected a number")
            if self.low is not None and value < self.low or self.high is not None and value > self.high:
                raise _core.Error(f"{where}: expected {self.low} to {self.high}")
        elif not isinstance(value, type(self.default)):
            raise _core.Error(f"{where}: expected a {type(self.default).__name__}")
        instance.__dict__[self.name] = value


class Strategy:
    """A strategy: a subclass with `choose`. Each robot has an object of its own.

        class Mine(outrider.Strategy):
            summary = "the nearest frontier, large ones first"
            alpha = outrider.option(2.0, low=0, high=10, help="weight of the size")

            def choose(self, belief, rng):
                f = belief.frontiers
                if not len(f):
                    return outrider.Intent(done=True)
                return outrider.Goto.frontier(f[(f["way"] - self.alpha * f["size"]).argmin()])

        outrider.run("office", strategy=Mine(alpha=3))

    State is kept in the object, made in `begin`, never in the class: the same belief and the same random numbers have
    to give the same decision. Raises Error for an option that the class does not have, or out of its range.
    """

    summary = ""

    def __init__(self, **options: Any) -> None:
        self.given = options
        for name, value in options.items():
            if not isinstance(getattr(type(self), name, None), option):
                known = ", ".join(type(self).options()) or "none"
                raise _core.Error(f"{type(self).__name__}: no option '{name}'; there are: {known}")
            setattr(self, name, value)
        self.begin()

    @classmethod
    def options(cls) -> List[str]:
        """Names of its options."""
        return [name for name in dir(cls) if isinstance(getattr(cls, name, None), option)]

    def begin(self) -> None:
        """Called for each robot when a run begins, after the options are set."""

    def choose(self, belief: _core.Belief, rng: _core.Random) -> Union[None, _core.Intent, "_core.Action"]:
        """What the robot is to do in this step: an Intent, Goto, Follow, Drive, Stay, RandomStep, or None for Stay."""
        raise NotImplementedError(f"{type(self).__name__} has no choose(belief, rng)")


def text_of(strategy: Any) -> str:
    """How logs and the command line name it: "python(module:Class, alpha=3)", if it can be imported; else "remote"."""
    kind = strategy if isinstance(strategy, type) else type(strategy)
    if not issubclass(kind, Strategy) or kind.__module__ == "__main__" or "<" in kind.__qualname__:
        return "remote"
    given = {} if isinstance(strategy, type) else strategy.given
    values = {name: str(v).lower() if isinstance(v, bool) else repr(v) for name, v in given.items()}
    return f"python({', '.join([f'{kind.__module__}:{kind.__qualname__}', *(f'{n}={v}' for n, v in values.items())])})"


def maker_of(strategy: Any) -> Optional[Callable[[], Any]]:
    """A function that makes the strategy of one more robot; None: `strategy` is the text of a native one."""
    if isinstance(strategy, type) and issubclass(strategy, Strategy):
        return strategy
    if isinstance(strategy, Strategy):
        return lambda: type(strategy)(**strategy.given)
    if strategy is None or isinstance(strategy, str):
        return None
    if callable(strategy):
        return strategy
    raise _core.Error(f"strategy: expected a name, a Strategy, or a function that makes one; got {strategy!r}")
