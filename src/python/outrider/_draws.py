"""Distributions of scenarios: each episode's is drawn by its seed."""
from __future__ import annotations

import os
import random
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Tuple

from . import _core
from ._scenarios import expect_scenario, generated, marmotlab, settings_of

#: A scenario as the extension takes it, and its settings.
Drawn = Tuple[Any, Dict[str, Any]]


class between:
    """A value of an option that is drawn anew for each episode: from low to high, both included; a whole number when
    both are."""

    def __init__(self, low: float, high: float) -> None:
        if not low <= high:
            raise _core.Error(f"between: expected two numbers, the lower one first, got {low!r}, {high!r}")
        self.low, self.high = low, high

    def draw(self, chance: random.Random) -> float:
        if isinstance(self.low, int) and isinstance(self.high, int):
            return self.low + int(chance.random() * (self.high - self.low + 1))
        return self.low + chance.random() * (self.high - self.low)

    def __repr__(self) -> str:
        return f"between({self.low!r}, {self.high!r})"


class among:
    """One of several values of an option, or of several scenarios, is drawn for each episode."""

    def __init__(self, *values: Any, weights: Optional[Sequence[float]] = None) -> None:
        if not values:
            raise _core.Error("among: expected a value or more")
        if weights is not None and (len(weights) != len(values) or min(weights) < 0 or not sum(weights) > 0):
            raise _core.Error(f"among: expected {len(values)} weights of 0 or more, got {weights!r}")
        self.values, self.weights = values, list(weights) if weights is not None else [1.0] * len(values)

    def draw(self, chance: random.Random) -> Any:
        left = chance.random() * sum(self.weights)
        for value, weight in zip(self.values, self.weights):
            left -= weight
            if left < 0:
                return value
        return [v for v, w in zip(self.values, self.weights) if w > 0][-1]

    def __repr__(self) -> str:
        return f"among({', '.join(map(repr, self.values))})"


class case:
    """A scenario, or several, with a team and settings of its own."""

    def __init__(self, scenario: Any, *, robots: Any = None, steps: Any = None,
                 settings: Optional[Mapping[str, Any]] = None, **more: Any) -> None:
        self.scenario, self.settings = scenario, settings_of(settings, more, robots, None, steps)

    def __repr__(self) -> str:
        return f"case({self.scenario!r}, settings={self.settings!r})"


class on_suite:
    """A map of a suite, counted from 0: a scenario."""

    def __init__(self, suite: str, index: int) -> None:
        self.suite, self.index = suite, index

    def __repr__(self) -> str:
        return f"on_suite({self.suite!r}, {self.index})"


def suite(name: str) -> among:
    """The maps of a suite: a name ("office-12@1") or file. Raises Error when there is none."""
    return among(*(on_suite(name, k) for k in range(_core.suite_maps(os.fspath(name)))))


def folder(path: "str | os.PathLike[str]", *, marmotlab_maps: bool = False) -> among:
    """All maps (PNG) of a folder, by name; those of ARiADNE and IR2 with their sensor. Raises Error without any."""
    path = os.fspath(path)
    files = sorted(f for f in os.listdir(path) if f.endswith(".png")) if os.path.isdir(path) else []
    if not files:
        raise _core.Error(f"{path}: expected a folder with maps (PNG)")
    full = [os.path.join(path, f) for f in files]
    return among(*(map(marmotlab, full) if marmotlab_maps else full))


def _choices(scenario: Any) -> Optional[among]:
    """What a scenario that stands for several is drawn from."""
    if isinstance(scenario, among):
        return scenario
    if isinstance(scenario, (list, tuple)):
        return among(*scenario)
    if isinstance(scenario, (str, os.PathLike)) and os.path.isdir(scenario):
        return folder(scenario)
    return None


def varies(value: Any) -> bool:
    """Whether there is something to draw."""
    if isinstance(value, dict):
        return any(map(varies, value.values()))
    if isinstance(value, generated):
        return varies(value.options)
    return isinstance(value, (between, case)) or _choices(value) is not None


def _values(settings: Mapping[str, Any], chance: random.Random) -> Dict[str, Any]:
    return {name: value.draw(chance) if isinstance(value, (between, among)) else value
            for name, value in settings.items()}


def draw(scenario: Any, settings: Mapping[str, Any], seed: int) -> Drawn:
    """The scenario of a seed and its settings, those of a case over others."""
    chance, given = random.Random(seed), dict(settings)
    while True:
        choices = _choices(scenario)
        if choices is not None:
            scenario = choices.draw(chance)
        elif isinstance(scenario, case):
            scenario, given = scenario.scenario, {**given, **scenario.settings}
        else:
            break
    if isinstance(scenario, generated):
        scenario = generated(scenario.family, scenario.seed, **_values(scenario.options, chance))
    return scenario, _values(given, chance)


def _most(value: Any) -> Any:
    """Of a value that is drawn the largest, or the first."""
    if isinstance(value, between):
        return value.high
    if isinstance(value, among):
        return max(value.values) if all(isinstance(v, (int, float)) for v in value.values) else value.values[0]
    return value


def all_of(scenario: Any, settings: Mapping[str, Any]) -> Iterator[Drawn]:
    """Each scenario that can be drawn, with the largest of the values that can."""
    choices = _choices(scenario)
    if choices is not None:
        for one in choices.values:
            yield from all_of(one, settings)
    elif isinstance(scenario, case):
        yield from all_of(scenario.scenario, {**settings, **scenario.settings})
    else:
        if isinstance(scenario, generated):
            scenario = generated(scenario.family, scenario.seed,
                                 **{name: _most(value) for name, value in scenario.options.items()})
        yield scenario, {name: _most(value) for name, value in settings.items()}


def largest(scenario: Any, settings: Sequence[Mapping[str, Any]], strategy: str) -> Tuple[Drawn, Tuple[int, int]]:
    """The scenario with most agents, and the most rows and columns of a map. Raises Error when one of them is faulty."""
    found = [(_core.extent_of(expect_scenario(one[0]), one[1], strategy), one)
             for given in settings for one in all_of(scenario, given)]
    return (max(found, key=lambda one: one[0][0])[1],
            (max(extent[1] for extent, _ in found), max(extent[2] for extent, _ in found)))
