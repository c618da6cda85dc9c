"""The examples of docs/python.md run as they are written."""
import os
import re
import tempfile
import unittest


class Docs(unittest.TestCase):
    def test_examples(self):
        text = open("docs/python.md").read()
        blocks = re.findall(r"\n\n((?:    .*\n|\n)+)", text)
        programs = [re.sub(r"(?m)^    ", "", b) for b in blocks if re.search(r"outrider\.|sim\.", b)]
        programs = [p for p in programs if "my.png" not in p]
        self.assertEqual(len(programs), 6)
        names = {}
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.join(here, "environments"), os.path.join(folder, "environments"))
            os.chdir(folder)
            try:
                for program in programs:
                    exec(program, names)
                self.assertTrue(os.path.exists("run.png"))
            finally:
                os.chdir(here)
        self.assertTrue(names["sim"].done)
        self.assertGreater(names["sim"].metrics["final_team"], 0.99)


if __name__ == "__main__":
    unittest.main()
