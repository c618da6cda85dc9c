"""What pip builds from a checkout."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = os.getcwd()
BUILD = os.path.dirname(os.environ["OUTRIDER_PROGRAM"])


class Wheel(unittest.TestCase):
    def test_pip_installs_a_package_that_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run([sys.executable, "-c", "import wheel, sys; print(wheel.build_wheel(sys.argv[1], "
                                   "{'build': sys.argv[2]}))", folder, BUILD], capture_output=True, text=True,
                                  env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "tools")})
            self.assertEqual(made.returncode, 0, made.stderr)
            name = made.stdout.split()[-1]
            self.assertRegex(name, r"^outrider-[0-9.]+-cp3\d+-cp3\d+-linux_\w+\.whl$")
            target = os.path.join(folder, "site")
            if importlib.util.find_spec("pip"):
                subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target",
                                target, os.path.join(folder, name)], check=True, capture_output=True)
            else:  # a wheel is an archive
                zipfile.ZipFile(os.path.join(folder, name)).extractall(target)
            said = subprocess.run([sys.executable, "-c", "import outrider; print(outrider.__file__); print(outrider.run("
                                   "'small_office', strategy='nearest', robots=1, steps=20, picture=False).digest)"],
                                  capture_output=True, text=True, check=True, cwd=folder,
                                  env={**os.environ, "PYTHONPATH": target}).stdout.split()
            self.assertTrue(said[0].startswith(target), said)
            self.assertEqual(len(said[1]), 32)
            with zipfile.ZipFile(os.path.join(folder, name)) as archive:
                points = next(n for n in archive.namelist() if n.endswith(".dist-info/entry_points.txt"))
                self.assertIn("outrider = outrider.__main__:command", archive.read(points).decode())
            with open("pyproject.toml") as file:
                self.assertIn('outrider = "outrider.__main__:command"', file.read())
            self.expect_command(folder, target)

    def expect_command(self, folder, target):
        script = [sys.executable, "-c", "import sys; from outrider.__main__ import command; sys.exit(command())"]
        alone = {**os.environ, "PYTHONPATH": target, "PATH": folder}
        said = subprocess.run([*script, "learn", "export", "--help"], capture_output=True, text=True, env=alone)
        self.assertIn("--hindsight", said.stdout)
        said = subprocess.run([*script, "--version"], capture_output=True, text=True, env=alone)
        self.assertEqual(said.returncode, 2)
        self.assertIn("is not on the path", said.stderr)
        os.symlink(os.environ["OUTRIDER_PROGRAM"], os.path.join(folder, "outrider"))
        said = subprocess.run([*script, "strategies"], capture_output=True, text=True, env=alone)
        self.assertIn("sight_greedy", said.stdout)


if __name__ == "__main__":
    unittest.main()
