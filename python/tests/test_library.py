"""The library is found, has the right version, and its structs are those of the header."""
import ctypes
import os
import re
import subprocess
import sys

import pytest
from conftest import SOURCE, slow

import dedpul
from dedpul import _headers, _library, _types


def clean_environment(**changes):
    """Without the sanitizer's library, which the compiler need not load."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return {**environment, **changes}


def compile_c(tmp_path, source, name, *flags):
    (tmp_path / "source.c").write_text(source)
    subprocess.run([os.environ.get("CC", "cc"), f"-I{SOURCE / 'include'}",
                    f"-I{SOURCE / 'include' / 'common'}", *flags, "-o", tmp_path / name,
                    tmp_path / "source.c"], check=True, env=clean_environment())
    return tmp_path / name


# Sizes and offsets alone do not tell a double from a size_t.
KIND = """#define KIND(x) _Generic((x), double: "real", float: "real", char: "byte", unsigned char: "byte", \\
int: "whole", unsigned: "whole", size_t: "whole", default: "other")
"""
KINDS = {ctypes.c_double: "real", ctypes.c_int: "whole", ctypes.c_uint: "whole", ctypes.c_size_t: "whole"}
STRUCTS = {name: getattr(_library.types, name) for name in _library.layout["structs"]}


def test_structs_are_those_of_the_header(tmp_path):
    lines = []
    for name, struct in STRUCTS.items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        lines += [f'printf("{name}.{field} %zu %zu %s\\n", offsetof({name}, {field}), '
                  f'sizeof((({name} *)0)->{field}), KIND((({name} *)0)->{field}));'
                  for field, *_ in struct._fields_]
    program = compile_c(tmp_path, f"#include <dedpul.h>\n#include <stdio.h>\n{KIND}int main(void) {{"
                        + "\n".join(lines) + "}", "offsets")
    found = subprocess.run([program], capture_output=True, text=True, check=True,
                           env=clean_environment()).stdout.splitlines()
    wanted = []
    for name, struct in STRUCTS.items():
        wanted.append(f"{name} {ctypes.sizeof(struct)}")
        wanted += [f"{name}.{field} {getattr(struct, field).offset} {getattr(struct, field).size} "
                   f"{KINDS.get(kind, 'other')}" for field, kind in struct._fields_]
    assert found == wanted
    assert len(STRUCTS) >= 20 and len(found) > 180


def test_constants_are_those_of_the_header(tmp_path):
    lines = [f"_Static_assert({name} == {value}, \"{name}\");"
             for name, value in _library.constants.items()]
    compile_c(tmp_path, "#include <dedpul.h>\n" + "\n".join(lines), "constants.o", "-c")
    assert {"DEDPUL_OK", "DEDPUL_CANCELLED", "DEDPUL_WARNING_ABOVE_BOUND", "DEDPUL_LOSS_BRIER",
            "DEDPUL_ENOUGH_RESAMPLES"} < set(_library.constants)


def test_functions_are_those_of_the_library():
    """Each exported function has a signature."""
    exported = subprocess.run(["nm", "-D", "--defined-only", os.environ["DEDPUL_LIBRARY"]], check=True,
                              capture_output=True, text=True, env=clean_environment()).stdout
    assert set(re.findall(r" T (dedpul_\w+)", exported)) == set(_library.functions)
    for name, (result, arguments) in _library.functions.items():
        function = getattr(_library.library, name)
        assert function.restype is result and function.argtypes == arguments


def test_signatures_are_those_of_the_header(tmp_path):
    """The compiler refuses a second declaration of a function that differs from the first."""
    def declare(name, result, arguments):
        return f"{result} {name}({', '.join(arguments) or 'void'});\n"
    lines = [declare(name, *types) for name, types in _library.layout["functions"].items()]
    compile_c(tmp_path, "#include <dedpul.h>\n" + "".join(lines), "signatures.o", "-c")
    assert len(lines) > 40
    with pytest.raises(subprocess.CalledProcessError):
        compile_c(tmp_path, "#include <dedpul.h>\n" + lines[-1].replace("(", "(int, "), "wrong.o", "-c")


@pytest.mark.parametrize("header, word", [
    ("DEDPUL_API void dedpul_call(void (*back)(int));", "DEDPUL_API"),
    ("typedef union dedpul_value { int i; double d; } dedpul_value;", "typedef"),
    ("typedef struct dedpul_flags { unsigned one : 1; } dedpul_flags;", "one : 1"),
])
def test_what_is_not_understood_is_an_error(header, word):
    with pytest.raises(ValueError, match=word):
        _headers.parse(header)


def test_an_unknown_type_is_an_error():
    with pytest.raises(ValueError, match="long double"):
        _types.make_types(_headers.parse("DEDPUL_API long double dedpul_new(int number);"))


def test_forms_of_declarations():
    """Those that the headers do not use yet."""
    layout = _headers.parse("""
        typedef struct dedpul_outer { struct dedpul_inner inner; const double *x, *y; unsigned char bytes[3]; }
            dedpul_outer; /* before the struct that it holds */
        typedef struct dedpul_inner { int a, b[2]; struct unknown *hidden; } dedpul_inner;
        DEDPUL_API struct stream *dedpul_open(dedpul_outer **outer, const char *const *names /* (n) */);
        """)
    types, functions = _types.make_types(layout)
    assert ctypes.sizeof(types.dedpul_inner) == 24 and ctypes.sizeof(types.dedpul_outer) == 48
    assert dict(types.dedpul_outer._fields_)["y"] is ctypes.POINTER(ctypes.c_double)
    pointer = ctypes.POINTER
    assert functions["dedpul_open"] == (
        ctypes.c_void_p, [pointer(pointer(types.dedpul_outer)), pointer(ctypes.c_char_p)])


def test_version():
    header = (SOURCE / "include" / "common" / "dedpul_common.h").read_text()
    for part, number in zip(("MAJOR", "MINOR", "PATCH"), dedpul.__version__.split(".")):
        assert f"#define DEDPUL_VERSION_{part} {number}\n" in header
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


@pytest.mark.parametrize("of_fit", [True, False])
def test_options_are_documented(of_fit):
    """By the library: a new option needs no line of Python."""
    known = dedpul.options(of_fit)
    infos = _library.option_infos(of_fit)
    documented = dedpul.fit if of_fit else dedpul.estimate
    assert len(known) == len(infos)
    for info in infos:
        line = known[argument(info)]
        assert line.endswith(": " + info.help.decode())
        assert info.default_value is None or f"[{info.default_value.decode()}]" in line
        listed = f"\n        {argument(info)} : {line[:line.index(': ')]}\n" in documented.__doc__
        assert listed != (f"\n    {argument(info)} : " in documented.__doc__), "an option or a parameter"
    assert "from 1 to 16 [4]" in dedpul.options()["tree_depth"]


def argument(info):
    return info.name.decode().replace("-", "_")


def test_every_option_is_an_argument():
    """Its default is a value that it takes, and leaves the struct as it is."""
    plain = bytes(_library.make_options({}, True))
    for info in _library.option_infos(True):
        if info.default_value is not None:
            given = _library.make_options({argument(info): info.default_value.decode()}, True)
            if info.kind != _library.constants["DEDPUL_OPTION_TEXT"]:  # a pointer to another text
                assert bytes(given) == plain, info.name


@slow
def test_install(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation",
         "--no-deps", "--target", tmp_path / "site", SOURCE / "python"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    environment = clean_environment(PYTHONPATH=str(tmp_path / "site"))
    del environment["DEDPUL_LIBRARY"]
    code = ("import dedpul\n"
            "result = dedpul.estimate_two([.1, .5, .7], [.2, .3, .4])\n"
            "print(dedpul.__version__, dedpul.__file__, result.n_unlabeled)")
    found = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True,
                           env=environment, cwd=tmp_path)
    package = tmp_path / "site" / "dedpul"
    assert found.stdout.split() == [dedpul.__version__, str(package / "__init__.py"), "3"], found.stderr
    namespace = {}
    exec((package / "_layout.py").read_text(), namespace)  # it has no headers to read
    assert namespace["layout"] == _library.layout
