"""long_host_code.py FOLDER: scripts of thousands of statements."""
import pathlib
import resource
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def seconds(count):
    """Processor time of a first run; the program's result is looked at, too."""
    path = folder / f"script{count}.chi"
    path.write_text("param k: i32 = 3\na = 0\n" + "a = a + k\n" * count + "print(a)\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["chic", "run", "--no-cache", str(path)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=250)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0 and done.stdout == f"{3 * count}\n", (done.stdout, done.stderr)
    return after.ru_utime - before.ru_utime


short, long = seconds(1500), seconds(6000)
print(f"1500 statements {short:.2f} s, 6000 {long:.2f} s")
sys.exit(0 if long < 8 * short else 1)
