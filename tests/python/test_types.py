"""A script of a user, under mypy --strict: everything that the package returns has a type."""
import json
import os
import re
import shutil
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


PACKAGE = os.path.dirname(outrider.__file__)


def pyright():
    """How to call it; nothing where it is not installed: nothing is downloaded for a test."""
    if shutil.which("pyright"):
        return ["pyright"]
    if shutil.which("npx") and subprocess.run(["npx", "--no-install", "pyright", "--version"], capture_output=True).returncode == 0:
        return ["npx", "--no-install", "pyright"]
    return []


class Types(unittest.TestCase):
    def expect_mypy(self):
        if not shutil.which("mypy"):
            self.skipTest("mypy is not installed")

    def check(self, text):
        self.expect_mypy()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "script.py")
            with open(path, "w") as file:
                file.write(text)
            said = subprocess.run(["mypy", "--strict", "--follow-imports=silent", "--python-executable", sys.executable,
                                   "--cache-dir", folder, path], capture_output=True, text=True,
                                  env={**os.environ, "MYPYPATH": os.path.dirname(PACKAGE)})
        return said.stdout

    def test_a_script_without_mistakes_sees_no_any(self):
        said = self.check(SCRIPT)
        self.assertNotIn("error:", said)
        revealed = re.findall(r"Revealed type is .*", said)
        self.assertEqual(len(revealed), SCRIPT.count("reveal_type"))
        for line in revealed:  # the shape of an array has no type
            self.assertNotIn("Any", line.replace("numpy.ndarray[Any, ", "numpy.ndarray[").replace("dtype[Any]", ""))

    def test_pyright_sees_no_unknown_type_either(self):
        command = pyright()
        if not command:
            self.skipTest("pyright is not installed (npm install pyright)")
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "script.py"), "w") as file:
                file.write(SCRIPT)
            with open(os.path.join(folder, "pyrightconfig.json"), "w") as file:
                json.dump({"include": ["script.py"], "typeCheckingMode": "strict", "extraPaths": [os.path.dirname(PACKAGE)]}, file)
            said = json.loads(subprocess.run([*command, "--outputjson", "--pythonpath", sys.executable, "-p", folder],
                                             capture_output=True, text=True).stdout)
        self.assertEqual(said["summary"]["errorCount"], 0, said["generalDiagnostics"])
        revealed = [line["message"] for line in said["generalDiagnostics"] if line["severity"] == "information"]
        self.assertEqual(len(revealed), SCRIPT.count("reveal_type"))
        for line in revealed:
            self.assertNotIn("Unknown", line)
            self.assertNotIn("Any", line.replace("ndarray[Any, ", "ndarray["))

    def test_the_package_itself_has_types(self):
        self.expect_mypy()
        with tempfile.TemporaryDirectory() as folder:  # optional packages may be there or not
            said = subprocess.run(["mypy", "--strict", "--no-warn-unused-ignores", "--cache-dir", folder, "--python-executable",
                                   sys.executable, PACKAGE], capture_output=True, text=True,
                                  env={**os.environ, "MYPYPATH": os.path.dirname(PACKAGE)})
        self.assertEqual(said.returncode, 0, said.stdout)

    def test_mistakes_are_found(self):
        self.assertEqual(self.check(MISTAKES).count("error:"), 3)


if __name__ == "__main__":
    unittest.main()
