"""Strategies in Python, and robots that are told what to do."""
import os
import signal
import subprocess
import tempfile
import unittest

import numpy as np
import outrider


class Nearest(outrider.Strategy):
    """To the nearest frontier, chosen anew in each step."""
    summary = "the nearest frontier"
    bonus = outrider.option(0.0, low=0, high=10, help="metres that a cell of the frontier is worth")

    def choose(self, belief, rng):
        f = belief.frontiers
        f = f[np.isfinite(f["way"])]
        if not belief.drives or not len(f):
            return outrider.Intent(outrider.Goto(*belief.home), done=True)
        best = (f["way"] - self.bonus * f["size"]).argmin()
        return outrider.Intent(outrider.Goto.frontier(f[best]), overlays=[outrider.Overlay.rule("the nearest")])


class Strategies(unittest.TestCase):
    def test_a_team_explores_the_same_with_any_number_of_threads(self):
        runs = [outrider.run("rooms", strategy=Nearest, robots=2, threads=threads) for threads in (1, 3)]
        self.assertGreater(runs[0].metrics["final_team"], 0.99)
        self.assertEqual(runs[0].digest, runs[1].digest)
        self.assertEqual(outrider.run("rooms", strategy=Nearest(), robots=2).digest, runs[0].digest)
        self.assertEqual(outrider.run("rooms", strategy=lambda: Nearest(bonus=0), robots=2).digest, runs[0].digest)
        self.assertNotEqual(outrider.run("rooms", strategy=Nearest(bonus=1), robots=2).digest, runs[0].digest)

    def test_told_in_halves_or_by_a_class_a_robot_does_the_same(self):
        sim = outrider.Simulation("rooms", strategy="remote", robots=1, steps=150)
        mine = Nearest()
        while not sim.done:
            sim.perceive()
            sim.act({"r1": mine.choose(sim.belief("r1"), None)})
        self.assertEqual(sim.digest, outrider.run("rooms", strategy=Nearest, robots=1, steps=150).digest)

    def test_each_robot_has_an_object_and_random_numbers_of_its_own(self):
        class Noting(outrider.Strategy):
            made = []

            def begin(self):
                self.drawn = []
                Noting.made.append(self)

            def choose(self, belief, rng):
                self.drawn.append((rng.uniform(), rng.below(5), rng.normal()))
                self.rng = rng

        outrider.run("rooms", strategy=Noting, robots=2, steps=5)
        one, two = Noting.made
        self.assertEqual(len(one.drawn), 5)
        self.assertEqual(len({*one.drawn, *two.drawn}), 10)
        with self.assertRaisesRegex(outrider.Error, "of a step that is over"):
            one.rng.uniform()
        Noting.made = []
        outrider.run("rooms", strategy=Noting, robots=2, steps=5)
        self.assertEqual(Noting.made[0].drawn, one.drawn)

    def test_words_reach_a_mate(self):
        heard = []

        class Talker(outrider.Strategy):
            def choose(self, belief, rng):
                for name, mate in belief.team.items():
                    if mate and mate["words"]:
                        heard.append((belief.name, name, mate["words"][0].topic, mate["words"][0].values))
                return outrider.Intent(words=[outrider.Word(77, [belief.index, 5])])

        outrider.run("rooms", strategy=Talker, robots=2, steps=3)
        self.assertIn(("r1", "r2", 77, [2, 5]), heard)
        self.assertIn(("r2", "r1", 77, [1, 5]), heard)

    def test_options(self):
        self.assertEqual(Nearest.options(), ["bonus"])
        self.assertEqual(Nearest(bonus=2).bonus, 2)
        for wrong, text in ((dict(bonus=11), "bonus = 11: expected 0 to 10"), (dict(bonus="a"), "expected a number"),
                            (dict(alpha=1), "no option 'alpha'; there are: bonus")):
            with self.assertRaisesRegex(outrider.Error, text):
                Nearest(**wrong)

    def test_mistakes_of_a_strategy_name_robot_step_and_line(self):
        class Raises(outrider.Strategy):
            def choose(self, belief, rng):
                if belief.step == 3:
                    return 1 / 0

        with self.assertRaisesRegex(outrider.RunFailure, r"(?s)robot 'r1' at step 3: ZeroDivisionError.*test_strategy"):
            outrider.run("rooms", strategy=Raises, robots=1)

        class Wrong(outrider.Strategy):
            def choose(self, belief, rng):
                return "north"

        with self.assertRaisesRegex(outrider.RunFailure, "robot 'r1' at step 0: expected an Intent.*got 'north'"):
            outrider.run("rooms", strategy=Wrong, robots=1)
        with self.assertRaisesRegex(outrider.Error, "expected a strategy, an object with choose"):
            outrider.run("rooms", strategy=lambda: 5, robots=1)
        with self.assertRaisesRegex(outrider.Error, "strategy: expected a name, a Strategy, or a function"):
            outrider.run("rooms", strategy=5, robots=1)
        for wrong, text in ((lambda: outrider.Intent("north"), "Intent: action"),
                            (lambda: outrider.Intent(share="some"), "share: expected one of all, summary, none"),
                            (lambda: outrider.Intent(role="boss"), "role: expected one of base, explorer, relay")):
            with self.assertRaisesRegex(outrider.Error, text):
                wrong()

    def test_telling_in_the_wrong_order(self):
        sim = outrider.Simulation("rooms", strategy="remote", robots=1, steps=2)
        with self.assertRaisesRegex(outrider.Error, "perceive\\(\\) comes before it"):
            sim.act()
        sim.perceive()
        with self.assertRaisesRegex(outrider.Error, "called before in this step"):
            sim.perceive()
        with self.assertRaisesRegex(outrider.Error, "act\\(\\) ends this step"):
            sim.step()
        with self.assertRaisesRegex(outrider.Error, "robot 'base' decides for itself"):
            sim.act({"base": outrider.Stay()})
        sim.act()
        sim.step()
        self.assertEqual(sim.reason, "step_limit")
        with self.assertRaisesRegex(outrider.Error, "the run is over"):
            sim.step()

    def test_ctrl_c_in_a_strategy_and_between_steps(self):
        class Interrupts(outrider.Strategy):
            def choose(self, belief, rng):
                if belief.step == 2:
                    os.kill(os.getpid(), signal.SIGINT)
                    for _ in range(1000):
                        pass

        # A shell starts what runs in its background with Ctrl-C ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "run.sqlite")
            sim = outrider.Simulation("rooms", strategy=Interrupts, robots=1, log=log)
            with self.assertRaises(KeyboardInterrupt):
                sim.run()
            self.assertLess(sim.steps_done, 5)
            self.assertEqual((sim.done, sim.reason), (True, "interrupted"))
            said = subprocess.run([os.environ["OUTRIDER_PROGRAM"], "log", "info", log], capture_output=True, text=True)
            self.assertRegex(said.stdout, r"end_reason\s+interrupted")


if __name__ == "__main__":
    unittest.main()
