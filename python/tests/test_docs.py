"""The tutorial runs, the examples in the documentation are true, and the API page names everything."""

from __future__ import annotations

import doctest
import importlib
import sys

import pytest
from conftest import ROOT

import ricochet_robots as rr

DOCS = ROOT / "python" / "docs"


def test_the_tutorial_runs() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    for needed in ("gymnasium", "pyarrow", "pettingzoo"):
        pytest.importorskip(needed)
    notebook = nbformat.read(DOCS / "tutorial.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [
        output.data for cell in notebook.cells for output in cell.get("outputs", ())
        if output.output_type == "execute_result"
    ]  # fmt: skip
    assert sum("image/svg+xml" in data for data in shown) >= 3, "puzzle, solution, overlay"


@pytest.mark.parametrize("name", ["ricochet_robots", "ricochet_robots.reasoning"])
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted and not result.failed


def test_everything_exported_is_in_the_reference() -> None:
    page = (DOCS / "api.md").read_text()
    for name in rr.__all__:
        assert f"`{name}" in page or name == "__version__", name


def test_the_stubs_name_what_the_module_has() -> None:
    """Every class and function of the extension module, with all its members, is in the stubs."""
    import ast

    from ricochet_robots import _native

    tree = ast.parse((ROOT / "python" / "ricochet_robots" / "_native.pyi").read_text())
    stubs = {
        node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    }
    public = {name for name in dir(_native) if not name.startswith("_")}
    assert public == set(stubs)
    for name, node in stubs.items():
        if isinstance(node, ast.ClassDef):
            told = {it.name for it in node.body if isinstance(it, ast.FunctionDef)}
            there = {it for it in vars(getattr(_native, name)) if not it.startswith("__")}
            assert there <= told, name
            assert {it for it in told if not it.startswith("__")} <= there, name


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
