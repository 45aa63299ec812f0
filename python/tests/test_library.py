"""The library is found, has the right version, and its structs are those of the header."""
import os
import subprocess
import sys

import pytest
from conftest import SOURCE, slow

import dedpul
from dedpul import _library


def clean_environment(**changes):
    """Without the sanitizer's library, which the compiler need not load."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return {**environment, **changes}


def compile_c(tmp_path, source, name, *flags):
    (tmp_path / "source.c").write_text(source)
    subprocess.run([os.environ.get("CC", "cc"), f"-I{SOURCE / 'include'}", *flags, "-o", tmp_path / name,
                    tmp_path / "source.c"], check=True, env=clean_environment())
    return tmp_path / name


def test_structs_are_those_of_the_header(tmp_path):
    lines = []
    for name, struct in _library.STRUCTS.items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        lines += [f'printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), '
                  f'sizeof((({name} *)0)->{field}));' for field, *_ in struct._fields_]
    program = compile_c(tmp_path, "#include <dedpul.h>\n#include <stdio.h>\nint main(void) {"
                        + "\n".join(lines) + "}", "offsets")
    found = subprocess.run([program], capture_output=True, text=True, check=True,
                           env=clean_environment()).stdout.splitlines()
    import ctypes
    wanted = []
    for name, struct in _library.STRUCTS.items():
        wanted.append(f"{name} {ctypes.sizeof(struct)}")
        wanted += [f"{name}.{field} {getattr(struct, field).offset} {getattr(struct, field).size}"
                   for field, *_ in struct._fields_]
    assert found == wanted
    assert len(found) > 150


def test_version():
    header = (SOURCE / "include" / "dedpul.h").read_text()
    for number in dedpul.__version__.split("."):
        assert f" {number}\n" in header
    assert _library.library.dedpul_version().decode() == dedpul.__version__


def python(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, **environment})


def test_a_library_that_is_not_there():
    done = python("import dedpul", DEDPUL_LIBRARY="/nonexistent/libdedpul.so")
    assert "ImportError: dedpul: the library /nonexistent/libdedpul.so cannot be loaded" in done.stderr


def test_an_installed_library():
    directory = os.path.dirname(os.environ["DEDPUL_LIBRARY"])
    done = python("import dedpul; print(dedpul.__version__)", DEDPUL_LIBRARY="", LD_LIBRARY_PATH=directory)
    assert done.stdout.split() == [dedpul.__version__], done.stderr


def test_a_library_of_another_version(tmp_path):
    other = compile_c(tmp_path, 'const char *dedpul_version(void); const char *dedpul_version(void) '
                      '{ return "9.9.9"; }', "other.so", "-shared", "-fPIC")
    done = python("import dedpul", DEDPUL_LIBRARY=str(other))
    assert "has version 9.9.9, but this package is for " + dedpul.__version__ in done.stderr


def test_scikit_learn_is_not_needed():
    done = python("import sys, dedpul\n"
                  "assert not [name for name in sys.modules if name.startswith(('sklearn', 'matplotlib'))]\n"
                  "sys.modules['sklearn'] = None\n"
                  "dedpul.estimate_two([.1, .5, .7], [.2, .3, .4])\n"
                  "dedpul.DedpulClassifier")
    assert "ImportError: dedpul.DedpulClassifier needs scikit-learn" in done.stderr


def test_names():
    for name in dedpul.__all__:
        if name != "DedpulClassifier":
            assert getattr(dedpul, name).__doc__
    assert "DedpulClassifier" in dir(dedpul)
    with pytest.raises(AttributeError):
        dedpul.nothing
    assert {"mlp", "gbdt"} < set(dedpul.classifiers())
    assert "tree_depth" in dedpul.options()
    assert "tree_depth" not in dedpul.options(of_fit=False)


@slow
def test_install(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation",
         "--no-deps", "--target", tmp_path / "site", SOURCE / "python"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    environment = clean_environment(PYTHONPATH=str(tmp_path / "site"))
    del environment["DEDPUL_LIBRARY"]
    code = "import dedpul; print(dedpul.__version__, dedpul.__file__)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment,
                           cwd=tmp_path)
    assert found.stdout.split() == [dedpul.__version__, str(tmp_path / "site" / "dedpul" / "__init__.py")]
