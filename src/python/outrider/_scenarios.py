"""What runs and environments are made from."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Mapping, Optional, Union

from . import _core


class generated:
    """A scenario on a map of a family, a new one for each seed; with `seed`: always that map.

        outrider.run(outrider.generated("office", rubble=0.05), seed=3, strategy="minpos")

    family: see `outrider generate --help`; options: those of the family.
    """

    def __init__(self, family: str, seed: Optional[int] = None, **options: Any) -> None:
        self.family, self.seed, self.options = family, seed, options

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"generated({self.family!r}, seed={self.seed!r}{given})"


class marmotlab:
    """A scenario on a map of ARiADNE or IR2 (a PNG), with their sensor; lengths are pixels.

        outrider.run(outrider.marmotlab("img_1.png"), strategy="nearest", robots=1)
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.marmotlab = os.fspath(path)

    def __repr__(self) -> str:
        return f"marmotlab({self.marmotlab!r})"


#: Scenarios that are neither a name nor a file.
values = (dict, generated, marmotlab)


def near(name: object, names: Iterable[str]) -> str:
    import difflib
    names = list(names)
    close = difflib.get_close_matches(str(name), names, 1)
    return f" (did you mean '{close[0]}'?)" if close else f"; there are: {', '.join(names)}"


def expect_scenario(scenario: Any) -> Any:
    """As the extension takes it: a value, or a name or file as str."""
    return scenario if isinstance(scenario, values) or hasattr(scenario, "suite") else os.fspath(scenario)


def settings_of(settings: Optional[Mapping[str, Any]], more: Mapping[str, Any], robots: Any, seed: Optional[int],
                steps: Any) -> Dict[str, Any]:
    """One dict of options by full name from all the ways to give them."""
    for name in more:
        if "." not in name:
            raise _core.Error(f"no argument '{name}'; options of a scenario are written section.key, "
                              "such as **{'comm.range_m': 8}")
    given = {"robots": robots, "seed": seed, "steps": steps}
    return {**(settings or {}), **more, **{name: value for name, value in given.items() if value is not None}}


def expect_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or seed < 0:
        raise _core.Error(f"seed: expected a whole number of 0 or more, got {seed!r}")
    return int(seed)
