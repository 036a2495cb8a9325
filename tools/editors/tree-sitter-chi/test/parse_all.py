#!/usr/bin/env python3
"""Parses programs with the generated parser, and prints where it finds errors.

    parse_all.py chi.so FILE_OR_FOLDER…

chi.so: `cc -shared -fPIC -Isrc src/parser.c src/scanner.c -o chi.so`. Needs
the package tree-sitter of PyPI.
"""
import ctypes
import pathlib
import sys

from tree_sitter import Language, Parser


def language(library):
    make = ctypes.CDLL(library).tree_sitter_chi
    make.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p,
                                                           ctypes.c_void_p)
    return Language(capsule(make(), b"tree_sitter.Language", None))


def first_error(node):
    """The first part that does not parse, or None."""
    if node.type == "ERROR" or node.is_missing:
        return node
    return next(filter(None, map(first_error, node.children)), None) if node.has_error else None


def files(names):
    for name in map(pathlib.Path, names):
        yield from sorted(name.rglob("*.chi")) if name.is_dir() else [name]


def main():
    parser = Parser(language(sys.argv[1]))
    count = bad = 0
    for file in files(sys.argv[2:]):
        error = first_error(parser.parse(file.read_bytes()).root_node)
        count += 1
        if error:
            bad += 1
            print(f"{file}:{error.start_point[0] + 1}:{error.start_point[1] + 1}: {error.type}")
    print(f"{count - bad} passed, {bad} failed")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
