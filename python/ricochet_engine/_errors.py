"""Exceptions. They list all problems, with line, column and cell if known."""

from __future__ import annotations

from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One problem and its place. Lines and columns count from 1, cells from 0."""

    message: str
    line: int | None = None
    column: int | None = None
    cell: tuple[int, int] | None = None


class RicochetError(Exception):
    """The base class of all errors of this package."""

    #: the number of the wrong puzzle among several, from 0; None if there was only one
    index: int | None = None

    def __init__(
        self, message: str, problems: tuple[Problem, ...] = (), index: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.problems = problems
        self.index = index

    def at(self, index: int, what: str = "puzzle") -> RicochetError:
        """The same error, for one of several items."""
        return type(self)(f"{what} {index}: {self.message}", self.problems, index)

    @property
    def line(self) -> int | None:
        """The line of the first problem that has one."""
        return next((it.line for it in self.problems if it.line is not None), None)

    @property
    def column(self) -> int | None:
        """The column of the first problem that has one."""
        return next((it.column for it in self.problems if it.column is not None), None)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.problems, self.index)


class PuzzleError(RicochetError, ValueError):
    """A text is not a valid puzzle."""


class UnreadableError(PuzzleError):
    """A text cannot be read; ``line`` and ``column`` say where."""


class InvalidPuzzleError(PuzzleError):
    """A text was read but is not a valid position; ``problems`` lists what is wrong."""


class RequestError(RicochetError, ValueError):
    """A request is wrong: an invalid value, or a solver that does not exist."""


class UnsupportedError(RequestError):
    """The request is not supported, such as a format that cannot express the puzzle."""


class TooLargeError(RequestError):
    """The request needs more memory than allowed."""


class IllegalMoveError(RicochetError, ValueError):
    """A move goes nowhere, or its robot does not exist."""


class LimitError(RicochetError):
    """A limit ended the work, and there is no partial answer."""


class DamagedFileError(RicochetError, ValueError):
    """A file is damaged or of the wrong kind."""


class InternalError(RicochetError, RuntimeError):
    """A bug in this package."""


class FormatWarning(UserWarning):
    """A format cannot express everything about a puzzle."""


_KINDS: dict[str, type[RicochetError]] = {
    "unreadable": UnreadableError,
    "invalid": InvalidPuzzleError,
    "bad-request": RequestError,
    "unsupported": UnsupportedError,
    "too-large": TooLargeError,
    "not-found": RequestError,
    "illegal-move": IllegalMoveError,
    "limit": LimitError,
    "damaged": DamagedFileError,
}


def of_kind(
    kind: str,
    message: str,
    problems: list[tuple[str, int | None, int | None, tuple[int, int] | None]],
    index: int | None = None,
) -> RicochetError:
    """The exception for an error of the engine. The extension module calls this."""
    return _KINDS.get(kind, InternalError)(message, tuple(Problem(*it) for it in problems), index)
