"""The tasks of programs as SPIR-V binaries.

    spirv.py CHIC FOLDER PROGRAM...

brings each program to stage `spv` and has spirv-val look at the binaries.
"""
import os
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

MAGIC = 0x07230203  # begins a binary, and is no operation
HEADER = 5  # its words
ENTRY_POINT = 15  # the operation


def split(content):
    """The binaries that lie behind each other: (bytes, entry points) of each."""
    words = struct.unpack(f"<{len(content) // 4}I", content)
    starts, counts, at = [], [], 0
    while at < len(words):
        if words[at] == MAGIC:
            starts.append(4 * at)
            counts.append(0)
            at += HEADER
            continue
        counts[-1] += words[at] & 0xFFFF == ENTRY_POINT
        at += words[at] >> 16
    return [(content[start:end], count)
            for start, end, count in zip(starts, [*starts[1:], len(content)], counts)]


def look(chic, folder, program):
    """(entry points of each binary, whether it is refused, what is wrong)"""
    path = os.path.join(folder, program.replace("/", "_") + ".spv")
    done = subprocess.run([chic, "emit-ir", program, "--stage=spv", "-o", path],
                          capture_output=True, text=True, check=False)
    if done.returncode == 1 and "E0900" in done.stderr:
        return [], True, ""
    if done.returncode != 0:
        return [], False, done.stderr
    with open(path, "rb") as file:
        binaries = split(file.read())
    said = ""
    for binary, _ in binaries:
        seen = subprocess.run(["spirv-val", "--target-env", "vulkan1.2", "-"], input=binary,
                              capture_output=True, check=False)
        said += (seen.stdout + seen.stderr).decode()
    return [count for _, count in binaries], False, said


def main():
    chic, folder, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda program: look(chic, folder, program), programs))
    for program, (_, _, fault) in zip(programs, results):
        if fault:
            print(f"{program}: fault: {fault}")
    faults = sum(bool(fault) for _, _, fault in results)
    print(f"{len(programs)} programs, {sum(bool(counts) for counts, _, _ in results)} with loops, "
          f"{sum(len(counts) for counts, _, _ in results)} binaries, "
          f"{max(max(counts, default=0) for counts, _, _ in results)} entry point each, "
          f"{sum(refused for _, refused, _ in results)} refused, {faults} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
