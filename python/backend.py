"""Builds the package, with Python's own library alone, so that pip has nothing to download.

pip calls `build_wheel`: the wheel has a library that is built from the repository around this directory and needs
what that is linked with (XGBoost, oneDNN). DEDPUL_LIBRARY names a library that was built already.

    backend.py wheel DIRECTORY   a wheel that needs no compiler and no other package but NumPy; with DEDPUL_LIBRARY
    backend.py files DIRECTORY   the files of the package without a library, for an installed one
"""
import base64
import hashlib
import os
import platform
import pprint
import re
import runpy
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

try:
    import tomllib
except ImportError:  # before Python 3.11
    import tomli as tomllib

PYTHON = Path(__file__).resolve().parent
ROOT = PYTHON.parent
# What every Linux system with Python has, beside the C library's own.
SYSTEM = re.compile(r"(linux-vdso|ld-linux.*|libc|libm|libpthread|libdl|librt|libz|libstdc\+\+|libgcc_s)\.so")


def _headers():
    if not (ROOT / "include" / "dedpul.h").exists():
        raise SystemExit(f"{ROOT} is not the repository of dedpul: install from a clone, pip install ./python")
    headers = runpy.run_path(str(PYTHON / "dedpul" / "_headers.py"))
    layout = headers["read_headers"](ROOT / "include")
    return layout, headers["version_of"](layout)


def _metadata(version):
    project = tomllib.loads((PYTHON / "pyproject.toml").read_text())["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {needed}" for needed in project["dependencies"]]
    for extra, all_needed in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {needed}; extra == "{extra}"' for needed in all_needed]
    lines += ["Description-Content-Type: text/markdown", "", (PYTHON / project["readme"]).read_text()]
    return "\n".join(lines)


def _files():
    """Contents of the package's files by name, without a library; and the directory of its metadata."""
    layout, version = _headers()
    data = pprint.pformat(layout, width=118, compact=True, sort_dicts=False)
    files = {path.relative_to(PYTHON).as_posix(): path.read_bytes()
             for path in sorted((PYTHON / "dedpul").rglob("*")) if path.suffix in (".py", ".typed")}
    files["dedpul/_layout.py"] = (f'"""Made from the headers of libdedpul {version} when the package was built."""\n'
                                  f"layout = {data}\n").encode()
    about = f"dedpul-{version}.dist-info"
    files[f"{about}/METADATA"] = _metadata(version).encode()
    files[f"{about}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    return files, about


# ---- the library ----

def _run(*command):
    try:
        subprocess.run(command, check=True, stdout=sys.stderr)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"dedpul: the C library could not be built ({error}). It needs CMake, a C compiler and the "
                         f"development files of zlib, jansson, oneDNN and XGBoost; '{ROOT}/scripts/bootstrap.sh build' "
                         "installs them on Debian. Or name a library that was built already in the environment "
                         "variable DEDPUL_LIBRARY") from None


def _library():
    built = os.environ.get("DEDPUL_LIBRARY")
    if built:
        return Path(built).read_bytes()
    with tempfile.TemporaryDirectory() as directory:
        _run("cmake", "-S", str(ROOT), "-B", directory, "-DCMAKE_BUILD_TYPE=Release")
        _run("cmake", "--build", directory, "--parallel", str(os.cpu_count() or 1), "--target", "dedpul_shared")
        return (Path(directory) / "libdedpul.so").read_bytes()


def _needed(library):
    """Paths of the libraries that it needs beyond those of every system, by name."""
    listed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r"^\s*(\S+) => (\S+)", listed, re.M))
    return {name: Path(path).resolve() for name, path in found.items() if not SYSTEM.match(name)}


def _terms(path):
    """The Debian package that a library is from, and its copyright file."""
    owner = subprocess.run(["dpkg", "-S", path], check=True, capture_output=True, text=True).stdout.split(":")[0]
    return owner, Path("/usr/share/doc", owner, "copyright").read_bytes()


# ---- wheels ----

def _record(files, about):
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join([*lines, f"{about}/RECORD,,\n"]).encode()


def _write_wheel(directory, files, about, system):
    """Any Python 3 will do, since ctypes needs no particular one, but only this kind of system."""
    tag = "py3-none-" + re.sub("[-.]", "_", system)
    files[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: dedpul\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{about}/RECORD"] = _record(files, about)
    name = f"{about.replace('.dist-info', '')}-{tag}.whl"
    with zipfile.ZipFile(Path(directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """For pip; PEP 517 says what the arguments are."""
    files, about = _files()
    files["dedpul/libdedpul.so"] = _library()
    return _write_wheel(wheel_directory, files, about, sysconfig.get_platform())


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("dedpul: there is no source distribution of the Python package alone; install from a clone, "
                     "pip install ./python")


def build_whole_wheel(directory):
    """With the libraries that ours needs in dedpul/libs, where its rpath looks for them, and their terms."""
    files, about = _files()
    files["dedpul/libdedpul.so"] = _library()
    for name, path in _needed(os.environ["DEDPUL_LIBRARY"]).items():
        owner, terms = _terms(path)
        files[f"dedpul/libs/{name}"] = path.read_bytes()
        files[f"{about}/licenses/{owner}"] = terms
    Path(directory).mkdir(parents=True, exist_ok=True)
    return _write_wheel(directory, files, about, f"manylinux_{platform.libc_ver()[1]}_{platform.machine()}")


def write_files(directory):
    for name, content in _files()[0].items():
        path = Path(directory) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    {"wheel": build_whole_wheel, "files": write_files}[sys.argv[1]](sys.argv[2])
