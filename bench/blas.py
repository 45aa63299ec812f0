"""The settings of BLAS in which a Python peer is timed, so that it is not slow for want of a good one."""
import glob
import os
import subprocess
import sys


def settings():
    """The system's own BLAS and, where installed, OpenBLAS told the processor's kind.

    One that is older than the processor does not recognise it and falls back to its slowest kernels.
    """
    flags = open("/proc/cpuinfo").read().split()
    kind = "SKYLAKEX" if "avx512f" in flags else "HASWELL" if "avx2" in flags else None
    libraries = sorted(glob.glob("/usr/lib/*/openblas-*/libblas.so.3"))
    yield "system BLAS" if libraries else "system BLAS (libopenblas0 is not installed)", {}
    if kind and libraries:
        yield f"OpenBLAS {kind}", {"LD_LIBRARY_PATH": os.path.dirname(libraries[0]), "OPENBLAS_CORETYPE": kind}


def run_in_each(script, *arguments):
    """Prints a line per setting: its name, a colon and the line that the script prints."""
    for name, variables in settings():
        command = [sys.executable, script, *arguments]
        line = subprocess.check_output(command, env={**os.environ, **variables}, text=True)
        print(f"{name}: {line}", end="")
