"""A strategy for Outrider in Python: external(cmd="python3 mine.py"), where mine.py is

    from outrider_client import run

    def choose(briefing, known, belief):
        return {"frontier": 0} if belief["frontiers"] else {"home": True}

    run(choose)

choose is called in every step with what the robot knows: `briefing` (once said, a dict), `known` (a Map) and `belief` (a
dict); it returns what to do. docs/strategies.md lists the keys. Python's standard library only.
"""
import json
import os
import sys
import zlib


class Map:
    """What is known of the cells: "?" unknown, "." free, "#" occupied."""

    def __init__(self):
        self.tiles, self.side = {}, 64

    def update(self, belief):
        if belief["map_anew"]:
            self.tiles.clear()
        for tile in belief["tiles"]:
            self.tiles[tuple(tile["tile"])] = tile["cells"]

    def __getitem__(self, cell):
        (tx, column), (ty, row) = divmod(cell[0], self.side), divmod(cell[1], self.side)
        cells = self.tiles.get((tx, ty))
        return cells[row * self.side + column] if cells else "?"


def imported_version():
    """A hash of the modules that were imported from the folder of the script: an edit of one is another program."""
    folder = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "")
    files = {os.path.abspath(m.__file__) for m in list(sys.modules.values()) if getattr(m, "__file__", None)}
    crc = 0
    for file in sorted(files):
        if file.startswith(folder) and "site-packages" not in file and os.path.isfile(file):
            with open(file, "rb") as source:
                crc = zlib.crc32(source.read(), crc)
    return f"modules {crc:08x}"


def run(choose, version=None):
    """Answers line by line until the run is over. version: of what decides, which is kept with the run."""
    said = {"version": version or imported_version()}
    answers, sys.stdout = sys.stdout, sys.stderr  # a print() for the eye must not be taken for an answer
    briefing, known = json.loads(sys.stdin.readline()), Map()
    for line in sys.stdin:
        belief = json.loads(line)
        known.update(belief)
        answers.write(json.dumps({**said, **choose(briefing, known, belief)}) + "\n")
        answers.flush()
        said = {}
