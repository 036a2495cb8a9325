"""Statements of an iteration, of a function, or between loops."""
from control import Control
from kinds import Array, BOOL, Mat, SCALARS, Vec
from places import Var, isArray, isMat, isScalar, isVec

MOST_TRIPS = 60_000


class Statements(Control):
    """Writes into a scope; `self.e` writes expressions there."""

    def someScalar(self):
        dice, program = self.dice, self.program
        if program.floats != "none" and dice.chance(45):
            return self.e.someFloat()
        if dice.chance(10):
            return BOOL
        return SCALARS[dice.choice(program.integerNames)]

    def someKind(self):
        dice, scalar = self.dice, self.someScalar()
        if scalar == BOOL or dice.chance(92 if self.program.isLean else 70):
            return scalar
        if dice.chance(65):
            return Vec(dice.weighted({2: 30, 3: 30, 4: 20, 1: 3, 5: 6, 7: 4, 16: 2, 33: 1}),
                       scalar)
        rows, columns = dice.choice([(2, 2), (3, 3), (2, 3), (3, 2), (4, 4), (1, 3), (2, 5), (5, 2),
                                     (1, 1), (6, 3)])
        return Mat(rows, columns, scalar)

    def fuel(self):
        return self.dice.choice([1, 1, 2] if self.program.isLean else [1, 2, 2, 3])

    def declare(self, kind=None, isFixed=False):
        kind = kind or self.someKind()
        name = self.scope.fresh("v")
        text = self.e.some(kind, self.fuel())
        written = f": {kind.text}" if isScalar(kind) and self.dice.chance(20) else ""
        self.scope.line(f"{name}{written} = {text}")
        self.scope.variables.append(Var(name, kind, isFixed))
        return name

    def statements(self, count):
        for _ in range(count):
            self.statement()

    def statement(self):
        scope = self.scope
        table = {"declare": 22, "assign": 16, "array": 4, "component": 8, "unpack": 5, "swap": 3,
                 "both": 5, "tuple": 4, "staticly": 3, "tell": 3, "assert": 2}
        if scope.nesting < 4 and len(scope.lines) < self.program.mostLines:
            table.update(branch=14, loop=12)
        if self.program.isLean and scope.task:
            table = {"declare": 22, "assign": 16, "both": 4}
        if scope.trips > 80 or scope.place == "function":
            table.pop("tell", None)
        if scope.trips > MOST_TRIPS:
            table.pop("loop", None)
        if scope.writable(lambda kind: True):
            table["store"] = 30
        if scope.task and scope.task.updated:
            table["update"] = 12
        if scope.task and scope.task.reductions:
            table["reduce"] = 12
        if scope.canBreak or scope.canContinue:
            table["leave"] = 5
        if scope.results and scope.nesting > 1:
            table["giveBack"] = 10
        getattr(self, "put_" + self.dice.weighted(table))()

    # -- names ---------------------------------------------------------------
    def put_declare(self):
        self.declare()

    def put_assign(self):
        fit = self.scope.having(lambda kind: not isArray(kind), isAssigned=True)
        if not fit:
            return self.put_declare()
        self.assign(self.dice.choice(fit).name, None, fit)

    def assign(self, name, kind, fit=()):
        kind = kind or next(v.kind for v in fit if v.name == name)
        dice, scalar = self.dice, kind.scalar
        isExact = scalar.isFloat and self.program.floats == "exact"
        if scalar == BOOL or isExact or dice.chance(40):
            return self.scope.line(f"{name} = {self.e.some(kind, self.fuel())}")
        ops = ["+=", "-=", "*="] + (["/="] if scalar.isFloat else ["&=", "|=", "^="])
        if scalar.isInteger and isScalar(kind) and dice.chance(15):
            op = dice.choice(["//=", "%="])
            return self.scope.line(f"{name} {op} {dice.choice([2, 3, 7, 10])}")
        self.scope.line(f"{name} {dice.choice(ops)} {self.e.some(kind, self.fuel())}")

    def put_both(self):
        """A name that each way gives its own value."""
        kind, name, scope = self.someKind(), self.scope.fresh("v"), self.scope
        scope.block(f"if {self.e.condition(2)}:",
                    lambda: scope.line(f"{name} = {self.e.some(kind, 1)}"))
        scope.block("else:", lambda: scope.line(f"{name} = {self.e.some(kind, 1)}"))
        scope.variables.append(Var(name, kind))

    def put_array(self):
        dice, scope = self.dice, self.scope
        scalar = self.someScalar()
        shape = (dice.choice([1, 2, 3, 4, 5, 8, 13, 16]),)
        if dice.chance(20):
            shape = (dice.choice([2, 3, 4]), dice.choice([2, 3, 5]))
        kind, name = Array(shape, scalar), scope.fresh("a")
        scope.line(f"{name} = {kind.text}")
        scope.variables.append(Var(name, kind))
        if dice.chance(70):
            k = scope.fresh("k")
            from places import Index
            axes = [Index(f"{k}{'ab'[axis]}", 0, n - 1) for axis, n in enumerate(shape)]
            header = f"for {axes[0].name} in range({shape[0]}):" if len(shape) == 1 else \
                f"for {axes[0].name}, {axes[1].name} in ndrange({shape[0]}, {shape[1]}):"

            def fill():
                at = ", ".join(axis.name for axis in axes)
                scope.line(f"{name}[{at}] = {self.e.some(scalar, 2)}")
            if scope.place == "kernel":
                header = f"{header[:-1].replace('in ', 'in serial(')}):"
            scope.block(header, fill, trips=shape[0] * (shape[1:] or (1,))[0], indices=axes,
                        canBreak=False, canContinue=False)

    def put_component(self):
        """A number of a vec, mat or array."""
        fit = self.scope.having(lambda kind: not isScalar(kind), isAssigned=True)
        if not fit:
            return self.put_array()
        var = self.dice.choice(fit)
        self.assign(var.name + self.e.part(var.kind, 2), var.kind.scalar)

    def put_swap(self):
        names = self.scope.having(lambda kind: not isArray(kind), isAssigned=True)
        pairs = [(a.name, b.name) for a in names for b in names if a.kind == b.kind and a != b]
        if not pairs:
            return self.put_declare()
        a, b = self.dice.choice(pairs)
        self.scope.line(f"{a}, {b} = {b}, {a}")

    def put_unpack(self):
        """Several names at once: of a tuple, a vec, or a function with several results."""
        dice, scope = self.dice, self.scope
        calls = [f for f in scope.functions if len(f.results) > 1]
        if calls and dice.chance(75):
            function = dice.choice(calls)
            kinds, text = function.results, function.call(self.e, 1)
        elif dice.chance(50):
            kinds = [self.someKind() for _ in range(dice.choice([2, 2, 3]))]
            text = ", ".join(self.e.some(kind, 1) for kind in kinds)
        else:
            scalar = self.someScalar()
            scalar = SCALARS["i32"] if scalar == BOOL else scalar
            kinds = [scalar] * dice.choice([2, 3])
            text = self.e.vector(Vec(len(kinds), scalar), 2)
        names = [scope.fresh("v") if dice.chance(90) else "_" for _ in kinds]
        scope.line(f"{', '.join(names)} = {text}")
        scope.variables += [Var(name, kind) for name, kind in zip(names, kinds) if name != "_"]

    def put_tuple(self):
        """A tuple under one name, or two that are compared."""
        scope, name = self.scope, self.scope.fresh("t")
        kinds = [self.someKind() for _ in range(self.dice.choice([2, 3]))]
        parts = [self.e.some(kind, 1) for kind in kinds]
        if self.dice.chance(25):
            others = [self.e.some(kind, 1) for kind in kinds if isScalar(kind)]
            mine = [part for part, kind in zip(parts, kinds) if isScalar(kind)]
            if len(mine) > 1:
                scope.line(f"{name} = ({', '.join(mine)}) {self.dice.choice(['==', '!='])} "
                           f"({', '.join(others)})")
                return scope.variables.append(Var(name, BOOL))
        scope.line(f"{name} = ({', '.join(parts)})")
        scope.variables += [Var(f"{name}[{k}]", kind, isFixed=True)
                            for k, kind in enumerate(kinds)]

    def put_staticly(self):
        """A branch that is taken while compiling."""
        scope, dice = self.scope, self.dice
        scope.block(f"if static({dice.choice([1, 2])} == {dice.choice([1, 2])}):",
                    lambda: self.statements(1))
        if dice.chance(60):
            scope.block("else:", lambda: self.statements(1))

    def put_tell(self):
        """What a loop prints comes in the order of its iterations."""
        scope, names = self.scope, self.scope.having(isScalar)
        if not names:
            return self.put_declare()
        text = ", ".join(var.name for var in self.dice.sample(names, min(2, len(names))))
        if scope.trips == 1:
            return scope.line(f'print("{scope.fresh("at")}", {text})')
        scope.block(f"if {self.e.condition(1)}:",
                    lambda: scope.line(f'print("{scope.fresh("at")}", {text})'))

    def put_assert(self):
        """One that holds; of a program that may stop also one that may not."""
        scope, dice = self.scope, self.dice
        value = self.e.integer(SCALARS["i32"], 1)
        least = dice.choice([0, 1, 2]) if self.program.mayStop and dice.chance(50) else 0
        told = dice.choice(["", ', "a rest"'])
        scope.line(f"assert {value} % 7 >= {least}{told}")

    # -- elements of fields --------------------------------------------------
    def put_store(self):
        field, own = self.dice.choice(self.scope.writable(lambda f: True))
        place = self.e.element(field, own, 2)
        if isScalar(field.kind) or self.dice.chance(60):
            return self.store(place, field.kind)
        self.store(place + self.e.component(field.kind, 2), field.kind.scalar)

    def keep(self):
        """A store of what the statements before it computed, so that they matter."""
        field, own = self.dice.choice(self.scope.writable(lambda f: True))
        scalar, place = field.kind.scalar, self.e.element(field, own, 1)
        if not isScalar(field.kind):
            place += self.e.component(field.kind, 0)
        fit = [v for v in self.scope.having(isScalar, isAssigned=True) if v.kind != BOOL]
        text = self.e.some(scalar, 1)
        isExact = self.program.floats == "exact"
        if fit and scalar != BOOL and not (isExact and scalar.isFloat):
            last = self.dice.choice(fit[-2:])
            text = f"({text} {self.dice.choice('+-' if scalar.isFloat else '+-^')} " \
                   f"{scalar.name}({last.name}))"
        self.scope.line(f"{place} = {text}")

    def store(self, place, kind):
        dice = self.dice
        if isScalar(kind) and kind.isInteger and dice.chance(25):
            # narrower than what was computed
            wide = SCALARS[dice.choice(["u64", "i64", "u32", "i32"])]
            return self.scope.line(f"{place} = {kind.name}({self.e.integer(wide, self.fuel())})")
        self.assign(place, kind)

    def put_update(self):
        """Of an element that others update, too."""
        task, dice = self.scope.task, self.dice
        field = dice.choice(list(task.updated))
        op, place = task.updated[field], self.e.element(field, None, 2)
        if self.isTooMuch(field.kind.scalar):
            return self.put_declare()
        kind = field.kind
        if not isScalar(kind) and (op in ("min", "max") or dice.chance(50)):
            place, kind = place + self.e.component(kind, 2), kind.scalar
        value = self.e.some(kind, self.fuel())
        named = {"+=": "add", "&=": "and", "|=": "or", "^=": "xor"}.get(op, op)
        if op in ("min", "max") or isScalar(kind) and kind != BOOL and dice.chance(25):
            return self.scope.line(f"atomic_{named}({place}, {value})")
        self.scope.line(f"{place} {op} {value}")

    def isTooMuch(self, scalar):
        """Would a sum of exact floats leave the range where none of them rounds?"""
        return self.program.floats == "exact" and scalar.isFloat and self.scope.trips > 3000

    def put_reduce(self):
        reductions, dice = self.scope.task.reductions, self.dice
        var = dice.choice(list(reductions))
        scalar = var.kind.scalar
        if self.isTooMuch(scalar):
            return self.put_declare()
        if reductions[var] is None:
            ops = ["+=", "min", "max"] if scalar.isFloat else \
                ["+=", "*=", "&=", "|=", "^=", "min", "max"]
            ops = ["&=", "|="] if scalar == BOOL else ops
            ops = [op for op in ops if isScalar(var.kind) or op not in ("min", "max")]
            reductions[var] = dice.choice(ops)
        op, name = reductions[var], var.name
        text = self.e.some(var.kind, self.fuel())
        if op in ("min", "max"):
            parts = [name, text] if dice.chance(50) else [text, name]
            return self.scope.line(f"{name} = {op}({', '.join(parts)})")
        self.scope.line(f"{name} {op} {text}")

