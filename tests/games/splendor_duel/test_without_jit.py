"""The rule cases once more on the same source as plain Python: no compiled code may hide a difference."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
FILES = sorted(str(file) for pattern in ("test_cases_*.py", "test_rules_*.py") for file in FOLDER.glob(pattern))


def test_every_case_passes_without_the_jit(tmp_path):
    report = tmp_path / "report.xml"
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"]
    collected = subprocess.run([*pytest_run, "--collect-only", *FILES], cwd=ROOT, capture_output=True, text=True)
    expected = sum("::test_" in line for line in collected.stdout.splitlines())
    assert expected > 86, collected.stdout + collected.stderr
    done = subprocess.run(
        [*pytest_run, f"--junitxml={report}", *FILES],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    suite = ET.parse(report).getroot()[0]
    counts = {key: int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": expected, "failures": 0, "errors": 0, "skipped": 0}
