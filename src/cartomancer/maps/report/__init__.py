"""The HTML report over audits: words, looks, figures, page."""

from cartomancer.maps.report.page import audit_html

__all__ = ["audit_html"]
