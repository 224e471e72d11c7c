"""How kernels are compiled: cached on disk, without the interpreter lock, and for nobody who writes in C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

__all__ = ["kernel"]

F = TypeVar("F", bound=Callable[..., object])
# a wrapper for C callers, which there are none of, would add a tenth to the first run
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}


def kernel(function: F) -> F:
    """Compile a free function on arrays."""
    compiled: F = njit(**_OPTIONS)(function)
    return compiled
