"""Imports only point down the floors of the house, and only some modules may write files."""

import ast

import pytest
from house import imports, modules

# from the ground up; modules on one floor may import each other
FLOORS = [
    {"graphanon.errors", "graphanon.progress", "graphanon.notebook"},
    {"graphanon.domain"},
    {"graphanon.schema"},
    {"graphanon.graph"},
    {"graphanon.grouping", "graphanon.requirement", "graphanon.feasibility"},
    {"graphanon.closeness"},
    {"graphanon.kernels"},
    {"graphanon.density", "graphanon.loss"},
    {"graphanon.floors"},
    {"graphanon.method", "graphanon.refine", "graphanon.repair"},
    {"graphanon.social", "graphanon.tabular"},
    {"graphanon.release", "graphanon.audit", "graphanon.io"},
    {"graphanon.inspection", "graphanon.datasets", "graphanon.catalog"},
    {"graphanon.pipeline", "graphanon.perturbing"},
    {"graphanon.plot"},
    {"graphanon.report"},
    {"graphanon.cli"},
    {"graphanon", "graphanon.__main__"},
]
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}


def place(module: str) -> int:
    """Return the floor of a module of ours."""
    return FLOOR[".".join(module.split(".")[:2])]


@pytest.mark.parametrize("name", sorted(modules()))
def test_a_module_imports_only_from_its_floor_and_below(name):
    above = [other for other in imports(modules()[name])
             if other.split(".")[0] == "graphanon" and place(other) > place(name)]
    assert not above


def test_every_module_has_a_floor():
    assert {".".join(name.split(".")[:2]) for name in modules()} <= set(FLOOR)


def test_the_audit_shares_no_code_with_the_search():
    ours = {other for name, path in modules().items() if name.startswith("graphanon.audit")
            for other in imports(path) if other.split(".")[0] == "graphanon"}
    assert {other for other in ours if not other.startswith("graphanon.audit")} <= {"graphanon.errors"}


def test_methods_know_no_file_and_no_name():
    inner = ("graphanon.social", "graphanon.tabular", "graphanon.kernels")
    outer = ("graphanon.io", "graphanon.release", "graphanon.audit", "graphanon.cli", "graphanon.pipeline")
    found = {f"{name} imports {other}" for name, path in modules().items() if name.startswith(inner)
             for other in imports(path) if other.startswith(outer)}
    assert not found


# who writes what: releases (release), pictures (plot), other formats (io.writers.saving), drafts and jobs at the user's word (cli), data sets (datasets)
WRITERS = ("graphanon.release", "graphanon.plot", "graphanon.report", "graphanon.cli", "graphanon.datasets", "graphanon.io.writers.saving")
WRITING = {"write_text", "write_bytes", "to_csv", "to_parquet", "to_excel", "to_json", "savefig", "mkdir", "makedirs",
           "rename", "replace", "unlink", "rmtree", "symlink_to", "hardlink_to", "write_graphml"}


@pytest.mark.parametrize("name", sorted(name for name in modules() if not name.startswith(WRITERS)))
def test_only_the_writers_write(name):
    assert not sorted(_writes(ast.parse(modules()[name].read_text(encoding="utf-8"))))


def _writes(tree: ast.Module):
    """Yield every call in a module that could change the disk."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        on_text = called in {"replace", "rename"} and not _of_a_path(node)
        modes = [a.value for a in (*node.args, *(k.value for k in node.keywords))
                 if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        opens = called in {"open", "fdopen"} and any(set(mode) <= set("rwabxt+") and set(mode) & set("wax+")
                                                     for mode in modes)
        if opens or (called in WRITING and not on_text):
            yield f"line {node.lineno}: {called}"


def _of_a_path(call: ast.Call) -> bool:
    """Whether `x.replace(y)` or `x.rename(y)` moves a file: one argument, or a call on os."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    on_os = isinstance(owner, ast.Name) and owner.id == "os"
    return on_os or (isinstance(owner, ast.AST) and len(call.args) == 1 and not call.keywords)
