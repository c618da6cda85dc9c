"""Steps of some environments at a time, without waiting for the slowest."""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Set, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._bases import AutoresetMode
from ._team import Rows, Team
from ._types import Observation, VectorInfo


class Batches:
    """send() and recv() of a VectorEnv, as EnvPool has them: a policy decides for environments that are ready while
    others are still under way. What an environment does depends on its own actions alone."""

    num_envs: int
    autoreset: Optional[AutoresetMode]
    _team: Team
    _over: NDArray[np.bool_]

    if TYPE_CHECKING:  # what VectorEnv has
        def _begin(self, which: NDArray[Any]) -> None: ...
        def _of_agents(self, actions: ArrayLike) -> NDArray[Any]: ...
        def _outcome(self, rows: Rows) -> Tuple[NDArray[np.float64], NDArray[np.float64]]: ...
        def _observations(self, copy: bool, rows: Rows) -> Observation: ...
        def _infos(self, rows: Rows) -> VectorInfo: ...

    def _begin_batches(self, threads: int) -> None:
        self._threads = threads
        self._workers: Optional[ThreadPoolExecutor] = None
        self._finished: "SimpleQueue[Tuple[int, Optional[BaseException]]]" = SimpleQueue()
        self._ready: List[int] = []
        self._sent: Set[int] = set()  # under way or ready

    def send(self, actions: ArrayLike, env_id: Union[None, Sequence[int], NDArray[np.int64]] = None) -> None:
        """Begins a step of these environments (None: of all) in other threads. actions: as of step(), a row for each.
        One whose episode is over begins the next one instead: autoreset has to be "next_step"."""
        which = list(range(self.num_envs)) if env_id is None else [int(e) for e in env_id]
        if self.autoreset is not AutoresetMode.NEXT_STEP:
            raise _core.Error("send: expected an environment with autoreset='next_step'")
        if not set(which) <= set(range(self.num_envs)) or len(set(which)) < len(which):
            raise _core.Error(f"send: env_id: expected different numbers from 0 to {self.num_envs - 1}, got {which}")
        for e in which:
            self.expect_received("send", e)
        rows = self._of_agents(actions)
        expected = (len(which), *self._team.no_actions.shape[1:])
        if rows.shape != expected:
            raise _core.Error(f"send: actions: expected shape {expected}, got {rows.shape}")
        self._workers = self._workers or ThreadPoolExecutor(self._threads)
        self._sent.update(which)
        for e, row in zip(which, rows):
            self._workers.submit(self._advance, e, row[None])

    def _advance(self, e: int, action: NDArray[Any]) -> None:
        failure: Optional[BaseException] = None
        try:
            if self._over[e]:
                self._begin(np.array([e]))
            else:
                self._team.core.step([e], action)
        except BaseException as error:  # recv() raises it
            failure = error
        self._finished.put((e, failure))

    def recv(self, count: Optional[int] = None) -> Tuple[Observation, NDArray[np.float64], NDArray[np.bool_],
                                                         NDArray[np.bool_], VectorInfo]:
        """Waits until so many of the environments that were sent are ready (None: all of them) and returns what step()
        would of these; infos["env_id"] says which they are, the first one first. Raises what went wrong in one of them,
        which then is as it was before; the others can be received."""
        count = len(self._sent) if count is None else count
        if not 1 <= count <= len(self._sent):
            raise _core.Error(f"recv: expected 1 to {len(self._sent)}, as many as were sent, got {count}")
        while len(self._ready) < count:
            e, failure = self._finished.get()
            if failure is not None:
                self._sent.remove(e)
                raise failure
            self._ready.append(e)
        which, self._ready = np.array(self._ready[:count]), self._ready[count:]
        self._sent.difference_update(which.tolist())
        arrays = self._team.arrays
        terminated, truncated = (arrays[name][which].astype(bool) for name in ("terminated", "truncated"))
        self._over[which] = terminated | truncated
        rewards, paid = self._outcome(which)
        infos = self._infos(which)
        infos["env_id"], infos["rewards"] = which, paid
        return self._observations(False, which), rewards, terminated, truncated, infos

    def expect_received(self, what: str, environment: Optional[int] = None) -> None:
        """Raises Error while this environment, or any, is under way."""
        if self._sent if environment is None else environment in self._sent:
            raise _core.Error(f"{what}: recv() comes before, for what was sent")

    def close_batches(self) -> None:
        if self._workers:
            self._workers.shutdown()
            self._workers = None
