"""Reads the C headers of the library, so that its structs and functions are declared in one place.

`read_headers` gives plain data: names, and types as the headers spell them. setup.py stores these data in the
package (`_layout.py`); `_types.py` makes ctypes classes of them. This is not a C parser. It knows the few
forms that the headers use, and raises an error for a declaration that it does not understand.
"""
import re
from pathlib import Path


def _one_line(text):
    return " ".join(text.split())


def _clean(text):
    """Removes comments, and puts each directive on one line."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return text.replace("\\\n", " ")


# ---- constants ----

def _numbers(text):
    """Constants of the form "#define NAME number"."""
    defined = re.findall(r"^#define (DEDPUL_\w+) +([\d.]+(?:e\d+)?)$", text, re.M)
    return {name: int(number) if number.isdigit() else float(number) for name, number in defined}


def _enumerators(text, body):
    """Names and numbers of an enum.

    Its body has entries "NAME = number", or it expands a list of entries X(name, number, text) with a macro
    that puts a prefix before each name.
    """
    found = {name: int(number) for name, number in re.findall(r"\b(DEDPUL_\w+) = (\d+)", body)}
    macro = re.search(r"#define (\w+)\(.*?\) +(\w+?)##", body)
    if macro:
        used = re.search(rf"(\w+)\({macro[1]}\)", body)[1]
        entries = re.search(rf"^#define {used}\(X\)(.*)$", text, re.M)[1]
        for name, number in re.findall(r"X\((\w+), (\d+),", entries):
            found[macro[2] + name] = int(number)
    return found


# ---- declarations ----

def _parameters(text):
    """Types of the parameters of a function."""
    if text.strip() in ("", "void"):
        return []
    return [_declared(parameter)[0][1] for parameter in text.split(",")]


def _declared(text):
    """Names and types of one declaration: "size_t step, steps", "char message[1024]", "int (*f)(int x)".

    A type is the text of the C type, such as "const char *" or "char[1024]". The type of a pointer to a
    function is a pair: the type of its result, and the types of its parameters.
    """
    function = re.fullmatch(r"(.*?)\( ?\* ?(\w+) ?\) ?\((.*)\)", _one_line(text))
    if function:
        result, name, parameters = function.groups()
        return [(name, (result.strip(), _parameters(parameters)))]
    first, *others = _one_line(text).split(",")
    declarator = re.fullmatch(r"([\w *]+?)([a-z_]\w*)(\[\d+\])?", first)
    if not declarator or not declarator[1].endswith((" ", "*")):
        raise ValueError(f"the headers have a declaration that is not understood: '{_one_line(text)}'")
    base = declarator[1].split("*")[0]  # the others share it, and have stars of their own
    found = [(declarator[2], declarator[1].strip() + (declarator[3] or ""))]
    for other in others:
        stars, name, size = re.fullmatch(r"([ *]*)(\w+)(\[\d+\])?", other).groups()
        found.append((name, (base + stars.strip()).strip() + (size or "")))
    return found


def _fields(body):
    return [field for declaration in body.split(";") if declaration.strip() for field in _declared(declaration)]


def _functions(text, introduction):
    """Finds the prototypes that begin with this word: the types of result and parameters by name."""
    found = re.findall(rf"\b{introduction} ([^;{{}}()]*?)(\w+)\(([^;{{}}()]*)\);", text)
    return {name: (_one_line(result), _parameters(parameters)) for result, name, parameters in found}


def _expect(text, word, found):
    """Raises an error if the headers declare something with this word that was not found."""
    declared = len(re.findall(rf"\b{word}\b", text))
    if declared != found:
        raise ValueError(f"the headers have {declared} declarations with {word}, but {found} are understood")


def parse(text):
    """What the headers declare, as plain data."""
    text = _clean(text)
    constants = _numbers(text)
    enums = dict(re.findall(r"typedef enum (\w+) \{(.*?)\}\s*\1;", text, re.S))
    for body in enums.values():
        constants.update(_enumerators(text, body))
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)  # from here on, no directives
    structs = dict(re.findall(r"typedef struct (\w+) \{(.*?)\}\s*\1;", text, re.S))
    hidden = re.findall(r"typedef struct (\w+) \1;", text)
    opaque = set(re.findall(r"\bstruct (\w+)", text)) - set(structs)  # programs know only pointers to these
    callbacks = _functions(text, "typedef")
    functions = _functions(text, "DEDPUL_API")
    _expect(text, "typedef", len(enums) + len(structs) + len(hidden) + len(callbacks))
    _expect(text, "DEDPUL_API", len(functions))
    return {"constants": constants, "enums": sorted(enums), "opaque": sorted(opaque),
            "structs": {name: _fields(body) for name, body in structs.items()},
            "callbacks": callbacks, "functions": functions}


def read_headers(directory):
    """Parses all headers in this directory and below it."""
    paths = sorted(Path(directory).rglob("*.h"))
    if not paths:
        raise ImportError(f"dedpul: {directory} has no C headers; install the package with pip")
    return parse("\n".join(path.read_text() for path in paths))


def version_of(layout):
    """The version of the headers, MAJOR.MINOR.PATCH."""
    return ".".join(str(layout["constants"]["DEDPUL_VERSION_" + part]) for part in ("MAJOR", "MINOR", "PATCH"))
