"""Metrics of privacy: what an anonymized table still discloses.

A file or a folder per metric or group of similar ones, whose measure ends with its `Metric`; what several share is in
`classes`, and in `population` for those about people beyond the table.
"""
