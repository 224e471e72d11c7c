"""Pictures as files: PNG, SVG or PDF by the name's ending, whole or not at all, without a date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphanon.errors import InputProblem, Problem

__all__ = ["FORMATS", "save_supernodes"]

FORMATS = ("png", "svg", "pdf")
_UNDATED: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def save_supernodes(folder: Path, file: Path, *, colour: str | None = None, force: bool = False) -> None:
    """Draw the supernode graph of a release folder into a file.

    Raises
    ------
    InputProblem
        If the file exists and `force` is not set, its ending is not that of a picture, it lies inside
        a release folder, or the folder is no release of supernodes.
    """
    kind = _check_file(file, force=force)
    from graphanon.plot.released import read_released

    released = read_released(folder)
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    from graphanon.plot.supernodes import draw_supernodes

    # the same files give the same bytes; text of an SVG stays text
    with mpl.rc_context({"svg.hashsalt": "graphanon", "svg.fonttype": "none"}):
        margins = ConstrainedLayoutEngine(w_pad=0.15, h_pad=0.15)
        figure = Figure(figsize=(10.5, 7.5), dpi=150, layout=margins)
        FigureCanvasAgg(figure)
        draw_supernodes(figure.add_subplot(), released, colour=colour)
        partial = file.with_name(f".{file.name}.partial")
        try:
            figure.savefig(partial, format=kind, metadata=_UNDATED[kind])
            partial.replace(file)
        finally:
            partial.unlink(missing_ok=True)


def _check_file(file: Path, *, force: bool) -> str:
    kind = file.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        allowed = ", ".join(f".{known}" for known in FORMATS)
        raise InputProblem(Problem(what="has an ending that is no picture's", file=str(file), allowed=allowed))
    if any((parent / "release.json").is_file() for parent in file.resolve().parents):
        raise InputProblem(Problem(what="lies inside a release folder, which a picture must not change",
                                   file=str(file), fix="-o a file outside it"))
    if not file.parent.is_dir():
        raise InputProblem(Problem(what="its folder does not exist", file=str(file), fix="-o a file in a folder there is"))
    if file.exists() and not force:
        raise InputProblem(Problem(what="exists already", file=str(file), fix="--force replaces it"))
    return kind
