"""Pictures for a page: drawn by `graphanon.plot`, carried inside the page, small enough for all of them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from graphanon.pipeline import Run

__all__ = ["Picture", "private_pictures", "public_pictures"]

MANY = 400  # classes from which a drawing of lines is larger than one of dots
LARGE = 150_000  # bytes that say so for the others
DPI = 155
COLOURS = 96
MOST_PEOPLE = 5_000  # people whose ties one picture still tells apart
WIDTH = 130.0  # millimetres: two stand side by side on a page
WHOLE = 183.0
SHOWN = ("supernodes", "sizes", "levels", "blocks", "degrees", "records", "losses", "class-losses")
PRIVATE = ("beside", "degrees", "sizes")
WIDE = ("supernodes", "beside")
CROWDED = ("supernodes", "beside", "blocks", "records")


class Picture(NamedTuple):
    """A picture as a page holds it: its address is its content."""

    kind: str
    title: str
    source: str
    alt: str


def public_pictures(folder: Path) -> tuple[Picture, ...]:
    """Return the pictures that can be drawn from a release folder alone."""
    from graphanon.plot import kinds_for
    from graphanon.release import read

    release = read(folder)
    return tuple(_drawn(release, kinds_for(release), SHOWN, many=len(release.sizes) > MANY))


def private_pictures(run: Run | None, others: Sequence[Picture]) -> tuple[Picture, ...]:
    """Return the pictures for the custodian: `others`, and in their place those that show people as they were.

    Only a run that is still at hand can draw these.
    """
    if run is None:
        return tuple(others)
    from graphanon.plot import kinds_for

    many = run.grouping.source.n > MANY
    kinds = [kind for kind in kinds_for(run) if kind != "beside" or run.grouping.source.n <= MOST_PEOPLE]
    drawn = tuple(_drawn(run, kinds, PRIVATE, many=many))
    mine = {picture.kind for picture in drawn}
    return (*drawn, *(picture for picture in others if picture.kind not in mine))


def _drawn(source: Any, kinds: Sequence[str], wanted: Sequence[str], *, many: bool) -> Iterator[Picture]:
    from graphanon.plot import PICTURES, render

    for kind in wanted:
        if kind not in kinds:
            continue
        width = WHOLE if kind in WIDE else WIDTH
        dots = many and kind in CROWDED
        drawn = render(source, kind, file_format="png" if dots else "svg", width=width, dpi=DPI)
        if not dots and len(drawn.content) > LARGE:
            dots, drawn = True, render(source, kind, file_format="png", width=width, dpi=DPI)
        content = _small(drawn.content) if dots else drawn.content
        address = f"data:image/{'png' if dots else 'svg+xml'};base64,{b64encode(content).decode('ascii')}"
        yield Picture(kind, PICTURES[kind].shows, address, drawn.alt)


def _small(png: bytes) -> bytes:
    """Return a picture in few colours, which a drawing does not show."""
    from PIL import Image

    out = BytesIO()
    Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()
