"""Where a run was made: versions and machine, for run.json."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

LIBRARIES = ("numpy", "numba", "pyarrow", "pandas", "pydantic", "pluggy")


def machine() -> dict[str, Any]:
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_mb": psutil.virtual_memory().total // 2**20,
    }


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("jewel-harness", *LIBRARIES):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
