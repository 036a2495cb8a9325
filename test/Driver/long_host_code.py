"""long_host_code.py FOLDER: scripts of thousands of statements."""
import pathlib
import resource
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
HEAD = "param k: i32 = 3\na = 0\nx = field(i32, shape=8)\n"


def seconds(name, count, statement, end, expected):
    """Processor time of a first run; the program's result is looked at, too."""
    path = folder / f"{name}{count}.chi"
    body = "".join(statement.format(i=i) + "\n" for i in range(count))
    path.write_text(HEAD + body + end + "\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["chic", "run", "--no-cache", str(path)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=250)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0 and done.stdout == expected, (done.stdout[-400:], done.stderr)
    return after.ru_utime - before.ru_utime


def grows(name, counts, statement, end="", expected=lambda count: ""):
    """Whether four times the statements take eight times as long."""
    short, long = (seconds(name, n, statement, end, expected(n)) for n in counts)
    print(f"{name}: {counts[0]} statements {short:.2f} s, {counts[1]} {long:.2f} s")
    return long > 8 * short


bad = [grows("sums", (2500, 10000), "a = a + k", "print(a)", lambda n: f"{3 * n}\n"),
       grows("texts", (500, 2000), 'assert x[{i} % 8] == 0, f"bad {i} {{a}}"'),
       grows("prints", (400, 1600), 'print("line {i}", x[3] + k)',
             expected=lambda n: "".join(f"line {i} 3\n" for i in range(n)))]
sys.exit(1 if any(bad) else 0)
