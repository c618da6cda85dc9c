"""What a robot knows, as Python sees it, held against what the arrays say of each other."""
import unittest

import numpy as np
import outrider

UNKNOWN, FREE, OCCUPIED = 0, 1, 2


def begun(steps=30, **arguments):
    """A simulation after some steps, in the middle of the next one."""
    sim = outrider.Simulation("rooms", **{"strategy": "mresim_greedy", "robots": 2, "seed": 3, **arguments})
    for _ in range(steps):
        sim.step()
    sim.perceive()
    return sim


class Beliefs(unittest.TestCase):
    def test_the_map_around_a_frontier(self):
        belief = begun().belief("r1")
        column, row, width, height = belief.extent
        cells = belief.cells(column, row, width, height)
        self.assertEqual(cells.shape, (height, width))
        self.assertEqual(set(np.unique(cells)), {UNKNOWN, FREE, OCCUPIED})

        def at(x, y):
            return cells[int(y // belief.cell_m) - row, int(x // belief.cell_m) - column]

        self.assertEqual(at(*belief.pose[:2]), FREE)
        self.assertGreater(len(belief.frontiers), 0)
        for f in belief.frontiers:
            self.assertEqual(at(f["x"], f["y"]), FREE)
            self.assertEqual(at(f["look_x"], f["look_y"]), UNKNOWN)
        # A window of the same map.
        part = belief.cells(column + 10, row + 20, 7, 5)
        self.assertTrue((part == cells[20:25, 10:17]).all())

    def test_ways_are_those_of_the_paths(self):
        belief = begun().belief("r1")
        f = belief.frontiers
        goals = np.stack([f["x"], f["y"]], axis=1)
        self.assertTrue((belief.ways(goals) == f["way"]).all())
        for row in f:
            path = belief.path_to(row["x"], row["y"])
            length = np.hypot(*np.diff(path, axis=0).T).sum()
            self.assertAlmostEqual(length, row["way"], delta=1e-5 * max(1, length))
        self.assertEqual(belief.ways(np.array([[-500.0, 0.0]])).tolist(), [float("inf")])
        self.assertIsNone(belief.path_to(-500, 0))
        with self.assertRaisesRegex(outrider.Error, r"shape \(n, 2\)"):
            belief.ways(np.zeros(4))

    def test_the_team(self):
        sim = begun()
        belief = sim.belief("r1")
        self.assertEqual((belief.name, belief.index, belief.step), ("r1", sim.belief(1).index, 30))
        self.assertEqual(set(belief.team), {"base", "r2"})
        heard = belief.team["base"]
        self.assertEqual(heard["role"], "base")
        self.assertEqual(heard["in_contact"], belief.in_contact("base"))
        self.assertEqual(belief.base_in_contact, heard["in_contact"])
        with self.assertRaisesRegex(outrider.Error, "no robot 'r9'"):
            belief.in_contact("r9")
        with self.assertRaisesRegex(outrider.Error, "there are base, r1, r2"):
            sim.belief("r9")

    def test_a_view_ends_with_its_step(self):
        sim = begun()
        belief = sim.belief("r1")
        frontiers = belief.frontiers
        self.assertIs(frontiers, belief.frontiers)
        sim.act()
        for use in (lambda: belief.pose, lambda: belief.frontiers, lambda: belief.cells(0, 0, 1, 1)):
            with self.assertRaisesRegex(outrider.Error, "of a step that is over"):
                use()
        again = sim.belief("r1")
        self.assertEqual(len(again.pose), 3)
        sim.reset(4)
        with self.assertRaisesRegex(outrider.Error, "of a step that is over"):
            again.pose
        kept = sim.belief("r1")
        pose = kept.pose
        del sim
        self.assertEqual(kept.pose, pose)  # it holds what it looks at


if __name__ == "__main__":
    unittest.main()
