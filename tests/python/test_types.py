"""A script of a user, under mypy --strict: everything that the package returns has a type."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import outrider

SCRIPT = '''
import numpy as np
import outrider

env = outrider.ParallelEnv("office", robots=4, every="event", settings={"comm.range_m": 8})
observations, infos = env.reset(seed=1)
reveal_type(observations)
reveal_type(infos)
reveal_type(env.step({"r1": 0, "r2": outrider.Goto(1, 2)}))
reveal_type(env.copy())
vector = outrider.make_vec("office", 4, robots=outrider.between(1, 8), threads=2)
reveal_type(vector)
reveal_type(vector.reset(seed=1))
reveal_type(vector.step(np.zeros((4, 8), int)))
reveal_type(vector.state())
one = outrider.Env("office", robots=1)
reveal_type(one.reset(seed=1))
reveal_type(one.step(0))
result = outrider.run("office", strategy="minpos", robots=4, seed=1)
reveal_type(result)
reveal_type(result.metrics)
reveal_type(result.steps)
reveal_type(outrider.Simulation("office", strategy="remote").copy().digest)
reveal_type(outrider.compare(["nearest"], "office").table("t90_team"))


class Mine(outrider.Strategy):
    def choose(self, belief: outrider.Belief, rng: outrider.Random) -> outrider.Goto:
        return outrider.Goto(*belief.home)
'''
MISTAKES = '''
import outrider
outrider.run("office", robots="4")
outrider.make_vec("office", "4")
outrider.Env(7)
'''


class Types(unittest.TestCase):
    def check(self, text):
        try:
            subprocess.run(["mypy", "--version"], check=True, capture_output=True)
        except OSError:
            self.skipTest("mypy is not installed")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "script.py")
            with open(path, "w") as file:
                file.write(text)
            said = subprocess.run(["mypy", "--strict", "--follow-imports=silent", "--python-executable", sys.executable,
                                   "--cache-dir", folder, path], capture_output=True, text=True,
                                  env={**os.environ, "MYPYPATH": os.path.dirname(os.path.dirname(outrider.__file__))})
        return said.stdout

    def test_a_script_without_mistakes_sees_no_any(self):
        said = self.check(SCRIPT)
        self.assertNotIn("error:", said)
        revealed = re.findall(r"Revealed type is .*", said)
        self.assertEqual(len(revealed), SCRIPT.count("reveal_type"))
        for line in revealed:  # the shape of an array has no type
            self.assertNotIn("Any", line.replace("numpy.ndarray[Any, ", "numpy.ndarray[").replace("dtype[Any]", ""))

    def test_mistakes_are_found(self):
        self.assertEqual(self.check(MISTAKES).count("error:"), 3)


if __name__ == "__main__":
    unittest.main()
