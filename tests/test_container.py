"""The container file and the compose file: each step that needs no container engine is carried out.

Not run here, because they need an engine: the two base images, copying between the stages, and oauth2-proxy.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from dashboard.environment import ROOT
from tests.browser.serving import free_port
from tests.test_wheel import QUASI, environment, variables, wheel

__all__ = ["environment", "wheel"]
"""The wheel in an environment of its own, as the second step of the build installs it."""

TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
STEPS = [
    step.replace("\\\n", " ").split(maxsplit=1) for step in re.findall(r"^[A-Z]+ (?:.*\\\n)*.*$", TEXT, re.MULTILINE)
]
SERVED = """
set -e
mount -o remount,ro,bind /
mount -t tmpfs tmpfs {scratch}
ip link set lo up
setpriv --no-new-privs --bounding-set=-all --inh-caps=-all {command} > {scratch}/log 2>&1 &
for attempt in $(seq 60); do
    if {probe} 2> {scratch}/probe; then echo healthy; break; fi
    sleep 0.5
done
touch /written 2> {scratch}/refused || echo read-only
setpriv --bounding-set=-all --inh-caps=-all mount -t tmpfs tmpfs {scratch} 2> {scratch}/refused || echo powerless
{outside} 2> {scratch}/refused || echo alone
cat {scratch}/log
kill %1
"""


def values(keyword: str) -> list[str]:
    """What follows a keyword in the container file, step by step."""
    return [step[1] for step in STEPS if step[0] == keyword]


@pytest.fixture
def isolated() -> None:
    """Skip where no namespaces can be made."""
    programs = [program for program in ("unshare", "setpriv", "ip") if shutil.which(program) is None]
    if sys.platform != "linux" or programs:
        pytest.skip(f"namespaces need Linux with unshare, setpriv and ip; missing: {', '.join(programs)}.")
    if subprocess.run(["unshare", "-mn", "true"], capture_output=True, check=False).returncode:
        pytest.skip("this user may make no namespaces: run the tests as root.")


def test_the_build_installs_the_locked_packages_and_the_checkout() -> None:
    locked, checkout = values("RUN")
    assert "pip install --no-cache-dir --require-hashes --requirement requirements-lock.txt" in locked
    assert checkout.endswith("pip install --no-cache-dir --no-deps .")
    copied = {source for step in values("COPY") for source in step.split()[:-1] if not source.startswith("--")}
    assert copied == {"requirements-lock.txt", ".", "/opt/quasi"}
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert not {"metrics", "dashboard", "pages", "sample_data", "setup.py", "requirements.txt"} & set(ignored)


def test_the_container_runs_as_a_user_without_rights() -> None:
    assert values("USER") == ["10001:10001"]
    assert values("FROM")[-1] == "python:3.13-slim"


@pytest.mark.usefixtures("isolated")
def test_the_dashboard_is_served_without_network_rights_or_a_place_to_write(environment: Path, tmp_path: Path) -> None:
    scratch, port = tmp_path / "scratch", free_port()
    scratch.mkdir()
    python = str(environment / "bin" / "python")
    _, *options = json.loads(values("ENTRYPOINT")[0])
    settings = [setting.replace("HOME=/tmp", f"HOME={scratch}") for setting in shlex.split(values("ENV")[0])]
    served = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["quasi"]["environment"]
    settings += [f"{name}={value.replace('${QUASI_HOST:-', '').replace('}', '')}" for name, value in served.items()]
    command = ["env", *settings, f"TMPDIR={scratch}", python, "-c", QUASI, *options, "--port", str(port)]
    probe = [word.replace("8501", str(port)) for word in json.loads(values("HEALTHCHECK")[0].removeprefix("CMD "))]
    outside = [python, "-c", "import socket; socket.create_connection(('192.0.2.1', 80), 1)"]
    script = SERVED.format(
        scratch=scratch,
        command=shlex.join(command),
        probe=shlex.join([python, *probe[1:]]),
        outside=shlex.join(outside),
    )
    done = subprocess.run(
        ["unshare", "-mn", "bash", "-c", script], env=variables(), capture_output=True, text=True, check=False
    )
    assert done.stdout.split()[:4] == ["healthy", "read-only", "powerless", "alone"], done.stdout + done.stderr
    assert "Traceback" not in done.stdout


def test_only_the_login_is_reached_from_outside() -> None:
    compose: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    quasi, login = services["quasi"], services["login"]
    assert quasi["networks"] == ["inside"]
    assert compose["networks"]["inside"] == {"internal": True}
    assert "ports" not in quasi
    assert quasi["user"] == values("USER")[0]
    assert quasi["mem_limit"] == quasi["memswap_limit"]  # nothing is written to swap
    for service in services.values():
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert login["environment"]["OAUTH2_PROXY_UPSTREAMS"] == "http://quasi:8501"
    assert "8501" in values("EXPOSE")
