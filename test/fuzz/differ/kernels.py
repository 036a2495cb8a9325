"""Kernels: loops over domains, and what each may write, add to and read."""
from elements import BOOL, Extent, Field, HELD, I32, Index, Local, SCALARS
from idioms import Idioms
from domains import Domains
from scope import Scope


class Sum:
    """A reduction into a variable of the kernel."""

    def __init__(self, name, scalar, op, form="plain"):
        self.name, self.scalar, self.op, self.form, self.used = name, scalar, op, form, 0

    def declaration(self):
        first = {"min": "5", "max": "-5" if self.scalar.kind != "uint" else "5",
                 "&": "-1" if self.scalar.kind == "int" else str(self.scalar.most),
                 "*": "1"}.get(self.op, "0")
        if self.form == "vec":
            return f"{self.name} = vec(3, {self.scalar.name})({', '.join([first] * 3)})"
        if self.form == "array":
            return f"{self.name} = array({self.scalar.name}, 5)"
        return f"{self.name}: {self.scalar.name} = {first}"

    def place(self, statements, scope):
        if self.form == "vec":
            return self.name + statements.dice.choice([".x", ".y", ".z"])
        if self.form == "array":
            return f"{self.name}[{statements.position(scope, Extent(5, '5'))}]"
        return self.name

    def results(self):
        return [f"{self.name}[{k}]" for k in (0, 1, 2)] if self.form != "plain" else [self.name]


class Kernel:
    def __init__(self, name):
        self.name, self.parameters, self.lines, self.hasResult = name, [], [], False


class Kernels(Idioms, Domains):
    # -- data to begin with --------------------------------------------------
    def filling(self):
        """A kernel that gives every field values that are worth something."""
        lines = ["@kernel", "def init():"]
        for field in self.program.fields:
            if field.isSink:
                continue
            names = [f"i{axis}" for axis in range(len(field.shape))]
            number = " + ".join([f"{name} * {self.dice.choice([1, 3, 7, 37, 101])}"
                                 for name in names] + [str(self.dice.randint(0, 50))])
            parts = [self._first(field.element.scalar, number, part)
                     for part in range(max(1, field.element.rows) * max(1, field.element.columns))]
            element = field.element
            value = parts[0]
            if element.columns:
                rows = [f"[{', '.join(parts[r * element.columns:(r + 1) * element.columns])}]"
                        for r in range(element.rows)]
                value = f"{element.text}([{', '.join(rows)}])"
            elif element.rows:
                value = f"{element.text}({', '.join(parts)})"
            if names:
                lines += [f"    for {', '.join(names)} in {field.name}:",
                          f"        {field.at(names)} = {value}"]
            else:
                lines.append(f"    {field.at([])} = {value}")
        return [*lines, "" if len(lines) > 2 else "    pass", ""]

    def _first(self, scalar, number, part):
        dice, number = self.dice, f"({number} + {part * 5})"
        if scalar == BOOL:
            return f"({number} % {dice.choice([2, 3, 5])} == 0)"
        if scalar.isInteger:
            value = f"{scalar.name}({number} * {dice.choice([1, 1, 13, 1103515245])})"
            if dice.chance(30):
                return f"({value} if {number} % 7 != 3 else {scalar.name}({self.literal(scalar)}))"
            return value
        if self.floats == "exact":
            held = HELD[scalar.name]
            most = 2 * held.mag - 1 if held.mag & (held.mag - 1) == 0 else 1023
            return (f"{scalar.name}(({number} & {most}) - {most // 2}) / "
                    f"{2 ** dice.randint(0, held.frac)}") \
                if scalar.bits != 16 else f"{scalar.name}(({number} & 15) - 8) / 2"
        value = f"{scalar.name}({number} % 211 - 100) / {dice.choice([7, 8, 3, 10])}"
        if dice.chance(60):
            odd = dice.choice(["math.nan", "math.inf", "-math.inf", "-0.0", "1e-41", "6e-8", "60000.0"])
            return f"({value} if {number} % {dice.choice([5, 9, 17])} != 2 else {scalar.name}({odd}))"
        return value

    # -- kernels -------------------------------------------------------------
    def kernel(self, name):
        dice, kernel, scope = self.dice, Kernel(name), Scope(self.program)
        fields = list(self.program.fields)
        for number in range(dice.choice([0, 0, 1, 2, 3])):
            field = dice.choice(self.program.fields)
            taken = sum(each.isLike(field) for each in kernel.parameters)
            if not field.isSink and taken < sum(f.isLike(field) for f in self.program.fields):
                kernel.parameters.append(Field(f"u{number}", field.element, field.shape))
        # A global that is like a parameter may be the same storage: left out.
        fields = [each for each in fields if not any(u.isLike(each) for u in kernel.parameters)]
        fields += kernel.parameters
        for number in range(dice.choice([0, 1, 1, 2])):
            scalar = dice.choice([I32, I32, *self.integers])
            isSmall = scalar == I32 and dice.chance(60)  # from 0 to 7 in all calls
            kernel.parameters.append(Local(f"p{number}", scalar, isAssignable=isSmall))
            scope.locals.append(Local(f"p{number}", scalar))
            if isSmall:
                scope.indices.append(Index(f"p{number}", 0, 7))
        scope.depth = 1
        results = []
        for _ in range(dice.randint(1, 3)):
            self._place(scope, fields, results)
        signature = ", ".join(
            f"{each.name}: field({each.element.text}, {len(each.shape)})"
            if isinstance(each, Field) else f"{each.name}: {each.scalar.name}"
            for each in kernel.parameters)
        arrow = ""
        if results:
            kernel.hasResult = True
            types = [scalar.name for _, scalar in results]
            texts = [text for text, _ in results]
            arrow = f" -> {types[0]}" if len(types) == 1 else f" -> ({', '.join(types)})"
            scope.line(f"return {', '.join(texts)}")
        kernel.lines = ["@kernel", f"def {name}({signature}){arrow}:", *scope.lines, ""]
        return kernel

    def _place(self, scope, fields, results):
        """A task at its place of the kernel: plain, under if, in a serial loop."""
        dice = self.dice
        sums = self._sums(scope)
        for each in sums:
            scope.line(each.declaration())
        kind = dice.weighted({"plain": 75, "if": 10, "serial": 15})
        marks = scope.marks()
        if kind == "if":
            scope.line(f"if {self.boolean(scope, 1)}:")
            scope.depth += 1
        elif kind == "serial":
            q = scope.fresh("q")
            scope.line(f"for {q} in serial(range({dice.choice([2, 3])})):")
            scope.indices.append(Index(q, 0, 2))
            scope.depth += 1
        self.task(scope, fields, sums, 3 if kind == "serial" else 1)
        scope.depth -= kind != "plain"
        scope.restore(marks)
        for each in sums:
            results += [(text, each.scalar) for text in each.results()]
            if each.form == "plain" and each.scalar.isInteger:
                scope.locals.append(Local(each.name, each.scalar))

    def _sums(self, scope):
        dice, sums = self.dice, []
        for _ in range(dice.choice([0, 0, 1, 1, 2])):
            if self.floats != "none" and dice.chance(50):
                scalar = self.someFloat() if self.floats == "wild" \
                    else SCALARS[dice.choice(["f32", "f64"])]
                ops = ["+", "+", "-"]
                if self.floats == "exact" or "minmax0" not in self.avoid:
                    ops += ["min", "max"]
            else:
                scalar, ops = dice.choice(self.integers), ["+", "+", "-", "*", "&", "|", "^", "min",
                                                           "max"]
            op = dice.choice(ops)
            form = "plain" if op in ("min", "max") or scalar.isFloat else \
                dice.choice(["plain", "plain", "plain", "vec", "array"])
            sums.append(Sum(scope.fresh("r"), scalar, op, form))
        return sums

    # -- one parallel loop ---------------------------------------------------
    def task(self, outer, fields, sums, passes):
        dice = self.dice
        scope = Scope(self.program)
        scope.lines, scope.depth, scope.isTask = outer.lines, outer.depth, True
        scope.indices, scope.locals = list(outer.indices), [
            local._replace(isAssignable=False) for local in outer.locals]
        if dice.chance(65):
            scope.trips = passes
            if self.idiom(scope, fields, sums):
                return None
            scope.restore((len(outer.indices), len(outer.locals), 0, 0))
            scope.owned, scope.readable, scope.depth = {}, [], outer.depth
        data = [field for field in fields if not field.isSink]
        target = dice.choice([field for field in data if field.shape] or data)
        if not target.shape:
            return scope.line("pass")
        header, own, trips = self._domain(scope, target)
        scope.trips = trips * passes
        isWriting = not sums or dice.chance(80)
        if isWriting:
            scope.owned[target] = own
            for field in data:
                if field is not target and dice.chance(20):
                    also = self._alsoOwn(scope, field)
                    if also:
                        scope.owned[field] = also
        scope.readable = [field for field in data if field not in scope.owned]
        self._chooseAdding(scope, fields)
        scope.sums = sums
        scope.line(header)
        scope.depth += 1
        first = len(scope.lines)
        if self.program.isFailing and dice.chance(50):
            self._failure(scope)
        for _ in range(dice.choice([1, 1, 2, 3])):
            self.statement(scope, 2)
        if isWriting and dice.chance(80):
            self._store(scope, 1)
        if sums:
            self._reduce(scope, 1)
        if len(scope.lines) == first:
            scope.line("pass")

    def _failure(self, scope):
        """What ends the program at one iteration, the same for all threads."""
        dice = self.dice
        own = [index for index in scope.indices if index.name.startswith("ix")]
        at = {index.name: dice.choice([index.low, index.high, (index.low + index.high) // 2])
              for index in own}
        here = " and ".join(f"{name} == {value}" for name, value in at.items())
        name, value = dice.choice(list(at.items()))
        read = [field for field in scope.readable
                if len(field.shape) == 1 and field.element.isScalar]
        kind = dice.choice(["assert", "divide"] + ["index"] * bool(read))
        scope.line(f"if {here}:")
        if kind == "assert":
            scope.line(f'    assert {name} != {value}, f"stopped at {{{name}}}"')
        elif kind == "divide":
            result = scope.fresh("v")
            scope.line(f"    {result}: i32 = {dice.choice([7, -1])} "
                       f"{dice.choice(['//', '%'])} i32({name} - {value})")
            scope.line(f"    assert {result} < 5")
        else:
            field = dice.choice(read)
            wrong = dice.choice([f"{field.shape[0].text} + {dice.choice([0, 1, 100])}", "-1"])
            scope.line(f"    assert {field.name}[i32({name} - {value}) + {wrong}] == "
                       f"{field.name}[0]")

    def _chooseAdding(self, scope, fields):
        dice = self.dice
        for field in fields:
            scalar = field.element.scalar
            if field in scope.owned or not dice.chance(60 if field.isSink else 14) \
                    or scalar == BOOL:
                continue
            if scalar.isFloat and (self.floats == "wild" and field.shape
                                   or self.floats == "exact" and not field.isSink):
                continue
            ops = ["+", "+", "+", "-"] if scalar.isFloat else \
                ["+", "+", "-", "&", "|", "^", "*", "min", "max"]
            scope.adding[field] = dice.choice(ops)
            if field in scope.readable:
                scope.readable.remove(field)
