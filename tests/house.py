"""Where the house stands: its folders, its modules, and what the packaging says of them."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TOOL = PROJECT["tool"]["setuptools"]
FOLDERS: dict[str, str] = TOOL["package-dir"]


def modules() -> dict[str, Path]:
    """Return every module of the joined packages by its import name."""
    found = {}
    for prefix, folder in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            found[".".join((prefix, *(part for part in parts if part != "__init__")))] = path
    return found


def imports(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, at its top or inside a function."""
    known = modules()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            # `from graphanon import loss` imports the module, not a name of the package
            inner = [name for alias in node.names if (name := f"{node.module}.{alias.name}") in known]
            yield from inner
            # the version is a word, not a floor
            if any(f"{node.module}.{alias.name}" not in {*inner, "graphanon.__version__"} for alias in node.names):
                yield node.module
