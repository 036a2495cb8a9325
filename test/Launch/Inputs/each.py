"""each.py FILE: runs each line of FILE as a command, in the folder of the test.

Prints the command, all of its output and its exit status:

    $ chic run --threads=many p.chi
    chic run: --threads: Value many not in range 0 to 1024
    = 2
"""
import subprocess
import sys

for line in open(sys.argv[1]):
    line = line.strip()
    if not line:
        continue
    done = subprocess.run(["sh", "-c", line], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    print(f"$ {line}\n{done.stdout}= {done.returncode}")
