"""long_fields.py PROGRAM: on devices the same as on the processor, where fields are large.

PROGRAM takes the length of a field of two bytes an element. Where a device's memory, or the
machine's, is too short for one of 2 GiB, that length is left out.
"""
import subprocess
import sys

# As CHIRT_SMALL_NUMBERS counts, and as 32 bits do.
LENGTHS = {"vulkan": 1_070_000_000, "cuda": 1_073_741_830}


def free_mib():
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) // 1024 for line in file if line.startswith("MemAvail"))


def run(program, arch, length):
    return subprocess.run(["chic", "run", program, f"--arch={arch}", f"--length={length}"],
                          capture_output=True, text=True, check=False)


program, arch = sys.argv[1:]
if free_mib() < 8000:
    print(f"{free_mib()} MiB are free: fields of 2 GiB are left out")
else:
    wanted, got = (run(program, each, LENGTHS[arch]) for each in ("cpu", arch))
    if wanted.returncode or got.stdout != wanted.stdout:
        sys.exit(f"{got.stdout}{got.stderr}--- expected\n{wanted.stdout}{wanted.stderr}")
