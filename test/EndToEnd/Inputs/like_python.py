"""Random programs of loops and exits that mean the same in Chi and in Python.

    like_python.py FOLDER FIRST COUNT

Each program has three functions with early returns and three kernels with
loops at every level, `break`, `continue`, reductions and serial statements, on
integers that stay small. Parallel loops write their own element only, so that
Python, which runs them in order, gets the same. Fails if `chic run` prints
anything else than Python, on the CPU or in the interpreter.
"""
import random
import subprocess
import sys

SIZE = 7
SETUP = [f"for i in range({SIZE}):", "    r[i] = (i * 37) % 11", "    x[i] = i"]


def indent(lines):
    return ["    " + line for line in lines] or ["    pass"]


class Place:
    """What a statement may name where it stands."""

    def __init__(self, values=(), assignable=(), is_function=False,
                 element=None, sums=(), calls=False):
        self.values, self.assignable = list(values), list(assignable)
        self.is_function, self.element = is_function, element
        self.sums, self.calls = list(sums), calls

    def inside(self, **changes):
        place = Place(self.values, self.assignable, self.is_function,
                      self.element, self.sums, self.calls)
        for name, value in changes.items():
            setattr(place, name, value)
        return place


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def expr(self, at, depth=0):
        pick = self.random.random()
        if pick < .25 or depth > 2:
            return str(self.random.randint(-4, 9))
        if pick < .55 and at.values:
            return self.random.choice(at.values)
        if pick < .72:
            return f"r[{self.index(at)}]"
        if pick < .8 and not at.is_function:
            return f"x[{at.element or self.index(at)}]"
        if pick < .88 and at.calls:
            callee = self.random.randint(0, 2)
            return (f"f{callee}({self.expr(at, depth + 1)}, "
                    f"{self.expr(at, depth + 1)})")
        op = self.random.choice("+-*")
        return (f"(({self.expr(at, depth + 1)} {op} "
                f"{self.expr(at, depth + 1)}) % 1000)")

    def index(self, at):
        return f"({self.expr(at.inside(calls=False), 2)}) % {SIZE}"

    def condition(self, at):
        def compare():
            op = self.random.choice(["<", "==", "!=", ">="])
            return f"{self.expr(at, 1)} {op} {self.expr(at, 1)}"
        if self.random.random() < .25:
            return f"{compare()} {self.random.choice(['and', 'or'])} {compare()}"
        return compare()

    def assign(self, at):
        if at.assignable and self.random.random() < .75:
            return f"{self.random.choice(at.assignable)} = {self.expr(at)}"
        new = self.name("t")
        line = f"{new} = {self.expr(at)}"
        at.values.append(new)
        at.assignable.append(new)
        return line

    def branch(self, at, depth, loop):
        lines = [f"if {self.condition(at)}:"]
        lines += indent(self.body(at, depth + 1, loop))
        if self.random.random() < .3:
            lines.append(f"elif {self.condition(at)}:")
            lines += indent(self.body(at, depth + 1, loop))
        if self.random.random() < .5:
            lines.append("else:")
            lines += indent(self.body(at, depth + 1, loop))
        return lines

    def counted(self, at, depth):
        number = self.name("j")
        bounds = self.random.choice(["3", "4", "1, 5", "6, 0, -2", "0, 7, 3"])
        loop = f"range({bounds})"
        if not at.is_function and not at.element:
            loop = f"serial({loop})"
        inner = at.inside(values=at.values + [number])
        return [f"for {number} in {loop}:"] + indent(
            self.body(inner, depth + 1, "serial"))

    def repeated(self, at, depth):
        turn = self.name("w")
        inner = at.inside(values=at.values + [turn])
        return [f"{turn} = 0",
                f"while {turn} < {self.random.randint(1, 5)} and "
                f"{self.condition(at)}:"] + indent(
            [f"{turn} += 1"] + self.body(inner, depth + 1, "serial"))

    def parallel(self, at, depth):
        number = self.name("p")
        bounds = self.random.choice([f"{SIZE}", f"1, {SIZE}", f"0, {SIZE}, 2"])
        sums = ["s"] if self.random.random() < .5 else []
        values = [v for v in at.values if v not in sums] + [number]
        inner = at.inside(values=values, assignable=[], element=number,
                          sums=sums)
        return [f"for {number} in range({bounds}):"] + indent(
            self.body(inner, depth + 1, "parallel"))

    def statement(self, at, depth, loop):
        pick = self.random.random()
        if pick < .25:
            return [self.assign(at)]
        if pick < .4 and not at.is_function:
            op = self.random.choice(["=", "+="])
            return [f"x[{at.element or self.index(at)}] {op} {self.expr(at)}"]
        if pick < .46 and at.sums:
            return [f"{at.sums[0]} += {self.expr(at)}"]
        if pick < .64 and depth < 4:
            return self.branch(at, depth, loop)
        if pick < .74 and depth < 3:
            return self.counted(at, depth)
        if pick < .8 and depth < 3:
            return self.repeated(at, depth)
        if not at.is_function and not at.element and depth < 3:
            return self.parallel(at, depth)
        return []

    def body(self, at, depth, loop):
        at = at.inside(values=list(at.values), assignable=list(at.assignable))
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(at, depth, loop)
        pick = self.random.random()
        if loop == "serial" and pick < .15:
            lines.append("break")
        elif loop and depth > 0 and pick < .28:
            lines.append("continue")
        elif at.is_function and depth > 0 and pick < .4:
            lines.append(f"return {self.expr(at)}")
        return lines

    def definitions(self):
        lines = []
        for number in range(3):
            at = Place(["a", "b", "u"], ["u"], is_function=True)
            body = [f"u = {self.expr(Place(['a', 'b'], is_function=True))}"]
            body += self.body(at, 0, None) + ["return (u + a) % 1000"]
            lines += [f"def f{number}(a, b):"] + indent(body)
        for number in range(3):
            at = Place(["q", "s", "m"], ["m"], calls=True)
            body = ["s = 0", "m = q"]
            for _ in range(3):
                body += self.body(at, 0, None)
            body.append("return (s + m) % 100000")
            lines += ["@kernel", f"def k{number}(q):"] + indent(body)
        return lines


def show():
    lines = []
    for number in range(3):
        lines += [f"print(k{number}({number}))", f"for i in range({SIZE}):",
                  "    print(x[i])"]
    return lines


def check(folder, seed):
    body = Program(seed).definitions() + SETUP + show()
    chi = [f"x = field(i32, shape={SIZE})", f"r = field(i32, shape={SIZE})"]
    python = [f"x, r = [0] * {SIZE}, [0] * {SIZE}", "kernel = serial = lambda a: a"]
    paths = {}
    for suffix, head in (("chi", chi), ("py", python)):
        paths[suffix] = f"{folder}/like{seed}.{suffix}"
        with open(paths[suffix], "w") as file:
            file.write("\n".join(head + body) + "\n")
    try:
        result = subprocess.run([sys.executable, paths["py"]], text=True,
                                capture_output=True, timeout=10, check=True)
    except subprocess.TimeoutExpired:
        return True
    wanted = result.stdout
    if any(abs(int(word)) >= 2 ** 31 for word in wanted.split()):
        return True
    for arch in ("cpu", "interp"):
        result = subprocess.run(["chic", "run", f"--arch={arch}", paths["chi"]],
                                capture_output=True, text=True)
        if result.returncode or result.stdout != wanted:
            print(f"{paths['chi']} differs on {arch}:\n{result.stderr}")
            return False
    return True


def main(folder, first, count):
    first, count = int(first), int(count)
    return all([check(folder, seed) for seed in range(first, first + count)])


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
