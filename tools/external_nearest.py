"""An example of a strategy in Python: the frontier nearest by straight line, kept until it is explored.

    build/outrider run environments/rooms.toml --strategy 'external(cmd="python3 tools/external_nearest.py")'
"""
from outrider_client import run

target = None


def choose(briefing, known, belief):
    global target
    if target is None or known[target["look"]] != "?" or belief["goal_unreachable"] or belief["step"] % 15 == 0:
        x, y = belief["cell"]
        away = lambda f: ((f["goal"][0] - x) ** 2 + (f["goal"][1] - y) ** 2, f["goal"])
        target = min(belief["frontiers"], key=away, default=None)
    if target is None:
        return {"home": True}
    metres = lambda cell: [(cell[0] + 0.5) * briefing["cell_m"], (cell[1] + 0.5) * briefing["cell_m"]]
    return {"goto": metres(target["goal"]), "face": metres(target["look"])}


run(choose)
