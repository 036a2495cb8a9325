"""fields_in_tuples.py FOLDER FIRST COUNT: fields in tuples are references.

Makes programs that pass fields about in tuples: through functions, swaps, loops
and early returns. Python runs the same text, with a field that is an object of
its own; the interpreter and the CPU must print what Python prints, though freed
memory is overwritten, and must end with as little memory as they need.
"""
import contextlib
import io
import os
import pathlib
import random
import subprocess
import sys

SIZE = 100_000  # elements of a field: what leaks shows
LIMIT_KB = 500_000

FUNCTIONS = """
def make(k: i32):
    f = field(i32, shape=%d)
    f.fill(k)
    return f, k

def swap(p, q):
    return q, p

def pick(p, q, c: i32):
    if c %% 3 == 0:
        return p
    r = q
    if c %% 3 == 1:
        return r
    r = make(c)
    return r

def churn(p, n: i32):
    q = p
    for k in range(n):
        if k == 4:
            return q
        r = make(k)
        q = (r[0], q[1] + r[1])
    return q

def nest(p, f):
    r = (p, f)
    return r

def flip(n):
    (p, g) = n
    return ((g, p[1]), p[0])

@kernel
def add(p):
    for i in p[0]:
        p[0][i] += p[1]

@kernel
def add_all(n):
    for i in n[1]:
        f = n[1]
        f[i] += n[0][1]
""" % SIZE

FIELDS, PAIRS, NESTS = ["f0", "f1", "f2"], ["t0", "t1"], ["n0", "n1"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.depth = 0

    def emit(self, text):
        self.lines.append("    " * self.depth + text)

    def number(self):
        return str(self.random.randrange(1, 60))

    def condition(self):
        return self.random.choice(["turn % 2 == 0", "turn > 1", "turn == 2"])

    def field(self, level=0):
        choose = self.random.choice
        ways = [lambda: choose(FIELDS), lambda: f"{choose(PAIRS)}[0]",
                lambda: f"{choose(NESTS)}[0][0]", lambda: f"{choose(NESTS)}[1]"]
        if level < 2:
            ways += [lambda: f"make({self.number()})[0]",
                     lambda: f"{self.pair(level + 1)}[0]",
                     lambda: f"({self.field(level + 1)} if {self.condition()} else "
                             f"{self.field(level + 1)})"]
        return choose(ways)()

    def pair(self, level=0):
        choose = self.random.choice
        ways = [lambda: choose(PAIRS), lambda: f"{choose(NESTS)}[0]",
                lambda: f"({choose(FIELDS)}, {self.number()})"]
        if level < 2:
            ways += [lambda: f"make({self.number()})",
                     lambda: f"({self.field(level + 1)}, {choose(PAIRS)}[1])",
                     lambda: f"pick({self.pair(level + 1)}, {self.pair(level + 1)}, "
                             f"{self.number()})",
                     lambda: f"churn({self.pair(level + 1)}, {self.random.randrange(7)})",
                     lambda: f"({self.pair(level + 1)} if {self.condition()} else "
                             f"{self.pair(level + 1)})"]
        return choose(ways)()

    def nest(self):
        choose = self.random.choice
        return choose([lambda: choose(NESTS), lambda: f"({self.pair()}, {self.field()})",
                       lambda: f"nest({self.pair()}, {self.field()})",
                       lambda: f"flip({choose(NESTS)})",
                       lambda: f"flip(nest({self.pair()}, {self.field()}))"])()

    def store(self):
        choose = self.random.choice
        choose([
            lambda: self.emit(f"{choose(FIELDS)}.fill({self.number()})"),
            lambda: self.emit(f"{choose(PAIRS)}[0].fill({self.number()})"),
            lambda: self.emit(f"{choose(PAIRS)}[0][{self.random.randrange(3)}] = turn"),
            lambda: self.emit(f"{choose(NESTS)}[0][0][1] += {self.number()}"),
            lambda: self.emit(f"add({self.pair()})"),
            lambda: self.emit(f"add_all({self.nest()})"),
        ])()

    def bind(self):
        choose = self.random.choice
        two = self.random.sample(FIELDS, 2)
        choose([
            lambda: self.emit(f"{choose(FIELDS)} = {self.field()}"),
            lambda: self.emit(f"{choose(PAIRS)} = {self.pair()}"),
            lambda: self.emit(f"{choose(NESTS)} = {self.nest()}"),
            lambda: self.emit(f"{two[0]}, {two[1]} = {two[1]}, {two[0]}"),
            lambda: self.emit(f"{two[0]}, {two[1]} = swap({self.field()}, {self.field()})"),
            lambda: self.emit(f"t0, t1 = swap({self.pair()}, {self.pair()})"),
            lambda: self.emit(f"t0, t1 = t1, {self.pair()}"),
            lambda: self.emit(f"{choose(PAIRS)}, {choose(FIELDS)} = {self.nest()}"),
            lambda: self.emit(f"{choose(FIELDS)}, _ = {self.pair()}"),
        ])()

    def show(self):
        self.emit(f"print(turn, {self.random.choice(FIELDS)}.sum(), "
                  f"{self.random.choice(PAIRS)}[1], {self.field()}.sum(), {self.field()}[1])")

    def statement(self):
        kind = self.random.random()
        if kind < 0.15 and self.depth < 4:
            self.emit(f"if {self.condition()}:")
            self.block(2)
        elif kind < 0.2 and self.depth < 3:
            self.emit(f"for {'uvw'[self.depth]} in range(2):")
            self.block(3)
        elif kind < 0.4:
            self.store()
        elif kind < 0.55:
            self.show()
        else:
            self.bind()

    def block(self, count):
        self.depth += 1
        for _ in range(count):
            self.statement()
        if self.random.random() < 0.2 and self.depth > 2:
            self.emit(self.random.choice(["continue", "break"]))
        self.depth -= 1

    def program(self):
        isLocal = self.random.random() < 0.5
        if isLocal:
            self.emit("def body():")
            self.depth += 1
        for k, name in enumerate(FIELDS):
            self.emit(f"{name}, _ = make({k + 1})")
        self.emit("t0 = (f0, 5)\nt1 = make(6)\nn0 = (t0, f1)\nn1 = nest(t1, f2)".replace(
            "\n", "\n" + "    " * self.depth))
        self.emit("for turn in range(12):")
        self.block(8)
        for name in FIELDS + ["t0[0]", "t1[0]", "n0[0][0]", "n0[1]", "n1[0][0]", "n1[1]"]:
            self.emit(f"print({name}.sum())")
        if isLocal:
            self.depth -= 1
            self.emit("body()")
        return FUNCTIONS + "\n" + "\n".join(self.lines) + "\n"


class Field:
    """A field of integers: one number everywhere, except for some elements."""

    def __init__(self):
        self.all, self.others = 0, {}

    def fill(self, value):
        self.all, self.others = value, {}

    def sum(self):
        return self.all * SIZE + sum(v - self.all for v in self.others.values())

    def __getitem__(self, i):
        return self.others.get(i, self.all)

    def __setitem__(self, i, value):
        self.others[i] = value


def addTo(field, value):
    field.all += value
    field.others = {i: v + value for i, v in field.others.items()}


def by_python(text):
    out = io.StringIO()
    names = {"field": lambda element, shape: Field(), "i32": int, "kernel": lambda f: f}
    # A loop over all elements is too slow here; the two kernels say it short.
    text += "\n"
    start = text.index("@kernel")
    end = text.index("\n\n", text.index("def add_all"))
    short = ("def add(p):\n    addTo(p[0], p[1])\n"
             "def add_all(n):\n    addTo(n[1], n[0][1])\n")
    names["addTo"] = addTo
    with contextlib.redirect_stdout(out):
        exec(compile(text[:start] + short + text[end:], "program", "exec"), names)
    return out.getvalue()


def run(path, arch):
    """Exit code, output and the most memory (KB)."""
    environment = dict(os.environ, MALLOC_PERTURB_="85")
    with open(f"{path}.out", "w+") as out:
        child = subprocess.Popen(["chic", "run", path, f"--arch={arch}", "--threads=1"],
                                 stdout=out, stderr=subprocess.STDOUT, env=environment)
        _, status, used = os.wait4(child.pid, 0)
        out.seek(0)
        return os.waitstatus_to_exitcode(status), out.read(), used.ru_maxrss


def main():
    folder, first, count = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    bad = 0
    for seed in range(first, first + count):
        text = Generator(seed).program()
        path = folder / f"fields{seed}.chi"
        path.write_text(text)
        expected = by_python(text)
        for arch in ("cpu", "interp"):
            code, found, used = run(str(path), arch)
            if code or found != expected or used > LIMIT_KB:
                bad += 1
                print(f"{path} by {arch}: exit {code}, {used} KB\n{found[-600:]}\n"
                      f"expected\n{expected[-600:]}")
    sys.exit(bad != 0)


main()
