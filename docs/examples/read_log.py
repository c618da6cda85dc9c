"""A log, read: how the run went, what a robot knew, and why it decided as it did.

    tools/python docs/examples/read_log.py [LOG]
"""
import os
import sys
import tempfile

import outrider

if len(sys.argv) > 1:
    path = sys.argv[1]
else:
    path = os.path.join(tempfile.mkdtemp(), "run.sqlite")
    outrider.run("small_office", strategy="minpos", robots=2, steps=80, log=path, log_level="full")
log = outrider.load_log(path)
print("%s: %s, version %s" % (path, log.meta.get("end_reason"), log.meta.get("version")))
print("the team knows %.1f %% after %d steps" % (100 * log.steps["team_share"][-1], len(log.steps["step"])))
robot, step = log.robots[0], len(log.steps["step"]) // 2
cells, low = log.map(robot, step)
print("at step %d %s knew %d free cells and %d occupied ones" % (step, robot, (cells == 1).sum(), (cells == 2).sum()))
for reason in log.why(robot, step):
    print("  %s: %s" % (reason["layer"], reason["text"]))
print("run again it is the same: %s" % log.rerun())
