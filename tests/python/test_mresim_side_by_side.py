"""tools/mresim_side_by_side on small made-up runs, whose scores are known, and with a made-up program."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import sys
import tempfile
import unittest

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "mresim_side_by_side")
spec = importlib.util.spec_from_loader("mresim_side_by_side",
                                       importlib.machinery.SourceFileLoader("mresim_side_by_side", PATH))
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)

# The team knows 10 % more in each cycle, the base half of that.
HEADER = "# map square.png team square2 alg greedy total_free 1000 reachable 1000 robots 2 seed 5"
TEAM = """1 BaseStation 50 50 0.0 0 200 1000 BaseStation 1 1
2 A 60 50 0.0 200 200 1000 Explorer 1 1
3 B 70 50 0.0 200 200 1000 Explorer 1 1
"""
# Writes what a run of the program would: the team knows 15 % more in each step, the base all of it.
PROGRAM = """#!{python}
import sys
steps = sys.argv[sys.argv.index("--csv") + 1]
with open(steps, "w") as file:
    file.write("step,team_share,base_share,distance_m\\n")
    for i in range(8):
        file.write("%d,%g,%g,%d\\n" % (i, min(1, .15 * i), min(1, .15 * i), 2 * (i + 1)))
open({calls!r}, "a").write(" ".join(sys.argv[1:]) + "\\n")
seed = int(sys.argv[sys.argv.index("--seed") + 1])
print('{{"end": "%s"}}' % ("step_limit" if seed == 2 else "stop_rule"))
"""


def run_text(end="# end base95 cycles 10", header=HEADER, cycles=10, base=50):
    rows = [header, "cycle,base_area,base_true,team_true,sumdist,x1,y1,s1,x2,y2,s2"]
    rows += [f"{c},{base * c},{base * c},{100 * c},{20 * c},{60 + 10 * c},50,Explore,{70 + 10 * c},50,Explore"
             for c in range(1, cycles + 1)]
    return "\n".join(rows + [end]) + "\n"


class SideBySide(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = folder.name
        for name in ("runs", "teams", "environments"):
            os.mkdir(os.path.join(self.dir, name))
        self.write("environments/square.png", "")
        self.write("teams/2robots_square", TEAM)
        self.write("teams/2robots_square_relay", TEAM)
        self.program = self.write("program", PROGRAM.format(python=sys.executable,
                                                            calls=os.path.join(self.dir, "calls")))
        os.chmod(self.program, 0o755)

    def write(self, name, text):
        path = os.path.join(self.dir, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def main(self, *arguments):
        out, argv = io.StringIO(), sys.argv
        sys.argv = ["mresim_side_by_side", self.dir, "--program", self.program, *arguments]
        try:
            with contextlib.redirect_stdout(out):
                tool.main()
        finally:
            sys.argv = argv
        return out.getvalue()

    def score(self, text):
        return tool.read_run(self.write("runs/a.csv", text))[1].score()

    def test_scores_are_those_worked_out_by_hand(self):
        header, run = tool.read_run(self.write("runs/a.csv", run_text(end="# end max cycles 10")))
        score = run.score()
        self.assertEqual((header["alg"], run.end), ("greedy", "cap"))
        self.assertEqual((score["t50_team"], score["t90_team"]), (5, 9))
        self.assertEqual((score["t50_base"], score["t90_base"]), (10, tool.NEVER))
        self.assertAlmostEqual(score["w"], 0.5)  # all the time half of it
        self.assertAlmostEqual(score["way"], 18)  # 180 pixels

    def test_awareness_counts_only_its_band(self):
        # To a fifth the base knows nothing, beyond three quarters nothing new; all of it between.
        self.assertAlmostEqual(tool.awareness([0.2, 0.2001, 0.75, 1], [0, 0.2001, 0.75, 0.75]), 1, places=3)
        self.assertIsNone(tool.awareness([0.2, 0.7], [0.2, 0.7]))

    def test_the_last_row_of_a_run_that_ended_by_its_rule_is_not_older_than_what_the_base_knows(self):
        rows = run_text(base=50).splitlines()
        rows[-2] = "10,960,450,900,200,160,50,Explore,170,50,Explore"  # true cells are those of cycle 9
        self.assertEqual(self.score("\n".join(rows))["t90_base"], 10)
        rows[-1] = "# end max cycles 10"
        self.assertEqual(self.score("\n".join(rows))["t90_base"], tool.NEVER)

    def test_the_ends_of_runs(self):
        for end, kind in (("# end base95 cycles 10", "done"), ("# end max cycles 10", "cap"),
                          ("# end exception cycles 10 NullPointerException", "crash"), ("", "crash"), ("# end", "crash")):
            self.assertEqual(tool.read_run(self.write("runs/a.csv", run_text(end=end)))[1].end, kind)

    def test_without_what_the_base_knows_nothing_is_said_of_it(self):
        text = run_text().replace("base_true", "other")
        self.assertEqual(set(self.score(text)), {"t50_team", "t90_team", "way"})

    def test_rank_intervals(self):
        self.assertIsNone(tool.rank_interval([1, 2, 3, 4, 5]))  # 1 - 2 / 2^5 = 0.9375
        self.assertEqual(tool.rank_interval([3, 1, 2, 6, 5, 4]), (1, 6))
        self.assertEqual(tool.rank_interval(range(1, 11)), (2, 9))  # ranks of tables of the sign test
        self.assertEqual(tool.rank_interval(range(1, 14)), (3, 11))
        self.assertEqual(tool.rank_interval([1] * 8 + [tool.NEVER] * 2), (1, tool.NEVER))
        self.assertEqual(tool.median([4, 1, tool.NEVER]), 4)

    def test_the_table(self):
        self.write("runs/a.csv", run_text())
        self.write("runs/b.csv", run_text(end="# end exception", cycles=3))
        table = self.main("--seeds", "2", "--set", "comm.range_m=7").splitlines()
        self.assertEqual(len(table), 4)
        self.assertIn("| square, 2 robots, greedy | MRESim | 2 | 0 | 1 | - [5, -] | - [9, -] |", table[2])
        self.assertIn("0.50 [0.50, 0.50], 1 runs", table[2])
        self.assertIn("|  | Outrider | 2 | 1 | 0 | 4 [4, 4] | 6 [6, 6] | 4 [4, 4] | 6 [6, 6] | 1.00 [1.00, 1.00] | 12 [12, 12]",
                      table[3])
        with open(os.path.join(self.dir, "calls"), encoding="utf-8") as file:
            calls = file.read().splitlines()
        self.assertEqual(len(calls), 2)
        for seed, call in enumerate(calls, 1):
            self.assertIn("--import-mresim " + os.path.join(self.dir, "teams", "2robots_square") + " ", call)
            self.assertIn(f"--strategy mresim_greedy --seed {seed} ", call)
            self.assertIn("--set comm.range_m=7", call)

    def test_parts_are_switched_one_by_one(self):
        self.write("runs/a.csv", run_text())
        self.main("--seeds", "1", "--parts", "--all-but")
        with open(os.path.join(self.dir, "calls"), encoding="utf-8") as file:
            calls = file.read().splitlines()
        self.assertEqual(len(calls), 2 * len(tool.PARTS) + 2)
        self.assertNotIn("mresim.", calls[0].split("--strategy")[1])
        for part in tool.PARTS:
            self.assertEqual(sum(f"mresim.{part}=true" in call for call in calls), 1)
            self.assertEqual(sum(f"--set mresim.preset=all --set mresim.{part}=false" in call for call in calls), 1)

    def test_mistakes_are_named(self):
        def mistake(text):
            with self.assertRaises(tool.Mistake) as raised:
                self.write("runs/a.csv", text)
                self.main("--seeds", "1")
            return str(raised.exception)

        self.assertIn("first line has no 'reachable'", mistake(run_text().replace("reachable", "free")))
        self.assertIn("no cycles", mistake(HEADER + "\ncycle,team_true\n"))
        self.assertIn("no column team_true", mistake(run_text().replace("team_true", "other")))
        self.assertIn("column team_true: expected numbers", mistake(run_text().replace(",200,", ",many,")))
        self.assertIn("team 'round2': 0 files", mistake(run_text().replace("square2", "round2")))
        self.assertIn("has 2 robots, the runs of it 3", mistake(run_text().replace("robots 2", "robots 3")))
        self.assertIn("alg 'other'", mistake(run_text().replace("alg greedy", "alg other")))
        self.assertIn("'B' starts at (70, 50), but is at (95, 50)", mistake(run_text().replace("80,50,Ex", "95,50,Ex")))
        self.assertIn("no image", mistake(run_text().replace("square.png", "circle.png")))


if __name__ == "__main__":
    unittest.main()
