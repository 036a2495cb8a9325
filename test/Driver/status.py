"""status.py N COMMAND …: runs the command, passes on what it prints, and expects exit status N."""
import subprocess
import sys

done = subprocess.run(sys.argv[2:], capture_output=True, text=True, stdin=subprocess.DEVNULL)
if done.returncode != int(sys.argv[1]):
    sys.exit(f"exit {done.returncode}, expected {sys.argv[1]}\n{done.stdout}{done.stderr}")
sys.stdout.write(done.stdout)
sys.stderr.write(done.stderr)
