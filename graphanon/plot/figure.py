"""Pictures as files: PNG, SVG or PDF by the name's ending, whole or not at all, without a date."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from graphanon.errors import InputProblem, Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from graphanon.plot.pictures import Picture

__all__ = ["FORMATS", "WIDTHS", "Rendered", "check_file", "picture", "render", "save", "save_supernodes", "styled"]

FORMATS = ("png", "svg", "pdf")
WIDTHS = (89, 183)  # millimetres: one column of a journal, and two
NARROW = 120
INCH = 25.4
DPI = 300
_UNDATED: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


class Rendered(NamedTuple):
    """A picture as the bytes of a file, and in words for those who cannot see it."""

    content: bytes
    alt: str


def render(
    source: Any, kind: str = "supernodes", *, file_format: str = "svg", width: float = 183, dpi: int = DPI, **options: Any
) -> Rendered:
    """Return a picture of a run or a release as PNG, SVG or PDF, `width` millimetres wide.

    `kind` is one of `PICTURES`, `options` are those of its function.

    Raises
    ------
    InputProblem
        If there is no such picture of that source.

    Examples
    --------
    >>> import graphanon
    >>> run = graphanon.anonymize(graphanon.load("m1"), requirement=graphanon.Requirement(k=5), seed=1, refine=False)
    >>> render(run, "sizes").alt.split(". ")[0]
    'How many people the classes have, and the least that was promised'
    """
    if file_format not in FORMATS:
        raise InputProblem(Problem(what=f"'{file_format}' is no format of pictures", allowed=", ".join(FORMATS)))
    with styled(source):
        figure = picture(source, kind, width=width, **options)
        content = io.BytesIO()
        figure.savefig(content, format=file_format, dpi=dpi, metadata=_UNDATED[file_format])
    return Rendered(content.getvalue(), _alt(figure, kind))


def picture(source: Any, kind: str = "supernodes", *, width: float = 183, **options: Any) -> Figure:
    """Return a picture as a figure of matplotlib, `width` millimetres wide, ready to be saved.

    Raises
    ------
    InputProblem
        If there is no such picture of that source.
    """
    shown = _known(kind)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    inches = width / INCH
    tall = inches * shown.tall[width < NARROW]
    margins = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.06)
    figure = Figure(figsize=(inches, tall), layout=margins)
    FigureCanvasAgg(figure)
    if shown.panels > 1:
        shape = (shown.panels, 1) if width < NARROW else (1, shown.panels)
        shown.draw(list(figure.subplots(*shape)), source, **options)
    else:
        shown.draw(figure.add_subplot(), source, **options)
    return figure


def _known(kind: str) -> Picture:
    from graphanon.plot.pictures import PICTURES

    if kind not in PICTURES:
        raise InputProblem(Problem(what=f"there is no picture of the kind '{kind}'", allowed=", ".join(PICTURES)))
    return PICTURES[kind]


@contextmanager
def styled(source: Any) -> Iterator[None]:
    """Draw with text that stays text, the same bytes each time, and letters for every name in the source."""
    import matplotlib as mpl

    from graphanon.plot.style import fonts

    settings: dict[Any, Any] = {
        "svg.hashsalt": "graphanon", "svg.fonttype": "none", "pdf.fonttype": 42, "font.family": fonts(_texts(source)),
        "axes.unicode_minus": False, "axes.linewidth": 0.6, "text.parse_math": True,
    }
    with mpl.rc_context(settings), warnings.catch_warnings(), _hushed("matplotlib.font_manager"):
        # a letter that no font on this machine has is drawn as a box, and told by the text of an SVG
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        yield


@contextmanager
def _hushed(name: str) -> Iterator[None]:
    """Keep a library's log quiet: which weight of a font there is not is nothing that a person has to know."""
    log = logging.getLogger(name)
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


def _texts(source: Any) -> Iterator[str]:
    """Yield every text of a source that a picture might show."""
    release = getattr(source, "release", source)
    for column in getattr(release, "columns", ()):
        yield column.name
    yield from {cell for row in getattr(release, "cells", ()) for cell in row}
    yield from {line.value for line in getattr(release, "counts", ())}


def _alt(figure: Figure, kind: str) -> str:
    """Return what a picture shows and what its headings say."""
    said = [_known(kind).shows]
    for ax in figure.axes:
        texts = [ax.get_title(loc="left"), *(text.get_text() for text in ax.texts if text.get_gid() == "subtitle")]
        said += [" ".join(text.split()).replace(r"\$", "$").rstrip(".") + "." for text in texts if text.strip()]
    return " ".join(said)


def save(
    source: Any, file: Path | str, *, kind: str = "supernodes", width: float = 183, dpi: int = DPI, force: bool = False,
    **options: Any,
) -> str:
    """Draw a picture of a run, a release or a release folder into a file, PNG, SVG or PDF by its ending.

    Returns what is to be seen, in words.

    Raises
    ------
    InputProblem
        If the file exists and `force` is not set, its ending is not that of a picture, it lies inside
        a release folder or cannot be written, or there is no such picture of that source.
    """
    from graphanon.plot.style import PRIVATE

    file = Path(file)
    file_format = check_file(file, force=force)
    drawn = render(source, kind, file_format=file_format, width=width, dpi=dpi, **options)
    try:
        with TemporaryDirectory(prefix=".graphanon-", dir=file.parent) as aside:
            draft = Path(aside) / file.name
            draft.write_bytes(drawn.content)
            if PRIVATE in drawn.alt:
                # what shows people as they were is for its owner, like the private folder of a run
                draft.chmod(0o600)
            draft.replace(file)
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise InputProblem(Problem(what=what, file=str(file), fix="-o another file")) from error
    return drawn.alt


def save_supernodes(folder: Path, file: Path, *, force: bool = False, **options: Any) -> None:
    """Draw the supernode graph of a release folder into a file, as :func:`save` does."""
    save(folder, file, kind="supernodes", force=force, **options)


def check_file(file: Path, *, force: bool) -> str:
    """Return the format that a file's ending says, or raise InputProblem if no picture may be written there."""
    kind = file.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        allowed = ", ".join(f".{known}" for known in FORMATS)
        raise InputProblem(Problem(what="has an ending that is no picture's", file=str(file), allowed=allowed))
    if any((parent / "release.json").is_file() for parent in file.resolve().parents):
        raise InputProblem(Problem(what="lies inside a release folder, which a picture must not change",
                                   file=str(file), fix="-o a file outside it"))
    if not file.parent.is_dir():
        raise InputProblem(Problem(what="its folder does not exist", file=str(file), fix="-o a file in a folder there is"))
    if file.is_dir():
        raise InputProblem(Problem(what="is in the way: it is a folder", file=str(file), fix="-o another file"))
    if (file.exists() or file.is_symlink()) and not force:
        raise InputProblem(Problem(what="exists already", file=str(file), fix="--force replaces it"))
    return kind
