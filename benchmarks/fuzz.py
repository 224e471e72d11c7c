"""Feed damaged files to every reader and count how each ends.

``python -m benchmarks fuzz`` writes small networks in every format with graphanon's own writers, damages them (bytes
flipped, cut off, parts swapped, repeated or taken from files of other formats) and reads and builds what came of it:
100,000 inputs spread evenly over the formats, the same ones for the same ``--seed``. Each must end in a graph or in a refusal
in graphanon's own words; anything else is a *bare* exception, is printed with its place, and makes the command
fail. ``--keep FOLDER`` keeps the files that did that, and the slowest of each format.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, NoReturn

__all__ = ["Outcome", "damaged", "main", "run", "seeds"]

_HANG = 20  # seconds after which an input counts as one that never ends
_TOKEN = re.compile(rb"[A-Za-z0-9_.]+|\s+|[^A-Za-z0-9_.\s]")
_WORDS = (
    b"0", b"-1", b"1", b"99999999999999999999", b"1e999", b"nan", b"NaN", b"null", b"NA", b"None", b"true", b'"', b"'", b"<", b">",
    b"&", b"&amp;", b"&#0;", b"&x;", b"[", b"]", b"{", b"}", b"(", b")", b",", b";", b":", b"=", b"*", b"#", b"%", b"\\", b"\0", b"\n", b"\r",
    b"\t", b"\xff", b"\xfe", b"\xef\xbb\xbf", b"\xc3\xa9", b"\xed\xa0\x80", b"--", b"->", b"/*", b"id", b"source", b"target", b"node", b"edge",
    b"*Vertices 3\n", b"*Matrix\n", b"*Arcs\n", b"*Edgeslist\n", b"data:", b"labels:", b"n=3", b"nr=2 nc=2", b"labels embedded", b"%%MatrixMarket ",
    b"<graph>", b"</graph>", b"<node>", b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"<![CDATA[", b"]]>", b"<!--", b"subgraph x {", b"graph [", b'"nodes":', b'"links":',
)


class Seed(NamedTuple):
    """Files as a writer wrote them: one, or people and ties."""

    form: str
    names: tuple[str, ...]
    files: tuple[bytes, ...]


@dataclass(kw_only=True)
class Outcome:
    """How the inputs of one format ended, the slowest of them, and the exceptions that were nobody's words."""

    form: str
    ends: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    slowest: tuple[bytes, ...] = ()
    bare: Counter[str] = field(default_factory=Counter)
    files: dict[str, tuple[tuple[str, ...], tuple[bytes, ...]]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the numbers in the shape that ``--json`` prints."""
        return {"format": self.form, "inputs": sum(self.ends.values()), **{end: self.ends[end] for end in ("read", "refused", "bare")},
                "slowest_seconds": round(self.seconds, 4), "exceptions": dict(self.bare)}


def seeds(folder: Path) -> list[Seed]:
    """Return small networks in every format, plain and packed, as the writers write them."""
    from graphanon.io.formats import CARRIES
    from graphanon.io.writers.saving import save

    found = []
    for carries in CARRIES:
        for number, source in enumerate(_networks()):
            files = save(source, folder / f"net{number}{carries.suffixes[0]}", drop_uncarried=True, force=True).files
            found.append(Seed(carries.name, tuple(file.name for file in files), tuple(file.read_bytes() for file in files)))
    text = next(seed for seed in found if seed.form == "GraphML").files[0]
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("net.graphml", text)
    (folder / "net.zip").write_bytes(archive.getvalue())
    found += [Seed("gzip", ("net.graphml.gz",), (gzip.compress(text, mtime=0),)), Seed("zip", ("net.zip",), (archive.getvalue(),))]
    return found


def _networks() -> list[Any]:
    """Return a plain network and one with words, numbers, gaps, repeats, a loop and a weight, as if they had been read."""
    import numpy as np
    import pandas as pd

    from graphanon.io.source import ReadReport, Source, Table, Ties

    made = []
    for ids, columns, rows in (
        (["a", "b", "c"], {}, [("a", "b"), ("b", "c")]),
        (["007", "7", "é", "null"], {"age": ["31", "33", None, "36"], "job": ["x y", 'say "hi"', "<&>", None]},
         [("007", "7", "2.5"), ("7", "007", "1"), ("é", "null", "3"), ("é", "é", "1")]),
    ):
        names = ["source", "target", *(["weight"] if len(rows[0]) == 3 else [])]
        people = Table(frame=pd.DataFrame({"id": ids, **columns}, dtype=object), lines=np.arange(len(ids)), file="people")
        ties = Ties(frame=pd.DataFrame(rows, columns=names, dtype=object), lines=np.arange(len(rows)), file="ties",
                    directed=len(names) == 3, weight="weight" if len(names) == 3 else None)
        made.append(Source(people=people, ties=ties, id="id", report=ReadReport()))
    return made


def damaged(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Return the bytes with one to four things wrong."""
    kinds: tuple[Callable[[bytes, Sequence[bytes], random.Random], bytes], ...] = (_flipped, _cut, _swapped, _repeated, _worded, _spliced, _removed)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(kinds)(data, others, chance)
    return data


def _flipped(data: bytes, _others: Sequence[bytes], chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4) if changed else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _cut(data: bytes, _others: Sequence[bytes], chance: random.Random) -> bytes:
    return data[: chance.randint(0, len(data))]


def _swapped(data: bytes, _others: Sequence[bytes], chance: random.Random) -> bytes:
    tokens = _TOKEN.findall(data)
    if len(tokens) > 1:
        one, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        tokens[one], tokens[other] = tokens[other], tokens[one]
    return b"".join(tokens)


def _repeated(data: bytes, _others: Sequence[bytes], chance: random.Random) -> bytes:
    begin, end = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
    return data[:end] + data[begin:end] * chance.choice((1, 1, 2, 30)) + data[end:]


def _worded(data: bytes, _others: Sequence[bytes], chance: random.Random) -> bytes:
    at, gone = chance.randint(0, len(data)), chance.choice((0, 0, 1, 5))
    return data[:at] + chance.choice(_WORDS) + data[at + gone:]


def _spliced(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    other = chance.choice(others)
    begin, end = sorted((chance.randint(0, len(other)), chance.randint(0, len(other))))
    at = chance.randint(0, len(data))
    return data[:at] + other[begin:end] + data[at:]


def _removed(data: bytes, _others: Sequence[bytes], chance: random.Random) -> bytes:
    begin = chance.randint(0, len(data))
    return data[:begin] + data[begin + chance.choice((1, 2, 8, 40)):]


def _read(paths: Sequence[Path]) -> None:
    """Read and build what the files hold."""
    from graphanon.io.build import build
    from graphanon.io.readers import read
    from graphanon.io.source import ReadOptions
    from graphanon.schema import Schema

    source = read(*paths, options=ReadOptions(unlisted="drop"))
    build(source, Schema(columns=()))


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    told = f"not done after {_HANG} seconds"
    raise TimeoutError(told)


def run(inputs: int, seed: int, forms: Sequence[str] = ()) -> list[Outcome]:
    """Return how so many inputs end, spread evenly over the formats."""
    from graphanon.errors import GraphanonError

    chance = random.Random(seed)
    outcomes: dict[str, Outcome] = {}
    previous = signal.signal(signal.SIGALRM, _stop)
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(name)
        begun = seeds(folder)
        others = [file for one in begun for file in one.files]
        begun = [one for one in begun if not forms or one.form in forms]
        for number in range(inputs):
            one = begun[number % len(begun)]
            outcome = outcomes.setdefault(one.form, Outcome(form=one.form))
            chosen = chance.randrange(len(one.files))
            files = tuple(damaged(file, others, chance) if place == chosen else file for place, file in enumerate(one.files))
            paths = [folder / file for file in one.names]
            paths[chosen].write_bytes(files[chosen])
            begin = time.perf_counter()
            signal.alarm(_HANG)
            try:
                _read(paths)
                outcome.ends["read"] += 1
            except GraphanonError:
                outcome.ends["refused"] += 1
            except Exception as error:  # noqa: BLE001  this is what is looked for
                _note(outcome, error, one.names, files)
            finally:
                signal.alarm(0)
            took = time.perf_counter() - begin
            if len(paths) > 1:
                paths[chosen].write_bytes(one.files[chosen])
            if took > outcome.seconds:
                outcome.seconds, outcome.slowest = took, files
    signal.signal(signal.SIGALRM, previous)
    return list(outcomes.values())


def _note(outcome: Outcome, error: Exception, names: tuple[str, ...], files: tuple[bytes, ...]) -> None:
    outcome.ends["bare"] += 1
    last = [frame for frame in traceback.extract_tb(error.__traceback__) if "graphanon" in frame.filename][-1]
    place = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}: {str(error)[:100]}"
    outcome.bare[place] += 1
    outcome.files.setdefault(place, (names, files))


def main(words: list[str]) -> None:
    """Run and print; leave with 1 if anything ended bare."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="how many (default: 100,000)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    parser.add_argument("--format", action="append", default=[], help="only this format (may be repeated)")
    parser.add_argument("--keep", type=Path, help="folder for the inputs that ended bare and the slowest")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    asked = parser.parse_args(words)
    begin = time.perf_counter()
    outcomes = run(asked.inputs, asked.seed, asked.format)
    if not asked.json:
        print("format              inputs      read   refused  bare   slowest s")
    for outcome in outcomes:
        told = outcome.as_json()
        print(json.dumps(told) if asked.json else
              f"{told['format']:<18}{told['inputs']:>8,}{told['read']:>10,}{told['refused']:>10,}{told['bare']:>6,}{outcome.seconds:>12.3f}")
        for place, times in outcome.bare.items() if not asked.json else ():
            print(f"    {times:,} times {place}")
        if asked.keep is not None:
            _keep(outcome, asked.keep)
    if not asked.json:
        ends = sum((outcome.ends for outcome in outcomes), Counter[str]())
        print(f"{sum(ends.values()):,} inputs in {time.perf_counter() - begin:.0f} s: {ends['read']:,} read,"
              f" {ends['refused']:,} refused, {ends['bare']:,} bare")
    sys.exit(1 if any(outcome.bare for outcome in outcomes) else 0)


def _keep(outcome: Outcome, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, (names, files) in enumerate(outcome.files.values()):
        for name, file in zip(names, files, strict=True):
            (folder / f"bare-{outcome.form}-{number}-{name}").write_bytes(file)
    for number, file in enumerate(outcome.slowest):
        (folder / f"slowest-{outcome.form}-{number}").write_bytes(file)
