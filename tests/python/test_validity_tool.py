"""The statistics of tools/validity are those of the program."""
import importlib.machinery
import importlib.util
import os
import random
import tempfile
import unittest

import outrider

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "validity")
spec = importlib.util.spec_from_loader("validity", importlib.machinery.SourceFileLoader("validity", PATH))
validity = importlib.util.module_from_spec(spec)
spec.loader.exec_module(validity)


class Page(unittest.TestCase):
    def test_the_section_on_mresims_own_runs_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.md")
            self.assertEqual(validity.mresim_section(page), "")
            with open(page, "w", encoding="utf-8") as file:
                file.write("# Validity\n\nProgram 1.\n")
            self.assertEqual(validity.mresim_section(page), "")
            with open(page, "a", encoding="utf-8") as file:
                file.write("\n## Beside MRESim's own runs\n\nA table.\n")
            self.assertEqual(validity.mresim_section(page), "\n## Beside MRESim's own runs\n\nA table.\n")

    def test_claims_that_differ_in_a_name_and_in_numbers_share_a_row(self):
        row = lambda name, ratio, p, ok: (f"doors: {name} is slower", "a paper", f"ratio {ratio} (margin: 1.0), 5 of 6 maps, "
                                          f"20 of 30 pairs, A12 0.6{ratio[-1]}, p {p}", ok)
        table = validity.table([row("nearest", "1.25", 0.02, True), row("burgard", "0.97", 0.4, False),
                                row("minpos", "1.31", 0.03, True), ("nearest: x", "a paper", "1: 794; 6 maps, 30 pairs", True)])
        self.assertEqual(table.split("\n")[2:], [
            "| doors: nearest, minpos is slower | ratio 1.25 to 1.31 (margin: 1.0), 5 of 6 maps, p 0.02 to 0.03 | yes |",
            "| doors: burgard is slower | ratio 0.97 (margin: 1.0), 5 of 6 maps, p 0.4 | **no** |",
            "| nearest: x | 1: 794; 6 maps | yes |"])


class Statistics(unittest.TestCase):
    def test_p_is_half_of_the_two_sided_one(self):
        numbers = random.Random(1)
        for n in (1, 5, 6, 12, 16):
            values = [numbers.gauss(0.3, 1) for _ in range(n)]
            (mean, p, _), = outrider._core.compare_samples([0.0] * n, [values], list(range(n)), [1] * n)
            one_sided = validity.sign_flip_greater(values)
            self.assertAlmostEqual(min(1, 2 * (one_sided if mean > 0 else validity.sign_flip_greater([-v for v in values]))), p)
        values = [numbers.gauss(0.5, 1) for _ in range(18)]  # random choices
        (_, p, _), = outrider._core.compare_samples([0.0] * 18, [values], list(range(18)), [1] * 18)
        self.assertLess(abs(2 * validity.sign_flip_greater(values) / p - 1), 0.2)
        self.assertGreater(validity.sign_flip_greater([1.0] * 40), 0)

    def test_maps_count_not_pairs(self):
        less = {(place, start): {"t": 10.0} for place in "abcd" for start in range(9)}
        more = {key: {"t": 20.0} for key in less}
        few = validity.Ordering(less, more, "t")
        self.assertFalse(few.shown)
        self.assertIn("4 of 4 maps, 36 of 36 pairs", few.evidence)
        self.assertIn("cannot be shown with so few maps (4; at least 5 are needed)", few.evidence)
        less.update({("e", 1): {"t": 10.0}, ("f", 1): {"t": None}})
        more.update({("e", 1): {"t": 11.0}, ("f", 1): {"t": 11.0}})
        enough = validity.Ordering(less, more, "t")
        self.assertTrue(enough.shown)
        self.assertEqual((enough.maps, enough.pairs, enough.p), (5, 37, 1 / 32))
        one = validity.Ordering({("a", k): {"t": 1.0} for k in range(6)}, {("a", k): {"t": 2.0} for k in range(6)}, "t")
        self.assertTrue(one.evidence.endswith("p 0.02 within the one map, for it only"), one.evidence)


if __name__ == "__main__":
    unittest.main()
