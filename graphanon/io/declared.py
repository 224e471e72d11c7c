"""Types that a file gives its attributes, apart from how their values look.

``"4051"`` in JSON is text and 4051 is a number, and GraphML says of each key what it holds. Cells are text here
whatever they were, so that word of the file is kept beside them: whoever writes the network again, or suggests what a column is,
goes by it and not by the looks of digits. Formats without types declare nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Literal, TypeAlias

__all__ = ["Declared", "declared_by", "settled"]

Declared: TypeAlias = Literal["whole", "number", "boolean", "text"]

_SPELLINGS: Mapping[str, Declared] = {
    "int": "whole", "integer": "whole", "long": "whole", "short": "whole", "byte": "whole", "biginteger": "whole",
    "int32": "whole", "int64": "whole", "float": "number", "double": "number", "real": "number", "number": "number",
    "decimal": "number", "bigdecimal": "number", "boolean": "boolean", "bool": "boolean", "string": "text", "str": "text",
    "text": "text", "char": "text", "anyuri": "text",
}


def declared_by(word: str | None) -> Declared | None:
    """Return the type that a word of XML formats means, in any letter case; None of one that is no single value.

    Examples
    --------
    >>> declared_by("Integer"), declared_by("double"), declared_by("liststring"), declared_by(None)
    ('whole', 'number', None, None)
    """
    return None if word is None else _SPELLINGS.get(word.casefold())


def settled(seen: AbstractSet[Declared]) -> Declared:
    """Return the one type of values of which these were seen: whole numbers are numbers, any other mixture is text.

    Examples
    --------
    >>> settled({"whole", "number"}), settled({"whole", "text"}), settled({"boolean"})
    ('number', 'text', 'boolean')
    """
    if len(seen) == 1:
        return next(iter(seen))
    return "number" if seen == {"whole", "number"} else "text"
