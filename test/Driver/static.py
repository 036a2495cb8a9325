"""static.py PROGRAM OUT: builds with --static; the executable needs no library.

Where libc's archives are missing, the message has to say so.
"""
import subprocess
import sys

program, out = sys.argv[1:]
done = subprocess.run(["chic", "build", program, "--static", "-o", out], capture_output=True, text=True,
                      stdin=subprocess.DEVNULL)
if done.returncode == 2 and "a static executable needs libc.a" in done.stderr:
    sys.exit(0)
if done.returncode != 0:
    sys.exit(f"exit {done.returncode}\n{done.stderr}")
run = subprocess.run([out, "--n", "4"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
if run.returncode != 0 or "out.npy" not in run.stdout:
    sys.exit(f"the executable: exit {run.returncode}\n{run.stdout}{run.stderr}")
listed = subprocess.run(["ldd", out], capture_output=True, text=True)
if ".so" in listed.stdout:
    sys.exit(f"it needs libraries:\n{listed.stdout}")
