"""Spaces of observations and actions: Gymnasium's when it is installed, else small ones with the same attributes."""
from __future__ import annotations

from copy import copy
from typing import Any, ItemsView, KeysView, Mapping, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete  # type: ignore[import]
except ImportError:
    class _Space:
        _np_random: Optional[np.random.Generator] = None  # made when it is first needed, as in Gymnasium

        def __init__(self, shape: Optional[Tuple[int, ...]], dtype: Any, seed: Optional[int] = None) -> None:
            self.shape: Any = shape
            self.dtype: Any = np.dtype(dtype) if dtype is not None else None
            self.seed(seed)

        def seed(self, seed: Optional[int] = None) -> None:
            self._np_random = None if seed is None else np.random.default_rng(seed)

        @property
        def _random(self) -> np.random.Generator:
            if self._np_random is None:
                self._np_random = np.random.default_rng()
            return self._np_random

        def contains(self, x: Any) -> bool:
            raise NotImplementedError

        def __contains__(self, x: Any) -> bool:
            return self.contains(x)

        def __eq__(self, other: object) -> bool:
            return type(self) is type(other) and repr(self) == repr(other)

    class Box(_Space):  # type: ignore[no-redef]
        """Arrays whose numbers lie between low and high, both included."""

        def __init__(self, low: Any, high: Any, shape: Optional[Sequence[int]] = None, dtype: Any = np.float32,
                     seed: Optional[int] = None) -> None:
            sides = tuple(shape) if shape is not None else np.broadcast_shapes(np.shape(low), np.shape(high))
            super().__init__(sides, dtype, seed)
            self.low = np.broadcast_to(np.asarray(low, self.dtype), sides).copy()
            self.high = np.broadcast_to(np.asarray(high, self.dtype), sides).copy()

        def sample(self, mask: Any = None) -> NDArray[Any]:
            if self.dtype.kind == "f":
                return self._random.uniform(self.low, self.high).astype(self.dtype)
            return self._random.integers(self.low.astype(int), self.high.astype(int) + 1).astype(self.dtype)

        def contains(self, x: Any) -> bool:
            return (isinstance(x, np.ndarray) and x.shape == self.shape and np.can_cast(x.dtype, self.dtype)
                    and bool(np.all(x >= self.low) and np.all(x <= self.high)))

        def __repr__(self) -> str:
            return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"

    class Discrete(_Space):  # type: ignore[no-redef]
        """Whole numbers from 0 to n - 1."""

        def __init__(self, n: int, seed: Optional[int] = None) -> None:
            super().__init__((), np.int64, seed)
            self.n, self.start = int(n), 0

        def sample(self, mask: Any = None) -> np.int64:
            if mask is None:
                return np.int64(self._random.integers(self.n))
            allowed = np.flatnonzero(mask)
            return np.int64(self._random.choice(allowed) if len(allowed) else 0)

        def contains(self, x: Any) -> bool:
            whole = isinstance(x, (int, np.integer)) or (isinstance(x, np.ndarray) and x.shape == ()
                                                         and x.dtype.kind in "iu")
            return bool(whole and 0 <= int(x) < self.n)

        def __repr__(self) -> str:
            return f"Discrete({self.n})"

    class MultiDiscrete(_Space):  # type: ignore[no-redef]
        """Arrays of whole numbers, each from 0 to its n - 1."""

        def __init__(self, nvec: Any, seed: Optional[int] = None) -> None:
            self.nvec = np.asarray(nvec, np.int64)
            super().__init__(self.nvec.shape, np.int64, seed)

        def sample(self, mask: Any = None) -> NDArray[np.int64]:
            return self._random.integers(self.nvec)

        def contains(self, x: Any) -> bool:
            return (isinstance(x, np.ndarray) and x.shape == self.shape and x.dtype.kind in "iu"
                    and bool(np.all(x >= 0) and np.all(x < self.nvec)))

        def __repr__(self) -> str:
            return f"MultiDiscrete({self.nvec.tolist()})"

    class Dict(_Space):  # type: ignore[no-redef]
        """A dict of spaces."""

        def __init__(self, spaces: Mapping[str, Any], seed: Optional[int] = None) -> None:
            self.spaces = dict(spaces)
            super().__init__(None, None, seed)

        def seed(self, seed: Optional[int] = None) -> None:
            for k, space in enumerate(self.spaces.values()):
                space.seed(None if seed is None else seed + k)

        def sample(self, mask: Any = None) -> "dict[str, Any]":
            return {name: space.sample() for name, space in self.spaces.items()}

        def contains(self, x: Any) -> bool:
            return (isinstance(x, dict) and x.keys() == self.spaces.keys()
                    and all(space.contains(x[name]) for name, space in self.spaces.items()))

        def __getitem__(self, name: str) -> Any:
            return self.spaces[name]

        def keys(self) -> KeysView[str]:
            return self.spaces.keys()

        def items(self) -> ItemsView[str, Any]:
            return self.spaces.items()

        def __repr__(self) -> str:
            return "Dict(%s)" % ", ".join(f"{name}: {space!r}" for name, space in self.spaces.items())


def twin(space: Any) -> Any:
    """The same space with random numbers of its own."""
    out = copy(space)
    out._np_random = None
    return out


__all__ = ["Box", "Dict", "Discrete", "MultiDiscrete", "twin"]
