"""The tutorial runs, the examples in the documentation are true, and the API page names everything."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import subprocess
import sys
from typing import Any

import pytest
from conftest import ROOT

import ricochet_engine as rr

DOCS = ROOT / "python" / "docs"


def test_the_tutorial_runs() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    for needed in ("gymnasium", "pyarrow", "pettingzoo"):
        pytest.importorskip(needed)
    notebook = nbformat.read(DOCS / "tutorial.ipynb", as_version=4)
    stored = texts_of(notebook)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [
        output.data for cell in notebook.cells for output in cell.get("outputs", ())
        if output.output_type == "execute_result"
    ]  # fmt: skip
    assert sum("image/svg+xml" in data for data in shown) >= 3, "puzzle, solution, overlay"
    # After an intended change: jupyter execute --inplace python/docs/tutorial.ipynb
    assert texts_of(notebook) == stored, "what readers see is what they would get"


def texts_of(notebook: Any) -> list[str]:
    """What the cells of a notebook print and return: a text for each cell, since a print may arrive in pieces."""
    def text(output: Any) -> str:
        return output.text if "text" in output else output.data["text/plain"] + "\n"

    return ["".join(map(text, cell.get("outputs", ()))) for cell in notebook.cells]


@pytest.mark.parametrize("name", ["ricochet_engine", "ricochet_engine.reasoning"])
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted and not result.failed


def test_the_reference_is_built(tmp_path: Any) -> None:
    """Sphinx finds every name of the pages, and every exported name is on one of them."""
    pytest.importorskip("sphinx")
    for needed in ("furo", "gymnasium", "pyarrow", "pettingzoo"):
        pytest.importorskip(needed)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", str(DOCS / "reference"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = "".join(page.read_text() for page in tmp_path.glob("*.html"))
    for name in set(rr.__all__) - {"__version__"}:
        assert f'.{name}"' in pages, name
    for text in ("wall-clock time", "positions generated"):
        assert text in pages, f"the fields of Limits: {text}"


def test_everything_exported_is_in_the_reference() -> None:
    page = (DOCS / "api.md").read_text()
    for name in rr.__all__:
        assert f"`{name}" in page or name == "__version__", name


def test_a_user_script_is_typed() -> None:
    """mypy --strict and pyright's strict mode have nothing to say about it, and it runs."""
    for needed in ("mypy", "pyright"):
        pytest.importorskip(needed)
    script = str(ROOT / "python" / "tests" / "user_script.py")
    for command in (["-m", "mypy", "--strict", script], ["-m", "pyright", "--pythonpath", sys.executable, script], [script]):
        done = subprocess.run(
            [sys.executable, *command], capture_output=True, text=True, check=False, cwd=ROOT
        )
        assert done.returncode == 0, done.stdout + done.stderr


def documented(name: str, value: object) -> None:
    assert (getattr(value, "__doc__", None) or "").strip(), f"{name} has no documentation"


def test_everything_exported_is_documented() -> None:
    for name in rr.__all__:
        value = getattr(rr, name)
        if name == "__version__":
            continue
        documented(name, value)
        for member in vars(value) if isinstance(value, type) else ():
            attribute = inspect.getattr_static(value, member)
            is_told = callable(getattr(value, member, None)) or inspect.isdatadescriptor(attribute)
            if not member.startswith("_") and is_told:
                documented(f"{name}.{member}", attribute)


def test_the_stubs_have_the_parameters_of_the_module() -> None:
    """Names, order, and which of them have defaults."""
    from ricochet_engine import _native

    tree = ast.parse((ROOT / "python" / "ricochet_engine" / "_native.pyi").read_text())

    def of_stub(node: ast.FunctionDef) -> list[tuple[str, bool, bool]]:
        positional = [*node.args.posonlyargs, *node.args.args]
        required = len(positional) - len(node.args.defaults)
        told = [(it.arg, i >= required, False) for i, it in enumerate(positional)]
        pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        told += [(it.arg, default is not None, True) for it, default in pairs]
        return [row for row in told if row[0] not in ("self", "cls")]

    def of_module(value: object) -> list[tuple[str, bool, bool]]:
        parameters = inspect.signature(value).parameters.values()  # type: ignore[arg-type]
        rows = [(it.name, it.default is not it.empty, it.kind is it.KEYWORD_ONLY) for it in parameters]
        return [row for row in rows if row[0] not in ("self", "cls")]

    compared = 0
    for node in tree.body:
        value = getattr(_native, getattr(node, "name", ""), None)
        if isinstance(node, ast.FunctionDef):
            assert of_stub(node) == of_module(value), node.name
            compared += 1
        for member in node.body if isinstance(node, ast.ClassDef) else ():
            if not isinstance(member, ast.FunctionDef):
                continue
            if {getattr(it, "id", "") for it in member.decorator_list} & {"property", "overload"}:
                continue
            if member.name == "__new__" or not member.name.startswith("__"):
                inside = value if member.name == "__new__" else getattr(value, member.name)
                assert of_stub(member) == of_module(inside), f"{node.name}.{member.name}"
                compared += 1
    assert compared > 50


def test_the_stubs_name_what_the_module_has() -> None:
    """Every class and function of the extension module, with all its members, is in the stubs."""
    from ricochet_engine import _native

    tree = ast.parse((ROOT / "python" / "ricochet_engine" / "_native.pyi").read_text())
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
