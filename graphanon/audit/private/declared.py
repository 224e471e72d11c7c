"""What each declared mechanism can do at worst, computed from its whole-number weights alone.

An answer drawn with probabilities p under one record and q under another tells at most ``ln(p / q)``. The
probabilities are whole numbers over 2**64, so the worst ratio is a fraction that is known exactly. A declared
mechanism also says which texts can be its answers, and how often at least and at most a group of answers can
occur, whoever the people are: answers that chance alone would have given more often were not drawn as declared.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

__all__ = ["Band", "Declared", "declared"]

WHOLE = 2**64
MOST_BITS = 24
FUNCTIONS = 2**32
_WEIGHT = re.compile(r"[1-9][0-9]{0,19}")
_NUMERAL = re.compile(r"0|[1-9][0-9]{0,17}")
_BINS = 16
_SIGMAS = 6
_ENOUGH = 50_000  # answers by hashing that are looked at: each is its own


def _set(texts: Mapping[str, int], place: int) -> int:
    """Return how many answers have the bit at a place set."""
    return sum(count for text, count in texts.items() if text[place] == "1")


class Band(NamedTuple):
    """How many answers are in a group, and the least and largest probability of that for any record.

    `of` is out of how many answers; None means all of the question's.
    """

    what: str
    count: int
    low: Fraction
    high: Fraction
    of: int | None = None

    def possible(self, answers: int) -> bool:
        """Return whether chance could have given the count: it would miss by more than this once in 10**8 times."""
        n = answers if self.of is None else self.of
        low, high = float(self.low), float(self.high)
        short = n * low - _SIGMAS * math.sqrt(n * low * (1 - low)) - _SIGMAS
        return short <= self.count <= n * high + _SIGMAS * math.sqrt(n * high * (1 - high)) + _SIGMAS


class Declared(NamedTuple):
    """A mechanism as the release declares it.

    `ratio` is the largest ratio of probabilities, exact; `bits` how many bits it flips; `is_answer` tells texts
    that can be answers; `cells` gives the inputs that an answer may be decoded to, None where it is not decoded; `bands`
    counts answers in groups.
    """

    ratio: Fraction
    bits: int
    is_answer: Callable[[str], bool]
    cells: Callable[[str], frozenset[int]] | None
    bands: Callable[[Mapping[str, int]], Iterator[Band]]


def declared(entry: Mapping[str, Any], inputs: int) -> Declared:
    """Return a declared mechanism over so many inputs.

    Raises
    ------
    ValueError
        If it is none that is known, or its parameters are none of such a mechanism.
    """
    readers: dict[str, Callable[[Mapping[str, Any], int], Declared]] = {
        "bits": _bits, "grr": _grr, "oue": _oue, "olh": _olh, "duchi": _duchi,
        "piecewise": _window, "square-wave": _window, "hybrid": _hybrid,
    }
    if entry.get("mechanism") not in readers:
        raise ValueError("the mechanism is none that is known")
    if _count(entry, "inputs") != inputs:
        message = f"the mechanism has {entry.get('inputs')} inputs, its question {inputs}"
        raise ValueError(message)
    return readers[entry["mechanism"]](entry, inputs)


def _keys(entry: Mapping[str, Any], *names: str) -> None:
    # what a question says beside its mechanism is looked at elsewhere
    if set(entry) - {"attributes", "groups"} != {"mechanism", "inputs", *names}:
        raise ValueError("the parameters are not those of the mechanism")


def _count(entry: Mapping[str, Any], name: str) -> int:
    value = entry.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 2**40:
        message = f"'{name}' is not a count"
        raise ValueError(message)
    return value


def _weight(entry: Mapping[str, Any], name: str, *, zero: bool = False) -> int:
    text = entry.get(name)
    if isinstance(text, str) and (_WEIGHT.fullmatch(text) or (zero and text == "0")) and int(text) < WHOLE:
        return int(text)
    message = f"'{name}' is not a whole number over 2**64"
    raise ValueError(message)


def _spread(*weights: int) -> Fraction:
    """Return the largest ratio between weights; a weight of nothing would give everything away."""
    if min(weights) <= 0:
        raise ValueError("an answer is impossible for some record")
    return Fraction(max(weights), min(weights))


def _bits(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "m", "flip", "patterns")
    m, flip = _count(entry, "m"), _weight(entry, "flip")
    patterns = entry["patterns"]
    good = isinstance(patterns, list) and len(patterns) == inputs and all(type(p) is int and p >= 0 for p in patterns)
    if m > MOST_BITS or not good or max(patterns) >= 2**m:
        raise ValueError("the patterns are not one number of so many bits for each input")
    owners: dict[int, frozenset[int]] = {}
    for place, own in enumerate(patterns):
        owners[own] = owners.get(own, frozenset()) | {place}

    @cache
    def cells(text: str) -> frozenset[int]:
        answer = int(text, 2)
        nearest = min(abs(pattern - answer) for pattern in owners)
        return owners.get(answer - nearest, frozenset()) | owners.get(answer + nearest, frozenset())

    def bands(texts: Mapping[str, int]) -> Iterator[Band]:
        low, high = sorted((Fraction(flip, WHOLE), 1 - Fraction(flip, WHOLE)))
        for place in range(m):
            yield Band(f"bit {place + 1} set", _set(texts, place), low, high)

    pattern = re.compile(f"[01]{{{m}}}")
    return Declared(_spread(flip, WHOLE - flip) ** m, m, lambda text: bool(pattern.fullmatch(text)), cells, bands)


def _below(limit: int) -> Callable[[str], bool]:
    return lambda text: bool(_NUMERAL.fullmatch(text)) and int(text) < limit


def _grr(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "other")
    other = _weight(entry, "other")
    own = WHOLE - (inputs - 1) * other
    ratio = _spread(own, other) if inputs > 1 else Fraction(1)
    ends = sorted((Fraction(own, WHOLE), Fraction(other, WHOLE))) if inputs > 1 else [Fraction(1), Fraction(1)]

    def bands(texts: Mapping[str, int]) -> Iterator[Band]:
        for value in range(inputs):
            yield Band(f"answer {value}", texts.get(str(value), 0), *ends)

    return Declared(ratio, 0, _below(inputs), lambda text: frozenset((int(text),)), bands)


def _oue(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "other")
    other = _weight(entry, "other")
    # the bits of the two cells differ in the ratio, and a fair coin cancels out
    ratio = _spread(other, WHOLE - other) if inputs > 1 else Fraction(1)

    def bands(texts: Mapping[str, int]) -> Iterator[Band]:
        low, high = sorted((Fraction(other, WHOLE), Fraction(1, 2)))
        for place in range(inputs):
            yield Band(f"bit {place + 1} set", _set(texts, place), low, high)

    pattern = re.compile(f"[01]{{{inputs}}}")
    return Declared(ratio, 0, lambda text: bool(pattern.fullmatch(text)), None, bands)


def _olh(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "buckets", "other")
    buckets = _count(entry, "buckets")
    told = _grr({"mechanism": "grr", "inputs": buckets, "other": entry["other"]}, buckets)
    is_function = _below(FUNCTIONS)

    def is_answer(text: str) -> bool:
        function, colon, bucket = text.partition(":")
        return bool(colon) and is_function(function) and told.is_answer(bucket)

    def bands(texts: Mapping[str, int]) -> Iterator[Band]:
        parts = [tuple(map(int, text.split(":"))) for text in islice(texts, _ENOUGH)]
        share = Fraction(1, _BINS)
        bins = Counter(function * _BINS // FUNCTIONS for function, _ in parts)
        for place in range(_BINS):
            yield Band(f"hash functions of part {place + 1}", bins[place], share, share, len(parts))
        # under a hash function of the cell a bucket is the own one, else any
        high = Fraction(WHOLE - (buckets - 1) * int(entry["other"]), WHOLE)
        for cell in range(min(inputs, _BINS)):
            count = sum(_bucket(function, cell, buckets) == bucket for function, bucket in parts)
            yield Band(f"answers that support input {cell}", count, *sorted((Fraction(1, buckets), high)), len(parts))

    return Declared(told.ratio if inputs > 1 else Fraction(1), 0, is_answer, None, bands)


def _bucket(function: int, cell: int, buckets: int) -> int:
    """Return the bucket of a cell under a hash function: the output of SplitMix64 over both, cut into equal parts."""
    mask = WHOLE - 1
    z = ((function << 32 | cell) + 1) * 0x9E3779B97F4A7C15 & mask
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
    z ^= z >> 31
    return (z >> 32) * buckets >> 32


def _duchi(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "least")
    least = _weight(entry, "least")
    ratio = _spread(least, WHOLE - least) if inputs > 1 else Fraction(1)

    def bands(texts: Mapping[str, int]) -> Iterator[Band]:
        low, high = sorted((Fraction(least, WHOLE), 1 - Fraction(least, WHOLE)))
        yield Band("answer +", texts.get("+", 0), low, high)

    return Declared(ratio, 0, lambda text: text in ("-", "+"), None, bands)


def _window(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "stride", "width", "other")
    width, other = _count(entry, "width"), _weight(entry, "other")
    way = _count(entry, "stride") * (inputs - 1)
    each, more = divmod(WHOLE - way * other, width)
    ratio = _spread(each + (more > 0), each, other) if inputs > 1 else Fraction(1)

    def bands(texts: Mapping[str, int]) -> Iterator[Band]:
        yield from _window_bands(texts, way + width, sorted((other, each + (more > 0))))

    return Declared(ratio, 0, _below(way + width), None, bands)


def _window_bands(texts: Mapping[str, int], outputs: int, weights: Sequence[int]) -> Iterator[Band]:
    bins: Counter[int] = Counter()
    for text, count in texts.items():
        bins[int(text) * _BINS // outputs] += count
    for place in range(_BINS):
        size = -(-(place + 1) * outputs // _BINS) - -(-place * outputs // _BINS)
        low, high = (Fraction(size * weight, WHOLE) for weight in weights)
        yield Band(f"outputs of part {place + 1}", bins[place], low, min(high, Fraction(1)))


def _hybrid(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "share", "piecewise", "duchi")
    share = _weight(entry, "share", zero=True)
    near, far = declared(entry["piecewise"], inputs), declared(entry["duchi"], inputs)
    if entry["piecewise"]["mechanism"] != "piecewise" or entry["duchi"]["mechanism"] != "duchi":
        raise ValueError("a hybrid is made of piecewise and duchi")
    outputs = int(entry["piecewise"]["stride"]) * (inputs - 1) + int(entry["piecewise"]["width"])

    def bands(texts: Mapping[str, int]) -> Iterator[Band]:
        by_near = {text: count for text, count in texts.items() if int(text) < outputs}
        by_far = {"-+"[int(text) - outputs]: count for text, count in texts.items() if int(text) >= outputs}
        yield Band("answers by piecewise", sum(by_near.values()), Fraction(share, WHOLE), Fraction(share, WHOLE))
        yield from (band._replace(of=sum(by_near.values())) for band in near.bands(by_near))
        yield from (band._replace(of=sum(by_far.values())) for band in far.bands(by_far))

    ratio = max(near.ratio if share else Fraction(1), far.ratio)
    return Declared(ratio, 0, _below(outputs + 2), None, bands)
