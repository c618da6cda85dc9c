"""A run of four robots in the office, its figures and its picture.

    tools/python docs/examples/first_run.py
"""
import outrider

run = outrider.run("office", strategy="minpos", robots=4, seed=1, **{"comm.range_m": 15})
print(run)
print("the base knew 90 %% at step %.0f, the team at step %.0f" % (run.metrics["t90_base"], run.metrics["t90_team"]))
for name, metrics in run.robot_metrics.items():
    print("%s drove %.0f m" % (name, metrics["distance_m"]))
run.picture("first_run.png")
print("first_run.png shows where they went")
