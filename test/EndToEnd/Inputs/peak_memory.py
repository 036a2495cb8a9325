"""peak_memory.py KB COMMAND...: fails if the command does, or takes more."""
import os
import subprocess
import sys

child = subprocess.Popen(sys.argv[2:])
_, status, used = os.wait4(child.pid, 0)
code = os.waitstatus_to_exitcode(status)
sys.exit(code or f"{used.ru_maxrss} KB" if code or used.ru_maxrss > int(sys.argv[1]) else 0)
