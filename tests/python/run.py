"""Runs the tests of the Python package; ends with a line of counts as the C++ tests do.

    python3 tests/python/run.py BUILD_FOLDER [NAME...]
"""
import os
import sys
import unittest

here = os.path.dirname(os.path.abspath(__file__))
build = os.path.abspath(sys.argv[1])
os.environ["OUTRIDER_PROGRAM"] = os.path.join(build, "outrider")
sys.path[:0] = [os.path.join(build, "python"), here]
os.chdir(os.path.dirname(os.path.dirname(here)))

loader = unittest.TestLoader()
names = sys.argv[2:]
suite = loader.loadTestsFromNames(names) if names else loader.discover(here)
result = unittest.TextTestRunner(verbosity=1).run(suite)
failed = len(result.failures) + len(result.errors)
skipped = len(result.skipped)
print("[python] test cases: %d | %d passed | %d failed | %d skipped" %
      (result.testsRun, result.testsRun - failed - skipped, failed, skipped))
sys.exit(failed > 0)
