"""python3 -m outrider learn export SCENARIO --strategy NAME -o FILE.npz"""
from __future__ import annotations

import argparse
import json
import sys
from typing import Dict, List, Optional

from . import _core
from ._types import AnySetting
from .demonstrations import demonstrate, write


def _settings(texts: List[str]) -> Dict[str, AnySetting]:
    out: Dict[str, AnySetting] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise _core.Error(f"--set {text}: expected section.key=value")
        try:
            out[name] = json.loads(value)
        except ValueError:
            out[name] = value
    return out


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m outrider", description="Parts of Outrider that are in Python.")
    learn = parser.add_subparsers(required=True).add_parser("learn", help="for learning").add_subparsers(required=True)
    export = learn.add_parser("export", help="writes what a strategy did, for policies that imitate it",
                              description="Writes what a strategy did, for policies that imitate it (docs/learning.md).")
    export.add_argument("scenario", nargs="+", help="names, files, maps or folders of maps; drawn by seed")
    export.add_argument("--strategy", required=True, metavar='"name(option=value)"',
                        help="{seed} stands for the episode's seed")
    export.add_argument("-o", "--output", required=True, metavar="FILE.npz", help="otherwise a folder of .npy")
    export.add_argument("--episodes", type=int, default=10, metavar="N")
    export.add_argument("--seed", type=int, default=1, metavar="N", help="of the first episode")
    export.add_argument("--every", type=int, default=5, metavar="N", help="steps from one row of an agent to its next")
    export.add_argument("--robots", type=int, metavar="N")
    export.add_argument("--steps", type=int, metavar="N", help="step limit")
    export.add_argument("--hindsight", type=int, default=0, metavar="N",
                        help="actions are the frontiers that robots came to within N steps: for plans (strategy tour)")
    export.add_argument("--observation", nargs="+", default=["frontiers"], metavar="NAME", help="window, graph")
    export.add_argument("--set", action="append", default=[], metavar="key=value", help="an option; may be repeated")
    a = parser.parse_args(arguments)
    try:
        scenario = a.scenario[0] if len(a.scenario) == 1 else a.scenario
        arrays = demonstrate(scenario, a.strategy, episodes=a.episodes, seed=a.seed, every=a.every, robots=a.robots,
                             steps=a.steps, hindsight=a.hindsight, observation=a.observation, settings=_settings(a.set))
        write(arrays, a.output)
    except _core.Error as error:
        print(f"outrider: {error}", file=sys.stderr)
        return 2
    print(f"{a.output}: {len(arrays['action'])} rows, {(arrays['action'] >= 0).mean():.0%} with an action")
    return 0


if __name__ == "__main__":
    sys.exit(main())
