"""Pages as HTML. The browser itself holds a page to its promise: its own style and script, or nothing."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from cartomancer.pages.document import Page, spans

POLICY: Final = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; base-uri 'none'; form-action 'none'"
)


def html(page: Page) -> str:
    """The page as one file that opens anywhere and asks nothing of any network."""
    style, script = _asset("style.css"), _asset("script.js")
    policy = POLICY.format(style=_hash(style), script=_hash(script))
    written = (
        _templates()
        .get_template("page.html")
        .render(page=page, policy=Markup(policy), style=Markup(style), script=Markup(script))
    )
    return f"{written}\n"


@cache
def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("cartomancer.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["spans"] = spans
    return found


@cache
def _asset(name: str) -> str:
    return files("cartomancer.pages").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """How a policy names what it allows [CSP3, hash-source]."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
