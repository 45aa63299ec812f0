"""The types of the C library for ctypes, made from what its headers declare."""
import ctypes
import re
from ctypes import CFUNCTYPE, POINTER, Structure
from types import SimpleNamespace

_PLAIN = {"void": None, "char": ctypes.c_char, "unsigned char": ctypes.c_ubyte, "int": ctypes.c_int,
          "unsigned": ctypes.c_uint, "uint32_t": ctypes.c_uint32, "size_t": ctypes.c_size_t, "uint64_t": ctypes.c_uint64,
          "float": ctypes.c_float, "double": ctypes.c_double}


class _Types:
    """Finds the ctypes type of a C type."""

    def __init__(self, layout):
        self.layout = layout
        self.structs = {name: type(name, (Structure,), {}) for name in layout["structs"]}
        for name in self.structs:
            self._complete(name)

    def _complete(self, name):
        """Gives a struct its fields; one that holds others by value needs theirs first."""
        struct = self.structs[name]
        if not hasattr(struct, "_fields_"):
            struct._fields_ = [(field, self.find(kind)) for field, kind in self.layout["structs"][name]]
        return struct

    def find(self, kind):
        """`kind` as in `_headers._declared`: a text, or a pair for a pointer to a function."""
        if not isinstance(kind, str):
            result, parameters = kind
            return CFUNCTYPE(self.find(result), *map(self.find, parameters))
        array = re.fullmatch(r"(.*)\[(\d+)\]", kind)
        if array:
            return self.find(array[1]) * int(array[2])
        name = " ".join(re.sub(r"\b(const|struct)\b|\*", " ", kind).split())
        return self._point(name, kind.count("*"))

    def _point(self, name, stars):
        """The type `name`, with this many stars after it."""
        if name in self.structs:
            found = self.structs[name] if stars else self._complete(name)
        elif name in self.layout["enums"]:
            found = ctypes.c_int
        elif name in self.layout["callbacks"]:  # ctypes knows only pointers to functions
            found, stars = self.find(self.layout["callbacks"][name]), stars - 1
        elif stars and name == "char":
            found, stars = ctypes.c_char_p, stars - 1
        elif stars and (name == "void" or name in self.layout["opaque"]):
            found, stars = ctypes.c_void_p, stars - 1
        elif name in _PLAIN:
            found = _PLAIN[name]
        else:
            raise ValueError(f"the headers use the type '{name}', which is not known")
        for _ in range(stars):
            found = POINTER(found)
        return found


def make_types(layout):
    """Structs and callbacks by their C names, and the pairs of result and argument types of all functions."""
    types = _Types(layout)
    callbacks = {name: types.find(kind) for name, kind in layout["callbacks"].items()}
    functions = {name: (types.find(result), [types.find(kind) for kind in parameters])
                 for name, (result, parameters) in layout["functions"].items()}
    return SimpleNamespace(**types.structs, **callbacks), functions
