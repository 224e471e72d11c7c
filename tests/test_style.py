"""The house's habits that a machine can check."""

import ast
import re
import subprocess
import sys

import pytest
from house import FOLDERS, ROOT, modules

WRITTEN = [*FOLDERS.values(), "tests", "benchmarks", "examples", "scripts", "docs"]
TEXTS = sorted([
    path
    for folder in WRITTEN
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".md", ".toml", ".cfg", ".yml"} and "__pycache__" not in path.parts
] + [*ROOT.glob("*.md"), *ROOT.glob("*.toml"), ROOT / "Makefile", ROOT / ".ci" / "run"])

# written apart, so that this file does not hold the words it looks for
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.])/(?:work|home|root|Users|opt)/\w|[A-Z]:\\\\Users",
    "a folder outside the project": r"\.\./" + "shared",
    "the host of a registry": "|".join(
        re.escape(".".join(parts)) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("conda", "io"),
                                                 ("anaconda", "org"), ("registry", "npmjs"))),
    "an address inside a private network": r"\b(?:10|192\.168|172\.16)\.\d+\.\d+\.\d+\b",
    "work put off": "|".join(rf"\b{word}\b" for word in ("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK")),
    "a stub": "NotImplemented" + "Error",
    "a test that does not run": "|".join((r"\bx" + r"fail\b", r"pytest\.sk" + r"ip\b", r"mark\.sk" + "ip")),
}
# a browser is the one thing that may be missing on a machine, and then its tests say so
EXCEPT = {
    ("a test that does not run", ROOT / "tests" / "report" / "conftest.py"),
    # how zipfile says that it does not know a compression
    ("a stub", ROOT / "graphanon" / "io" / "packed.py"),
}


def test_ruff_finds_nothing():
    run = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", str(ROOT)],
                         capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("what", FORBIDDEN)
def test_the_project_holds_none_of(what):
    pattern = re.compile(FORBIDDEN[what])
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in TEXTS
        if (what, path) not in EXCEPT
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", sorted(modules()))
def test_a_module_says_why_it_exists_and_what_it_offers(name):
    tree = ast.parse(modules()[name].read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    assigned = {target.id for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)
                for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
                if isinstance(target, ast.Name)}
    has_code = any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body)
    assert "__all__" in assigned or not has_code


def test_no_module_is_a_drawer_for_everything():
    drawers = {"util", "utils", "helper", "helpers", "misc", "common", "manager", "base"}
    assert not [name for name in modules() if name.rpartition(".")[2] in drawers]


def test_global_random_state_is_never_touched():
    used = re.compile(r"np\.random\.(?!Generator|default_rng|SeedSequence|PCG64|Philox)\w+\(|\brandom\.seed\(")
    found = [name for name, path in modules().items() if used.search(path.read_text(encoding="utf-8"))]
    assert not found


def test_heavy_libraries_are_imported_only_where_they_are_used():
    heavy = {"networkx", "igraph", "matplotlib", "pyarrow", "polars", "openpyxl", "lxml"}
    at_top = {
        f"{name} imports {top}"
        for name, path in modules().items()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for top in _tops(node)
        if top in heavy
    }
    assert not at_top


def _tops(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module.partition(".")[0]}
    return set()


def test_importing_the_package_loads_no_heavy_library():
    heavy = "{'networkx', 'igraph', 'matplotlib', 'pyarrow', 'polars', 'openpyxl', 'lxml', 'numba'}"
    code = f"import sys, graphanon; print(sorted({heavy} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
