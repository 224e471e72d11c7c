"""From facts to a page: one template set, everything inlined, everything escaped, nothing fetched.

The page forbids itself every request and every script but its own two (Content-Security-Policy with their
digests), so that even a cell that slipped through unescaped could do nothing.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from graphanon.report.drawing import figure_json, library
from graphanon.report.noise import NOISE_TERMS
from graphanon.report.pictures import Picture
from graphanon.report.words import GLOSSARY

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["noise_page", "release_page"]


def release_page(
    facts: Mapping[str, Any], pictures: Sequence[Picture], explorer: str, *, twin: str
) -> str:
    """Return the page of a release of supernodes or of a table.

    `explorer` is what :func:`~graphanon.report.explorer.explored` returns, `twin` names the JSON beside the page.
    """
    from markupsafe import Markup

    graph, internal = facts["kind"] == "supernode-graph", facts["audience"] == "internal"
    scripts = library(), _text("explorer.js")
    return _environment().get_template("release.html").render(
        facts=facts,
        title="An anonymized social network" if graph else "An anonymized table",
        sections=_sections(graph=graph, internal=internal),
        graph=graph,
        internal=internal,
        plural="supernodes" if graph else "classes",
        pictures=pictures,
        glossary=GLOSSARY,
        twin=twin,
        policy=_policy(scripts),
        # safe: base64; JSON without a <; our own script, and a library's in which the end of a script is spelt otherwise
        explorer=Markup(explorer),  # noqa: S704
        figure=Markup(figure_json(graph=graph)),  # noqa: S704
        library=Markup(scripts[0]),  # noqa: S704
        script=Markup(scripts[1]),  # noqa: S704
    )


def noise_page(facts: Mapping[str, Any], *, twin: str) -> str:
    """Return the page of a release that promises noise, not company."""
    sections = [("glance", "At a glance"), ("stated", "What the release states"), ("terms", "Words")]
    return _environment().get_template("noise.html").render(
        facts=facts, title=facts["title"], sections=sections, internal=False, pictures=(), glossary=NOISE_TERMS, twin=twin,
        policy=_policy(()),
    )


def _sections(*, graph: bool, internal: bool) -> list[tuple[str, str]]:
    own = [("before", f"What the {'graph' if graph else 'table'} was")] if internal else []
    run = [("run", "The run")] if internal else []
    return [("glance", "At a glance"), *own, ("leaves", "What leaves"), ("lost", "What was lost"),
            ("risk", "Promises and risk"), ("explore", "Explore"), *run, ("terms", "Words")]


def _policy(scripts: Sequence[str]) -> str:
    """Return what the page may do: run its own scripts, show its own pictures, ask nobody for anything."""
    digests = " ".join(f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'" for text in scripts)
    return (f"default-src 'none'; script-src {digests or chr(39) + 'none' + chr(39)}; style-src 'unsafe-inline'; img-src data:;"
            " base-uri 'none'; form-action 'none'")


@cache
def _text(name: str) -> str:
    return files("graphanon.report").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(loader=PackageLoader("graphanon.report"), autoescape=True, undefined=StrictUndefined,
                              trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"number": _number, "short": _short, "percent": _percent, "plain": _plain}
    environment.globals["style"] = Markup(_text("report.css"))  # noqa: S704  our own
    return environment


def _number(value: int) -> str:
    return f"{value:,}"


def _short(value: float) -> str:
    """Return a number with three digits that tell, or all of those before the point.

    Examples
    --------
    >>> _short(0.27659), _short(3616.0), _short(0.5), _short(6.8493)
    ('0.277', '3,616', '0.5', '6.85')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _percent(share: float) -> str:
    """Return a share in percent with as many digits as tell something.

    Examples
    --------
    >>> _percent(0.27659), _percent(1.0), _percent(0.0016), _percent(0.99963)
    ('27.7 %', '100 %', '0.16 %', '99.96 %')
    """
    digits = 2 if 0 < share < 0.01 or 0.999 <= share < 1 else 1
    return f"{100 * share:.{digits}f}".rstrip("0").rstrip(".") + " %"


def _plain(value: Any) -> str:
    """Return any value of a record as a person reads it.

    Examples
    --------
    >>> _plain(None), _plain(True), _plain(0.1875), _plain([1, 2]), _plain({"a": 1})
    ('-', 'yes', '0.188', '1, 2', 'a 1')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _number(value) if isinstance(value, int) else _short(value)
    if isinstance(value, Mapping):
        value = [f"{name} {_plain(inner)}" for name, inner in value.items()]
    if isinstance(value, list | tuple):
        value = ", ".join(map(_plain, value))
    return str(value or "-")
