"""Checks of arguments. Errors name Python types and what was expected."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import RequestError


def whole_numbers(
    given: Any, name: str, dtype: npt.DTypeLike, shape: tuple[int | None, ...]
) -> npt.NDArray[Any]:
    """Converts an array of whole numbers to a smaller type if all values fit. None in ``shape`` stands for
    any length."""
    try:
        array = np.asarray(given)
    except ValueError:
        raise RequestError(f"{name}: expected an array, found rows of different lengths") from None
    wanted = _shape_text(shape)
    # NumPy makes an empty list an array of floats.
    if array.size and array.dtype.kind not in "iu":
        found = f"dtype {array.dtype}" if array.ndim else f"'{type(given).__name__}'"
        raise TypeError(f"{name}: expected an array of integers of shape {wanted}, found {found}")
    if array.shape == (0,) and shape[0] is None:
        array = array.reshape((0, *(it or 0 for it in shape[1:])))
    fits = array.ndim == len(shape) and all(
        want is None or want == has for want, has in zip(shape, array.shape, strict=True)
    )
    if not fits:
        found = _shape_text(array.shape)
        raise RequestError(f"{name}: expected an array of shape {wanted}, found one of {found}")
    limits = np.iinfo(np.dtype(dtype))
    wrong = np.argwhere((array < limits.min) | (array > limits.max))
    if len(wrong):
        at = tuple(int(i) for i in wrong[0])
        where = ", ".join(map(str, at))
        raise RequestError(f"{name}[{where}]: {array[at]} is not within {limits.min} to {limits.max}")
    return array.astype(dtype)


def masks(given: Any, name: str, height: int, width: int) -> list[int]:
    """Small whole numbers: an array of this shape, or a flat one that is read row by row."""
    try:
        array = np.asarray(given)
    except ValueError:  # rows of different lengths: reported below
        array = None
    shape: tuple[int | None, ...] = (height, width)
    if isinstance(given, (str, bytes)) or (array is not None and array.ndim < 2):
        shape = (None,)
    found: list[int] = whole_numbers(given, name, np.uint8, shape).reshape(-1).tolist()
    return found


def whole_number(given: Any, name: str, least: int, most: int) -> int:
    """A whole number within limits. Anything that Python accepts as an index is one."""
    try:
        number = int(given.__index__())
    except (AttributeError, TypeError):
        raise TypeError(f"{name}: expected an int, found '{type(given).__name__}'") from None
    if number < least:
        raise RequestError(f"{name}: expected at least {least}, found {number}")
    if number > most:
        raise RequestError(f"{name}: expected at most {most}, found {number}")
    return number


def cell(given: Any, name: str) -> tuple[int, int]:
    """A cell: two whole numbers, x and y."""
    try:
        pair = tuple(given)
    except TypeError:
        pair = ()
    if len(pair) != 2 or isinstance(given, (str, bytes)):
        raise TypeError(f"{name}: expected a cell (x, y), found {_short_repr(given)}")
    x, y = pair
    return whole_number(x, f"x of {name}", 0, 255), whole_number(y, f"y of {name}", 0, 255)


def cells(given: Any, name: str) -> list[tuple[int, int]]:
    """Several cells."""
    try:
        items = list(given)
    except TypeError:
        items = None
    if items is None or isinstance(given, (str, bytes)):
        raise TypeError(f"{name}: expected cells such as [(0, 0), (3, 4)], found {_short_repr(given)}")
    return [cell(item, f"{name}[{index}]") for index, item in enumerate(items)]


def _shape_text(shape: tuple[int | None, ...]) -> str:
    """``(n, 4, 2)``"""
    lengths = ["n" if it is None else str(it) for it in shape]
    return f"({lengths[0]},)" if len(lengths) == 1 else f"({', '.join(lengths)})"


def _short_repr(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 40 else f"'{type(given).__name__}'"
