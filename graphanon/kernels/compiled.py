"""How kernels are compiled: cached on disk, without the interpreter lock, and for nobody who writes in C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

__all__ = ["kernel", "lean"]

F = TypeVar("F", bound=Callable[..., object])
# a wrapper for C callers, which there are none of, would add a tenth to the first run
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}


def kernel(function: F) -> F:
    """Compile a free function on arrays."""
    compiled: F = njit(**_OPTIONS)(function)
    return compiled


def lean(function: F) -> F:
    """Compile a free function that makes no array of its own and takes tuples of many.

    Whoever calls it holds the arrays, so their references need not be counted, which would take longer than
    the work of a small function.
    """
    compiled: F = njit(_nrt=False, **_OPTIONS)(function)
    return compiled
