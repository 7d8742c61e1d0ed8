"""Pages as HTML. The browser itself holds a page to its promise: its own style and script, or nothing."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from cartomancer.pages import numbers
from cartomancer.pages.charts.lines import Interval

PACKAGE: Final = "cartomancer.pages"
POLICY: Final = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; base-uri 'none'; form-action 'none'"
)
WORDS: Final = (numbers.counted, numbers.label, numbers.mean, numbers.number, numbers.percent, numbers.share)


def render(module: str, template: str, **model: Any) -> str:
    """What a template beside a module makes of a model: a page that asks nothing of any network, or plain text."""
    written = _templates(module.rpartition(".")[0]).get_template(template).render(**model)
    return f"{written.rstrip()}\n"


@cache
def _templates(package: str) -> Environment:
    """The templates of a package, and those that all share."""
    found = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(PACKAGE)]),
        autoescape=lambda name: (name or "").endswith((".html", ".svg", ".graphml")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = (
        files(PACKAGE).joinpath("assets", name).read_text(encoding="utf-8") for name in ("style.css", "script.js")
    )
    policy = POLICY.format(style=_hash(style), script=_hash(script))
    found.globals |= {word.__name__: word for word in WORDS} | {"image": image, "interval": Interval}
    found.globals |= {"policy": Markup(policy), "style": Markup(style), "script": Markup(script)}
    return found


def _hash(text: str) -> str:
    """How a policy names what it allows [CSP3, hash-source]."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def image(svg: str) -> str:
    """The address of an SVG picture as an image: its ids stay its own, and nothing inside it can run or load."""
    named = 'xmlns="http://www.w3.org/2000/svg"'
    svg = svg if "xmlns=" in svg else svg.replace("<svg", f"<svg {named}", 1)
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
