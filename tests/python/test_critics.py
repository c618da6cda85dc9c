"""What a critic that is trained centrally may see: the truth."""
import unittest

import numpy as np
import outrider

ARGUMENTS = dict(robots=2, steps=3000, observation="graph", every="event", nodes=800, spacing_m=2.0,
                 **{"sensor.range_m": 6, "sensor.fov_deg": 360})


def edges(nodes, neighbours, mask):
    """Of a graph: pairs of places, by coordinates in lattice steps."""
    at = [tuple(np.round(row).astype(int)) for row in nodes[:, :2]]
    return {(at[i], at[j]) for i in np.flatnonzero(mask) for j in neighbours[i] if j >= 0}


class TrueGraphs(unittest.TestCase):
    def test_at_the_end_an_agents_own_graph_is_the_true_one(self):
        env = outrider.ParallelEnv("rooms", done_share=0.999, **{**ARGUMENTS, "robots": 1})
        observations, infos = env.reset(seed=2)
        first = env.true_graph()
        while env.agents:
            seen, here = observations["r1"], env.belief("r1")
            pose, cell_m = here.pose, here.cell_m
            observations, _, _, _, infos = env.step({"r1": 0})
        truth = env.true_graph()
        np.testing.assert_array_equal(first["neighbours"], truth["neighbours"])  # it is there from the beginning
        self.assertGreater(first["nodes"][:, 2].sum(), 10)
        self.assertLess(truth["nodes"][:, 2].sum(), 0.2)  # hardly anything is left
        # Both in lattice steps of 20 cells.
        own, true = seen["nodes"].copy(), truth["nodes"].copy()
        own[:, :2] = (own[:, :2] * 6 / cell_m + [pose[0] / cell_m, pose[1] / cell_m] - 0.5) / 20
        true[:, :2] = (true[:, :2] * 6 / cell_m - 0.5) / 20
        mine = edges(own, seen["neighbours"], seen["node_mask"])
        there = edges(true, truth["neighbours"], truth["node_mask"])
        self.assertGreater(len(there), 1000)
        self.assertGreater(len(mine & there), 0.97 * max(len(mine), len(there)))
        here = np.array([pose[0] / cell_m - 0.5, pose[1] / cell_m - 0.5]) / 20
        self.assertLess(np.hypot(*(true[int(truth["agents"][0]), :2] - here)), 4)

    def test_utility_is_what_nobody_knows_in_sight(self):
        env = outrider.ParallelEnv("rooms", **ARGUMENTS)
        env.reset(seed=2)
        for _ in range(3):
            env.step({a: 0 for a in env.agents})
        graph, state = env.true_graph(), env.state()
        column, row = np.argwhere(state[3])[0][::-1]  # of the base, whose cell is (0, 0)
        open_cells = (state[0] == 0) & (state[1] == 0)
        nodes = graph["nodes"][graph["node_mask"] > 0]
        for x, y, utility in nodes[:: max(1, len(nodes) // 12)]:
            at = np.array([round(x * 60 - 0.5) + column, round(y * 60 - 0.5) + row])
            rows, columns = np.nonzero(open_cells)
            near = (rows - at[1]) ** 2 + (columns - at[0]) ** 2 <= 40 ** 2
            seen = sum(self.in_sight(state[0], at, (c, r)) for r, c in zip(rows[near], columns[near]))
            self.assertAlmostEqual(utility * 3600, seen, delta=0.25 * seen + 60)  # blocks of cells stand for all of them

    @staticmethod
    def in_sight(walls, a, b):
        for k in np.linspace(0, 1, 50):
            x, y = np.round(a[0] + k * (b[0] - a[0])), np.round(a[1] + k * (b[1] - a[1]))
            if walls[int(y), int(x)]:
                return False
        return True

    def test_of_many_environments(self):
        env = outrider.make_vec("rooms", 2, **{**ARGUMENTS, "steps": 5})
        env.reset(seed=1)
        graph = env.true_graph(nodes=700)
        self.assertEqual(graph["nodes"].shape, (2, 700, 3))
        self.assertTrue((graph["agents"] >= 0).all())
        with self.assertRaisesRegex(outrider.Error, "true_graph: the map has [0-9]+ places: expected"):
            env.true_graph(nodes=5)


if __name__ == "__main__":
    unittest.main()
