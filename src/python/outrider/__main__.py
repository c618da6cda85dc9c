"""outrider learn export SCENARIO --strategy NAME -o FILE.npz

pip installs it as `outrider`; python3 -m outrider is the same. All other commands are those of the program (README.md).
"""
from __future__ import annotations

import argparse
import json
import os
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
    name = "python3 -m outrider" if sys.argv[0].endswith("__main__.py") else "outrider"
    parser = argparse.ArgumentParser(prog=name, description="Parts of Outrider that are in Python.")
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


def program() -> Optional[str]:
    """The program with all other commands, when it is on the path: no script as this one."""
    for folder in os.get_exec_path():
        path = os.path.join(folder, "outrider")
        if os.path.isfile(path) and os.access(path, os.X_OK):
            with open(path, "rb") as file:
                if file.read(4) == b"\x7fELF":
                    return path
    return None


def command() -> int:
    """The console script: what is in Python, or else the program."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["learn"]:
        return main(arguments)
    path = program()
    if path:
        os.execv(path, ["outrider", *arguments])
    print("outrider: the Python package has the command `learn export` alone; the program with the others is not on the "
          "path (README.md says how to build it)", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(command())
