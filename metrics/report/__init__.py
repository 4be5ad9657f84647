"""Reports to pass on.

A report of three or four pages and a technical appendix to pass on, and a confidential appendix that names classes.
"""

from metrics.report.appendix import appendix_html
from metrics.report.facts import FileDigests
from metrics.report.html import report_html
from metrics.report.technical import technical_html

__all__ = ["FileDigests", "appendix_html", "report_html", "technical_html"]
