"""Columns of text as codes into their distinct texts, for files of many millions of lines.

Ten million ends of ties name perhaps a million people. Held as one code a cell and each text once, they take four
bytes a cell, and whatever looks a text up does so once for each distinct text. Columns of whole numbers are
parsed as numbers on the way and written back as text; that loses nothing where every cell is as long as its number
written plainly, which is checked (``007`` is longer than ``7``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["coded_columns", "distinct", "positions"]

_PIECE = 1 << 22
Column = Any  # an array of text or None, or a pandas Categorical of text


def coded_columns(body: bytes, sign: str, width: int, block: int, missing: Sequence[str]) -> list[Column]:
    """Return the columns of lines that are known to have `width` cells, codes where no cell is missing.

    `body` ends in a newline and holds no quotation mark; `block` is more than its longest line.
    """
    begin = body.index(b"\n") + 1
    head = body[: begin - 1].decode("utf-8").split(sign)
    numbers = None if set(head) & set(missing) else _numbers(body, begin, sign, width, block, missing)
    if numbers is not None:
        _release()
        return [_with_first(cell, column) for cell, column in zip(head, numbers, strict=True)]
    _release()
    columns = _texts(body, sign, width, block, missing)
    _release()
    return columns


def _texts(body: bytes, sign: str, width: int, block: int, missing: Sequence[str]) -> list[Column]:
    left = _parsed(body, 0, sign, width, block, missing, numbers=False).columns[::-1]
    # a column that is coded is let go before the next one
    return [_coded(left.pop()) for _ in range(width)]


def _parsed(  # noqa: PLR0917  the text first, then how it is cut
    body: bytes, begin: int, sign: str, width: int, block: int, missing: Sequence[str], *, numbers: bool
) -> Any:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    names = [str(number) for number in range(width)]
    kind = pa.int64() if numbers else pa.dictionary(pa.int32(), pa.string())
    return arrow_csv.read_csv(
        pa.BufferReader(pa.py_buffer(body).slice(begin)),
        read_options=arrow_csv.ReadOptions(column_names=names, block_size=block),
        parse_options=arrow_csv.ParseOptions(delimiter=sign, quote_char=False, ignore_empty_lines=False),
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(names, kind), strings_can_be_null=True, null_values=sorted(missing)),
    )


def _numbers(  # noqa: PLR0917  as above
    body: bytes, begin: int, sign: str, width: int, block: int, missing: Sequence[str]
) -> list[NDArray[np.int64]] | None:
    """Return every column as whole numbers, None unless that keeps every cell as it is written."""
    import pyarrow as pa

    plain = b"0123456789-\n" + sign.encode()
    if begin == len(body) or any(body[at:at + _PIECE].translate(None, plain) for at in range(begin, len(body), _PIECE)):
        return None
    try:
        table = _parsed(body, begin, sign, width, block, missing, numbers=True)
    except pa.ArrowInvalid:
        return None
    if any(column.null_count for column in table.columns):
        return None
    columns = [column.to_numpy() for column in table.columns]
    signs = width * len(columns[0])
    return columns if sum(map(_length, columns)) + signs == len(body) - begin else None


def _release() -> None:
    """Give back what Arrow keeps for later, which would be missing when the ties become a matrix."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()


def _length(numbers: NDArray[np.int64]) -> int:
    """Return how many characters these numbers take, written plainly."""
    powers = np.array([10**exponent for exponent in range(1, 19)], dtype=np.int64)
    negative = numbers < 0
    below = int(negative.sum())
    total = len(numbers) + below
    # the least of all numbers has no opposite, and is as long as its neighbour
    sizes = np.abs(np.maximum(numbers, -np.iinfo(np.int64).max)) if below else numbers
    for power in powers[powers <= sizes.max(initial=0)].tolist():
        total += int((sizes >= power).sum())
    return total


def _with_first(cell: str, numbers: NDArray[np.int64]) -> pd.Categorical:
    """Return numbers as coded text below the cell of a first line, which may be a name."""
    codes, values = pd.factorize(numbers)
    texts = [str(value) for value in values.tolist()]
    place = texts.index(cell) if cell in texts else len(texts)
    labels = np.array(texts if place < len(texts) else [*texts, cell], dtype=object)
    whole = np.empty(len(codes) + 1, dtype=np.int32)
    whole[0], whole[1:] = place, codes
    return pd.Categorical.from_codes(whole, categories=pd.Index(labels, dtype=object), validate=False)


def _coded(column: Any) -> Column:
    """Return an Arrow column as codes, as objects if a cell is missing."""
    chunk = column.unify_dictionaries().combine_chunks()
    labels = np.array([*chunk.dictionary.to_pylist(), None], dtype=object)
    if chunk.null_count:
        return labels[chunk.indices.fill_null(len(labels) - 1).to_numpy()]
    return pd.Categorical.from_codes(
        chunk.indices.to_numpy(), categories=pd.Index(labels[:-1], dtype=object), validate=False)


def distinct(cells: pd.Series) -> NDArray[np.object_]:
    """Return each text of a column once, in the order in which it first occurs, without what is missing.

    Examples
    --------
    >>> distinct(pd.Series(["b", None, "a", "b"], dtype=object)).tolist()
    ['b', 'a']
    """
    found = pd.factorize(cells)[1]
    return np.asarray(found, dtype=object)


def positions(cells: pd.Series, index: pd.Index) -> NDArray[np.int64]:
    """Return where each text of a column stands in an index, -1 where it does not.

    Examples
    --------
    >>> positions(pd.Series(["b", "a", "b"], dtype="category"), pd.Index(["a", "b"], dtype=object))
    array([1, 0, 1])
    """
    if isinstance(cells.dtype, pd.CategoricalDtype):
        places: NDArray[np.int64] = np.append(index.get_indexer(pd.Index(cells.cat.categories, dtype=object)), -1)
        return np.asarray(places[cells.cat.codes.to_numpy()], dtype=np.int64)
    return np.asarray(index.get_indexer(pd.Index(cells, dtype=object)), dtype=np.int64)
