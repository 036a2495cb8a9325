"""pictures.py FOLDER: small PNG files of each kind, written by hand."""
import pathlib
import struct
import sys
import zlib


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def write(name, size, depth, color, rows, extra=b""):
    header = struct.pack(">IIBBBBB", *size, depth, color, 0, 0, 0)
    raw = b"".join(b"\0" + row for row in rows)
    data = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra
            + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
    (pathlib.Path(sys.argv[1]) / f"{name}.png").write_bytes(data)


def words(*values):
    return struct.pack(f">{len(values)}H", *values)


def both(name, color, *samples):
    """The same picture in 8 and in 16 bits."""
    write(name + "8", (2, 1), 8, color, [bytes(samples)])
    write(name + "16", (2, 1), 16, color, [words(*(257 * v for v in samples))])


both("grey", 0, 128, 255)
write("fine16", (2, 1), 16, 0, [words(256, 65535)])
both("greyalpha", 4, 128, 51, 255, 255)
both("rgb", 2, 255, 0, 0, 255, 255, 255)
both("rgba", 6, 255, 0, 0, 51, 255, 255, 255, 255)
write("palette", (2, 1), 8, 3, [bytes([1, 0])], chunk(b"PLTE", bytes([255, 255, 255, 255, 0, 0])))
write("wide", (3, 2), 8, 2, [bytes(9), bytes(6) + bytes([255, 0, 0])])
