"""Random differentiable programs, which print what their judge needs. A program has a
field `x` whose gradient is asked for, fields of floats and of integers, and kernels over
them. In some a list is filled by atomic operations, whose results depend on the order.
`forward()` runs the kernels (host.py). The end: judge.py.
"""
import random

from host import HostCode
from judge import BUDGET, FORWARD, HESSIAN, JUDGE, NESTED

REALS = ["y", "z", "u"]
# Places of the list that programs fill by atomic_add.
PLACES = 3000
# What is compared beside gradients and differences: nothing; forward mode; a tape in a
# tape; beside that, forward mode over a tape; tapes with memory budgets.
KINDS = ("plain", "forward", "nested", "hessian", "budget")


class Task:
    """What one parallel loop may do to which field, so that nothing races."""

    def __init__(self, dice, fields, roles):
        self.roles = {name: dice.choice(roles) for name in fields}
        # What is written must be something.
        self.roles[dice.choice([f for f in fields if f != "x"] or fields)] = "own"
        self.decides = False  # may the result of an atomic operation decide something?

    def having(self, *roles):
        return [name for name, role in self.roles.items() if role in roles]


class Writer(HostCode):
    """Writes kernels; every choice comes from one stream of numbers."""

    def __init__(self, seed, kind="plain"):
        self.kind = kind
        # Products have no tangents and no second derivatives; with forward mode over a
        # tape winners have none, either.
        isPlain = kind not in ("plain", "budget")
        numRoles, numReductions = (7, 2) if kind == "hessian" else (9, 4) if isPlain else (10, 5)
        self.roles = ["read", "read", "read", "own", "own", "sum", "sum", "max", "min",
                      "product"][:numRoles]
        self.reductions = ["+=", "+=", "max", "min", "*="][:numReductions]
        self.deepest, self.mostTasks = 3, 3  # expressions; kernels, and tasks of each
        self.dice = random.Random(seed)
        self.size = self.dice.choice([1, 2, 3, 5, 7, 8])
        self.lines = []
        self.fresh = 0
        self.functions = []
        self.hasAtomics = self.dice.random() < 0.4 and not isPlain

    def name(self, stem):
        self.fresh += 1
        return f"{stem}{self.fresh}"

    # Expressions -----------------------------------------------------------

    def index(self, scope, depth=0):
        n = self.size
        kinds = ["i", "shift", "mirror", "data", "constant"]
        kinds += ["loop"] * 2 if scope["loops"] else []
        kinds += ["float"] if depth < 2 else []
        kind = self.dice.choice(kinds)
        i = scope["i"]
        if kind == "shift":
            return f"({i} + {self.dice.randint(1, 5)}) % {n}"
        if kind == "mirror":
            return f"{n - 1} - {i}"
        if kind == "data":
            return f"m[{i}] % {n}"
        if kind == "constant":
            return str(self.dice.randrange(n))
        if kind == "loop":
            return f"({i} + {self.dice.choice(scope['loops'])}) % {n}"
        if kind == "float":
            return f"i32(abs({self.real(scope, depth + 2)}) * 3.7) % {n}"
        return i

    def leaf(self, scope, depth=0):
        kinds = ["local"] * 4 if scope["locals"] else []
        kinds += ["field"] * 3 + ["constant", "number"]
        kinds += ["array"] if scope["arrays"] else []
        kinds += ["kernel"] if scope["kernel"] else []
        kind = self.dice.choice(kinds)
        if kind == "local":
            return self.dice.choice(scope["locals"])
        if kind == "kernel":
            return self.dice.choice(scope["kernel"])
        if kind == "array":
            name, size = self.dice.choice(scope["arrays"])
            return f"{name}[{self.small(scope, size)}]"
        if kind == "field":
            read, own = scope["task"].having("read"), scope["task"].having("own")
            name = self.dice.choice(read + own)
            index = scope["i"] if name in own else self.index(scope, depth)
            return f"{name}[{index}]" + (self.dice.choice([".x", ".y"]) if name == "u" else "")
        if kind == "number":
            return f"(0.1 * {self.dice.choice([scope['i']] + scope['loops'])} + 0.3)"
        return f"{self.dice.uniform(-1.5, 1.5):.3f}"

    def small(self, scope, size):
        """An index of a local array."""
        if scope["loops"] and self.dice.random() < 0.5:
            return f"{self.dice.choice(scope['loops'])} % {size}"
        if self.dice.random() < 0.3:
            return f"m[{scope['i']}] % {size}"
        return str(self.dice.randrange(size))

    def real(self, scope, depth=0):
        if depth > self.deepest or self.dice.random() < 0.2:
            return self.leaf(scope, depth)
        a = self.real(scope, depth + 1)
        forms = [
            lambda b: f"({a} + {b})", lambda b: f"({a} - {b})", lambda b: f"({a} * {b})",
            lambda b: f"({a} * {b})", lambda b: f"({a} / (1.5 + {b} * {b}))",
            lambda b: f"min({a}, {b})", lambda b: f"max({a}, {b})",
            lambda b: f"atan2({a}, 2.0 + {b} * {b})",
            lambda b: f"(({a}) if {self.condition(scope, depth)} else ({b}))",
            lambda b: f"vec2({a}, {b}).norm()",
            lambda b: f"clamp({a}, -0.7, 1.0 + abs({b}))",
            lambda b: f"(1.5 + sin({a})) ** ({b})",
            lambda b: f"(sin({a}) % (1.3 + cos({b}) * 0.2))"]
        unary = ["sin({})", "cos({})", "tanh({})", "exp(sin({}))", "sqrt(1.0 + {0} * {0})",
                 "abs({})", "log(2.0 + {0} * {0})", "({}) ** 2", "sin({}) ** 3", "atan({})",
                 "(-{})", "(0.5 * {})", "erf({})", "asinh({})"]
        if self.functions and self.dice.random() < 0.1:
            return f"{self.dice.choice(self.functions)}({a}, {self.real(scope, depth + 1)})"
        if self.dice.random() < 0.45:
            return self.dice.choice(unary).format(a)
        return self.dice.choice(forms)(self.real(scope, depth + 1))

    def bounded(self, scope):
        """A real that loops cannot let grow without end."""
        e = self.real(scope)
        return self.dice.choice([f"sin({e})", f"tanh({e})", f"cos({e})", f"0.5 * tanh({e})"])

    def condition(self, scope, depth=0):
        kind = self.dice.choice(["float", "float", "int", "and", "field"])
        if kind == "float":
            return f"{self.real(scope, depth + 2)} > {self.dice.uniform(-1, 1):.3f}"
        if kind == "and":
            left = f"{self.real(scope, depth + 2)} < {self.dice.uniform(-1, 1):.3f}"
            word = self.dice.choice(["and", "or"])
            return f"{left} {word} m[{scope['i']}] > 1"
        if kind == "field":
            return f"m[{scope['i']}] % 2 == {self.dice.randrange(2)}"
        return f"{self.dice.choice([scope['i']] + scope['loops'])} % 3 != {self.dice.randrange(3)}"

    # Statements ------------------------------------------------------------

    def put(self, indent, text):
        self.lines.append("    " * indent + text)

    def block(self, scope, indent, length, nesting):
        inner = {**scope, "locals": list(scope["locals"]), "arrays": list(scope["arrays"]),
                 "loops": list(scope["loops"])}
        for _ in range(length):
            self.statement(inner, indent, nesting)
        return inner

    def statement(self, scope, indent, nesting):
        kinds = ["local", "update", "own", "sum", "local", "arrayset"]
        if nesting < 2:
            kinds += ["if", "for", "for", "while", "array"]
        if scope["inLoop"]:
            kinds += ["exit"]
        if self.hasAtomics:
            # A result may not decide how often another operation runs.
            kinds += ["slot"] * (2 if not scope["inLoop"] or not scope["task"].decides else 0)
            kinds += ["turn"] if not scope["inLoop"] else []
        getattr(self, "put_" + self.dice.choice(kinds))(scope, indent, nesting)

    def put_local(self, scope, indent, nesting):
        name = self.name("a")
        self.put(indent, f"{name} = {self.bounded(scope)}")
        scope["locals"].append(name)

    def put_update(self, scope, indent, nesting):
        if not scope["locals"]:
            return self.put_local(scope, indent, nesting)
        name = self.dice.choice(scope["locals"])
        e = self.bounded(scope)
        self.put(indent, self.dice.choice([
            f"{name} = {e}", f"{name} += {e}", f"{name} *= {e}", f"{name} = 0.6 * {name} + {e}",
            f"{name} -= {name} * {e}"]))
        self.put(indent, f"{name} = tanh({name})")

    def put_array(self, scope, indent, nesting):
        name, size = self.name("v"), self.dice.choice([2, 3, 5])
        self.put(indent, f"{name} = array(f64, {size})")
        scope["arrays"].append((name, size))
        self.put_arrayset(scope, indent, nesting)

    def put_arrayset(self, scope, indent, nesting):
        if not scope["arrays"]:
            return self.put_local(scope, indent, nesting)
        name, size = self.dice.choice(scope["arrays"])
        how = self.dice.choice(["=", "+=", "*="])
        self.put(indent, f"{name}[{self.small(scope, size)}] {how} {self.bounded(scope)}")

    def put_own(self, scope, indent, nesting):
        own = scope["task"].having("own")
        name = self.dice.choice(own)
        part = self.dice.choice([".x", ".y"]) if name == "u" else ""
        e = self.bounded(scope)
        how = self.dice.choice(["=", "+=", "*=", "=", "-="])
        self.put(indent, f"{name}[{scope['i']}]{part} {how} {e}")

    def put_sum(self, scope, indent, nesting):
        sums = scope["task"].having("sum", "max", "min", "product")
        if self.dice.random() < 0.3 or not sums:
            if scope["reduced"]:
                return self.put(indent, self.reduction(*scope["reduced"], self.bounded(scope)))
            return self.put(indent, f"L[None] += {self.real(scope)}")
        name = self.dice.choice(sums)
        part = self.dice.choice([".x", ".y"]) if name == "u" else ""
        role = scope["task"].roles[name]
        element = f"{name}[{self.index(scope)}]{part}"
        e = self.bounded(scope)
        if role in ("max", "min"):
            return self.put(indent, f"atomic_{role}({element}, {e})")
        if role == "product":
            return self.put(indent, f"{element} *= {self.factor(e)}")
        sign = self.dice.choice(["+=", "-="])
        self.put(indent, f"{element} {sign} {e}")

    def factor(self, e):
        return self.dice.choice([f"(1.1 + 0.3 * {e})", f"(1.1 + 0.3 * {e})", f"({e})"])

    def reduction(self, name, kind, e):
        if kind in ("max", "min"):
            return f"{name} = {kind}({name}, {e})"
        return f"{name} {kind} {self.factor(e) if kind == '*=' else e}"

    def put_if(self, scope, indent, nesting):
        self.put(indent, f"if {self.condition(scope)}:")
        self.block(scope, indent + 1, self.dice.randint(1, 3), nesting + 1)
        if self.dice.random() < 0.5:
            self.put(indent, "else:")
            self.block(scope, indent + 1, self.dice.randint(1, 2), nesting + 1)

    def put_for(self, scope, indent, nesting):
        name = self.name("j")
        bound = self.dice.choice([
            str(self.dice.randint(0, 4)), f"m[{scope['i']}] % 5", f"{scope['i']} + 1",
            f"1, {self.dice.randint(1, 6)}", f"{self.dice.randint(0, 7)}, 0, -2",
            f"0, {self.dice.randint(1, 8)}, 3"] + [f"{j} + 1" for j in scope["loops"]])
        self.put(indent, f"for {name} in range({bound}):")
        inner = {**scope, "loops": scope["loops"] + [name], "inLoop": True}
        self.block(inner, indent + 1, self.dice.randint(1, 4), nesting + 1)

    def put_while(self, scope, indent, nesting):
        count, value = self.name("c"), self.name("w")
        self.put(indent, f"{count} = 0")
        self.put(indent, f"{value} = {self.bounded(scope)}")
        self.put(indent, f"while {value} < {self.dice.uniform(0.5, 2):.3f} and {count} < "
                         f"{self.dice.randint(1, 6)}:")
        inner = {**scope, "locals": scope["locals"] + [value], "loops": scope["loops"] + [count],
                 "inLoop": True}
        self.put(indent + 1, f"{count} += 1")
        self.put(indent + 1, f"{value} = 0.8 * {value} + abs({self.bounded(inner)}) + 0.1")
        self.block(inner, indent + 1, self.dice.randint(1, 3), nesting + 1)
        scope["locals"].append(value)

    def put_exit(self, scope, indent, nesting):
        self.put(indent, f"if {self.condition(scope)}:")
        self.put(indent + 1, self.dice.choice(["break", "continue"]))

    def put_slot(self, scope, indent, nesting):
        """A place in a list whose order is of no weight."""
        name = self.name("k")
        if self.dice.random() < 0.4:
            self.put(indent, f"if {self.condition(scope)}:")
            indent += 1
        self.put(indent, f"{name} = atomic_add(c[None], 1)")
        self.put(indent, f"if {name} < {PLACES}:")
        self.put(indent + 1, f"w[{name}] = {self.bounded(scope)}")

    def put_turn(self, scope, indent, nesting):
        """Nobody else changes what the iteration has."""
        name, real = self.name("r"), self.name("a")
        how = self.dice.choice(["add", "xor", "max", "exchange"])
        self.put(indent, f"{name} = atomic_{how}(o[{scope['i']}], {self.dice.randint(1, 3)} + "
                         f"m[{scope['i']}] % 2)")
        self.put(indent, f"{real} = {self.bounded(scope)} * ({name} % 3 + 1)")
        scope["locals"].append(real)
        scope["task"].decides = True
        if self.dice.random() < 0.5:
            self.put(indent, f"for {self.name('j')} in range({name} % 4):")
        else:
            self.put(indent, f"if {name} % 2 == 0:")
        self.put(indent + 1, f"{real} = tanh({real} + {self.leaf(scope)})")

    # Programs --------------------------------------------------------------

    def put_function(self):
        name = self.name("f")
        self.put(0, f"def {name}(p: f64, q: f64) -> f64:")
        self.put(1, "r = p * q")
        self.put(1, f"if p > {self.dice.uniform(-1, 1):.3f}:")
        self.put(2, "return sin(r) + q")
        self.put(1, f"for k in range({self.dice.randint(1, 4)}):")
        self.put(2, "r = 0.5 * r + tanh(p + 0.1 * k)")
        self.put(2, f"if r > {self.dice.uniform(0, 1):.3f}:")
        self.put(3, "return r * p")
        self.put(1, "return r - p")
        self.put(0, "")
        self.functions.append(name)

    def put_kernel(self):
        name = self.name("k")
        self.put(0, "@kernel")
        self.put(0, f"def {name}(t: i32):")
        known = []
        for _ in range(min(self.dice.randint(1, 3), self.mostTasks)):
            task = Task(self.dice, ["x"] + REALS, self.roles)
            reduced = None
            if self.dice.random() < 0.3:
                reduced = self.name("s"), self.dice.choice(self.reductions)
                self.put(1, f"{reduced[0]}: f64 = 0.1")
            i = self.name("ii")
            self.put(1, f"for {i} in range({self.size}):")
            scope = {"i": i, "loops": [], "locals": [], "arrays": [], "kernel": list(known),
                     "task": task, "inLoop": False, "reduced": reduced}
            self.block(scope, 2, self.dice.randint(2, 5), 0)
            self.put_own(scope, 2, 0)
            if reduced:
                self.put(1, f"{reduced[0]} = sin({reduced[0]})")
                known.append(reduced[0])
        self.put(0, "")
        return name

    def program(self):
        n = self.size
        self.put(0, '"""A random differentiable program."""')
        if self.kind == "budget":
            self.put(0, 'param budget: str = ""')
        dual = ", dual=True" * (self.kind in ("forward", "hessian"))
        self.put(0, f"x = field(f64, shape={n}, grad=True{dual})")
        self.put(0, f"x0 = field(f64, shape={n})")
        for name in ("y", "z"):
            self.put(0, f"{name} = field(f64, shape={n})")
        layout = self.dice.choice(["", ', layout="soa"'])
        self.put(0, f"u = field(dvec2, shape={n}{layout})")
        self.put(0, f"m = field(i32, shape={n})")
        if self.hasAtomics:
            self.put(0, f"o = field(i32, shape={n})")
            self.put(0, f"w = field(f64, shape={PLACES})")
            self.put(0, "c = field(i32)")
        self.put(0, f"L = field(f64{dual})")
        self.put(0, "")
        for _ in range(self.dice.randint(0, 2)):
            self.put_function()
        kernels = [self.put_kernel()
                   for _ in range(min(self.dice.randint(1, 3), self.mostTasks))]
        self.put_start()
        self.put_finish()
        (self.put_turns if self.kind == "budget" else self.put_forward)(kernels)
        for i in range(n):
            self.put(0, f"x0[{i}] = {self.dice.uniform(-1, 1):.6f}")
        parts = {"plain": [JUDGE], "forward": [JUDGE, FORWARD], "nested": [JUDGE, NESTED],
                 "hessian": [JUDGE, NESTED, HESSIAN], "budget": [BUDGET, JUDGE]}
        for part in parts[self.kind]:
            self.lines += part.format(n=n).splitlines()
        return "\n".join(self.lines) + "\n"


def generate(seed, isSmall=False, kind="plain"):
    """The program of a seed and of one of the KINDS, which may be small."""
    writer = Writer(seed, kind)
    if isSmall:
        writer.deepest, writer.mostTasks = 1, 1
    return writer.program()
