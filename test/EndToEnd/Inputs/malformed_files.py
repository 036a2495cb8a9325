"""malformed_files.py FOLDER: files made by hand, and what `load` says of them."""
import os
import pathlib
import struct
import subprocess
import sys
import zlib

folder = pathlib.Path(sys.argv[1])
RED, GREEN, BLUE = bytes([255, 0, 0]), bytes([0, 255, 0]), bytes([0, 0, 255])


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def picture(bits, width, rows, palette, passes=None):
    """A PNG of indices into a palette; `passes`: the rows of an interlaced one, in the order of the file."""
    header = struct.pack(">IIBBBBB", width, len(rows), bits, 3, 0, 0, int(passes is not None))
    lines = b"".join(b"\0" + row for row in passes or rows)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(name, data) for name, data in ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(lines)),
                                             (b"IEND", b"")))


def run(name, element, status, words="", output=""):
    path = folder / "p.chi"
    rank = 2 if name.endswith("png") else 1
    path.write_text(f'x = load("{name}", field({element}, {rank}))\nprint(x)\n')
    for arch in ("cpu", "interp"):
        done = subprocess.run(["chic", "run", "p.chi", f"--arch={arch}"], cwd=folder, capture_output=True, text=True)
        isSilent = words or not done.stderr
        if done.returncode != status or words not in done.stderr or output not in done.stdout or not isSilent:
            sys.exit(f"{name}, {element}, {arch}: exit {done.returncode}\n{done.stdout}{done.stderr}")


two = RED + GREEN
sparse = [bytes([0] * 7 + [1])] * 7 + [bytes([0] * 7 + [9])]
# Seven passes over 8 x 8 pixels: the last of them has the odd rows.
adam7 = [bytes([0])] + [bytes([0])] + [bytes([0, 0])] + [bytes([0, 0])] * 2 + [bytes([0] * 4)] * 2 + \
    [bytes([0, 0, 0, 1])] * 4 + [bytes([0] * 7 + [1])] * 3 + [bytes([0] * 7 + [9])]
for bits, width, rows, passes, place in (
        (8, 3, [bytes([0, 1, 5])], None, "row 0, column 2 has the colour 5"),
        (4, 3, [bytes([0x01, 0xf0])], None, "row 0, column 2 has the colour 15"),
        (2, 4, [bytes([0b00010000]), bytes([0b00010111])], None, "row 1, column 3 has the colour 3"),
        (8, 8, sparse, None, "row 7, column 7 has the colour 9"),
        (8, 8, sparse, adam7, "row 7, column 7 has the colour 9")):
    (folder / "bad.png").write_bytes(picture(bits, width, rows, two, passes))
    for element in ("u8", "vec3", "vec(4, u16)"):
        run("bad.png", element, 2, f"p.chi:1:5: error: `bad.png` is not a readable png file: the pixel in {place}, "
                                   "and the palette has 2")
# What the palette has is read: all of it, or less than the pixels could name, also from one pass to the next.
(folder / "good.png").write_bytes(picture(8, 3, [bytes([1, 0, 1])], two))
run("good.png", "vec3", 0, "", "[[[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]")
(folder / "good.png").write_bytes(picture(2, 4, [bytes([0b00011011])], two + BLUE + RED))
run("good.png", "vec(3, u8)", 0, "", "[[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 0, 0]]]")
good = [row.replace(b"\x09", b"\x01") for row in adam7]
(folder / "good.png").write_bytes(picture(8, 8, sparse, two, good))
run("good.png", "vec(3, u8)", 0, "", "[0, 255, 0]]]")
# A file that ends early is no question of colours.
(folder / "short.png").write_bytes(picture(8, 3, [bytes([0, 1, 1])], two)[:-20])
run("short.png", "vec3", 2, "`short.png` is not a readable png file: the file ends early")

# NumPy ignores bytes after the values; here there is a warning.
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"
head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head) + 1) + head.encode() + b"\n"
values = struct.pack("<2f", 1, 2)
for rest, words in ((b"", ""), (b"x", "1 byte"), (b"x" * 12, "12 bytes")):
    (folder / "x.npy").write_bytes(head + values + rest)
    run("x.npy", "f32", 0, words and f"p.chi:1:5: warning: `x.npy` has {words} after the values that its header announces, "
                                     "which are ignored", "[1.0, 2.0]")
# The size of a pipe is unknown.
(folder / "pipe.npy").unlink(missing_ok=True)
os.mkfifo(folder / "pipe.npy")
(folder / "q.chi").write_text('print(load("pipe.npy", field(f32, 1)))\n')
reader = subprocess.Popen(["chic", "run", "q.chi"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
(folder / "pipe.npy").write_bytes(head + values)
if reader.communicate() != ("[1.0, 2.0]\n", ""):
    sys.exit("a pipe is not read")
