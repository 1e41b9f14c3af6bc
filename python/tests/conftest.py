from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also the tests that take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    for item in items:
        if "long" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="takes minutes: --long"))


@pytest.fixture(scope="session")
def corpus() -> Path:
    return ROOT / "corpus"


@pytest.fixture(scope="session")
def command() -> str:
    """The command line, if it was built; test.sh says which."""
    path = os.environ.get("RICOCHET") or shutil.which("ricochet")
    if not path:
        pytest.skip("the command line is not built")
    return path
