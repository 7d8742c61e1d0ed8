"""Offline HTML pages: templates, charts and tables, one style, one script, one promise to load nothing.

A report keeps a template of its own that extends `page.html`, is written with the macros of `parts.html`, and is given
numbers and charts; `render` writes the page. Nothing here knows what the numbers are about, and markup is written in
templates only.
"""

from cartomancer.pages.rendering import render

__all__ = ["render"]
