"""What the machine, control groups and limits of the process leave, from files as systems write them."""

import subprocess
import sys
from pathlib import Path

import pytest

from metrics.tables.free_memory import available_memory
from tests.support.command_line import ROOT

MB = 1 << 20


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A machine with 8,000 MB free."""
    write(tmp_path / "proc" / "meminfo", "MemTotal: 16384000 kB\nMemFree: 1 kB\nMemAvailable: 8192000 kB\n")
    return tmp_path


def write(path: Path, text: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n", encoding="utf-8")


def group(folder: Path, limit: object, taken: int, cached: int = 0) -> None:
    """A control group of version 2, sizes in MB."""
    write(folder / "memory.max", limit * MB if isinstance(limit, int) else limit)
    write(folder / "memory.current", taken * MB)
    write(folder / "memory.stat", f"anon 0\ninactive_file {cached * MB}\nactive_file 5")


def first_group(folder: Path, limit: int, taken: int, cached: int = 0) -> None:
    """A control group of version 1, sizes in MB; without a limit it has the largest number of pages."""
    write(folder / "memory.limit_in_bytes", limit * MB)
    write(folder / "memory.usage_in_bytes", taken * MB)
    write(folder / "memory.stat", f"inactive_file 1\ntotal_inactive_file {cached * MB}")


def free(system: Path) -> float:
    """What is available there, in MB."""
    found = available_memory(system / "proc", system / "groups")
    assert found is not None
    return found / MB


def test_without_a_control_group_limit_all_memory_available_counts(system: Path) -> None:
    assert free(system) == 8000


def test_a_service_is_bounded_by_its_own_group(system: Path) -> None:
    write(system / "proc" / "self" / "cgroup", "0::/system.slice/quasi.service")
    group(system / "groups" / "system.slice" / "quasi.service", 1000, 300)
    group(system / "groups" / "system.slice", "max", 4000)
    assert free(system) == 700


def test_the_limit_of_a_parent_control_group_applies(system: Path) -> None:
    write(system / "proc" / "self" / "cgroup", "0::/system.slice/quasi.service")
    group(system / "groups" / "system.slice" / "quasi.service", 1000, 300)
    group(system / "groups" / "system.slice", 5000, 4900)
    assert free(system) == 100


def test_a_container_finds_its_limit_at_the_root(system: Path) -> None:
    write(system / "proc" / "self" / "cgroup", "0::/")
    group(system / "groups", 1000, 900)
    assert free(system) == 100


def test_memory_used_for_cached_files_counts_as_free(system: Path) -> None:
    write(system / "proc" / "self" / "cgroup", "0::/")
    group(system / "groups", 1000, 990, cached=800)
    assert free(system) == 810


def test_the_limit_of_a_control_group_of_version_1_applies(system: Path) -> None:
    write(system / "proc" / "self" / "cgroup", "4:cpu,cpuacct:/\n9:memory:/docker/0a1b\n0::/")
    first_group(system / "groups" / "memory" / "docker" / "0a1b", 1000, 900, cached=50)
    first_group(system / "groups" / "memory" / "docker", 1 << 43, 4000)
    assert free(system) == 150


def test_a_container_finds_its_limit_of_version_1_at_the_root(system: Path) -> None:
    write(system / "proc" / "self" / "cgroup", "9:memory:/docker/of/the/host\n1:name=systemd:/docker/of/the/host")
    first_group(system / "groups" / "memory", 1000, 900)
    assert free(system) == 100


def test_nothing_is_left_beyond_a_limit(system: Path) -> None:
    write(system / "proc" / "self" / "cgroup", "0::/")
    group(system / "groups", 1000, 1001)
    assert free(system) == 0


def test_without_proc_files_the_operating_system_is_asked_for_free_memory(tmp_path: Path) -> None:
    found = available_memory(tmp_path, tmp_path)
    assert found is None or found > 0


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux says what a process takes of its limits")
def test_resource_limits_of_the_process_bound_the_free_memory() -> None:
    code = """
import resource, runpy
available_memory = runpy.run_path("metrics/tables/free_memory.py")["available_memory"]
for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
    before, (soft, hard) = available_memory(), resource.getrlimit(limit)
    resource.setrlimit(limit, (4 << 30, hard))
    print(available_memory(), before)
    resource.setrlimit(limit, (soft, hard))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    printed = done.stdout.splitlines()
    assert len(printed) == 2
    for line in printed:
        left, before = map(int, line.split())
        assert 0 < left < min(4 << 30, before + 1)
