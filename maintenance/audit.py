"""`python -m maintenance.audit`: check the locked packages for known vulnerabilities with pip-audit.

Exit status: 0 none known; 1 some are; 3 where nobody could be asked, message in one line.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys

from dashboard.environment import LOCKS, ROOT, TEST_REQUIREMENTS

NONE_KNOWN, KNOWN, NOT_ASKED = 0, 1, 3
_LONGEST_S = 120


def audit() -> tuple[int, str]:
    """The exit status and the message."""
    if importlib.util.find_spec("pip_audit") is None:
        return NOT_ASKED, "Not audited: pip-audit is not installed (`pip install pip-audit`)."
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off"]
    command += ["--timeout", "15", "--requirement", str(ROOT / LOCKS[TEST_REQUIREMENTS])]
    try:
        completed = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=_LONGEST_S, check=False)
    except subprocess.TimeoutExpired:
        return NOT_ASKED, f"Not audited: no answer within {_LONGEST_S} seconds."
    _, _, skipped = completed.stdout.partition("Skip Reason")
    if skipped and "Found " not in completed.stderr:
        number = len(skipped.strip().splitlines()) - 1
        return NOT_ASKED, f"Not audited: the vulnerability service does not know {number} of the locked packages."
    if "No known vulnerabilities found" in completed.stdout + completed.stderr:
        return NONE_KNOWN, "No known vulnerability in any locked package."
    if "Found " in completed.stderr and "known vulnerabilit" in completed.stderr:
        return KNOWN, completed.stdout.strip()
    return NOT_ASKED, "Not audited: the vulnerability service could not be reached."


def main() -> int:
    """Run the audit and print its result."""
    status, message = audit()
    print(message)
    return status


if __name__ == "__main__":
    sys.exit(main())
