"""Errors for missing packages that name the extra to install."""

from __future__ import annotations


def missing(extra: str, error: ImportError) -> ImportError:
    """The error for a module that needs an extra. If something else failed to import, the original error
    says what."""
    package = (error.name or "").split(".")[0] or "a package"
    message = f"{package} is not installed: pip install 'ricochet-engine[{extra}]'"
    return type(error)(f"{message} ({error})", name=error.name, path=error.path)
