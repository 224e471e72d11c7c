"""What each declared mechanism can do at worst, computed from its whole-number weights alone.

An answer drawn with probabilities p under one record and q under another tells at most ``ln(p / q)``. The
probabilities are whole numbers over 2**64, so the worst ratio is a fraction that is known exactly. A declared
mechanism also says which texts can be its answers, and with which chance an answer falls into a group, for every
input: answers that chance alone would have given more often were not drawn as declared.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["QUESTION", "Declared", "Group", "declared"]

Floats = NDArray[np.float64]
QUESTION = ("attributes", "anchors", "chance")
WHOLE = 2**64
MOST_BITS = 24
FUNCTIONS = 2**32
_WEIGHT = re.compile(r"[1-9][0-9]{0,19}")
_NUMERAL = re.compile(r"0|[1-9][0-9]{0,17}")
_PARTS = 16
_MOST_GROUPS = 512
_AT_ONCE = 1 << 22
_SIGMAS = 6
_HEAD = 4  # bits that are looked at together
_ENOUGH = 50_000  # answers by hashing that are looked at: each is its own


class Group(NamedTuple):
    """How many of so many answers are seen in a group, and float64[inputs], the chance of that for each input."""

    what: str
    seen: int
    of: int
    chance: Floats

    def possible(self, shares: Floats | None = None) -> bool:
        """Return whether chance could have given what was seen, whoever the people are or for these shares of inputs.

        An honest count fails less often than once in 10**8 times.
        """
        low, high = (self.chance.min(), self.chance.max()) if shares is None else (self.chance @ shares,) * 2
        return self._least(float(low)) <= self.seen <= self.of - self._least(1 - float(high))

    def _least(self, chance: float) -> float:
        chance = min(max(chance, 0.0), 1.0)
        return self.of * chance - _SIGMAS * math.sqrt(self.of * chance * (1 - chance)) - _SIGMAS


class Declared(NamedTuple):
    """A mechanism as the release declares it.

    `ratio` is the largest ratio of probabilities, exact; `bits` how many bits it flips; `is_answer` tells texts
    that can be answers; `cell` gives the input that an answer is decoded to, None where it is not decoded;
    `groups` counts answers in groups.
    """

    ratio: Fraction
    bits: int
    is_answer: Callable[[str], bool]
    cell: Callable[[str], int] | None
    groups: Callable[[Mapping[str, int]], Iterator[Group]]


def declared(entry: Mapping[str, Any], inputs: int) -> Declared:
    """Return a declared mechanism over so many inputs.

    Raises
    ------
    ValueError
        If it is none that is known, or its parameters are none of such a mechanism.
    """
    readers: dict[Any, Callable[[Mapping[str, Any], int], Declared]] = {
        "bits": _bits, "grr": _grr, "oue": _oue, "olh": _olh, "duchi": _duchi,
        "piecewise": _window, "square-wave": _window, "hybrid": _hybrid,
    }
    name = entry.get("mechanism")
    if not isinstance(name, str) or name not in readers:
        raise ValueError("the mechanism is none that is known")
    if _count(entry, "inputs") != inputs:
        message = f"the mechanism has {entry['inputs']} inputs, its question {inputs}"
        raise ValueError(message)
    return readers[name](entry, inputs)


def _keys(entry: Mapping[str, Any], *names: str) -> None:
    # what a question says beside its mechanism is looked at elsewhere
    if tuple(key for key in entry if key not in QUESTION) != ("mechanism", "inputs", *names):
        raise ValueError("the parameters are not those of the mechanism, in their order")


def _count(entry: Mapping[str, Any], name: str) -> int:
    value = entry.get(name)
    if type(value) is int and 1 <= value <= 2**40:
        return value
    message = f"'{name}' is not a count"
    raise ValueError(message)


def _weight(entry: Mapping[str, Any], name: str, *, zero: bool = False) -> int:
    text = entry.get(name)
    if isinstance(text, str) and (_WEIGHT.fullmatch(text) or (zero and text == "0")) and int(text) < WHOLE:
        return int(text)
    message = f"'{name}' is not a whole number over 2**64"
    raise ValueError(message)


def _nothing(entry: Mapping[str, Any], name: str) -> int:
    if entry.get(name) != "0":
        message = f"'{name}' is a weight of something that cannot happen"
        raise ValueError(message)
    return 0


def _spread(*weights: int) -> Fraction:
    """Return the largest ratio between weights; a weight of nothing would give everything away."""
    if min(weights) <= 0:
        raise ValueError("an answer is impossible for some record")
    return Fraction(max(weights), min(weights))


def _below(limit: int) -> Callable[[str], bool]:
    return lambda text: bool(_NUMERAL.fullmatch(text)) and int(text) < limit


def _set(texts: Mapping[str, int], m: int) -> list[int]:
    """Return for each of the `m` bits how many answers have it set."""
    found, own = np.zeros(m, dtype=np.int64), iter(texts.items())
    while part := list(islice(own, _AT_ONCE // m + 1)):
        is_set = np.frombuffer("".join(text for text, _ in part).encode(), dtype=np.uint8).reshape(len(part), m) == ord("1")
        found += np.array([count for _, count in part]) @ is_set
    return [int(count) for count in found]


def _bits(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "m", "flip", "patterns")
    m, flip = _count(entry, "m"), _weight(entry, "flip")
    patterns = entry["patterns"]
    good = isinstance(patterns, list) and len(patterns) == inputs and all(type(p) is int and p >= 0 for p in patterns)
    if m > MOST_BITS or not good or max(patterns) >= 2**m:
        raise ValueError("the patterns are not one number of so many bits for each input")
    owners: dict[int, list[int]] = {}
    for place, own in enumerate(patterns):
        owners.setdefault(own, []).append(place)

    @cache
    def cell(text: str) -> int:
        # exactly one: a choice between cells could be made by the record
        answer = int(text, 2)
        own = owners[min(owners, key=lambda pattern: (abs(pattern - answer), pattern))]
        return own[(len(own) - 1) // 2]

    def groups(texts: Mapping[str, int]) -> Iterator[Group]:
        total = sum(texts.values())
        for place, seen in enumerate(_set(texts, m)):
            own_bit = np.array(patterns) >> (m - 1 - place) & 1
            chance = np.where(own_bit == 1, 1 - flip / WHOLE, flip / WHOLE)
            yield Group(f"bit {place + 1} set", seen, total, chance)
        head = min(m, _HEAD)
        heads = Counter[int]()
        for text, count in texts.items():
            heads[int(text[:head], 2)] += count
        for first in range(2**head):
            differing = np.bitwise_count((np.array(patterns) >> (m - head)) ^ first)
            chance = (flip / WHOLE) ** differing * (1 - flip / WHOLE) ** (head - differing)
            yield Group(f"first bits {first:0{head}b}", heads[first], total, chance)

    pattern = re.compile(f"[01]{{{m}}}")
    return Declared(_spread(flip, WHOLE - flip) ** m, m, lambda text: bool(pattern.fullmatch(text)), cell, groups)


def _grr(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "other")
    other = _weight(entry, "other") if inputs > 1 else _nothing(entry, "other")
    own = WHOLE - (inputs - 1) * other
    ratio = _spread(own, other) if inputs > 1 else Fraction(1)
    step = -(-inputs // _MOST_GROUPS)

    def groups(texts: Mapping[str, int]) -> Iterator[Group]:
        total, parts = sum(texts.values()), Counter[int]()
        for text, count in texts.items():
            parts[int(text) // step] += count
        for first in range(0, inputs, step):
            after = min(first + step, inputs)
            chance = np.full(inputs, (after - first) * other / WHOLE)
            chance[first:after] += (own - other) / WHOLE
            name = f"answer {first}" if step == 1 else f"answers from {first} to {after - 1}"
            yield Group(name, parts[first // step], total, chance)

    return Declared(ratio, 0, _below(inputs), int, groups)


def _oue(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "other")
    other = _weight(entry, "other")
    # the bits of the two cells differ in the ratio, and a fair coin cancels out
    ratio = _spread(other, WHOLE - other) if inputs > 1 else Fraction(1)

    def groups(texts: Mapping[str, int]) -> Iterator[Group]:
        total = sum(texts.values())
        seen = _set(texts, inputs)
        for place in range(0, inputs, -(-inputs // _MOST_GROUPS)):
            chance = np.full(inputs, other / WHOLE)
            chance[place] = 0.5
            yield Group(f"bit {place + 1} set", seen[place], total, chance)

    pattern = re.compile(f"[01]{{{inputs}}}")
    return Declared(ratio, 0, lambda text: bool(pattern.fullmatch(text)), None, groups)


def _olh(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "buckets", "other")
    buckets = _count(entry, "buckets")
    told = _grr({"mechanism": "grr", "inputs": buckets, "other": entry["other"]}, buckets)
    is_function = _below(FUNCTIONS)

    def is_answer(text: str) -> bool:
        function, colon, bucket = text.partition(":")
        return bool(colon) and is_function(function) and told.is_answer(bucket)

    def groups(texts: Mapping[str, int]) -> Iterator[Group]:
        parts = [(*map(int, text.split(":")), count) for text, count in islice(texts.items(), _ENOUGH)]
        total = sum(count for *_, count in parts)
        bins = Counter[int]()
        for function, _, count in parts:
            bins[function * _PARTS // FUNCTIONS] += count
        for place in range(_PARTS):
            yield Group(f"hash functions of part {place + 1}", bins[place], total, np.full(inputs, 1 / _PARTS))
        for cell in range(min(inputs, _PARTS)):
            # under a hash function of the cell a bucket is the own one, else any
            chance = np.full(inputs, 1 / buckets)
            chance[cell] = 1 - (buckets - 1) * int(entry["other"]) / WHOLE
            held = sum(count for function, bucket, count in parts if _bucket(function, cell, buckets) == bucket)
            yield Group(f"answers that support input {cell}", held, total, chance)

    return Declared(told.ratio if inputs > 1 else Fraction(1), 0, is_answer, None, groups)


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

    def groups(texts: Mapping[str, int]) -> Iterator[Group]:
        chance = np.linspace(least / WHOLE, 1 - least / WHOLE, inputs)
        yield Group("answer +", texts.get("+", 0), sum(texts.values()), chance)

    return Declared(ratio, 0, lambda text: text in ("-", "+"), None, groups)


def _window(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "stride", "width", "other")
    stride, width, other = _count(entry, "stride"), _count(entry, "width"), _weight(entry, "other")
    outputs = stride * (inputs - 1) + width
    each, more = divmod(WHOLE - (outputs - width) * other, width)
    ratio = _spread(each + (more > 0), each, other) if inputs > 1 else Fraction(1)

    def groups(texts: Mapping[str, int]) -> Iterator[Group]:
        parts = Counter[int]()
        for text, count in texts.items():
            parts[int(text) * _PARTS // outputs] += count
        start = stride * np.arange(inputs)
        for place in range(_PARTS):
            first, last = -(-place * outputs // _PARTS), -(-(place + 1) * outputs // _PARTS)
            inside = np.clip(np.minimum(last, start + width) - np.maximum(first, start), 0, None)
            chance = (inside * (each + more / width) + (last - first - inside) * float(other)) / WHOLE
            yield Group(f"outputs of part {place + 1}", parts[place], sum(texts.values()), chance)

    return Declared(ratio, 0, _below(outputs), None, groups)


def _hybrid(entry: Mapping[str, Any], inputs: int) -> Declared:
    _keys(entry, "share", "piecewise", "duchi")
    share = _weight(entry, "share", zero=True)
    if not all(isinstance(entry[kind], dict) for kind in ("piecewise", "duchi")):
        raise ValueError("a hybrid is made of piecewise and duchi")
    near, far = declared(entry["piecewise"], inputs), declared(entry["duchi"], inputs)
    kinds = [(entry[kind]["mechanism"], not set(entry[kind]) & set(QUESTION)) for kind in ("piecewise", "duchi")]
    if kinds != [("piecewise", True), ("duchi", True)]:
        raise ValueError("a hybrid is made of piecewise and duchi")
    outputs = int(entry["piecewise"]["stride"]) * (inputs - 1) + int(entry["piecewise"]["width"])

    def groups(texts: Mapping[str, int]) -> Iterator[Group]:
        by_near = {text: count for text, count in texts.items() if int(text) < outputs}
        by_far = {"-+"[int(text) - outputs]: count for text, count in texts.items() if int(text) >= outputs}
        chance = np.full(inputs, share / WHOLE)
        yield Group("answers by piecewise", sum(by_near.values()), sum(texts.values()), chance)
        yield from near.groups(by_near)
        yield from far.groups(by_far)

    ratio = max(near.ratio if share else Fraction(1), far.ratio)
    return Declared(ratio, 0, _below(outputs + 2), None, groups)
