"""Files that are either complete or absent."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path in the same directory. It replaces ``path`` at the end of the block, and is removed if
    the block raises."""
    final = Path(path)
    temporary = final.with_name(f"{final.name}.{uuid.uuid4().hex}.tmp")
    try:
        yield temporary
        os.replace(temporary, final)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
