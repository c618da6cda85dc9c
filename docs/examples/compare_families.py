"""A strategy beside the classical ones, over families of generated maps and ranges of the radio.

    tools/python docs/examples/compare_families.py                     # the shipped network: some minutes
    tools/python docs/examples/compare_families.py "mlp(weights=my_policy.json)" --families office --seeds 30

Steps until the team knows 99 %: the median of mresim_greedy, and the medians of paired ratios of the others to it.
"""
import argparse

import outrider

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("strategy", nargs="?", default="mlp")
parser.add_argument("--families", nargs="+", default=["office", "rooms", "hospital", "warehouse", "cave", "ruin"])
parser.add_argument("--ranges", type=float, nargs="+", default=[6, 20, 60], help="of the radio, in metres")
parser.add_argument("--seeds", type=int, default=12, help="maps of each family")
parser.add_argument("--robots", type=int, default=4)
parser.add_argument("--size", type=int, nargs=2, default=(300, 200), help="width and height of the maps in cells")
parser.add_argument("--threads", type=int, default=1)
given = parser.parse_args()

strategies = ["mresim_greedy", "nearest", "minpos", "burgard", "sight_greedy", "look_around", given.strategy]
for family in given.families:
    for reach in given.ranges:
        maps = outrider.generated(family, width=given.size[0], height=given.size[1])
        comparison = outrider.compare(strategies, maps, seeds=range(7000001, 7000001 + given.seeds), threads=given.threads,
                                      robots=given.robots, steps=2000,
                                      **{"comm.range_m": reach, "comm.base_range_m": reach, "stop.of": "team",
                                         "stop.fraction": 0.99})
        print("\n%s, radio %g m\n%s" % (family, reach, comparison.table("t99_team")), flush=True)
