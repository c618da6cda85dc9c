"""The types that editors see are those of the extension."""
import ast
import inspect
import os
import re
import unittest

import outrider
from outrider import _core


def names_of(function):
    """Names of the parameters of a function of the extension, from the first line of its docstring."""
    line = (function.__doc__ or "").strip().split("\n")[0]
    inner, before = line.split("(", 1)[1].rsplit(")", 1)[0], ""
    while inner != before:  # brackets in brackets
        inner, before = re.sub(r"\[[^\[\]]*\]", "", inner), inner
    return [part.split(":")[0].strip() for part in inner.split(",") if part.strip() not in ("*", "")]


class Stubs(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(os.path.dirname(outrider.__file__), "_core.pyi")) as file:
            self.tree = ast.parse(file.read())
        self.classes = {n.name: n for n in self.tree.body if isinstance(n, ast.ClassDef)}

    def test_all_names_are_there_and_no_others(self):
        inside = {n for n in vars(_core) if not n.startswith("_")}
        listed = {n.name for n in self.tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
        listed |= {n.target.id for n in self.tree.body if isinstance(n, ast.AnnAssign)}
        self.assertEqual(listed, inside)

    def test_members_and_their_parameters(self):
        for name, node in self.classes.items():
            kind = getattr(_core, name)
            if issubclass(kind, Exception):
                continue
            functions = {f.name: f for f in node.body if isinstance(f, ast.FunctionDef)}
            fields = {f.target.id for f in node.body if isinstance(f, ast.AnnAssign)}
            members = {m for m in vars(kind) if not m.startswith("_")}
            with self.subTest(kind=name):
                self.assertEqual((set(functions) | fields) - {"__init__"}, members)
            for member, function in functions.items():
                there = inspect.getattr_static(kind, member)
                is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in function.decorator_list)
                self.assertEqual(isinstance(there, property), is_property, (name, member))
                first = (getattr(kind, member).__doc__ or "").split("\n")[0]
                documented = "(" in first and "*args" not in first  # which stands for several forms
                if is_property or not documented:
                    continue
                given = [a.arg for a in function.args.args + function.args.kwonlyargs]
                with self.subTest(kind=name, member=member):
                    self.assertEqual([a for a in given if a != "self"],
                                     [a for a in names_of(getattr(kind, member)) if a != "self"])


if __name__ == "__main__":
    unittest.main()
