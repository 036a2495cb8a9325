"""The tasks of programs as SPIR-V binaries.

    spirv.py CHIC FOLDER PROGRAM...

brings each program to stage `spv` and has spirv-val look at the binary.
"""
import os
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ENTRY_POINT = 15  # the operation


def entry_points(path):
    """How many a binary has."""
    with open(path, "rb") as file:
        content = file.read()
    words = struct.unpack(f"<{len(content) // 4}I", content)
    at, count = 5, 0
    while at < len(words):
        count += words[at] & 0xFFFF == ENTRY_POINT
        at += words[at] >> 16
    return count


def look(chic, folder, program):
    """(entry points, whether it is refused, what is wrong)"""
    path = os.path.join(folder, program.replace("/", "_") + ".spv")
    done = subprocess.run([chic, "emit-ir", program, "--stage=spv", "-o", path],
                          capture_output=True, text=True, check=False)
    if done.returncode == 1 and "E0900" in done.stderr:
        return 0, True, ""
    if done.returncode != 0:
        return 0, False, done.stderr
    if os.path.getsize(path) == 0:
        return 0, False, ""
    seen = subprocess.run(["spirv-val", "--target-env", "vulkan1.2", path],
                          capture_output=True, text=True, check=False)
    return entry_points(path), False, seen.stdout + seen.stderr


def main():
    chic, folder, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda program: look(chic, folder, program), programs))
    for program, (_, _, fault) in zip(programs, results):
        if fault:
            print(f"{program}: fault: {fault}")
    faults = sum(bool(fault) for _, _, fault in results)
    print(f"{len(programs)} programs, {sum(count > 0 for count, _, _ in results)} binaries, "
          f"{sum(count for count, _, _ in results)} entry points, "
          f"{sum(refused for _, refused, _ in results)} refused, {faults} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
