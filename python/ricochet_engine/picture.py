"""Pictures of puzzles: SVG, PNG, GIF and PDF."""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from ._questions import MovesLike, PuzzleLike, as_puzzle, ask, moves_text

Kind = Literal["svg", "png", "gif", "pdf"]
OverlayKind = Literal["min-moves", "critical", "critical-positions", "cross-block", "reach"]


@dataclass(frozen=True)
class Picture:
    """A picture. Notebooks show it; ``save`` writes it to a file."""

    #: the fields of the request to the service, without the kind
    request: dict[str, Any]

    @cached_property
    def svg(self) -> str:
        """The SVG document."""
        return str(ask("draw", kind="svg", **self.request)["text"])

    def bytes(self, kind: Kind) -> bytes:
        """The contents of a file of this kind."""
        answer = ask("draw", kind=kind, **self.request)
        if answer.get("text") is not None:
            return str(answer["text"]).encode()
        return base64.b64decode(answer["base64"])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file; its extension says which kind."""
        kind = os.path.splitext(os.fspath(path))[1].lstrip(".").lower()
        with open(path, "wb") as file:
            file.write(self.bytes(kind))  # type: ignore[arg-type]

    def _repr_svg_(self) -> str:
        return self.svg


def picture(
    puzzle: PuzzleLike,
    solution: MovesLike | Literal[True] | None = None,
    *,
    overlay: OverlayKind | None = None,
    theme: str | None = None,
    cell: int | None = None,
    coordinates: bool = False,
    caption: str | None = None,
) -> Picture:
    """A picture of a puzzle, optionally with moves (``True``: a shortest solution) and an overlay."""
    request = {
        "puzzle": as_puzzle(puzzle).line,
        "solution": solution is True,
        "moves": None if solution is None or solution is True else moves_text(solution),
        "overlay": overlay,
        "theme": theme,
        "cell": cell,
        "coordinates": coordinates,
        "caption": caption,
    }
    return Picture({key: value for key, value in request.items() if value is not None})
