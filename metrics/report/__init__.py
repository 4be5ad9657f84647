"""Reports for people who were not there: one page that holds everything it needs."""

from metrics.report.html import Compared, contents, report_html

__all__ = ["Compared", "contents", "report_html"]
