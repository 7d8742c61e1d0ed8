"""The HTML report over audits."""

from cartomancer.maps.report.page import audit_html

__all__ = ["audit_html"]
