"""The two ways in which kernels are compiled.

Both are cached on disk and release the interpreter lock. Unpacking arguments that come from Python is the
dearest part of compiling a small function, so functions that only other kernels call go without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

__all__ = ["inner", "kernel"]

F = TypeVar("F", bound=Callable[..., object])
_KERNEL: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}
_INNER: dict[str, Any] = _KERNEL | {"no_cpython_wrapper": True}


def kernel(function: F) -> F:
    """Compile a function that Python calls."""
    compiled: F = njit(**_KERNEL)(function)
    return compiled


def inner(function: F) -> F:
    """Compile a function that only kernels call."""
    compiled: F = njit(**_INNER)(function)
    return compiled
