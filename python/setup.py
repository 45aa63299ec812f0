"""Builds the C library of the repository around this directory into the package.

DEDPUL_LIBRARY names a library that was built already. What the headers declare is stored in the package, so
that it needs no headers once it is installed.
"""
import os
import pprint
import runpy
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent.parent
if not (ROOT / "include" / "dedpul.h").exists():
    raise SystemExit(f"{ROOT} is not the repository of dedpul: install from a clone, pip install ./python")
headers = runpy.run_path(str(ROOT / "python" / "dedpul" / "_headers.py"))
LAYOUT = headers["read_headers"](ROOT / "include")
VERSION = headers["version_of"](LAYOUT)


def layout_module():
    """The module _layout.py: structs, functions and constants of the headers."""
    data = pprint.pformat(LAYOUT, width=118, compact=True, sort_dicts=False)
    return f'"""Made from the headers of libdedpul {VERSION} when the package was built."""\nlayout = {data}\n'


def build_library(directory):
    """The shared library, from the repository."""
    subprocess.check_call(["cmake", "-S", str(ROOT), "-B", directory, "-DCMAKE_BUILD_TYPE=Release"])
    subprocess.check_call(["cmake", "--build", directory, "--parallel", str(os.cpu_count() or 1),
                           "--target", "dedpul_shared"])
    return Path(directory) / "libdedpul.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        built = os.environ.get("DEDPUL_LIBRARY")
        if not built:
            built = build_library(str(Path(self.build_lib).resolve().parent / "library"))
        package = Path(self.build_lib) / "dedpul"
        shutil.copy(os.path.realpath(built), package / "libdedpul.so")
        (package / "_layout.py").write_text(layout_module())


class PlatformWheel(bdist_wheel):
    """For any Python 3, since ctypes needs no particular one, but for this platform."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(version=VERSION, distclass=BinaryDistribution,
      cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
