"""Changes a byte of each object of a cache: damage.py FOLDER"""
import pathlib
import sys

objects = list(pathlib.Path(sys.argv[1], "objects").glob("*.o"))
assert objects
for path in objects:
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)
