"""Kernels: parallel loops, and between them control with variables of its own."""
from expressions import Expressions
from kinds import I32
from places import Field, Index, Scope, Var, isArray, isScalar
from statements import Statements
from tasks import writeTask


class Kernel:
    def __init__(self, name, parameters, results, lines):
        self.name, self.parameters, self.results, self.lines = name, parameters, results, lines


class KernelStatements(Statements):
    """Adds parallel loops to the statements between them."""

    def __init__(self, scope, expressions, fields):
        super().__init__(scope, expressions)
        self.fields, self.tasks = fields, 0

    def statement(self):
        scope, program = self.scope, self.program
        isLate = len(scope.lines) > program.mostLines
        if scope.trips < 40 and not isLate and self.dice.chance(38) and self.tasks < 5:
            self.tasks += 1
            return writeTask(scope, self.fields)
        super().statement()

    def put_array(self):
        """Small: between loops an array is a reduction's home at most."""
        super().put_array()

    def body(self, header, trips, indices=(), canLeave=True, extra=None):
        if trips * self.scope.trips > 60:
            return self.put_declare()
        super().body(header, trips, indices, canLeave, extra)


def writeKernel(program, name):
    dice, scope = program.dice, Scope(program, "kernel")
    scope.functions, scope.depth = program.functions, 1
    e = Expressions(scope)
    fields, parameters = list(program.fields), []
    if dice.chance(60):  # some of the fields come as parameters
        for field in dice.sample(fields, min(len(fields), dice.choice([1, 2, 2, 3]))):
            stand = Field(scope.fresh("p"), field.kind, field.shape, field.layout, field.order)
            fields[fields.index(field)] = stand
            parameters.append((stand, field))
    s = KernelStatements(scope, e, fields)
    scalars = [Var(scope.fresh("q"), s.someKind(), isFixed=True)
               for _ in range(dice.choice([0, 1, 1, 2]))]
    scope.fields = [field for field in fields]
    scope.variables += [*scalars, *program.globals]
    for _ in range(dice.choice([1, 2, 3])):
        s.declare()
    s.statements(dice.randint(2, 6))
    if not s.tasks:
        writeTask(scope, fields)
    fit = scope.having(lambda kind: not isArray(kind))
    results = dice.sample(fit, min(len(fit), dice.choice([0, 1, 1, 2, 3, 4])))
    if results:
        scope.line("return " + ", ".join(var.name for var in results))
    texts = [f"{stand.name}: field({stand.kind.text}, {len(stand.shape)})"
             if dice.chance(70) else stand.name for stand, _ in parameters]
    texts += [f"{var.name}: {var.kind.text}" for var in scalars]
    kinds = [var.kind.text for var in results]
    arrow = f" -> {kinds[0] if len(kinds) == 1 else '(' + ', '.join(kinds) + ')'}" if kinds else ""
    lines = [markOf(program), f"def {name}({', '.join(texts)}){arrow}:", *scope.lines, ""]
    return Kernel(name, [field for _, field in parameters] + [var.kind for var in scalars],
                  [var.kind for var in results], lines)


def writeFilling(program):
    """The first kernel: every element gets its own value."""
    dice, scope = program.dice, Scope(program, "task")
    scope.depth = 1
    lines = []
    for field in program.fields:
        names = ["i", "j", "k"][:len(field.shape)]
        indices = [Index(name, 0, extent.value - 1) for name, extent in zip(names, field.shape)]
        header = f"for {', '.join(names)} in {field.name}:" if names else "for i in range(1):"
        scope.indices = indices or [Index("i", 0, 0)]
        place = field.at(names)
        scope.line(header)
        scope.depth += 1
        if isScalar(field.kind):
            scope.line(f"{place} = {_value(scope, field.kind, dice, program)}")
        else:
            parts = _parts(field.kind)
            for part in parts:
                scope.line(f"{place}{part} = {_value(scope, field.kind.scalar, dice, program)}")
        scope.depth -= 1
    return [markOf(program), "def init():", *scope.lines, ""]


def markOf(program):
    return '@kernel(float="strict")' if program.allStrict else "@kernel"


def _parts(kind):
    if hasattr(kind, "size"):
        return [f"[{k}]" for k in range(kind.size)]
    return [f"[{i}, {j}]" for i in range(kind.rows) for j in range(kind.columns)]


def _value(scope, scalar, dice, program):
    terms = [f"{index.name} * {dice.choice([1, 2, 3, 5, 7, 11, 37, 101])}"
             for index in scope.indices]
    number = " + ".join([*terms, str(dice.randint(0, 50))])
    if scalar.name == "bool":
        return f"({number}) % {dice.choice([2, 3, 5])} == 0"
    if scalar.isInteger:
        if dice.chance(25):
            return f"{scalar.name}(u32({number}) * 2654435761)"
        return f"{scalar.name}({number})"
    if program.floats == "exact":
        return f"{scalar.name}(({number}) % {dice.choice([5, 8, 15])} - 3) * 0.5"
    special = dice.choice(["0.0", "-0.0", "1.0", "math.inf", "-math.inf", "math.nan", "0.5",
                           "1e-7", "1e4"])
    usual = f"{scalar.name}(({number}) % {dice.choice([7, 23, 64])} - 5) " \
            f"{dice.choice(['* 0.37', '/ 3', '* 0.5', '+ 0.1'])}"
    if dice.chance(30):
        return f"{scalar.name}({special}) if ({number}) % {dice.choice([4, 5, 9])} == 0 else {usual}"
    return usual
