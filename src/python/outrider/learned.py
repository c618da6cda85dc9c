"""A policy that was trained with PyTorch, as a strategy: in runs, comparisons, sweeps, and on the command line.

    outrider run office --strategy "python(outrider.learned:Policy, model='policy.pt')"

The model is a TorchScript file (torch.jit.script or trace, then save). What it is given, and what it returns:

    observation   forward(...)                                                     returns
    frontiers     frontiers float32 (1, K, 12), mask bool (1, K), own float32 (1, 8)   scores (1, K)
    graph         nodes float32 (1, N, 6), neighbours int64 (1, N, 24) with -1: none,
                  node_mask bool (1, N), node int64 (1, 1), own float32 (1, 8)         scores (1, 24), of the slots

The highest score of a choice that there is decides. Decisions are asked for as in an environment with every="event",
so a policy drives here as it was trained. The hash of the file stands in logs and results.
"""
from typing import Any, Dict, Mapping, Optional

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._strategy import Strategy, option

_models: Dict[str, Any] = {}


def load(path: str) -> Any:
    """The model in a file, once for all robots. Raises Error when PyTorch or the file is missing."""
    if path not in _models:
        try:
            import torch  # type: ignore[import]
        except ImportError as error:
            raise _core.Error(f"outrider.learned: PyTorch cannot be imported ({error}); Debian's package is "
                              "python3-torch") from None
        torch.set_num_threads(1)  # robots and runs are what is parallel
        try:
            _models[path] = torch.jit.load(path, map_location="cpu").eval()  # type: ignore[attr-defined]
        except (OSError, RuntimeError, ValueError) as error:
            raise _core.Error(f"{path}: not a TorchScript model: {str(error).splitlines()[0]}") from None
    return _models[path]


def _batch(array: NDArray[Any], kind: Any = None) -> Any:
    import torch
    return torch.from_numpy(np.ascontiguousarray(array if kind is None else array.astype(kind))[None])


class Policy(Strategy):
    """A TorchScript policy on the frontiers, or on the graph of places."""
    summary = "a policy trained with PyTorch (TorchScript)"
    explores = True
    model = option("", help="TorchScript file")
    observation = option("frontiers", help="what it decides on: frontiers or graph")
    choices = option(16, low=1, high=1000, help="frontiers to choose from")
    nodes = option(512, low=1, high=100000, help="places that are shown")
    spacing_m = option(0.0, low=0, high=1000, help="of the places; 0: a fifth of the sensor's range")
    every = option(0, low=0, help="steps from one decision to the next; 0: when something happened")
    patience_steps = option(30, low=1, help="with every=0: at the latest after so many steps")

    def begin(self) -> None:
        if not self.model:
            raise _core.Error("outrider.learned: model='FILE' is missing")
        if self.observation not in ("frontiers", "graph"):
            raise _core.Error(f"outrider.learned: observation: expected frontiers or graph, got {self.observation!r}")
        self.network = load(self.model)
        on_graph = self.observation == "graph"
        self.agent = _core.Agent("node" if on_graph else "frontier", most=int(self.choices), frontiers=not on_graph,
                                 graph=(int(self.nodes), float(self.spacing_m)) if on_graph else None,
                                 every=int(self.every), patience_steps=int(self.patience_steps))
        self.intent: Optional[_core.Intent] = None

    def choose(self, belief: _core.Belief, rng: _core.Random) -> Any:
        if not belief.drives:
            return None
        intent = self.agent.look(belief)
        if intent is None and self.agent.due:
            intent = self.agent.choose(belief, self.best(self.agent.observe(belief)))
        self.intent = intent or self.intent
        return self.intent

    def best(self, seen: Mapping[str, NDArray[Any]]) -> int:
        import torch
        if self.observation == "graph":
            there = seen["slots"].astype(bool)
            inputs: Any = (_batch(seen["nodes"]), _batch(seen["neighbours"], np.int64),
                           _batch(seen["node_mask"], bool), _batch(seen["node"], np.int64), _batch(seen["own"]))
        else:
            there = seen["mask"].astype(bool)
            inputs = (_batch(seen["frontiers"]), _batch(seen["mask"], bool), _batch(seen["own"]))
        with torch.no_grad():
            scores = np.asarray(self.network(*inputs).detach().numpy(), dtype=float)
        if scores.shape != (1, len(there)):
            raise _core.Error(f"{self.model}: expected scores of shape (1, {len(there)}), got {scores.shape}")
        if np.isnan(scores).any():
            raise _core.Error(f"{self.model}: a score is not a number")
        return int(np.where(there, scores[0], -np.inf).argmax())
