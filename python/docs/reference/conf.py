"""Builds the reference from the docstrings: ``python -m sphinx -W python/docs/reference target/python/reference``."""

from importlib.metadata import version as _version

project = "ricochet_engine"
author = "the authors of ricochet"
release = version = _version("ricochet-engine")
extensions = ["sphinx.ext.autodoc", "sphinx.ext.viewcode"]
html_theme = "furo"
html_title = f"ricochet_engine {version}"
html_show_copyright = False
templates_path: list[str] = []
# The order of the source, and types as they are written there.
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
# Methods that override those of Gymnasium and PettingZoo have their documentation there.
autodoc_inherit_docstrings = False
add_module_names = False
# Without these packages their modules are documented all the same.
autodoc_mock_imports = ["verifiers", "textarena", "reasoning_gym", "ray"]
python_use_unqualified_type_names = True
