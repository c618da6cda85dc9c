"""A strategy of one's own beside two native ones.

    tools/python docs/examples/my_strategy.py
"""
import numpy as np
import outrider


class LargeAndNear(outrider.Strategy):
    """Frontiers that are large for their distance; keeps to one until it is gone."""
    summary = "large frontiers, near ones first"
    power = outrider.option(2.0, low=0, high=8, help="how much the way counts")

    def begin(self):
        self.goal = None

    def choose(self, belief, rng):
        if not belief.drives:
            return None
        if self.goal is None or belief.goal_unreachable or belief.step % 10 == belief.index:
            f = belief.frontiers
            f = f[np.isfinite(f["way"])]
            if not len(f):
                return outrider.Intent(outrider.Goto(*belief.home), done=True)
            self.goal = f[(f["area"] / np.maximum(f["way"], 0.5) ** self.power).argmax()]
        return outrider.Intent(outrider.Goto.frontier(self.goal), overlays=[outrider.Overlay.rule("large and near")])


comparison = outrider.compare(["mresim_greedy", "nearest", LargeAndNear, LargeAndNear(power=1)], "small_office", seeds=3,
                              robots=2, **{"start.jitter_cells": 5})
print(comparison.table("t90_team"))
